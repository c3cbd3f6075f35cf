/* vec.h -- growable arrays of any element type, as plain structs.
 *
 *     hd_vec(uint32_t) ids = {0};
 *     hd_vec_push(&ids, 7);
 *     for (size_t i = 0; i < ids.n; i++) use(ids.at[i]);
 *     hd_vec_release(&ids);
 *
 * V1. at[0..n) are the elements; n <= capacity.  A zeroed struct is an empty vector.
 * Pointers into `at` are good until the next push. */
#ifndef HD_BASE_VEC_H
#define HD_BASE_VEC_H
#include <stddef.h>
#include <stdlib.h>

#define hd_vec(type)                                                                               \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t n, capacity;                                                                        \
    }

/* Room for `wanted` elements of `size` bytes; never returns NULL. */
void *hd_vec_grown(void *at, size_t *capacity, size_t wanted, size_t size);

#define hd_vec_reserve(v, wanted)                                                                  \
    (__builtin_expect((wanted) > (v)->capacity, 0)                                                 \
         ? (void)((v)->at = hd_vec_grown((v)->at, &(v)->capacity, (wanted), sizeof *(v)->at))      \
         : (void)0)
#define hd_vec_push(v, element)                                                                    \
    (hd_vec_reserve((v), (v)->n + 1), (v)->at[(v)->n++] = (element), (void)0)
#define hd_vec_clear(v)   ((v)->n = 0)
#define hd_vec_release(v) (free((v)->at), (v)->at = NULL, (v)->n = (v)->capacity = 0)
#endif
