/* A name server over UNIX-domain datagrams: each of two clients asks for the number of its own
 * name, and the answer goes to the address that the question came from.
 *
 * -DBUG: the server collects both questions and keeps one address only, so that both answers go to
 * who asked last.
 *
 * run:
 * verdict: complete
 *
 * run: -DBUG
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLIENTS = 2 };
static char prefix[64];

static struct sockaddr_un address_of(int who) {
    struct sockaddr_un a;
    memset(&a, 0, sizeof a);
    a.sun_family = AF_UNIX;
    snprintf(a.sun_path, sizeof a.sun_path, "%s%d", prefix, who);
    return a;
}

static int open_socket(int who) {
    struct sockaddr_un a = address_of(who);
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) != 0) {
        perror("bind");
        exit(1);
    }
    return fd;
}

static void ask(int who) {
    struct sockaddr_un server = address_of(0);
    int fd = open_socket(who);
    char question[] = "a", answer = 0;
    question[0] += (char)who;
    ssize_t n = sendto(fd, question, 1, 0, (struct sockaddr *)&server, sizeof server);
    assert(n == 1);
    n = recv(fd, &answer, 1, 0);
    assert(n == 1);
    assert(answer == '0' + who); // BUG assertion
    close(fd);
}

static void serve(int fd) {
    struct question {
        struct sockaddr_un from;
        socklen_t size;
        char name;
    } questions[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        struct question *q = &questions[i];
        q->size = sizeof q->from;
        ssize_t n = recvfrom(fd, &q->name, 1, 0, (struct sockaddr *)&q->from, &q->size);
        assert(n == 1);
    }
    for (int i = 0; i < CLIENTS; i++) {
        struct question *q = &questions[i];
        char answer = (char)('0' + (q->name - 'a'));
#ifdef BUG
        q = &questions[CLIENTS - 1];
#endif
        sendto(fd, &answer, 1, 0, (struct sockaddr *)&q->from, q->size);
    }
    close(fd);
}

int main(void) {
    int status;
    snprintf(prefix, sizeof prefix, "/tmp/names-%d-", (int)getpid());
    int server = open_socket(0);
    for (int i = 1; i <= CLIENTS; i++) {
        if (fork() == 0) {
            close(server);
            ask(i);
            exit(0);
        }
    }
    serve(server);
    for (int i = 0; i < CLIENTS; i++) {
        wait(&status);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (int i = 0; i <= CLIENTS; i++)
        unlink(address_of(i).sun_path);
    return 0;
}
