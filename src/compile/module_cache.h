/* module_cache.h -- finding a module that was compiled before (private to compile/).
 *
 * A *key* names a request: sources, options, and the Heddle and clang that would compile it.
 * The file KEY.manifest lists the files that were read, with size, time and hash, and the
 * module made of them.  A request is a hit if none of them changed; files with a new time
 * but the same contents have not.
 * C1. A manifest names a module directory that is complete (compile.h). */
#ifndef HD_COMPILE_MODULE_CACHE_H
#define HD_COMPILE_MODULE_CACHE_H
#include "base/text.h"
#include "compile/compile.h"

/* Where modules are kept: $HEDDLE_CACHE, $XDG_CACHE_HOME/heddle or ~/.cache/heddle, made if
 * needed.  False if nothing can be written there. */
bool hd_cache_directory(hd_text *directory);

/* Is there room for a module in the directory: bytes, as far as this user may have them, and files?
 */
bool hd_cache_has_room(const char *directory);
/* Is there so little that a large module may not find room? */
bool hd_cache_is_scarce(const char *directory);

/* Path of a part of Heddle ("heddle-compile", "inline.bc") beside the running program or in
 * ../libexec/heddle; false if it is in neither. */
bool hd_cache_find_part(hd_text *path, const char *name);

uint64_t hd_cache_key(const hd_compile_request *request);

/* Fill `result` if `directory` has an up-to-date module for the key. */
bool hd_cache_look_up(const char *directory, uint64_t key, hd_compile_result *result);

/* The text of a manifest with these lines; whether a text is one, which is changed, of which module
 * and of how many files. */
void hd_cache_write_manifest(hd_text *out, uint64_t module, const char *lines);
bool hd_cache_check_manifest(char *text, uint64_t *module, size_t *n);

/* Turn the finished directory `made` into a module of the cache and remember it.  Files
 * changed after `started` (seconds) are not remembered: clang may have read the old ones. */
bool hd_cache_store(const char *directory, uint64_t key, const char *made, double started,
                    hd_compile_result *result, hd_err *err);

/* The folder KEY.kept: what the last compilation for the key has left for the next one, when
 * sources have changed (compile/compiler/kept_files.c).  One for each key: hd_cache_store replaces
 * it, unless files changed while they were compiled. */
void hd_cache_kept(hd_text *path, const char *directory, uint64_t key);

/* Remove a directory and the files in it. */
void hd_cache_discard(const char *made);
#endif
