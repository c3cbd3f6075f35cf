/* kept_name.h -- how files that a compilation leaves for the next one are called, in the directory
 * of the module that is being made (private to compile/).  They are no part of the module. */
#ifndef HD_COMPILE_KEPT_NAME_H
#define HD_COMPILE_KEPT_NAME_H
#define HD_KEPT "kept-"
#endif
