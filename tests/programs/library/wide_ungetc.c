/* A byte that is given back to a stream of wide characters, or of which there are none yet.
 *
 * run: -DWIDE
 * verdict: incomplete
 * reason: bytes through a stream of wide characters
 * no-label: done
 *
 * run:
 * verdict: complete
 * label: done 1 */
#include <assert.h>
#include <heddle.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
    FILE *f = fopen("text", "w+");
#ifdef WIDE
    fwide(f, 1);
#endif
    assert(ungetc('x', f) == 'x' && fwide(f, 0) == 0);
    assert(fgetc(f) == 'x' && fwide(f, 0) < 0);
    fclose(f);
    heddle_reach("done");
    return 0;
}
