/* Where an input goes, how long it is, and which label is reached may depend on inputs.  The value of
 * the execution at hand was taken for all, and nothing said so.
 *
 * run: -DLABEL
 * verdict: complete
 * paths: 2
 * label: big
 * label: small
 *
 * run: -DTEXT
 * verdict: complete
 * label: ax
 * label: ay
 * label: az
 *
 * run: -DPLACE
 * verdict: complete
 * label: first
 * label: second
 *
 * run: -DBYTES
 * verdict: complete
 * label: first
 * label: third
 * label: fourth
 *
 * run: -DLENGTH
 * verdict: complete
 * label: first
 * label: second
 * no-label: third */
#include <heddle.h>

int main(void) {
    unsigned char c, v[4] = {5, 5, 5, 5};
    heddle_input(c);
#ifdef LABEL
    heddle_reach(c > 100 ? "big" : "small");
    return 0;
#endif
    heddle_assume(c < 3);
#ifdef TEXT
    char label[3] = "a";
    label[1] = (char)('x' + c);
    heddle_reach(label);
#elif defined PLACE
    heddle_input(v[c > 1]);
#elif defined BYTES
    heddle_bytes(v + c, 2, "v");
#elif defined LENGTH
    heddle_bytes(v, c, "v");
#endif
    if (v[0] != 5)
        heddle_reach("first");
    if (v[1] != 5)
        heddle_reach("second");
    if (v[2] != 5)
        heddle_reach("third");
    if (v[3] != 5)
        heddle_reach("fourth");
}
