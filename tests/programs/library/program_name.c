/* The name that a program was started by: objects of the C library that are about the program itself.
 *
 * run:
 * verdict: complete
 * paths: 1 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <string.h>

extern char *__progname;

int main(int argc, char **argv) {
    assert(argc == 1);
    assert(strcmp(program_invocation_name, argv[0]) == 0);
    const char *slash = strrchr(argv[0], '/');
    assert(strcmp(program_invocation_short_name, slash ? slash + 1 : argv[0]) == 0);
    assert(strcmp(__progname, program_invocation_short_name) == 0);
    return 0;
}
