/* Printing: what is printed leaves the program, so symbolic values lose nothing here; only
 * which text is printed must be settled, because reading it may be an error.
 *
 * Unless the user wants to see it, text is formatted (its length is a result, and a bad
 * argument must still be found) and thrown away. */
#include "machine/ipc.h"
#include "machine/libc.h"

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

static bool is_terminal(const FILE *file) {
    return file == stdout || file == stderr;
}

/* Text for a pipe or a socket would have to be sent there. */
static void refuse_redirected(hd_machine *m, int descriptor) {
    const hd_file *f =
        m->ipc ? hd_descriptor_file(hd_ipc_net(m), hd_ipc_process(m), descriptor) : NULL;
    if (f && f->kind != HD_FILE_HOST && f->kind != HD_FILE_STANDARD)
        hd_ipc_refuse(m,
                      "printing to a pipe or socket, which is not modelled (executions end there)");
}

/* Is the text of this stream wanted?  Files of the program's own are its business. */
static bool is_shown(hd_machine *m, const FILE *file) {
    if (is_terminal(file))
        refuse_redirected(m, file == stdout ? 1 : 2);
    return m->options.show_output || !is_terminal(file);
}

int hd_libc_vfprintf(FILE *file, const char *format, va_list arguments) {
    hd_machine *m = ENTER();
    return is_shown(m, file) ? vfprintf(file, format, arguments)
                             : vsnprintf(NULL, 0, format, arguments);
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

int hd_libc_dprintf(int file, const char *format, ...) {
    hd_machine *m = ENTER();
    va_list arguments;
    refuse_redirected(m, file);
    va_start(arguments, format);
    bool is_hidden = !m->options.show_output && (file == 1 || file == 2);
    int n = is_hidden ? vsnprintf(NULL, 0, format, arguments) : vdprintf(file, format, arguments);
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

int hd_libc_fputs(const char *s, FILE *file) {
    hd_settle_arguments(hd_enter());
    hd_machine *m = ENTER();
    checked_length(m, s);
    return is_shown(m, file) ? fputs(s, file) : 1;
}

int hd_libc_puts(const char *s) {
    hd_settle_arguments(hd_enter());
    hd_machine *m = ENTER();
    size_t n = checked_length(m, s);
    return is_shown(m, stdout) ? puts(s) : (int)n + 1;
}

int hd_libc_fputc(int c, FILE *file) {
    hd_machine *m = ENTER();
    return is_shown(m, file) ? fputc(c, file) : (unsigned char)c;
}

int hd_libc_putchar(int c) {
    return hd_libc_fputc(c, stdout);
}

size_t hd_libc_fwrite(const void *p, size_t size, size_t n, FILE *file) {
    hd_settle_arguments(hd_enter());
    hd_machine *m = ENTER();
    uint64_t bytes;
    if (!__builtin_mul_overflow(size, n, &bytes) && !hd_external_read(m, (uint64_t)p, bytes, 0))
        hd_check_range(m, (uint64_t)p, bytes, false, 0);
    return is_shown(m, file) ? fwrite(p, size, n, file) : n;
}

int hd_libc_fflush(FILE *file) {
    hd_machine *m = ENTER();
    return is_shown(m, file) ? fflush(file) : 0;
}

void hd_libc_perror(const char *s) {
    hd_machine *m = ENTER();
    if (m->options.show_output)
        fprintf(stderr, "%s: %s\n", s, strerror(*(int *)m->world_errno));
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
    FILE *out = m->options.show_output ? stderr : NULL;
    if (format && out)
        vfprintf(out, format, arguments);
    else if (format)
        (void)!vsnprintf(NULL, 0, format, arguments);
    if (out)
        fprintf(out, "%s%s\n", number ? ": " : "", number ? strerror(number) : "");
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

int hd_libc_setvbuf(FILE *file, char *buffer, int mode, size_t size) {
    (void)file, (void)buffer, (void)mode, (void)size;
    ENTER();
    return 0;
}

void hd_libc_setbuf(FILE *file, char *buffer) {
    (void)file, (void)buffer;
    ENTER();
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
