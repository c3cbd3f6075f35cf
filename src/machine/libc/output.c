/* Printing: what is printed leaves the program, so symbolic values lose nothing here; only
 * which text is printed must be settled, because reading it may be an error.
 *
 * Unless the user wants to see it, text is formatted (its length is a result, and a bad
 * argument must still be found) and thrown away. */
#include "machine/libc/libc_ipc.h"
#include "machine/libc/streams.h"
#include "machine/tasks/format.h"

#include <errno.h>

#define DEEP UINT64_C(16384) /* stack that the C library may use and leave dirty */

/* Arguments that point into the program's memory, or are NULL where they could.  Which others
 * are symbolic. */
static uint64_t settle_texts(hd_machine *m, uint64_t passed) {
    uint64_t left = passed = hd_define_arguments(m, passed, HD_USE_ARGUMENT);
    for (unsigned i = 0; passed >> i && i < HD_MAX_ARGS - 1; i++) {
        hd_expr e = hd_argument(m, passed, i);
        if (!e || hd_expr_width(m->graph, e) != 64 ||
            !hd_in_region(hd_eval_value(m->expressions.eval, e)))
            continue;
        hd_settle_argument(m, passed, i);
        left &= ~(UINT64_C(1) << i);
    }
    return left;
}

/* The C library runs on the program's stack: what it leaves there must not be seen later. */
static hd_machine *enter_stack(const void *frame) {
    hd_machine *m = hd_enter();
    uint64_t low = (uint64_t)frame - DEEP;
    if (low < m->running.stack_dirty)
        m->running.stack_dirty = low;
    return m;
}

/* All arguments of the call are settled. */
static hd_machine *enter(const void *frame) {
    hd_machine *m = enter_stack(frame);
    hd_settle_arguments(m);
    return m;
}
#define ENTER() enter(__builtin_frame_address(0))

/* The arguments of a format; what was symbolic among them and in the text they point to is told
 * afterwards (leave), because other threads may print meanwhile. */
static hd_machine *enter_format(hd_format *f, const char *format, va_list arguments,
                                const void *frame) {
    hd_machine *m = enter_stack(frame);
    f->passed |= settle_texts(m, hd_take_arguments(m));
    for (unsigned i = 0; f->passed >> i && i < HD_MAX_ARGS - 1; i++)
        f->given[i] = hd_argument(m, f->passed, i);
    f->is_symbolic = !f->is_kept && f->passed;
    hd_format_read(m, f, format, arguments);
    return m;
}
#define ENTER_FORMAT(f, format, arguments)                                                         \
    ((f)->is_kept = false, (f)->passed = 0,                                                        \
     enter_format(f, format, arguments, __builtin_frame_address(0)))
#define ENTER_KEPT(f, format, arguments)                                                           \
    ((f)->is_kept = true, (f)->passed = 0,                                                         \
     enter_format(f, format, arguments, __builtin_frame_address(0)))

/* Does this descriptor mean what the user sees? */
static bool is_seen(hd_machine *m, int descriptor) {
    const hd_file *f =
        m->ipc ? hd_descriptor_file(hd_ipc_net(m), hd_ipc_process(m), descriptor) : NULL;
    return m->ipc ? f && f->kind == HD_FILE_STANDARD : descriptor <= 2;
}

static bool is_for_user(FILE *file) {
    bool is_standard = file == stdout || file == stderr;
    return is_standard && is_seen(hd_enter(), file == stdout ? 1 : 2);
}

/* The stream that text for `file` goes to; NULL: the user. */
static hd_stream *stream_of(hd_machine *m, FILE *file) {
    return is_for_user(file) ? NULL : hd_stream_of(m, file);
}

/* The stream of `file`, locked; *to is where text goes, NULL: to the user.  For the user nothing is
 * locked unless the program locks streams itself: the order of output is no part of a class. */
static hd_stream *enter_stream(hd_machine *m, FILE *file, hd_stream **to) {
    *to = stream_of(m, file);
    HD_INVARIANT(M3, *to || file == stdout || file == stderr);
    hd_stream *locked = *to ? *to : m->may.lock_streams ? hd_stream_of(m, file) : NULL;
    if (locked) {
        hd_stream_enter(m, locked);
        hd_stream_use_bytes(m, locked);
    }
    return locked;
}

static void leave_stream(hd_machine *m, hd_stream *locked) {
    if (locked)
        hd_stream_leave(m, locked);
}

/* Formatted, in memory of this execution; its length, or less than 0. */
static int format_text(hd_machine *m, hd_format *f, char **out) {
    *out = "";
    if (!f->text)
        return hd_ipc_fail(m, EINVAL);
    int n = hd_format_print(m, f, NULL, 0);
    if (n > 0) {
        *out = hd_execution_alloc(m, (size_t)n + 1);
        hd_format_print(m, f, *out, (size_t)n + 1);
    }
    return n;
}

/* Into memory that may be written. */
static void put_bytes(hd_machine *m, char *out, const char *text, const hd_word *words, size_t n) {
    memcpy(out, text, n);
    hd_unpoison((uint64_t)out, n);
    if (words && n) {
        hd_memory_note_symbolic(m, (uint64_t)out, n);
        memcpy(HD_SHADOW_OF(out), words, n * sizeof *words);
    }
}

/* Text that others may read: symbolic numbers and bytes in it come out concrete. */
static void note_symbolic(hd_machine *m, const hd_format *f) {
    if (f->is_symbolic)
        hd_approximate_call(m, "printing of a symbolic value into a file, pipe or socket");
}

/* For the user: only the result of the call is left in the program. */
static int leave(hd_machine *m, const hd_format *f, int n) {
    if (f->is_symbolic)
        hd_note_printed(m);
    return n;
}

int hd_libc_vfprintf(FILE *file, const char *format, va_list arguments) {
    hd_format f;
    hd_machine *m =
        is_for_user(file) ? ENTER_FORMAT(&f, format, arguments) : ENTER_KEPT(&f, format, arguments);
    hd_stream *s, *locked = enter_stream(m, file, &s);
    char *text;
    errno = *(int *)m->running.errno_at; /* for %m */
    int n = s                        ? format_text(m, &f, &text)
            : m->options.show_output ? vfprintf(file, f.text, f.arguments)
                                     : vsnprintf(NULL, 0, f.text, f.arguments);
    const hd_word *words = s && n > 0 ? hd_format_words(m, &f, text, (uint64_t)n) : NULL;
    if (s && n >= 0 && !hd_stream_put(m, s, text, words, (size_t)n))
        n = -1;
    leave_stream(m, locked);
    if (s)
        note_symbolic(m, &f);
    return leave(m, &f, n);
}

int hd_libc_vprintf(const char *format, va_list arguments) {
    return hd_libc_vfprintf(stdout, format, arguments);
}

int hd_libc_fprintf(FILE *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = hd_libc_vfprintf(file, format, arguments);
    va_end(arguments);
    return n;
}

int hd_libc_printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = hd_libc_vfprintf(stdout, format, arguments);
    va_end(arguments);
    return n;
}

/* Written at once; from a block of the program's memory, where what is sent is taken from. */
int hd_libc_vdprintf(int descriptor, const char *format, va_list arguments) {
    hd_format f;
    hd_machine *m = is_seen(hd_enter(), descriptor) ? ENTER_FORMAT(&f, format, arguments)
                                                    : ENTER_KEPT(&f, format, arguments);
    char *text;
    errno = *(int *)m->running.errno_at; /* for %m */
    if (is_seen(m, descriptor))
        return leave(m, &f,
                     m->options.show_output ? vdprintf(descriptor, f.text, f.arguments)
                                            : vsnprintf(NULL, 0, f.text, f.arguments));
    int n = format_text(m, &f, &text);
    if (n > 0) {
        void *copy = hd_heap_hide(m->running.heap, text, (size_t)n);
        if (!copy)
            hd_out_of_memory();
        put_bytes(m, copy, text, hd_format_words(m, &f, text, (uint64_t)n), (size_t)n);
        n = hd_file_put(descriptor, copy, (size_t)n) == n ? n : -1;
    }
    note_symbolic(m, &f);
    return leave(m, &f, n);
}

int hd_libc_dprintf(int descriptor, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = hd_libc_vdprintf(descriptor, format, arguments);
    va_end(arguments);
    return n;
}

/* What was read, and what comes behind it.  Symbolic bytes stay symbolic. */
static bool put_text(hd_machine *m, FILE *file, const hd_library_text *t, const char *end) {
    hd_stream *to, *locked = enter_stream(m, file, &to);
    bool is_done = true;
    if (to)
        is_done = hd_stream_put(m, to, t->at, t->words, t->n) &&
                  hd_stream_put(m, to, end, NULL, strlen(end));
    else if (m->options.show_output)
        is_done = fwrite(t->at, 1, t->n, file) == t->n && fputs(end, file) >= 0;
    leave_stream(m, locked);
    return is_done;
}

int hd_libc_fputs(const char *s, FILE *file) {
    hd_machine *m = ENTER();
    hd_library_text t = hd_library_read_text(m, s, UINT64_MAX, 1);
    return put_text(m, file, &t, "") ? 1 : EOF;
}

int hd_libc_puts(const char *s) {
    hd_machine *m = ENTER();
    hd_library_text t = hd_library_read_text(m, s, UINT64_MAX, 1);
    return put_text(m, stdout, &t, "\n") ? (int)t.n + 1 : EOF;
}

int hd_libc_fputc(int c, FILE *file) {
    hd_machine *m = enter_stack(__builtin_frame_address(0));
    uint64_t passed = hd_take_arguments(m);
    hd_expr e = hd_define(m, hd_argument(m, passed, 0), HD_USE_ARGUMENT, 0);
    hd_settle_argument(m, passed, 1);
    hd_stream *to, *locked = enter_stream(m, file, &to);
    uint8_t byte = (uint8_t)c;
    hd_word word = e ? HD_WORD(e, 0) : 0;
    int result = to                       ? hd_stream_put(m, to, &byte, &word, 1) ? byte : EOF
                 : m->options.show_output ? fputc(c, file)
                                          : byte;
    leave_stream(m, locked);
    if (e && result != EOF)
        hd_return_byte(m, e);
    return result;
}

int hd_libc_putchar(int c) {
    return hd_libc_fputc(c, stdout);
}

size_t hd_libc_fwrite(const void *p, size_t size, size_t n, FILE *file) {
    hd_machine *m = ENTER();
    uint64_t bytes;
    if (__builtin_mul_overflow(size, n, &bytes))
        bytes = UINT64_MAX; /* no object is as large */
    hd_library_text t = hd_library_use_block(m, p, bytes);
    return bytes && put_text(m, file, &t, "") ? n : 0;
}

int hd_libc_fflush(FILE *file) {
    hd_machine *m = ENTER();
    if (!file) {
        if (m->options.show_output)
            fflush(NULL);
        return hd_streams_flush(m) ? 0 : EOF;
    }
    hd_stream *s = stream_of(m, file);
    if (!s)
        return m->options.show_output ? fflush(file) : 0;
    hd_stream_enter(m, s);
    bool is_done = hd_stream_flush(s);
    hd_stream_tell(m, s);
    hd_stream_leave(m, s);
    return is_done ? 0 : EOF;
}

/* To standard error, wherever that goes. */
static void put_error(hd_machine *m, const char *text) {
    hd_library_text t = {.at = text, .n = strlen(text)};
    put_text(m, stderr, &t, "");
}

/* What was put there was symbolic, and others may read it. */
static void note_error(hd_machine *m, const hd_format *f) {
    if (f->is_symbolic && !is_seen(m, 2)) /* at once: the call may not come back */
        hd_approximate(m, hd_caller_site(m, __builtin_frame_address(0)),
                       "printing of a symbolic value into a file, pipe or socket");
}

void hd_libc_perror(const char *s) {
    hd_machine *m = ENTER();
    hd_format given = {.text = ""};
    if (s) {
        hd_library_text t = hd_library_read_text(m, s, UINT64_MAX, 1);
        given = (hd_format){.text = t.at, .is_symbolic = t.is_symbolic};
    }
    given.is_symbolic |= !is_seen(m, 2) && hd_errno_is_lost(m);
    const char *words = strerror(*(int *)m->running.errno_at);
    size_t n = strlen(given.text) + strlen(words) + 4;
    char *text = hd_execution_alloc(m, n);
    snprintf(text, n, "%s%s%s\n", given.text, *given.text ? ": " : "", words);
    put_error(m, text);
    note_error(m, &given);
}

/* ---- complaints: <err.h> and error(), some of which are the end of the calling process ---- */

/* Enter a function whose first argument is an exit status.  Which others are symbolic? */
static uint64_t enter_with_status(int status) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    hd_settle_status(m, hd_argument(m, passed, 0), status);
    return settle_texts(m, passed & ~UINT64_C(1));
}

/* The name of the running program, as <err.h> gives it. */
static const char *program_name(const hd_machine *m) {
    HD_ASSERT(!m->options.argc || !strchr(m->options.argv[0], '/'));
    return m->options.argc > 0 ? m->options.argv[0] : "";
}

/* `number`: of an error that is named behind the text; 0 if none is.  `passed`: symbolic arguments
 * that were taken already. */
static void complain(int number, const char *format, va_list arguments, uint64_t passed) {
    hd_format f;
    f.is_kept = false;
    f.passed = passed;
    hd_machine *m = enter_format(&f, format, arguments, __builtin_frame_address(0));
    char *text;
    put_error(m, program_name(m));
    put_error(m, ": ");
    if (f.text && format_text(m, &f, &text) >= 0)
        put_error(m, text);
    if (number) {
        put_error(m, f.text ? ": " : "");
        put_error(m, strerror(number));
    }
    put_error(m, "\n");
    f.is_symbolic |= number && !is_seen(m, 2) && hd_errno_is_lost(m);
    note_error(m, &f);
}

static int current_error(void) {
    return *(int *)hd_now->running.errno_at;
}

void hd_libc_vwarn(const char *format, va_list arguments) {
    complain(current_error(), format, arguments, 0);
}

void hd_libc_vwarnx(const char *format, va_list arguments) {
    complain(0, format, arguments, 0);
}

void hd_libc_verr(int status, const char *format, va_list arguments) {
    complain(current_error(), format, arguments, enter_with_status(status));
    hd_exit_program(hd_now, status);
}

void hd_libc_verrx(int status, const char *format, va_list arguments) {
    complain(0, format, arguments, enter_with_status(status));
    hd_exit_program(hd_now, status);
}

#define PASS_ON(call)                                                                              \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    call;                                                                                          \
    va_end(arguments)

void hd_libc_warn(const char *format, ...) {
    PASS_ON(hd_libc_vwarn(format, arguments));
}

void hd_libc_warnx(const char *format, ...) {
    PASS_ON(hd_libc_vwarnx(format, arguments));
}

void hd_libc_err(int status, const char *format, ...) {
    PASS_ON(hd_libc_verr(status, format, arguments));
}

void hd_libc_errx(int status, const char *format, ...) {
    PASS_ON(hd_libc_verrx(status, format, arguments));
}

/* ---- the log of the system: nobody reads it ---- */

static void take_log(const char *format, va_list arguments) {
    hd_format f;
    char *text;
    hd_machine *m = ENTER_FORMAT(&f, format, arguments);
    if (f.text)
        format_text(m, &f, &text);
}

void hd_libc_vsyslog(int priority, const char *format, va_list arguments) {
    (void)priority;
    take_log(format, arguments);
}

void hd_libc_syslog(int priority, const char *format, ...) {
    (void)priority;
    PASS_ON(take_log(format, arguments));
}

void hd_libc_error(int status, int number, const char *format, ...) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    hd_settle_argument(m, passed, 0); /* whether this is the end depends on it */
    hd_settle_argument(m, passed, 1); /* and on this, what is said */
    hd_settle_status(m, HD_NONE, status);
    uint64_t left = settle_texts(m, passed & ~UINT64_C(3));
    PASS_ON(complain(number, format, arguments, left));
    if (status)
        hd_exit_program(hd_now, status);
}

/* ---- into memory ---- */

/* What is printed must not be where it is printed to. */
static void check_apart(hd_machine *m, const hd_format *f, const char *out, size_t n) {
    HD_ASSERT(f->n_texts <= sizeof f->texts / sizeof *f->texts);
    uint64_t to = (uint64_t)out;
    for (uint32_t i = 0; i < f->n_texts; i++) {
        hd_range from = f->texts[i];
        if (from.n && (to - from.address < from.n || from.address - to < n))
            hd_end_finding(m, HD_FINDING_OVERLAP, hd_caller_site(m, __builtin_frame_address(0)),
                           "text that is printed lies where it is printed to");
    }
}

/* Format on the side, look whether there is room, then write. */
static int print_into(const char *name, hd_machine *m, hd_format *f, char *out, size_t size) {
    char small[512], *text = small;
    int n = hd_format_print(m, f, small, sizeof small);
    if (n >= (int)sizeof small) {
        text = hd_execution_alloc(m, (size_t)n + 1);
        hd_format_print(m, f, text, (size_t)n + 1);
    }
    if (f->is_symbolic) /* before anything ends here: with other values it might fit */
        hd_approximate_call(m, "call of '%s' with a symbolic argument", name);
    if (n >= 0 && size > 0) {
        size_t written = (size_t)n < size ? (size_t)n : size - 1;
        const hd_word *words = hd_format_words(m, f, text, (uint64_t)n);
        hd_library_write(m, out, written + 1);
        check_apart(m, f, out, written + 1);
        put_bytes(m, out, text, words, written);
        out[written] = '\0';
        hd_unpoison((uint64_t)out + written, 1);
    }
    return n;
}

/* How much room there is decides what is written: one path for each. */
static void settle_size(hd_machine *m) {
    hd_settle_argument(m, m->registers->passed, 1);
    m->registers->passed &= ~UINT64_C(2);
}

int hd_libc_vsnprintf(char *out, size_t size, const char *format, va_list arguments) {
    hd_format f;
    settle_size(hd_enter());
    hd_machine *m = ENTER_KEPT(&f, format, arguments);
    return print_into("snprintf", m, &f, out, size);
}

int hd_libc_snprintf(char *out, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = hd_libc_vsnprintf(out, size, format, arguments);
    va_end(arguments);
    return n;
}

int hd_libc_vsprintf(char *out, const char *format, va_list arguments) {
    hd_format f;
    hd_machine *m = ENTER_KEPT(&f, format, arguments);
    return print_into("sprintf", m, &f, out, SIZE_MAX);
}

int hd_libc_sprintf(char *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = hd_libc_vsprintf(out, format, arguments);
    va_end(arguments);
    return n;
}

/* ---- into a new block ---- */

static int print_new(hd_machine *m, hd_format *f, char **out, uint64_t pc) {
    char *text, *copy;
    int n = format_text(m, f, &text);
    if (n >= 0 && !(copy = hd_heap_alloc(m->running.heap, (uint64_t)n + 1, 16, pc)))
        n = hd_ipc_fail(m, ENOMEM);
    if (n >= 0) {
        put_bytes(m, copy, text, hd_format_words(m, f, text, (uint64_t)n), (size_t)n);
        copy[n] = '\0';
        hd_unpoison((uint64_t)copy + (uint64_t)n, 1);
        hd_library_store(m, out, &copy, sizeof copy);
    }
    if (f->is_symbolic)
        hd_approximate_call(m, "call of 'asprintf' with a symbolic argument");
    return n;
}

#define CALLER ((uint64_t)__builtin_return_address(0) - 1)

int hd_libc_vasprintf(char **out, const char *format, va_list arguments) {
    hd_format f;
    hd_machine *m = ENTER_KEPT(&f, format, arguments);
    return print_new(m, &f, out, CALLER);
}

int hd_libc_asprintf(char **out, const char *format, ...) {
    hd_format f;
    va_list arguments;
    va_start(arguments, format);
    hd_machine *m = ENTER_KEPT(&f, format, arguments);
    int n = print_new(m, &f, out, CALLER);
    va_end(arguments);
    return n;
}
