/* types.h -- the C types behind inputs, as the compiler's debug information tells them.
 *
 * compile/ writes them beside the image as text, one line each; the machine reads them:
 *
 *     type ID integer SIZE SIGNED NAME        (also char, enum, _Bool)
 *     type ID pointer TARGET NAME             (TARGET 0: void or unknown)
 *     type ID array ELEMENT COUNT NAME
 *     type ID struct SIZE NAME                (followed by its fields, in order)
 *     field OFFSET TYPE BIT_OFFSET BIT_SIZE NAME   (bit size 0: not a bit-field)
 *     type ID union SIZE NAME | float SIZE NAME | function NAME
 *     key ADDRESS TYPE                        (hex address of a heddle_input type marker)
 *
 * IDs start at 1 and every ID is used before or after its line; names are the rest of the
 * line ("-" if there is none).  Qualifiers and typedefs are resolved away. */
#ifndef HD_PROGRAM_TYPES_H
#define HD_PROGRAM_TYPES_H
#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

typedef uint32_t hd_type_id; /* 0: unknown */

typedef enum hd_type_kind {
    HD_TYPE_UNKNOWN,
    HD_TYPE_INTEGER,
    HD_TYPE_POINTER,
    HD_TYPE_ARRAY,
    HD_TYPE_STRUCT,
    HD_TYPE_UNION,
    HD_TYPE_FLOAT,
    HD_TYPE_FUNCTION
} hd_type_kind;

typedef struct hd_field {
    uint64_t offset;
    hd_type_id type;
    uint32_t bit_offset, bit_size;
    char *name;
} hd_field;

typedef struct hd_type {
    hd_type_kind kind;
    bool is_signed;
    uint64_t size;     /* bytes */
    hd_type_id target; /* pointer: pointee; array: element */
    uint64_t count;    /* array */
    hd_field *fields;  /* struct */
    uint32_t n_fields;
    char *name;
} hd_type;

typedef struct hd_types hd_types;
/* Read the file at `path`; NULL with `err` if it is damaged.  A missing file is no types. */
hd_types *hd_types_load(const char *path, hd_err *err);
/* Types of a text, which is changed; `path` is for sentences. */
hd_types *hd_types_parse(char *text, const char *path, hd_err *err);
void hd_types_free(hd_types *ts);
/* Never NULL: unknown types are HD_TYPE_UNKNOWN. */
const hd_type *hd_types_get(const hd_types *ts, hd_type_id id);
/* The type whose marker lies at `address`, 0 if none. */
hd_type_id hd_types_key(const hd_types *ts, uint64_t address);
#endif
