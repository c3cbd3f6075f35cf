/* FD_SET with checks (_FORTIFY_SOURCE) asks for the word of a descriptor, which must fit.
 *
 * run: --strategy dfs
 * verdict: complete
 * finding: out-of-bounds 2
 * says: descriptor 1024 does not fit into an fd_set
 * says: descriptor -1 does not fit into an fd_set
 * label: fits 1 */
#include <heddle.h>

extern long __fdelt_chk(long descriptor);

int main(void) {
    switch (heddle_choose(0, 2)) {
    case 0:
        __fdelt_chk(1024); // BUG out-of-bounds
        break;
    case 1:
        __fdelt_chk(-1); // BUG out-of-bounds
        break;
    default:
        heddle_assert(__fdelt_chk(0) == 0 && __fdelt_chk(63) == 0 && __fdelt_chk(64) == 1);
        heddle_assert(__fdelt_chk(1023) == 15);
        heddle_reach("fits");
        break;
    }
    return 0;
}
