/* Numbers that functions do not know were accepted, or were given another error than Linux gives; the
 * family of getaddrinfo's hints and the bytes of inet_ntop were those of the first execution; `environ`
 * was null; math functions did not set errno.
 *
 * run:
 * verdict: complete
 * paths: 4 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static void check_numbers(void) {
    struct timespec t = {0, 0};
    struct stat s;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    sigset_t all;
    pthread_mutex_lock(&m);
    assert(clock_gettime(99, &t) == -1 && errno == EINVAL);
    assert(clock_nanosleep(99, 0, &t, NULL) == EINVAL);
    assert(pthread_mutex_clocklock(&m, 99, &t) == EINVAL);
    assert(fstatat(AT_FDCWD, ".", &s, 1) == -1 && errno == EINVAL);
    assert(waitpid(-1, NULL, 0x40000) == -1 && errno == EINVAL);
    assert(!setlocale(99, "C"));
    assert(sigfillset(&all) == 0 && !sigismember(&all, 32) && sigismember(&all, 31));
    void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(msync(p, 4096, 99) == -1 && errno == EINVAL);
}

static void check_environment(void) {
    extern char **environ;
    assert(environ && !*environ);
    assert(setenv("NAME", "1", 1) == 0 && strcmp(environ[0], "NAME=1") == 0);
}

static void check_errors_of_numbers(void) {
    volatile double one = 1;
    errno = 0;
    assert(isinf(atanh(one)) && errno == ERANGE);
    errno = 0;
    assert(isnan((double)acosl(one + 1)) && errno == EDOM);
}

int main(void) {
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < 4);
    check_numbers();
    check_environment();
    check_errors_of_numbers();

    unsigned char ip[4] = {1, 2, 3, x};
    char text[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, ip, text, sizeof text);
    heddle_reach(text);

    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = x}, *list;
    int r = getaddrinfo("127.0.0.1", NULL, &hints, &list);
    assert(r == 0 && (x ? list->ai_socktype == x && !list->ai_next : !!list->ai_next->ai_next));
    freeaddrinfo(list);
    return 0;
}
