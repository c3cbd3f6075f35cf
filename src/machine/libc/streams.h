/* streams.h -- streams of <stdio.h> over descriptors of the program: buffers, and who uses them.
 *
 * A stream belongs to a process.  What is known about it is in host memory; its buffers are blocks
 * of the program's heap, so that they carry symbolic bytes and fork copies them: text that was not
 * flushed is written by both, as on Linux.
 *
 * M1. A FILE pointer of the program is the address of a small block of its heap that holds the
 *     stream's lock, or one of stdin, stdout and stderr of the host.
 * M2. Threads of a process use a stream one after the other: hd_stream_enter waits.
 * M3. Text for stdout or stderr that the user would see goes through no stream: libc/output.c shows
 *     it, or throws it away.  Text for any other FILE pointer goes through its stream.
 * M4. A stream of memory (open_memstream, fmemopen) has no descriptor: what is behind its buffers
 * is a block of the program's heap, or memory of the program (memory_stream.c). Not here: formats
 * (libc/output.c), lines and numbers that are read (models/stdio.c). */
#ifndef HD_MACHINE_LIBC_STREAMS_H
#define HD_MACHINE_LIBC_STREAMS_H
#include "machine/tasks/process.h"

#include <stdio.h>

#define HD_STREAM_SIZE 4096 /* of a buffer: a block of a pipe or socket, as in Linux */
#define HD_MAX_PUSHED  8

/* What a stream of memory writes to and reads from. */
typedef struct hd_stream_memory {
    bool is_used;
    bool grows;                  /* open_memstream; else fmemopen */
    bool appends;                /* every write goes to the end */
    uint64_t base, room;         /* memory of the program, and how much of it */
    uint64_t length, place;      /* of what is there; where the next byte goes or comes from */
    uint64_t told_at, told_size; /* grows: where the program finds the block and its size */
    uint64_t told;               /* that block; 0: none yet */
} hd_stream_memory;

typedef struct hd_stream hd_stream;
struct hd_stream {
    hd_stream *next, *next_closed;
    FILE *handle;   /* M1 */
    int descriptor; /* -1: of memory (M4) */
    hd_stream_memory memory;
    bool can_read, can_write;
    bool is_at_end, has_failed;
    bool is_closed;
    int buffering;               /* of output: _IOFBF, _IOLBF or _IONBF */
    uint32_t owner, depth;       /* M2: thread, and how often it has entered */
    uint64_t input, output;      /* buffers; 0: none yet */
    uint32_t n_input, n_used;    /* bytes read, and of them handed out */
    uint32_t n_output, capacity; /* bytes not written yet, and how many may be */
    uint8_t pushed[HD_MAX_PUSHED];
    hd_word pushed_words[HD_MAX_PUSHED];
    uint32_t n_pushed; /* by ungetc; the last is read first */
    int orientation;   /* less than 0: of bytes; more: of wide characters; 0: of neither yet */
    uint32_t n_wide;   /* functions of wide characters that are in it */
};

/* The stream of a FILE pointer of the running process; a finding if it is none. */
hd_stream *hd_stream_of(hd_machine *m, FILE *file);
bool hd_is_stream(hd_machine *m, const FILE *file);
/* The stream of stdin, stdout or stderr: 0, 1 or 2. */
hd_stream *hd_stream_standard(hd_machine *m, int number);
hd_stream *hd_stream_new(hd_machine *m, int descriptor, bool can_read, bool can_write);
/* Write a stream out and remove it; its descriptor stays.  False if writing failed. */
bool hd_stream_remove(hd_machine *m, hd_stream *s);
/* A finding if the stream was closed. */
void hd_stream_check(hd_machine *m, const hd_stream *s);
/* Wait until no other thread is in the stream (M2); a finding if it was closed meanwhile. */
void hd_stream_enter(hd_machine *m, hd_stream *s);
/* A function of bytes uses the stream, which it has entered. */
void hd_stream_use_bytes(hd_machine *m, hd_stream *s);
/* hd_stream_enter for the program itself (flockfile), also while it has one thread. */
void hd_stream_lock(hd_machine *m, hd_stream *s);
/* Enter without waiting: false if another thread is in the stream. */
bool hd_stream_try_lock(hd_machine *m, hd_stream *s);
void hd_stream_leave(hd_machine *m, hd_stream *s);
/* Append; NULL for `words`: all concrete.  False if writing failed. */
bool hd_stream_put(hd_machine *m, hd_stream *s, const void *bytes, const hd_word *words, size_t n);
bool hd_stream_flush(hd_stream *s);
/* The next byte: true, or false at the end and after errors, which the stream remembers. */
bool hd_stream_get(hd_machine *m, hd_stream *s, uint8_t *byte, hd_word *word);

/* ---- memory_stream.c: what is behind the buffers, memory or a descriptor ---- */
int64_t hd_stream_write_behind(hd_stream *s, uint64_t from, uint64_t n);
int64_t hd_stream_read_behind(hd_stream *s, uint64_t to, uint64_t n);
int64_t hd_stream_seek_behind(hd_stream *s, int64_t offset, int whence);
/* The stream is gone: false if that failed. */
bool hd_stream_close_behind(hd_stream *s);
/* fflush of this stream, not of all: the program is told what open_memstream has. */
void hd_stream_tell(hd_machine *m, hd_stream *s);

/* What was read ahead is forgotten. */
void hd_stream_forget_input(hd_stream *s);
/* All of the running process are written out: fflush(NULL), and exit, which waits for nobody. */
bool hd_streams_flush(hd_machine *m);
void hd_streams_end(hd_machine *m);
#endif
