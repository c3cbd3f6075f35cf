/* inet_ntoa() of Heddle's models answers in a thread-local object.  Models are added when those of a
 * program without threads have become ordinary ones: this one stayed, and every call asked for the
 * copy of its thread, which an invariant of the compiler forbids (B4).
 *
 * run:
 * verdict: complete
 * paths: 2 */
#include <arpa/inet.h>
#include <assert.h>
#include <heddle.h>
#include <string.h>

int main(void) {
    unsigned char last;
    heddle_input(last);
    struct in_addr a = {htonl(0x7f000000 | (last > 4))};
    assert(strcmp(inet_ntoa(a), last > 4 ? "127.0.0.1" : "127.0.0.0") == 0);
    return 0;
}
