/* The program calls a function of the library that has the name of a static function in some model:
 * the compiler linked that model for ever.
 *
 * run:
 * verdict: complete
 * paths: 1 */
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>

int main(void) {
    int x;
    if (sscanf("1", "%d", &x) != 1)
        return 1;
    return accept(77, NULL, NULL) != -1 || errno != EBADF;
}
