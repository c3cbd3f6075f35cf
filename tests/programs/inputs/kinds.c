/* Every kind of scalar as an input; each condition is one path of its own.
 *
 * run:
 * verdict: complete
 * paths: 10
 * label: end 1 */
#include <heddle.h>
#include <stdint.h>

struct scalars {
    signed char c;
    unsigned short h;
    int i;
    long l;
    unsigned long long u;
};

int main(void) {
    struct scalars s;
    char c;
    int64_t q;
    uint8_t raw[3];
    heddle_input(s);
    heddle_input(c);
    heddle_input(q);
    heddle_bytes(raw, sizeof raw, "raw");
    if (s.c != -100)
        return 0;
    if (s.h != 50000)
        return 0;
    if (s.i != -2000000000)
        return 0;
    if (s.l != -5000000000)
        return 0;
    if (s.u != 0xfedcba9876543210)
        return 0;
    if (c != 'c')
        return 0;
    if (q != INT64_MIN)
        return 0;
    if (raw[0] + raw[1] != 500)
        return 0;
    if (raw[2])
        return 0;
    heddle_reach("end");
    return 0;
}
