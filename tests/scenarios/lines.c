/* A server that answers a question line by line, and a client that reads what is there: how the
 * answer falls into reads depends only on how the network cuts it.  -DLINES=n: of the answer;
 * -DANSWERS=n: so many questions; -DTHREAD: the server answers in a thread of its own. */
#include "node.h"
#include <pthread.h>
#include <stdio.h>

#ifndef LINES
#define LINES 4
#endif
#ifndef ANSWERS
#define ANSWERS 1
#endif

static void *answer(void *connection) {
    int s = *(int *)connection;
    char question[16], line[16];
    for (int i = 0; i < ANSWERS; i++) {
        heddle_assert(read(s, question, sizeof question) > 0);
        for (int k = 0; k < LINES; k++) {
            snprintf(line, sizeof line, "line %03d\n", k);
            send(s, line, strlen(line), MSG_NOSIGNAL);
        }
    }
    return NULL;
}

static void serve(void) {
    int s = open_at("server", SOCK_STREAM);
    listen(s, 1);
    int client = accept(s, NULL, NULL);
#ifdef THREAD
    pthread_t t;
    pthread_create(&t, NULL, answer, &client);
    pthread_join(t, NULL);
#else
    answer(&client);
#endif
    close(client);
    close(s);
}

/* The answer is the same however it comes. */
static int ask(int s) {
    char all[9 * LINES + 1];
    int n = 0, n_reads = 0;
    send(s, "GET\n", 4, 0);
    while (n < 9 * LINES) {
        int got = (int)read(s, all + n, sizeof all - (size_t)n);
        heddle_assert(got > 0 && got % 9 == 0);
        n += got;
        n_reads++;
    }
    all[n] = 0;
    for (int k = 0; k < LINES; k++)
        heddle_assert(atoi(all + 9 * k + 5) == k);
    return n_reads;
}

static void be_client(void) {
    struct addrinfo *a = resolve("server", SOCK_STREAM);
    int s = socket(a->ai_family, SOCK_STREAM, 0), n_reads = 0;
    connect(s, a->ai_addr, a->ai_addrlen);
    freeaddrinfo(a);
    for (int i = 0; i < ANSWERS; i++)
        n_reads += ask(s);
    heddle_reach(n_reads == ANSWERS ? "as one" : n_reads == ANSWERS + 1 ? "cut once" : "cut often");
    close(s);
}

int main(int argc, char **argv) {
    (void)argc;
    if (strcmp(argv[1], "server") == 0)
        serve();
    else
        be_client();
    return 0;
}
