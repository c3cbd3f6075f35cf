/* Lengths that lie, and numbers that are used up: what Linux says.  A control message that says that it
 * is longer than all of them was read behind their end; of two only the last one's files were passed;
 * a connection was lost if there was no number for it; sizes of maps wrapped around.
 *
 * run: -DCONTROL
 * verdict: complete
 *
 * run: -DFULL
 * verdict: complete
 *
 * run: -DMAP
 * verdict: complete
 *
 * run: -DWRAP
 * verdict: incomplete
 * reason: mmap of more than the shared memory has
 *
 * run: -DCLOSE --por none
 * verdict: incomplete
 * reason: a file that is closed while a thread writes
 *
 * run: -DPRINT
 * verdict: incomplete
 * reason: whether other threads print */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef CONTROL
static union {
    char room[2 * CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
} control;
static char byte = 'x';
static struct iovec piece = {&byte, 1};
static struct msghdr message = {
    .msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};

static void put(unsigned nth, int file, size_t length) {
    struct cmsghdr *c = (struct cmsghdr *)(control.room + nth * CMSG_SPACE(sizeof(int)));
    *c = (struct cmsghdr){.cmsg_len = length, .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(c), &file, sizeof file);
}

static int send_with(int s, size_t length) {
    put(0, 0, CMSG_LEN(sizeof(int)));
    put(1, 1, length);
    return sendmsg(s, &message, 0) < 0 ? errno : 0;
}

int main(void) {
    int s[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    assert(send_with(s[0], CMSG_LEN(400)) == EINVAL);
    assert(send_with(s[0], CMSG_SPACE(sizeof(int)) + 1) == EINVAL);
    assert(send_with(s[0], sizeof(struct cmsghdr) - 1) == EINVAL);
    assert(send_with(s[0], SIZE_MAX) == EINVAL);
    assert(send_with(s[0], CMSG_LEN(sizeof(int))) == 0);
    char room[CMSG_SPACE(4 * sizeof(int))];
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    assert(recvmsg(s[1], &message, 0) == 1);
    assert(CMSG_FIRSTHDR(&message)->cmsg_len == CMSG_LEN(2 * sizeof(int)));
}
#elif defined FULL
int main(void) {
    int s = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0), last = 0;
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t n = sizeof at;
    listen(s, 1);
    getsockname(s, (struct sockaddr *)&at, &n);
    connect(c, (struct sockaddr *)&at, sizeof at);
    for (int d; (d = dup(0)) >= 0;)
        last = d;
    assert(errno == EMFILE);
    assert(accept(s, NULL, NULL) == -1 && errno == EMFILE);
    close(last);
    assert(accept(s, NULL, NULL) == last);
}
#elif defined MAP
int main(void) {
    assert(mmap(NULL, SIZE_MAX, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
    assert(errno == ENOMEM);
}
#elif defined WRAP
int main(void) {
    int memory = shm_open("/odd", O_CREAT | O_RDWR, 0600);
    ftruncate(memory, 8192);
    char *p = mmap(NULL, (size_t)-4096 - 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 8192);
    assert(p == MAP_FAILED);
}
#elif defined CLOSE
static int ends[2];

static void *writes(void *unused) {
    write(ends[1], "x", 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    char c;
    pipe(ends);
    pthread_create(&thread, NULL, writes, NULL);
    close(ends[1]);
    read(ends[0], &c, 1);
    pthread_join(thread, NULL);
}
#else
static void *prints(void *unused) {
    printf("here\n");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, prints, NULL);
    close(1);
    pthread_join(thread, NULL);
}
#endif
