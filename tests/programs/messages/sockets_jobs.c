/* Workers take jobs from one pipe, which is their standard input, and answer through another;
 * somebody else asks over datagrams with names that exist nowhere.
 *
 * run:
 * verdict: complete */
#include <assert.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct job {
    int number, value;
};
static int jobs[2], results[2];
static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0heddle-jobs"};
static const socklen_t length = sizeof(sa_family_t) + 12;

static void worker(void) {
    struct job j;
    dup2(jobs[0], 0);
    dup2(results[1], 1);
    close(jobs[0]);
    close(jobs[1]);
    close(results[0]);
    close(results[1]);
    while (read(0, &j, sizeof j) == sizeof j) {
        j.value *= j.value;
        assert(write(1, &j, sizeof j) == sizeof j);
    }
    _exit(0);
}

static void asker(void) {
    struct sockaddr_un any = {.sun_family = AF_UNIX};
    char answer[4];
    int s = socket(AF_UNIX, SOCK_DGRAM, 0);
    assert(bind(s, (struct sockaddr *)&any, sizeof(sa_family_t)) == 0);
    assert(sendto(s, "go", 2, 0, (struct sockaddr *)&address, length) == 2);
    assert(recv(s, answer, sizeof answer, 0) == 2);
    _exit(0);
}

static void answer_asker(int s) {
    struct sockaddr_un from;
    socklen_t n = sizeof from;
    char text[4];
    assert(recvfrom(s, text, sizeof text, 0, (struct sockaddr *)&from, &n) == 2);
    assert(n == sizeof(sa_family_t) + 6 && from.sun_path[0] == 0);
    assert(sendto(s, "ok", 2, 0, (struct sockaddr *)&from, n) == 2);
}

int main(void) {
    struct job j;
    int s = socket(AF_UNIX, SOCK_DGRAM, 0), n = 0, sum = 0;
    assert(pipe(jobs) == 0 && pipe(results) == 0);
    assert(bind(s, (struct sockaddr *)&address, length) == 0);
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            worker();
    if (fork() == 0)
        asker();
    close(jobs[0]);
    close(results[1]);
    answer_asker(s);
    for (int i = 0; i < 2; i++) {
        j = (struct job){i, i + 2};
        assert(write(jobs[1], &j, sizeof j) == sizeof j);
    }
    close(jobs[1]);
    while (read(results[0], &j, sizeof j) == sizeof j) {
        assert(j.value == (j.number + 2) * (j.number + 2));
        sum += j.value;
        n++;
    }
    assert(n == 2 && sum == 13);
    for (int i = 0; i < 3; i++)
        wait(NULL);
    return 0;
}
