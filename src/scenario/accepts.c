/* Do programs of a scenario accept connections, and is how these are cut left open?
 *
 * Nothing is compiled for an explanation: sources are looked through for a call of accept.  One
 * that is in a header, or behind a macro, is not seen; what the search sees it says itself. */
#include "scenario/scenario_int.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Is there a call of accept or accept4 in the line? */
static bool has_call(const char *line) {
    for (const char *at = line; (at = strstr(at, "accept")); at++) {
        const char *end = at + strlen("accept");
        end += *end == '4';
        end += strspn(end, " \t");
        if (*end == '(' && (at == line || !is_of_word(at[-1])))
            return true;
    }
    return false;
}

/* The first line of the file with such a call; 0: none. */
static unsigned find_call(const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    unsigned number = 0;
    bool found = false;
    while (file && !found && getline(&line, &room, file) >= 0) {
        number++;
        found = has_call(line);
    }
    free(line);
    if (file)
        fclose(file);
    return found ? number : 0;
}

/* Does something that is sent take some time, without a bound on how it is cut? */
static bool has_open_link(const hd_scenario *s) {
    for (size_t i = 0; i < s->links.n; i++) {
        const hd_link *l = &s->links.at[i];
        if (!l->is_cut && l->latency == HD_LATENCY_ANY && !l->segments)
            return true;
    }
    return false;
}

const char *hd_scenario_find_accept(const hd_scenario *s, unsigned *line) {
    if (s->nodes.n < 2 || !has_open_link(s))
        return NULL;
    for (size_t i = 0; i < s->programs.n; i++)
        for (size_t k = 0; k < s->programs.at[i].sources.n; k++)
            if ((*line = find_call(s->programs.at[i].sources.at[k])))
                return s->programs.at[i].sources.at[k];
    return NULL;
}
