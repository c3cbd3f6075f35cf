/* Bytes that depend on inputs, written to a file and read again, were constants; executions wrote
 * to the real file system.  Now files are those of one execution, and what is in them keeps what it
 * depends on; processes and threads use them in every order.
 *
 * run: -DCASE=1
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=2
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=3
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=4
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=5
 * verdict: complete
 * label: first
 * label: second
 * label: hit
 *
 * run: -DCASE=6
 * verdict: complete
 * label: first
 * label: second
 * label: hit
 *
 * run: -DCASE=7
 * verdict: complete
 * paths: 3
 * label: hit 1
 *
 * run: -DCASE=8
 * verdict: complete
 * paths: 4
 * label: hit 1 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char x;

static void hit(int is_hit) {
    if (is_hit)
        heddle_reach("hit");
}

#if CASE == 6
static void *append(void *descriptor) {
    write(*(int *)descriptor, &x, 1);
    return NULL;
}
#endif

int main(void) {
    unsigned char b[8] = {0};
    heddle_input(x);
    heddle_assert(access("heddle-regress", F_OK) != 0); /* every execution starts equal */
    int f = open("heddle-regress", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
    heddle_assert(f == 3);
#if CASE == 1 /* writev, and another descriptor */
    struct iovec v[2] = {{"a", 1}, {&x, 1}};
    writev(f, v, 2);
    int g = open("heddle-regress", O_RDONLY);
    heddle_assert(pread(g, b, 8, 1) == 1);
    hit(b[0] == 77);
#elif CASE == 2 /* streams, over another name */
    FILE *s = fdopen(f, "w");
    fputc(x, s);
    fclose(s);
    rename("heddle-regress", "heddle-regress-2");
    s = fopen("heddle-regress-2", "r");
    hit(fgetc(s) == 77);
    fclose(s);
#elif CASE == 3 /* over what was there, after a truncation */
    write(f, "0123", 4);
    ftruncate(f, 2);
    pwrite(f, &x, 1, 0); /* appends: Linux looks at O_APPEND */
    heddle_assert(pread(f, b, 8, 0) == 3 && b[0] == '0');
    hit(b[2] == 77);
#elif CASE == 4 /* a mapping */
    write(f, &x, 1);
    unsigned char *p = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, f, 0);
    hit(p[0] == 77);
#elif CASE == 5 /* processes share it */
    if (!fork()) {
        write(f, &x, 1);
        _exit(0);
    }
    write(f, "B", 1);
    wait(NULL);
    heddle_assert(pread(f, b, 8, 0) == 2);
    heddle_reach(b[0] == 'B' ? "first" : "second");
    hit(b[0] == 77 || b[1] == 77);
#elif CASE == 6 /* threads too */
    pthread_t t;
    pthread_create(&t, NULL, append, &f);
    write(f, "B", 1);
    pthread_join(t, NULL);
    heddle_assert(pread(f, b, 8, 0) == 2);
    heddle_reach(b[0] == 'B' ? "first" : "second");
    hit(b[0] == 77 || b[1] == 77);
#elif CASE == 7 /* which path it is, depends on the input */
    char name[] = "heddle-regress-0";
    heddle_assume(x < 3);
    name[15] = (char)('0' + x);
    mkdir("heddle-regress-1", 0700);
    struct stat s;
    hit(stat(name, &s) == 0 && S_ISDIR(s.st_mode));
#elif CASE == 8 /* and how much is read */
    heddle_assume(x < 4);
    write(f, "abcdef", 6);
    lseek(f, 4, SEEK_SET);
    hit(read(f, b, x) == 2 && x == 3);
#endif
    return 0;
}
