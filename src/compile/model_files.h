/* model_files.h -- the files of src/models/, which are linked into programs that need them.
 *
 * The list is made from the folder when Heddle is built: a new file there is all that a new model
 * needs here. */
#ifndef HD_COMPILE_MODEL_FILES_H
#define HD_COMPILE_MODEL_FILES_H

/* Names without a folder or ".bc", in the order in which they are tried; NULL behind the last. */
extern const char *const hd_model_files[];
#endif
