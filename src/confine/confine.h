/* confine.h -- what a process may still do on this machine when it runs tested code.
 *
 * The tested program runs inside a worker, natively.  Checks of instrumented code keep it from the
 * worker's memory; this keeps the worker, and whatever the program may make of it, from the rest
 * of the machine.  Four walls, each by the kernel's own means and each as high as this kernel has
 * it:
 *
 *   seccomp    a short list of system calls, and none at all by the tested code itself
 *   landlock   files: what was given may be read, and written where a user says so
 *   namespaces a network with nobody in it, and files that nobody can change; the second wall
 *              behind these two
 *   limits     no core files, no new privileges, and of root's only those to read and write files
 *
 * N1. What was given away does not come back: every wall holds for all processes that come of this
 *     one, and for as long as they live.
 * N2. A system call of an instruction inside the tested program is never carried out: it is SIGSYS.
 * N3. Neither is one of anybody else that is not on the list.
 * Promise (tests/unit/test_confine.c): who was not to fork has no children, and children have none.
 * Not here: what becomes of SIGSYS (machine/memory/traps.c), files as the program sees them
 * (world/disk.h). */
#ifndef HD_CONFINE_CONFINE_H
#define HD_CONFINE_CONFINE_H
#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* What a user opens: `--allow read=PATH,write=PATH,exec,network`, or `all`. */
typedef struct hd_allowed {
    hd_vec(char *) read, write; /* paths, absolute */
    bool exec, network, all;
} hd_allowed;

/* Adds what a text says; NULL or "" says nothing.  Paths that are relative belong to `directory`.
 */
bool hd_allowed_parse(hd_allowed *a, const char *text, const char *directory, hd_err *err);
void hd_allowed_release(hd_allowed *a);

typedef struct hd_confines {
    const hd_allowed *allowed;
    const char *const
        *given;              /* paths that may be read beside those of the system; ends with NULL */
    uint64_t code, code_end; /* addresses of the tested program (N2) */
    bool forks;              /* executions are children of this process */
    /* Who would see a namespace: the program asks for owners of files, or calls functions that ask
     * the machine themselves. */
    bool asks_owners, asks_host;
} hd_confines;

/* Namespaces that a process has to itself. */
typedef struct hd_spaces {
    bool users, network, messages, files; /* files: nothing can be changed */
} hd_spaces;

/* What holds a process. */
typedef struct hd_walls {
    bool has_filter;   /* seccomp */
    unsigned landlock; /* the kernel's version of it, 0 = none */
    bool has_scope;    /* signals stay among processes that are confined together */
    hd_spaces spaces;
} hd_walls;

/* What this kernel would give to an ordinary process: a child tries, and this process builds
 * nothing. */
hd_walls hd_walls_here(const hd_allowed *allowed);
/* One line for people: "seccomp (system calls), landlock 6 (files, network, signals)". */
void hd_walls_describe(const hd_walls *walls, hd_text *out);

/* Builds them around this process.  False if the kernel has them and refuses, which is no reason to
 * go on without. */
bool hd_confine(const hd_confines *confines, hd_err *err);
/* Walls around a process that compiles, and for those that it starts: it reads what was given, and
 * writes to `made` only. There are other processes then, so what it must not do fails, and is no
 * signal. */
bool hd_confine_compiler(const hd_confines *confines, const char *made, hd_err *err);
/* No file that this process writes to becomes larger, for good. */
#define HD_MOST_WRITTEN (UINT64_C(1) << 30)
bool hd_confine_output(uint64_t most, hd_err *err);
/* Is the file, which the kernel calls read-only (EROFS) after it was asked for everything else, so
 * because of these walls only? */
bool hd_spaces_hide_writing(const char *path);
/* In a child that such a process has forked, which has none itself; false if the kernel refuses. */
bool hd_confine_child(void);
/* The name of a system call, as SIGSYS tells its number: "unlink", or "system call 1234". */
void hd_confine_name_call(int number, uint32_t architecture, char name[64]);
#endif
