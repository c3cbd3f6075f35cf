/* setjmp and longjmp, goto into loops, computed goto, switch with fall-through, Duff's device. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;
static void deep(int n) {
    char padding[100];
    padding[n] = (char)n;
    if (n == 0)
        longjmp(place, 7);
    deep(n - 1);
    padding[0]++;
}

static int interpret(const unsigned char *code) {
    static const void *const labels[] = {&&add, &&twice, &&jump, &&stop};
    int x = 1, rounds = 0;
    goto *labels[*code];
add:
    x += *++code;
    goto *labels[*++code];
twice:
    x *= 2;
    goto *labels[*++code];
jump:
    if (++rounds < 4) {
        code -= *(code + 1);
        goto *labels[*code];
    }
    code += 2;
    goto *labels[*code];
stop:
    return x;
}

static int classify(int x) {
    int r = 0;
    switch (x) {
    case 1:
        r += 1;
        /* fall through */
    case 2:
        r += 2;
        break;
    case 1000:
    case -1000:
        return -1;
    case 5 ... 9:
        r = 50;
    default:
        r += 100;
    }
    return r;
}

static void copy(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}

int main(void) {
    volatile int tries = 0;
    static const unsigned char code[] = {0, 5, 1, 2, 3, 3};
    char text[12] = {0};
    int r = setjmp(place);
    if (r == 0 || tries < 3) {
        tries++;
        deep(10 + tries);
    }
    copy(text, "hello world", 11);
    printf("%d %d %d\n", r, tries, interpret(code));
    for (int i = -1000; i <= 1000; i += i < 0 ? 999 : i < 10 ? 1 : 990)
        printf("%d ", classify(i));
    printf("%s\n", text);
    return 0;
}
