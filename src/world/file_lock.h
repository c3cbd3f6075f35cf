/* file_lock.h -- locks of files: advisory, and seen by nobody who does not ask for them.
 *
 * Linux has two kinds that know nothing of each other: flock, of a whole file by an open file, and
 * records of fcntl, of some of its bytes by a process (or by an open file, F_OFD_*).  An owner is a
 * number that stands for one of these.
 *
 * K1. No two locks of one kind overlap, of different owners, if one of them is exclusive.
 * K2. Locks of one owner do not overlap, and two of the same type do not touch each other. */
#ifndef HD_WORLD_FILE_LOCK_H
#define HD_WORLD_FILE_LOCK_H
#include "world/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum hd_file_lock_kind { HD_FILE_LOCK_WHOLE, HD_FILE_LOCK_RECORD } hd_file_lock_kind;
typedef enum hd_file_lock_type {
    HD_FILE_LOCK_NONE,
    HD_FILE_LOCK_SHARED,
    HD_FILE_LOCK_EXCLUSIVE
} hd_file_lock_type;

typedef struct hd_file_lock {
    struct hd_file_lock *next;
    hd_file_lock_kind kind;
    hd_file_lock_type type;
    uint64_t owner;
    uint32_t process;    /* that took it */
    int64_t first, last; /* bytes; last is INT64_MAX to the end */
} hd_file_lock;

/* The first lock that keeps this one from being taken; NULL: none does. */
const hd_file_lock *hd_file_lock_against(const hd_file_lock *list, const hd_file_lock *wanted);
/* Take it, in place of what its owner had there; HD_FILE_LOCK_NONE gives back.  K1 is the caller's.
 */
void hd_file_lock_set(hd_arena *a, hd_file_lock **list, const hd_file_lock *wanted);
/* The owner gives back all that it has; did it have any? */
bool hd_file_lock_drop(hd_file_lock **list, hd_file_lock_kind kind, uint64_t owner);
/* Does the owner have any? */
bool hd_file_lock_has(const hd_file_lock *list, hd_file_lock_kind kind, uint64_t owner);
#endif
