/* library.h -- what library functions that the machine provides do to memory of the program.
 *
 * A function that reads or writes memory for the program calls one of these right before.  If
 * others may see that memory it is an event, at the place that called the library; then all of it
 * must be accessible, or the execution ends with a finding.
 *
 * B1. Other threads may run in each of these calls: no state of the host that they could change is
 *     kept across one, and what was read before is a copy.
 * While there is one thread they cost a comparison more than the check alone. */
#ifndef HD_MACHINE_TASKS_LIBRARY_H
#define HD_MACHINE_TASKS_LIBRARY_H
#include "machine/tasks/process.h"

/* Is this memory certainly seen by no other thread: constants, and locals that stay private? */
bool hd_is_private(const hd_machine *m, uint64_t address);

/* The n bytes at p are read next, or written; memory of external code may be read only.
 * What is symbolic among them becomes concrete, which is said; `touch`: the caller takes the
 * shadows with it, and nothing is said. */
void hd_library_read(hd_machine *m, const void *p, uint64_t n);
/* Reading of what is changed in place: of a structure not all members need have been written. */
void hd_library_read_record(hd_machine *m, const void *p, uint64_t n);
void hd_library_touch(hd_machine *m, const void *p, uint64_t n);
void hd_library_write(hd_machine *m, void *p, uint64_t n);
/* Concrete bytes are written. */
void hd_library_store(hd_machine *m, void *to, const void *from, uint64_t n);

typedef struct hd_library_text {
    const char *at;       /* what was read: a copy, with an end, if others may see it */
    const hd_word *words; /* its shadow; NULL if it has none */
    uint64_t n;           /* units before the end or the limit */
    uint64_t room;        /* of a copy */
    bool is_symbolic;     /* text: some of it, or its end */
} hd_library_text;
/* n bytes that are only handed on. */
hd_library_text hd_library_read_block(hd_machine *m, const void *p, uint64_t n);
/* n bytes that leave the program: they must have been written. */
hd_library_text hd_library_use_block(hd_machine *m, const void *p, uint64_t n);
/* A copy of n bytes that decide what the library does (a structure, a number, a list of them): what
 * depends on inputs in them is decided, so that other values are other paths. */
void hd_library_get(hd_machine *m, void *to, const void *from, uint64_t n);
/* A number of 1, 2, 4 or 8 bytes that is only handed on: its expression too, HD_NONE if it is
 * concrete. */
typedef struct hd_number {
    uint64_t value;
    hd_expr e;
} hd_number;
hd_number hd_library_number(hd_machine *m, const void *from, uint32_t size);
/* The number that bytes and words make which were read already. */
hd_number hd_library_number_of(hd_machine *m, const void *bytes, const hd_word *words,
                               uint32_t size);
/* Whether the number is anything but 0, and which bits of a mask are set in it: decisions of the
 * path, if that depends on inputs. */
bool hd_library_is_set(hd_machine *m, hd_number number);
uint64_t hd_library_bits(hd_machine *m, hd_number number, uint64_t mask);
void hd_library_put_number(hd_machine *m, void *to, hd_number number, uint32_t size);
/* Units of 1 or 4 bytes up to and including the first that is 0, but at most `limit`. */
hd_library_text hd_library_read_text(hd_machine *m, const void *s, uint64_t limit, uint32_t size);
/* Text whose limit may depend on inputs: where it ends is decided. */
hd_library_text hd_library_read_limited(hd_machine *m, const void *s, hd_number limit,
                                        uint32_t size);
/* Text that is used as concrete units of that size: is something in it lost by that? */
bool hd_library_is_lost(hd_machine *m, const hd_library_text *t, uint32_t size);
/* A whole string, as concrete bytes: it is said if some are symbolic. */
const char *hd_library_string(hd_machine *m, const char *s);
/* A string that names something, or says what to do: all of it is decided. */
const char *hd_library_name(hd_machine *m, const char *s);

/* The running thread uses something that the library keeps for all of them. */
void hd_library_state(hd_machine *m, uint64_t token, bool is_store);
#endif
