/* The list of models, from the Makefile; empty in programs that compile nothing (tests/fuzz). */
#include "compile/model_files.h"

#include <stddef.h>

#ifndef HD_MODEL_FILES
#define HD_MODEL_FILES
#endif

const char *const hd_model_files[] = {HD_MODEL_FILES NULL};
