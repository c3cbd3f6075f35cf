/* A state machine in a table: N symbolic bytes drive next[state][class], and only the last
 * state is looked at.
 *
 * The state is symbolic from the first byte on, so look-ups nest N deep.  The tests at the end
 * tell the states apart one by one, so there are as many paths as states that can be last: 7
 * after three bytes, all 8 from four on.
 *
 * brute: -DN=3 bytes 0-255 -> 7
 * brute: -DN=6 bytes 33,48,97 -> 8
 * paths: -DN=3 -> 7
 * paths: -DN=6 -> 8 */
#include <heddle.h>
#ifndef N
#define N 6
#endif

enum { OTHER, DIGIT, LETTER, N_CLASSES };
enum { N_STATES = 8 };

static const unsigned char next[N_STATES][N_CLASSES] = {
    {0, 3, 1}, {0, 4, 2}, {0, 5, 0}, {7, 4, 1}, {7, 5, 2}, {7, 6, 0}, {6, 6, 7}, {7, 7, 7},
};
static unsigned char class_of[256];

static void make_classes(void) {
    for (int c = '0'; c <= '9'; c++)
        class_of[c] = DIGIT;
    for (int c = 'a'; c <= 'z'; c++)
        class_of[c] = LETTER;
}

int main(void) {
    unsigned char text[N];
    unsigned char state = 0;
    make_classes();
    heddle_input(text);
    for (int i = 0; i < N; i++)
        state = next[state][class_of[text[i]]];
    for (int i = 0; i < N_STATES - 1; i++) {
        if (state == i)
            return i;
    }
    return N_STATES - 1;
}
