/* fields.h -- what lies at some offset of an object, in the words of its source: ".balance",
 * "[3].name[2]".
 *
 * From the image's debug information, when something is told about memory.  A member whose type
 * comes from a header of the system is not looked into: users know a mutex, not its parts. */
#ifndef HD_PROGRAM_FIELDS_H
#define HD_PROGRAM_FIELDS_H
#include "base/text.h"
#include <elfutils/libdw.h>
#include <stdint.h>

typedef struct hd_fields hd_fields;
hd_fields *hd_fields_new(Dwarf *dwarf);
void hd_fields_free(hd_fields *f);

/* Append what lies `offset` bytes into the global at `base`; false, and nothing, if nobody knows.
 */
bool hd_fields_of_global(hd_fields *f, uint64_t base, uint64_t offset, hd_text *out);
/* Append what lies `offset` bytes into a block of `size` bytes that the code at `pc` has allocated,
 * after the name of its type: that of the struct to which the pointer points that the same line
 * declares. */
bool hd_fields_of_block(hd_fields *f, uint64_t pc, uint64_t size, uint64_t offset, hd_text *out);
#endif
