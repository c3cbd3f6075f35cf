/* Printing: what is printed leaves the program, so symbolic values lose nothing here; only
 * which text is printed must be settled, because reading it may be an error.
 *
 * Unless the user wants to see it, text is formatted (its length is a result, and a bad
 * argument must still be found) and thrown away. */
#include "machine/libc_ipc.h"
#include "machine/stream.h"

#define DEEP UINT64_C(16384) /* stack that the C library may use and leave dirty */

/* Arguments that point into the program's memory, or are NULL where they could. */
static void settle_texts(hd_machine *m, uint64_t passed) {
    for (unsigned i = 0; passed >> i && i < HD_MAX_ARGS - 1; i++) {
        hd_expr e = hd_argument(m, passed, i);
        if (e && hd_expr_width(m->graph, e) == 64 && hd_in_region(hd_eval_value(m->eval, e)))
            hd_settle_argument(m, passed, i);
    }
    if (passed)
        hd_note_printed(m);
}

/* The C library runs on the program's stack: what it leaves there must not be seen later. */
static hd_machine *enter(const void *frame) {
    hd_machine *m = hd_enter();
    uint64_t low = (uint64_t)frame - DEEP;
    settle_texts(m, hd_take_arguments(m));
    if (low < m->stack_dirty)
        m->stack_dirty = low;
    return m;
}
#define ENTER() enter(__builtin_frame_address(0))

/* Does this descriptor mean what the user sees? */
static bool is_seen(hd_machine *m, int descriptor) {
    const hd_file *f =
        m->ipc ? hd_descriptor_file(hd_ipc_net(m), hd_ipc_process(m), descriptor) : NULL;
    return m->ipc ? f && f->kind == HD_FILE_STANDARD : descriptor <= 2;
}

/* The stream that text for `file` goes to; NULL: the user. */
static hd_stream *stream_of(hd_machine *m, FILE *file) {
    bool is_standard = file == stdout || file == stderr;
    return is_standard && is_seen(m, file == stdout ? 1 : 2) ? NULL : hd_stream_of(m, file);
}

static bool put(hd_machine *m, hd_stream *s, const void *bytes, const hd_word *words, size_t n) {
    hd_stream_enter(m, s);
    bool is_done = hd_stream_put(m, s, bytes, words, n);
    hd_stream_leave(m, s);
    return is_done;
}

/* Formatted, in memory of this execution; its length, or less than 0. */
static int format_text(hd_machine *m, const char *format, va_list arguments, char **out) {
    va_list again;
    if (!format)
        return -1;
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, arguments);
    if (n >= 0) {
        *out = hd_execution_alloc(m, (size_t)n + 1);
        vsnprintf(*out, (size_t)n + 1, format, again);
    }
    va_end(again);
    return n;
}

/* Text that others may read: symbolic numbers in it come out concrete. */
static void note_symbolic(hd_machine *m, bool is_symbolic) {
    if (is_symbolic)
        hd_approximate_call(m, "printing of a symbolic number into a file, pipe or socket");
}

static bool has_symbolic_arguments(void) {
    return hd_now->registers->passed != 0;
}

int hd_libc_vfprintf(FILE *file, const char *format, va_list arguments) {
    bool is_symbolic = has_symbolic_arguments();
    hd_machine *m = ENTER();
    hd_stream *s = stream_of(m, file);
    char *text;
    if (!s)
        return m->options.show_output ? vfprintf(file, format, arguments)
                                      : vsnprintf(NULL, 0, format, arguments);
    note_symbolic(m, is_symbolic);
    int n = format_text(m, format, arguments, &text);
    return n >= 0 && put(m, s, text, NULL, (size_t)n) ? n : -1;
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
    bool is_symbolic = has_symbolic_arguments();
    hd_machine *m = ENTER();
    char *text;
    if (is_seen(m, descriptor))
        return m->options.show_output ? vdprintf(descriptor, format, arguments)
                                      : vsnprintf(NULL, 0, format, arguments);
    note_symbolic(m, is_symbolic);
    int n = format_text(m, format, arguments, &text);
    if (n <= 0)
        return n;
    void *copy = hd_libc_hidden(m, text, (size_t)n);
    hd_unpoison((uint64_t)copy, (uint64_t)n);
    return hd_libc_write(descriptor, copy, (size_t)n) == n ? n : -1;
}

int hd_libc_dprintf(int descriptor, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = hd_libc_vdprintf(descriptor, format, arguments);
    va_end(arguments);
    return n;
}

/* A string that is about to be read by the host: every byte must be the program's, or all
 * those of external code. */
static size_t checked_length(hd_machine *m, const char *s) {
    size_t n = 0;
    if (hd_external_read(m, (uint64_t)s, 1, 0))
        return strlen(s);
    do
        hd_check_range(m, (uint64_t)s + n, 1, false, 0);
    while (s[n++]);
    return n - 1;
}

/* Bytes of the program with their symbolic values, if they have any. */
static bool put_memory(hd_machine *m, hd_stream *s, const void *p, size_t n) {
    return put(m, s, p, hd_in_region((uint64_t)p) ? HD_SHADOW_OF(p) : NULL, n);
}

int hd_libc_fputs(const char *s, FILE *file) {
    hd_settle_arguments(hd_enter());
    hd_machine *m = ENTER();
    size_t n = checked_length(m, s);
    hd_stream *to = stream_of(m, file);
    if (to)
        return put_memory(m, to, s, n) ? 1 : EOF;
    return m->options.show_output ? fputs(s, file) : 1;
}

int hd_libc_puts(const char *s) {
    hd_settle_arguments(hd_enter());
    hd_machine *m = ENTER();
    size_t n = checked_length(m, s);
    hd_stream *to = stream_of(m, stdout);
    if (to) {
        hd_stream_enter(m, to);
        bool is_done = put_memory(m, to, s, n) && put(m, to, "\n", NULL, 1);
        hd_stream_leave(m, to);
        return is_done ? (int)n + 1 : EOF;
    }
    return m->options.show_output ? puts(s) : (int)n + 1;
}

int hd_libc_fputc(int c, FILE *file) {
    hd_machine *m = hd_enter();
    hd_expr e = has_symbolic_arguments() ? hd_argument(m, m->registers->passed, 0) : 0;
    m = ENTER();
    hd_stream *to = stream_of(m, file);
    uint8_t byte = (uint8_t)c;
    hd_word word = e ? HD_WORD(e, 0) : 0;
    if (to)
        return put(m, to, &byte, &word, 1) ? byte : EOF;
    return m->options.show_output ? fputc(c, file) : byte;
}

int hd_libc_putchar(int c) {
    return hd_libc_fputc(c, stdout);
}

size_t hd_libc_fwrite(const void *p, size_t size, size_t n, FILE *file) {
    hd_settle_arguments(hd_enter());
    hd_machine *m = ENTER();
    uint64_t bytes;
    bool is_too_much = __builtin_mul_overflow(size, n, &bytes);
    if (!is_too_much && !hd_external_read(m, (uint64_t)p, bytes, 0))
        hd_check_range(m, (uint64_t)p, bytes, false, 0);
    hd_stream *to = stream_of(m, file);
    if (to)
        return !is_too_much && put_memory(m, to, p, bytes) ? n : 0;
    return m->options.show_output ? fwrite(p, size, n, file) : n;
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
    hd_stream_leave(m, s);
    return is_done ? 0 : EOF;
}

/* To standard error, wherever that goes. */
static void put_error(hd_machine *m, const char *text) {
    hd_stream *s = stream_of(m, stderr);
    if (s)
        put(m, s, text, NULL, strlen(text));
    else if (m->options.show_output)
        fputs(text, stderr);
}

void hd_libc_perror(const char *s) {
    hd_machine *m = ENTER();
    if (s)
        checked_length(m, s);
    bool has_text = s && *s;
    const char *words = strerror(*(int *)m->world_errno);
    size_t n = (has_text ? strlen(s) : 0) + strlen(words) + 4;
    char *text = hd_execution_alloc(m, n);
    snprintf(text, n, "%s%s%s\n", has_text ? s : "", has_text ? ": " : "", words);
    put_error(m, text);
}

/* ---- complaints: <err.h> and error(), some of which are the end of the calling process ---- */

/* Its first argument is an exit status. */
static void enter_with_status(int status) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    hd_settle_status(m, hd_argument(m, passed, 0), status);
    settle_texts(m, passed);
}

/* `number`: of an error that is named behind the text; 0 if none is. */
static void complain(int number, const char *format, va_list arguments) {
    hd_machine *m = ENTER();
    char *text;
    if (format && format_text(m, format, arguments, &text) >= 0)
        put_error(m, text);
    if (number) {
        put_error(m, ": ");
        put_error(m, strerror(number));
    }
    put_error(m, "\n");
}

static int current_error(void) {
    return *(int *)hd_now->world_errno;
}

void hd_libc_vwarn(const char *format, va_list arguments) {
    complain(current_error(), format, arguments);
}

void hd_libc_vwarnx(const char *format, va_list arguments) {
    complain(0, format, arguments);
}

void hd_libc_verr(int status, const char *format, va_list arguments) {
    enter_with_status(status);
    complain(current_error(), format, arguments);
    hd_exit_program(hd_now, status);
}

void hd_libc_verrx(int status, const char *format, va_list arguments) {
    enter_with_status(status);
    complain(0, format, arguments);
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

void hd_libc_error(int status, int number, const char *format, ...) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    hd_settle_argument(m, passed, 0); /* whether this is the end depends on it */
    settle_texts(m, passed);
    PASS_ON(complain(number, format, arguments));
    if (status)
        hd_exit_program(hd_now, status);
}

/* ---- into memory ---- */

/* Format on the side, look whether there is room, then write. */
static int print_into(hd_machine *m, char *out, size_t size, const char *format,
                      va_list arguments) {
    char small[512];
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(small, sizeof small, format, arguments);
    char *text = small;
    if (n >= (int)sizeof small) {
        text = malloc((size_t)n + 1);
        if (!text)
            hd_out_of_memory();
        vsnprintf(text, (size_t)n + 1, format, again);
    }
    va_end(again);
    if (n >= 0 && size > 0) {
        size_t written = (size_t)n < size ? (size_t)n : size - 1;
        hd_check_range(m, (uint64_t)out, written + 1, true, 0);
        memcpy(out, text, written);
        out[written] = '\0';
        hd_unpoison((uint64_t)out, written + 1);
    }
    if (text != small)
        free(text);
    return n;
}

/* Symbolic numbers that are printed into memory come out concrete. */
static hd_machine *enter_text(const char *name, const void *frame) {
    bool is_symbolic = hd_now->registers->passed != 0;
    hd_machine *m = enter(frame);
    if (is_symbolic)
        hd_approximate_call(m, "call of '%s' with a symbolic argument", name);
    return m;
}

int hd_libc_vsnprintf(char *out, size_t size, const char *format, va_list arguments) {
    return print_into(enter_text("snprintf", __builtin_frame_address(0)), out, size, format,
                      arguments);
}

int hd_libc_snprintf(char *out, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = hd_libc_vsnprintf(out, size, format, arguments);
    va_end(arguments);
    return n;
}

int hd_libc_vsprintf(char *out, const char *format, va_list arguments) {
    return print_into(enter_text("sprintf", __builtin_frame_address(0)), out, SIZE_MAX, format,
                      arguments);
}

int hd_libc_sprintf(char *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = hd_libc_vsprintf(out, format, arguments);
    va_end(arguments);
    return n;
}
