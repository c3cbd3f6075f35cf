/* template.h -- a file of src/report/page/ whose places "<!--@NAME-->" are filled. */
#ifndef HD_REPORT_TEMPLATE_H
#define HD_REPORT_TEMPLATE_H
#include "base/text.h"

#define HD_NONCE_SIZE 33

/* Appends the file; `fill` appends what belongs to a place, and knows every name. */
void hd_template_fill(const char *file, hd_text *out,
                      void (*fill)(void *context, const char *name, size_t n), void *context);
/* Scripts and styles of a page are told from any others by a number that nobody can guess. */
void hd_nonce_make(char nonce[HD_NONCE_SIZE]);
#endif
