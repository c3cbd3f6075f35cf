/* layout.h -- how the memory of a part of one execution is laid out.
 *
 *     typedef struct hd_example {
 *         uint64_t n_things;
 *         HD_PART_LOOSE;
 *         hd_thing last; // good if n_things != 0
 *         HD_PART_LISTS;
 *         hd_vec(hd_thing) things;
 *         HD_PART_KEPT;
 *         hd_vec(uint32_t) told;
 *         HD_PART_MAPS;
 *         hd_map thing_of;
 *     } hd_example;
 *
 * Members that are loose hold garbage at times: another member says whether they are good.  Who
 * begins, keeps or restores an execution goes by this layout (parts.h), and knows of no member.
 *
 * L1. When an execution begins, what stands first is zero, what is loose may be anything, and lists
 *     and maps are empty; they keep their memory.  (Then parts begin: parts.h.)
 * L2. Checkpoints keep what stands first as bytes.  They are taken only while nothing that is loose
 *     is good (the part's row says so) and lists and maps are empty, but for lists behind
 *     HD_PART_KEPT, which the part keeps and restores itself.
 * L3. Lists are hd_vec and maps are hd_map, and nothing else is among them. */
#ifndef HD_MACHINE_CORE_LAYOUT_H
#define HD_MACHINE_CORE_LAYOUT_H
#include "base/map.h"
#include "base/vec.h"

#define HD_PART_LOOSE _Alignas(8) char loose[0]
#define HD_PART_LISTS _Alignas(8) char lists[0]
#define HD_PART_KEPT  _Alignas(8) char kept_lists[0]
#define HD_PART_MAPS  _Alignas(8) char maps[0]

typedef hd_vec(char) hd_any_list;

/* A part as bytes: where each section of it begins. */
typedef struct hd_layout {
    const char *name;
    size_t at; /* of the part, in the struct that it is a member of */
    size_t loose, lists, kept_lists, maps, end;
} hd_layout;
#define HD_LAYOUT(whole, type, member)                                                             \
    {#member,                                                                                      \
     offsetof(whole, member),                                                                      \
     offsetof(type, loose),                                                                        \
     offsetof(type, lists),                                                                        \
     offsetof(type, kept_lists),                                                                   \
     offsetof(type, maps),                                                                         \
     sizeof(type)}
/* L3, as far as sizes tell. */
#define HD_LAYOUT_IS_GOOD(type)                                                                    \
    _Static_assert(                                                                                \
        (offsetof(type, kept_lists) - offsetof(type, lists)) % sizeof(hd_any_list) == 0 &&         \
            (offsetof(type, maps) - offsetof(type, lists)) % sizeof(hd_any_list) == 0 &&           \
            (sizeof(type) - offsetof(type, maps)) % sizeof(hd_map) == 0,                           \
        "lists and maps of " #type " (layout.h, L3)")
#endif
