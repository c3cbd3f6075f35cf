/* own_clang.h -- clang as a part of heddle-compile, where Debian's archives of it are installed.
 *
 * Starting clang-19 takes 0.035 s of processor time, nearly all of it to relocate its two shared
 * libraries, which is half of what clang needs for a small program.  Linked in, it takes none.  It
 * is the same clang, from the same package.
 *
 * Promise (tests/own_clang.sh): it writes the same bytes, and says the same.  What it does not do
 * itself, clang-19 does: it takes the place of the calling process.
 * Not here: who asks, and when it is a process of its own instead (child.c). */
#ifndef HD_COMPILE_COMPILER_OWN_CLANG_H
#define HD_COMPILE_COMPILER_OWN_CLANG_H
#ifdef __cplusplus
extern "C" {
#endif

/* Where the clang is that is linked in (if hd_own_clang_run is), as a file that can be started. Its
 * headers are found from there. */
extern const char *const hd_own_clang __attribute__((weak));

/* To be called in a process of its own: its exit status.  argv is what clang-19 would be told,
 * "clang-19" first, and NULL last. */
int hd_own_clang_run(const char *const *argv) __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
