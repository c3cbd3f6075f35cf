/* A loop that goes round three thousand million times, and ends, was reported as endless.  Endless is
 * what comes back to a state that it was in; of everything else the limit is said, with the loop
 * and the option that raises it.
 *
 * run:
 * verdict: incomplete
 * exit: 3
 * executions: 1
 * reason: --max-steps
 * reason-at: LOSS
 *
 * run: --max-steps 2000 -DSHORT
 * verdict: incomplete
 * exit: 3
 * reason: --max-steps
 *
 * run: --max-steps 4000 -DSHORT
 * verdict: complete
 *
 * run: --max-steps 2000 -DREADS
 * verdict: incomplete
 * exit: 3
 * reason: --max-steps
 *
 * run: --max-steps 2000 -DCLOCK
 * verdict: incomplete
 * exit: 3
 * reason: --max-steps
 *
 * run: --max-steps 2000 -DASSEMBLY
 * verdict: incomplete
 * exit: 3
 * reason: --max-steps
 *
 * run: --max-steps 2000 -DFOREVER=1
 * verdict: incomplete
 * finding: non-termination 1
 *
 * run: --max-steps 2000 -DFOREVER=2
 * verdict: incomplete
 * finding: non-termination 1
 *
 * run: --max-steps 2000 -DFOREVER=3
 * verdict: incomplete
 * finding: non-termination 1
 *
 * run: --max-steps 2000 -DFOREVER=4
 * verdict: incomplete
 * finding: non-termination 1
 *
 * run: --max-steps 200 -DFOREVER=5
 * verdict: incomplete
 * finding: non-termination 1
 *
 * run: --max-steps 2000 -DFOREVER=6
 * verdict: incomplete
 * finding: non-termination 1 */
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#if defined SHORT
int main(void) {
    unsigned s = 0;
    for (unsigned i = 0; i < 3500; i++)
        s += i;
    return s == 1;
}
#elif defined READS
/* What is read is the same each time, and where the file is at is not in the program's memory. */
int main(void) {
    FILE *zeros = tmpfile();
    for (int i = 0; i < 1000; i++)
        fputc(0, zeros);
    rewind(zeros);
    for (int round = 0; round < 5; round++) {
        while (fgetc(zeros) == 0)
            ;
        rewind(zeros);
    }
    fclose(zeros);
    return 0;
}
#elif defined CLOCK
int main(void) {
    while (time(NULL) >= 0)
        ;
    return 0;
}
#elif defined ASSEMBLY
int main(void) {
    unsigned bit;
    do
        __asm__ volatile("mov $1, %0" : "=r"(bit));
    while (bit);
    return 0;
}
#elif !defined FOREVER
int main(void) {
    unsigned long s = 0;
    for (unsigned i = 0; i < 3000000000u; i++) // LOSS
        s += i;
    return s == 1;
}
#elif FOREVER == 1
int main(void) {
    for (;;)
        ;
}
#elif FOREVER == 2
int main(void) {
    volatile int x = 1, y = 1;
    while (x == y)
        ;
    return 0;
}
#elif FOREVER == 3
/* A period of 250, in memory. */
static unsigned char ring[250];
int main(void) {
    for (unsigned char i = 0; ring[i] < 2; i = (unsigned char)((i + 1) % 250))
        ring[i] ^= 1;
    return 0;
}
#elif FOREVER == 4
/* Calls of the program's own, blocks that stay, a list that is a circle. */
struct cell {
    struct cell *next;
    int value;
};
static struct cell *find(struct cell *list, int value) {
    while (list && list->value != value)
        list = list->next;
    return list;
}
int main(void) {
    struct cell *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    *a = (struct cell){b, 1};
    *b = (struct cell){a, 2};
    return find(a, 3) == a;
}
#elif FOREVER == 5
/* By an input. */
int main(void) {
    unsigned char step;
    heddle_input(step);
    heddle_assume(step < 2);
    for (unsigned char i = 0; i != 7; i += step)
        ;
    return 0;
}
#else
/* The locals of a function that is called again and again. */
__attribute__((noinline)) static int look(const int *table) {
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += table[i];
    return sum;
}
int main(void) {
    for (;;) {
        int table[5] = {1, 2, 3, 4, 5};
        if (look(table) != 15)
            return 1;
    }
}
#endif
