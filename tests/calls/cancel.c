/* Which functions end a thread that has been cancelled: those that POSIX calls cancellation points,
 * whether they wait or not; and which do not. */
#include "calls.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

static int p[2], s[2], e, event, file;
static sem_t one, nobody;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static char b[8];

static struct timespec soon(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec = t.tv_nsec < 900000000 ? t.tv_nsec + 10000000 : 999999999;
    return t;
}
static void do_sleep(void) {
    sleep(0);
}
static void do_usleep(void) {
    usleep(1000);
}
static void do_nanosleep(void) {
    nanosleep(&(struct timespec){0, 1000}, NULL);
}
static void do_clock_nanosleep(void) {
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, 1000}, NULL);
}
static void do_testcancel(void) {
    pthread_testcancel();
}
static void do_sem_wait(void) {
    sem_wait(&one);
}
static void do_sem_trywait(void) {
    sem_trywait(&one);
}
static void do_sem_post(void) {
    sem_post(&one);
}
static void do_lock(void) {
    pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock);
}
static void do_cond(void) {
    struct timespec t = soon();
    pthread_mutex_lock(&lock);
    pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &lock);
    pthread_cond_timedwait(&never, &lock, &t);
    pthread_cleanup_pop(1);
}
static void do_yield(void) {
    sched_yield();
}
static void do_getpid(void) {
    getpid();
}
static void do_malloc(void) {
    free(malloc(8));
}
static void do_read(void) {
    read(p[0], b, 1);
}
static void do_write(void) {
    write(p[1], "a", 1);
}
static void do_readv(void) {
    readv(p[0], &(struct iovec){b, 1}, 1);
}
static void do_writev(void) {
    writev(p[1], &(struct iovec){"a", 1}, 1);
}
static void do_pread(void) {
    pread(file, b, 1, 0);
}
static void do_pwrite(void) {
    pwrite(file, "a", 1, 0);
}
static void do_poll(void) {
    poll(&(struct pollfd){p[0], POLLIN, 0}, 1, 0);
}
static void do_select(void) {
    select(0, NULL, NULL, NULL, &(struct timeval){0, 1000});
}
static void do_epoll(void) {
    epoll_wait(e, &(struct epoll_event){0}, 1, 0);
}
static void do_send(void) {
    send(s[0], "a", 1, 0);
}
static void do_recv(void) {
    recv(s[1], b, 1, 0);
}
static void do_event(void) {
    eventfd_t v;
    eventfd_read(event, &v);
    eventfd_write(event, 1);
}
static void do_open(void) {
    close(open("cancelled", O_RDWR | O_CREAT, 0600));
}
static void do_close(void) {
    close(99);
}
static void do_fsync(void) {
    fsync(file);
}
static void do_seek(void) {
    lseek(file, 0, SEEK_SET);
}
static void do_dup(void) {
    dup2(0, 20);
}
static void do_fcntl(void) {
    fcntl(file, F_GETFL);
}
static void do_waitpid(void) {
    waitpid(-1, NULL, WNOHANG);
}
static const struct {
    const char *name;
    void (*run)(void);
} calls[] = {
    {"nothing", do_getpid},
    {"sleep", do_sleep},
    {"usleep", do_usleep},
    {"nanosleep", do_nanosleep},
    {"testcancel", do_testcancel},
    {"clock_nanosleep", do_clock_nanosleep},
    {"sem_wait", do_sem_wait},
    {"sem_trywait", do_sem_trywait},
    {"sem_post", do_sem_post},
    {"mutex_lock", do_lock},
    {"cond_timedwait", do_cond},
    {"sched_yield", do_yield},
    {"malloc", do_malloc},
    {"read", do_read},
    {"write", do_write},
    {"readv", do_readv},
    {"writev", do_writev},
    {"pread", do_pread},
    {"pwrite", do_pwrite},
    {"poll", do_poll},
    {"select", do_select},
    {"epoll", do_epoll},
    {"send", do_send},
    {"recv", do_recv},
    {"eventfd", do_event},
    {"open", do_open},
    {"close", do_close},
    {"fsync", do_fsync},
    {"lseek", do_seek},
    {"dup2", do_dup},
    {"fcntl", do_fcntl},
    {"waitpid", do_waitpid},

};

/* Those that wait for ever if nobody cancels them. */
static int empty[2], quiet[2], child;
static void wait_read(void) {
    read(empty[0], b, 1);
}
static void wait_poll(void) {
    poll(&(struct pollfd){empty[0], POLLIN, 0}, 1, -1);
}
static void wait_epoll(void) {
    epoll_wait(e, &(struct epoll_event){0}, 1, -1);
}
static void wait_select(void) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(empty[0], &set);
    select(empty[0] + 1, &set, NULL, NULL, NULL);
}
static void wait_recv(void) {
    recv(quiet[0], b, 1, 0);
}
static void wait_child(void) {
    waitpid(child, NULL, 0);
}
static void wait_pause(void) {
    pause();
}
static void wait_suspend(void) {
    sigset_t none;
    sigemptyset(&none);
    sigsuspend(&none);
}
static void wait_lock(void) {
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    fcntl(file, F_SETLKW, &l);
}
static void wait_sem(void) {
    sem_wait(&nobody);
}
static void wait_cond(void) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &lock);
    for (;;)
        pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(1);
}
static const struct {
    const char *name;
    void (*run)(void);
} waits[] = {
    {"read", wait_read},    {"poll", wait_poll},      {"epoll_wait", wait_epoll},
    {"sem_wait", wait_sem}, {"cond_wait", wait_cond},
};

static void *cancelled(void *call) {
    void (*run)(void) = *(void (**)(void))call;
    pthread_cancel(pthread_self());
    run();
    return NULL;
}
static void *waiting(void *call) {
    void (*run)(void) = *(void (**)(void))call;
    run();
    return NULL;
}
static void *disabled(void *call) {
    void (*run)(void) = *(void (**)(void))call;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cancel(pthread_self());
    run();
    return NULL;
}
static int is_ended(void *(*way)(void *), void (*run)(void)) {
    pthread_t t;
    void *answer = NULL;
    pthread_create(&t, NULL, way, &run);
    if (way == waiting) {
        usleep(20000);
        pthread_cancel(t);
    }
    pthread_join(t, &answer);
    return answer == PTHREAD_CANCELED;
}

int main(void) {
    sem_init(&one, 0, 5);
    pipe2(p, O_NONBLOCK);
    write(p[1], "abcdefgh", 8);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    send(s[0], "abcdefgh", 8, 0);
    e = epoll_create1(0);
    event = eventfd(5, 0);
    file = open("file", O_RDWR | O_CREAT, 0600);
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
        printf("%s: %d %d\n", calls[i].name, is_ended(cancelled, calls[i].run),
               is_ended(disabled, calls[i].run));
    sem_init(&nobody, 0, 0);
    pipe(empty);
    socketpair(AF_UNIX, SOCK_STREAM, 0, quiet);
    child = fork();
    if (child == 0) { /* has the file locked, until the other ends are closed */
        struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        close(empty[1]), close(quiet[1]);
        fcntl(file, F_SETLK, &l);
        write(quiet[0], "!", 1);
        read(empty[0], b, 1);
        _exit(0);
    }
    read(quiet[1], b, 1); /* until it is locked */
    for (unsigned i = 0; i < sizeof waits / sizeof *waits; i++)
        printf("waiting in %s: %d\n", waits[i].name, is_ended(waiting, waits[i].run));
    close(empty[1]);
    waitpid(child, NULL, 0);
    int left;
    sem_getvalue(&one, &left);
    T(left);
    return 0;
}
