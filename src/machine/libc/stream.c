/* <stdio.h> on streams of the program: opening, closing, state; and single bytes, from which
 * models/stdio.c makes the rest. */
#include "machine/libc/libc_ipc.h"
#include "machine/libc/streams.h"
#include "machine/tasks/library.h"

#include <errno.h>
#include <fcntl.h>

/* ---- opening ---- */

/* Flags of open() for a mode like "r+"; -1 if it is none. */
static int flags_of(const char *mode) {
    int flags = mode[0] == 'r'   ? 0
                : mode[0] == 'w' ? O_CREAT | O_TRUNC
                : mode[0] == 'a' ? O_CREAT | O_APPEND
                                 : -1;
    if (flags < 0)
        return -1;
    int access = mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    for (const char *at = mode + 1; *at && *at != ','; at++) {
        access = *at == '+' ? O_RDWR : access;
        flags |= *at == 'e' ? O_CLOEXEC : *at == 'x' ? O_EXCL : 0;
    }
    return flags | access;
}

static hd_stream *new_stream(hd_machine *m, int descriptor, int flags) {
    HD_ASSERT(descriptor >= 0 && descriptor < HD_MAX_DESCRIPTORS);
    int access = flags & O_ACCMODE;
    return hd_stream_new(m, descriptor, access != O_WRONLY, access != O_RDONLY);
}

FILE *hd_libc_fdopen(int descriptor, const char *mode) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = hd_ipc_file(m, descriptor);
    int flags = flags_of(hd_ipc_text(m, mode)), has = f ? f->flags & O_ACCMODE : 0;
    if (!f)
        return NULL;
    bool is_known = f->kind == HD_FILE_DISK || f->kind == HD_FILE_PIPE;
    bool can = has == O_RDWR || has == (flags & O_ACCMODE) || !is_known;
    if (flags < 0 || !can) {
        hd_ipc_fail(m, EINVAL);
        return NULL;
    }
    if (flags & O_APPEND && !(f->flags & O_APPEND))
        hd_libc_fcntl(descriptor, F_SETFL, (uint64_t)(f->flags | O_APPEND));
    return new_stream(m, descriptor, flags)->handle;
}

FILE *hd_libc_fopen(const char *path, const char *mode) {
    hd_machine *m = hd_ipc_enter();
    int flags = flags_of(hd_ipc_text(m, mode));
    if (flags < 0) {
        hd_ipc_fail(m, EINVAL);
        return NULL;
    }
    int descriptor = hd_file_open(path, flags, 0666);
    return descriptor < 0 ? NULL : new_stream(m, descriptor, flags)->handle;
}

static bool reopen(hd_machine *m, hd_stream *s, const char *path, int flags) {
    int opened = flags < 0 ? hd_ipc_fail(m, EINVAL) : hd_file_open(path, flags, 0666);
    if (opened < 0)
        return false;
    if (opened != s->descriptor) {
        hd_libc_dup2(opened, s->descriptor);
        hd_ipc_close(m, opened);
    }
    s->can_read = (flags & O_ACCMODE) != O_WRONLY;
    s->can_write = (flags & O_ACCMODE) != O_RDONLY;
    s->has_failed = false;
    return true;
}

/* The stream keeps its descriptor, which means another file from now on, or none if that fails. */
FILE *hd_libc_freopen(const char *path, const char *mode, FILE *file) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    int flags = flags_of(hd_ipc_text(m, mode));
    if (!path || s->memory.is_used)
        hd_ipc_refuse(m,
                      "freopen without a path or of memory, which is not modelled (executions end "
                      "there)");
    hd_stream_enter(m, s);
    hd_stream_flush(s);
    hd_stream_forget_input(s);
    bool is_done = reopen(m, s, path, flags);
    s->orientation = 0;
    hd_stream_leave(m, s);
    if (is_done)
        return file;
    int error = *(int *)m->running.errno_at;
    hd_stream_remove(m, s);
    hd_ipc_close(m, s->descriptor);
    hd_errno_set(m, error);
    return NULL;
}

FILE *hd_libc_tmpfile(void) {
    hd_machine *m = hd_ipc_enter();
    int descriptor = hd_file_open_unnamed(m);
    return descriptor < 0 ? NULL : new_stream(m, descriptor, O_RDWR)->handle;
}

int hd_libc_fclose(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_enter(m, s);
    bool is_done = hd_stream_remove(m, s);
    hd_stream_leave(m, s);
    return hd_stream_close_behind(s) && is_done ? 0 : EOF;
}

FILE *hd_libc_popen(const char *command, const char *mode) {
    hd_machine *m = hd_ipc_enter();
    (void)command, (void)mode;
    hd_ipc_refuse(m, "popen, which starts a real program (executions end there)");
}

/* ---- state ---- */

/* Who waits for nobody is ordered with who closes the stream all the same. */
static void look_at(hd_machine *m, const hd_stream *s) {
    if (hd_is_threaded(m) && hd_in_region((uint64_t)s->handle)) {
        hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, s->handle, 1, HD_MODE_READ);
        hd_visible(m, &a);
    }
    hd_stream_check(m, s);
}

int hd_libc_fileno(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    const hd_stream *s = hd_stream_of(m, file);
    look_at(m, s);
    return s->descriptor < 0 ? hd_ipc_fail(m, EBADF) : s->descriptor;
}

/* What a stream remembers changes with what other threads do to it. */
static bool ask(FILE *file, bool (*question)(const hd_stream *)) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_enter(m, s);
    bool answer = question(s);
    hd_stream_leave(m, s);
    return answer;
}

static bool is_at_end(const hd_stream *s) {
    return s->is_at_end;
}

static bool has_failed(const hd_stream *s) {
    return s->has_failed;
}

int hd_libc_feof(FILE *file) {
    return ask(file, is_at_end);
}

int hd_libc_ferror(FILE *file) {
    return ask(file, has_failed);
}

void hd_libc_clearerr(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_enter(m, s);
    s->is_at_end = s->has_failed = false;
    hd_stream_leave(m, s);
}

int hd_libc_setvbuf(FILE *file, char *buffer, int mode, size_t size) {
    hd_machine *m = hd_ipc_enter();
    (void)buffer, (void)size;
    if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF)
        return EOF;
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_enter(m, s);
    s->buffering = mode;
    hd_stream_leave(m, s);
    return 0;
}

void hd_libc_setbuf(FILE *file, char *buffer) {
    hd_libc_setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

void hd_libc_setlinebuf(FILE *file) {
    hd_libc_setvbuf(file, NULL, _IOLBF, 0);
}

void hd_libc_flockfile(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    hd_stream_lock(m, hd_stream_of(m, file));
}

/* By functions of the library. */
void hd_libc_stream_enter(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_enter(m, s);
    hd_stream_use_bytes(m, s);
}

int hd_libc_fwide(FILE *file, int mode) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_enter(m, s);
    if (!s->orientation)
        s->orientation = (mode > 0) - (mode < 0);
    int now = s->orientation;
    hd_stream_leave(m, s);
    return now;
}

/* Around what a function of wide characters does: may it? */
int hd_libc_wide_begin(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_enter(m, s);
    if (!s->orientation)
        s->orientation = 1;
    s->n_wide++;
    return s->orientation > 0;
}

void hd_libc_wide_end(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    HD_ASSERT(s->n_wide);
    s->n_wide--;
    hd_stream_leave(m, s);
}

int hd_libc_ftrylockfile(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    return hd_stream_try_lock(m, hd_stream_of(m, file)) ? 0 : -1;
}

void hd_libc_funlockfile(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_check(m, s);
    hd_stream_leave(m, s);
}

/* ---- places in files ---- */

/* Bytes that were read from the file and not by the program. */
static int64_t n_ahead(const hd_stream *s) {
    HD_ASSERT(s->n_used <= s->n_input && s->n_pushed <= HD_MAX_PUSHED);
    return (int64_t)(s->n_input - s->n_used) + s->n_pushed;
}

static int seek(hd_stream *s, long offset, int whence) {
    if (!hd_stream_flush(s))
        return -1;
    if (whence == SEEK_CUR)
        offset -= n_ahead(s);
    if (hd_stream_seek_behind(s, offset, whence) < 0)
        return -1;
    hd_stream_forget_input(s);
    return 0;
}

int hd_libc_fseek(FILE *file, long offset, int whence) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_enter(m, s);
    int result = seek(s, offset, whence);
    hd_stream_leave(m, s);
    return result;
}

long hd_libc_ftell(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_enter(m, s);
    int64_t at = hd_stream_seek_behind(s, 0, SEEK_CUR);
    long result = at < 0 ? -1 : (long)(at - n_ahead(s) + s->n_output);
    hd_stream_leave(m, s);
    return result;
}

void hd_libc_rewind(FILE *file) {
    hd_libc_fseek(file, 0, SEEK_SET);
    hd_libc_clearerr(file);
}

/* ---- bytes ---- */

void hd_return_byte(hd_machine *m, hd_expr e) {
    HD_ASSERT(hd_expr_width(m->graph, e) >= 8);
    hd_expr low = hd_expr_extract(m->graph, e, 0, 8);
    m->registers->rets[0] = hd_shadow_of(m, hd_expr_zext(m->graph, low, 32));
    m->registers->returned = m->registers->rets[0] != HD_NONE;
}

/* EOF, or a byte; its symbolic value is the call's result. */
int hd_libc_stream_get(FILE *file) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_of(m, file);
    hd_stream_check(m, s);
    hd_stream_use_bytes(m, s);
    uint8_t byte;
    hd_word word;
    if (!hd_stream_get(m, s, &byte, &word))
        return EOF;
    if (HD_WORD_IS_SYMBOLIC(word))
        hd_return_byte(m, hd_expr_extract(m->graph, HD_WORD_EXPR(word), 8 * HD_WORD_BYTE(word), 8));
    return byte;
}

/* 0 if it is EOF, which is -1. */
static hd_number not_eof(hd_machine *m, int c, hd_expr e) {
    return (hd_number){(uint32_t)~c, e ? hd_expr_not(m->graph, e) : HD_NONE};
}

int hd_libc_ungetc(int c, FILE *file) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    hd_expr e = hd_argument(m, passed, 0);
    hd_settle_argument(m, passed, 1);
    hd_stream *s = hd_stream_of(m, file);
    if (!hd_library_is_set(m, not_eof(m, c, e)))
        return EOF;
    hd_stream_enter(m, s);
    /* glibc does not make it a stream of bytes, if it is none yet. */
    if (s->orientation > 0)
        hd_stream_use_bytes(m, s);
    bool has_room = s->can_read && s->n_pushed < HD_MAX_PUSHED;
    if (has_room) {
        s->pushed[s->n_pushed] = (uint8_t)c;
        s->pushed_words[s->n_pushed++] = e ? HD_WORD(e, 0) : 0;
        s->is_at_end = false;
    }
    hd_stream_leave(m, s);
    if (e && has_room)
        hd_return_byte(m, e);
    return has_room ? (unsigned char)c : EOF;
}
