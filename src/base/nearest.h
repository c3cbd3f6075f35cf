/* nearest.h -- suggestions for misspelt words. */
#ifndef HD_BASE_NEAREST_H
#define HD_BASE_NEAREST_H

/* The one of `names` (ended by NULL) that a misspelt `word` most likely meant, or NULL. */
const char *hd_nearest_name(const char *word, const char *const *names);
#endif
