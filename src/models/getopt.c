/* getopt.c -- getopt and its relatives, with the variables that they share with the program.
 *
 * As in the GNU library, options may stand behind other arguments, which are moved behind them:
 * those that were passed over are arguments first .. last - 1, and change places with what was read
 * when the next option is asked for. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

WEAK char *optarg;
WEAK int optind = 1, opterr = 1, optopt = '?';

static int first, last; /* arguments that were passed over */
static char *at;        /* in a group of short options; NULL or its end: none */
static int is_begun;
static int wrong;                          /* the last option that was: optopt, after each call */
static enum { MOVE, STOP, RETURN } others; /* what to do with arguments that are no options */

/* Long, and seldom where the time goes: compiled fast (compile/compiler/optimize.c). */
#ifdef __clang__ /* tests compile it with gcc too */
#pragma clang attribute push(__attribute__((cold)), apply_to = function)
#endif

typedef struct getopt_call {
    int argc;
    char **argv;
    const char *shorts;
    const struct option *longs;
    int *which;
    int is_long_only, is_silent;
} getopt_call;

static int fail(const getopt_call *c, const char *what, const char *name, size_t n) {
    if (!c->is_silent)
        fprintf(stderr, "%s: %s '%.*s'\n", c->argv[0], what, (int)n, name);
    return '?';
}

static void begin(const char *shorts) {
    if (optind == 0)
        optind = 1;
    first = last = optind;
    at = NULL;
    others = shorts[0] == '-'                                ? RETURN
             : shorts[0] == '+' || getenv("POSIXLY_CORRECT") ? STOP
                                                             : MOVE;
    is_begun = 1;
}

/* The arguments first .. last - 1 go behind those up to optind. */
static void move_others(char **argv) {
    int n = last - first, read = optind - last;
    for (int i = 0; i < read; i++) {
        char *option = argv[last + i];
        for (int k = last + i; k > first + i; k--)
            argv[k] = argv[k - 1];
        argv[first + i] = option;
    }
    first += read;
    last = first + n;
}

static int is_other(const char *argument) {
    return argument[0] != '-' || argument[1] == '\0';
}

static void pass_others(const getopt_call *c) {
    if (last > optind)
        last = optind;
    if (first > optind)
        first = optind;
    if (others != MOVE)
        return;
    if (first != last && last != optind)
        move_others(c->argv);
    else if (last != optind)
        first = optind;
    while (optind < c->argc && is_other(c->argv[optind]))
        optind++;
    last = optind;
}

/* "--": all behind it are others. */
static void end_options(const getopt_call *c) {
    optind++;
    if (first != last && last != optind)
        move_others(c->argv);
    else if (first == last)
        first = optind;
    last = optind = c->argc;
}

/* ---- long options ---- */

/* The option of that name, or of which it is the only beginning; NULL if there is none, or several.
 */
static const struct option *find_long(const getopt_call *c, const char *name, size_t n,
                                      int *is_ambiguous) {
    const struct option *found = NULL;
    *is_ambiguous = 0;
    for (const struct option *o = c->longs; o->name; o++) {
        if (strncmp(o->name, name, n) != 0)
            continue;
        if (strlen(o->name) == n)
            return *is_ambiguous = 0, o;
        *is_ambiguous |= found && (c->is_long_only || found->has_arg != o->has_arg ||
                                   found->flag != o->flag || found->val != o->val);
        if (!found)
            found = o;
    }
    return *is_ambiguous ? NULL : found;
}

static int take_long(const getopt_call *c, const struct option *o, const char *value) {
    if (value && !o->has_arg) {
        wrong = o->val;
        return fail(c, "option takes no argument:", o->name, strlen(o->name));
    }
    if (value)
        optarg = (char *)value;
    else if (o->has_arg == required_argument && optind < c->argc)
        optarg = c->argv[optind++];
    else if (o->has_arg == required_argument) {
        wrong = o->val;
        fail(c, "option requires an argument:", o->name, strlen(o->name));
        return c->shorts[0] == ':' ? ':' : '?';
    }
    if (c->which)
        *c->which = (int)(o - c->longs);
    if (!o->flag)
        return o->val;
    *o->flag = o->val;
    return 0;
}

/* -1: it may be a group of short ones. */
static int read_long(const getopt_call *c, const char *name, int may_be_short) {
    size_t n = strcspn(name, "=");
    int is_ambiguous;
    const struct option *o = find_long(c, name, n, &is_ambiguous);
    if (!o && !is_ambiguous && may_be_short && strchr(c->shorts, name[0]))
        return -1;
    at = NULL;
    optind++;
    if (o)
        return take_long(c, o, name[n] ? name + n + 1 : NULL);
    wrong = 0;
    return fail(c, is_ambiguous ? "option is ambiguous:" : "unrecognized option", name, n);
}

static int try_long(const getopt_call *c) {
    const char *argument = c->argv[optind];
    if (!c->longs)
        return -1;
    if (argument[1] == '-')
        return read_long(c, argument + 2, 0);
    if (c->is_long_only && (argument[2] || !strchr(c->shorts, argument[1])))
        return read_long(c, argument + 1, 1);
    return -1;
}

/* ---- short options ---- */

static int take_argument(const getopt_call *c, int option, int is_optional) {
    char *rest = at;
    at = NULL;
    if (*rest) {
        optarg = rest;
        optind++;
    } else if (!is_optional && optind < c->argc)
        optarg = c->argv[optind++];
    else if (!is_optional) {
        char name = (char)option;
        wrong = option;
        fail(c, "option requires an argument --", &name, 1);
        return c->shorts[0] == ':' ? ':' : '?';
    }
    return option;
}

static int read_short(const getopt_call *c) {
    char option = *at++;
    const char *known = option == ':' || option == ';' ? NULL : strchr(c->shorts, option);
    if (!*at)
        optind++;
    if (!known) {
        wrong = (unsigned char)option;
        return fail(c, "invalid option --", &option, 1);
    }
    return known[1] == ':' ? take_argument(c, option, known[2] == ':') : option;
}

static int next_option(const getopt_call *c) {
    pass_others(c);
    if (optind < c->argc && strcmp(c->argv[optind], "--") == 0)
        end_options(c);
    if (optind >= c->argc) {
        if (first != last)
            optind = first;
        return -1;
    }
    if (is_other(c->argv[optind])) {
        if (others == STOP)
            return -1;
        optarg = c->argv[optind++];
        return 1;
    }
    int found = try_long(c);
    if (found >= 0)
        return found;
    at = c->argv[optind] + 1;
    return read_short(c);
}

static int ask(getopt_call c) {
    optarg = NULL;
    if (c.argc < 1)
        return -1;
    if (optind == 0 || !is_begun)
        begin(c.shorts);
    c.shorts += c.shorts[0] == '-' || c.shorts[0] == '+';
    c.is_silent = !opterr || c.shorts[0] == ':';
    int found = at && *at ? read_short(&c) : next_option(&c);
    optopt = wrong;
    return found;
}

WEAK int getopt(int argc, char *const argv[], const char *shorts) {
    return ask((getopt_call){.argc = argc, .argv = (char **)argv, .shorts = shorts});
}

WEAK int getopt_long(int argc, char *const argv[], const char *shorts, const struct option *longs,
                     int *which) {
    return ask((getopt_call){
        .argc = argc, .argv = (char **)argv, .shorts = shorts, .longs = longs, .which = which});
}

WEAK int getopt_long_only(int argc, char *const argv[], const char *shorts,
                          const struct option *longs, int *which) {
    return ask((getopt_call){.argc = argc,
                             .argv = (char **)argv,
                             .shorts = shorts,
                             .longs = longs,
                             .which = which,
                             .is_long_only = 1});
}

#ifdef __clang__
#pragma clang attribute pop
#endif
