/* appetite.h -- how much of the machine a worker takes, and whoever came of it.
 *
 * The kernel bounds processes by address space, of which a worker has terabytes, and not by what
 * they fill of it; groups that it bounds (cgroups) are not for ordinary users to make.  So the
 * supervisor looks, ten times a second, and ends who takes too much: the execution is run again
 * in a child, and is a finding if it does the same there.
 *
 * G1. Whoever is ended is a worker, or came of one.
 * Not here: limits of the search itself, which workers look at between executions (worker.c). */
#ifndef HD_FLEET_APPETITE_H
#define HD_FLEET_APPETITE_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct hd_appetite {
    pid_t process;    /* the one with most memory of a worker and its children; 0 = they are gone */
    uint64_t memory;  /* its bytes: what it has filled, with the tables for it */
    uint32_t threads; /* of all of them */
} hd_appetite;

/* Of a process and of its children; of nobody, nothing. */
hd_appetite hd_appetite_of(pid_t pid);
/* Bytes that there are for everybody: of the machine, or of the group that we are in. */
uint64_t hd_memory_in_all(void);
/* The most bytes of one process: a quarter more than a worker may have between executions; 0 = any.
 */
uint64_t hd_memory_of_one(uint64_t max_memory);

#define HD_MOST_THREADS 512 /* of one worker, children included: solvers have two */
#endif
