/* Each call of inet_ntoa, gethostbyname and getservbyname had an object of its own, so that a text that
 * the next call overwrites stayed as it was: a false finding here, and a missed one in programs that count
 * on it.  The C library has one text for each thread, and one host and one service for all.
 *
 * run:
 * verdict: complete
 * finding: assertion
 * label: overwritten
 *
 * run: -DTHREADS
 * verdict: complete
 * label: own
 *
 * run: -DRACE
 * verdict: complete
 * finding: data-race */
#include <arpa/inet.h>
#include <assert.h>
#include <heddle.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>

static const char *text_of(unsigned number) {
    return inet_ntoa((struct in_addr){htonl(number)});
}

static void *other(void *unused) {
#ifdef RACE
    getservbyname("http", "tcp");
#else
    assert(strcmp(text_of(1), "0.0.0.1") == 0);
#endif
    return unused;
}

int main(void) {
#ifdef RACE
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    getservbyname("ssh", "tcp");
    pthread_join(t, NULL);
#elif defined THREADS
    pthread_t t;
    const char *mine = text_of(0x7f000001);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    if (strcmp(mine, "127.0.0.1") == 0)
        heddle_reach("own");
#else
    const char *first = text_of(0x7f000000 + (unsigned)heddle_choose(0, 3));
    assert(strcmp(first, "127.0.0.2") != 0); // BUG assertion
    const char *second = text_of(0);
    if (first == second && strcmp(first, "0.0.0.0") == 0)
        heddle_reach("overwritten");
    struct servent *s = getservbyname("http", "tcp"), *t = getservbyname("ssh", NULL);
    assert(s == t && ntohs(s->s_port) == 22);
    struct hostent *g = gethostbyname("10.0.0.1"), *h = gethostbyname("10.0.0.2");
    assert(g == h && h->h_addr_list[0][3] == 2 && !h->h_aliases[0]);
#endif
    return 0;
}
