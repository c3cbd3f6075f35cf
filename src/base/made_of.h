/* made_of.h -- which sources this Heddle was built from.
 *
 * Journals and commits mean the same to all who were made of the same sources, and nobody promises
 * more: two builds of one version may differ. */
#ifndef HD_BASE_MADE_OF_H
#define HD_BASE_MADE_OF_H

/* The version, a hash of all sources, and the variant: "0.1.0 of sources 3f2a91c07bd4-hostile". */
const char *hd_version_made_of(void);
#endif
