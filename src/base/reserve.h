/* reserve.h -- big address ranges that cost memory only where they are touched.
 *
 * Arrays that must never move (the expression graph, shadow memory) live in one.
 * A shared reserve stays visible to the parent after fork(): an execution that runs in a
 * forked child leaves its expressions and its trace there. */
#ifndef HD_BASE_RESERVE_H
#define HD_BASE_RESERVE_H
#include <stdbool.h>
#include <stddef.h>

/* `size` readable and writable zero bytes; ends the process when the system refuses. */
void *hd_reserve_new(size_t size, bool shared);
/* `size` zero bytes at a fixed address; NULL if something is already there. */
void *hd_reserve_at(void *address, size_t size);
void hd_reserve_free(void *at, size_t size);
/* `n` reserves that come and go together, on pages of their own: at[i] has sizes[i] bytes.  The
 * system is asked once for all of them; at[0] is the lowest. */
void hd_reserve_group_new(void **at, const size_t *sizes, size_t n, bool shared);
void hd_reserve_group_free(void *lowest, const size_t *sizes, size_t n);
/* Give the memory of [at, at+size) back: it reads as zero afterwards.  Private reserves only. */
void hd_reserve_clear(void *at, size_t size);
#endif
