/* operand_program.c -- a small machine over descriptors, files, processes, keys, messages, texts
 * and dates.
 *
 * Its script is an argument: pairs of a letter, what to do, and a digit, which function of the
 * input the operand is.  Everything that comes out goes into one number of 6 bits.  For Heddle it
 * is a program whose executions reach a label for each such number; property_operands.c includes it
 * and asks for the number of each value of the input. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N_OPERAND_INPUTS = 8 };
#define OPERAND_ACTIONS "wrbvVpqFoWRtsPTeEcxkKSdDuUgGnfhiyzzzMMmmlLCCCHINNOQXYZZ"
#define DATE_ACTIONS    "aAjJB" /* some of them are not exact, and say so */

typedef struct operand_state {
    int pipe[2], pair[2], file, event, list;
    FILE *stream;
    mqd_t messages;
    pthread_key_t key;
    char text[12];
    unsigned sum, n_actions;
} operand_state;

static void note(operand_state *s, long value) {
    s->sum = (s->sum * 3 + (unsigned)value) & 63;
}

/* 0 to 7. */
static int operand(char how, int x) {
    switch (how) {
    case '0':
        return x & 3;
    case '1':
        return x >> 1;
    case '2':
        return 7 - x;
    case '3':
        return (2 * x + 1) & 7;
    case '4':
        return x == 3 ? 5 : 1;
    case '5':
        return x ^ 5;
    case '6':
        return 2;
    default:
        return x;
    }
}

static void note_bytes(operand_state *s, const char *bytes, long n) {
    note(s, n < 0 ? errno : n);
    for (long i = 0; i < n; i++)
        note(s, (unsigned char)bytes[i]);
}

static void act_on_pipes(operand_state *s, char what, int v) {
    char b[16] = "";
    struct iovec pieces[2] = {{"abcdefgh" + v, (size_t)(8 - v)}, {b, (size_t)v}};
    struct pollfd f[2] = {{s->pipe[v & 1], (short)v, 0}, {s->pipe[0], POLLIN, 0}};
    struct timeval none = {0, 0};
    int n = 0;
    switch (what) {
    case 'w':
        note(s, write(s->pipe[1], "abcdefgh", (size_t)v));
        break;
    case 'r':
        n = (int)read(s->pipe[0], b, (size_t)v);
        note_bytes(s, b, n);
        break;
    case 'b':
        b[0] = (char)(3 * v);
        note(s, write(s->pipe[1], b, 1));
        break;
    case 'v':
        note(s, writev(s->pipe[1], pieces, 1 + (v & 1)));
        break;
    case 'V':
        pieces[0] = (struct iovec){b + 8, (size_t)v};
        pieces[1] = (struct iovec){b, 3};
        n = (int)readv(s->pipe[0], pieces, 2);
        note(s, n < 0 ? errno : n);
        note(s, b[0]);
        break;
    case 'p':
        note(s, poll(f, 2, 0));
        note(s, f[0].revents * 2 + f[1].revents);
        break;
    case 'q': {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(s->pipe[0], &set);
        ((unsigned char *)&set)[0] |= (unsigned char)(v & 7);
        ((unsigned char *)&set)[0] &= (unsigned char)~7; /* the standard streams differ */
        note(s, select(s->pipe[0] + (v & 1), &set, NULL, NULL, &none));
        break;
    }
    case 'F':
        ioctl(s->pipe[0], FIONREAD, &n);
        note(s, n);
        break;
    }
}

static void act_on_files(operand_state *s, char what, int v) {
    char b[16] = "", name[] = "n0";
    struct stat info;
    name[1] = (char)('0' + v);
    switch (what) {
    case 'o':
        note(s, lseek(s->file, v - 1, v & 1 ? SEEK_SET : SEEK_END));
        break;
    case 'W':
        b[0] = (char)(5 * v);
        note(s, write(s->file, b, 1));
        break;
    case 'R':
        note_bytes(s, b, read(s->file, b, 2));
        break;
    case 't':
        note(s, ftruncate(s->file, v));
        break;
    case 's':
        fstat(s->file, &info);
        note(s, info.st_size);
        break;
    case 'P':
        b[0] = (char)('A' + v);
        note(s, pwrite(s->file, b, 1 + (size_t)(v & 1), v));
        break;
    case 'T':
        note_bytes(s, b, pread(s->file, b, (size_t)v, v >> 1));
        break;
    case 'g': {
        int f = open(name, O_RDWR | O_CREAT | (v & 1 ? O_EXCL : 0), 0600);
        note(s, f < 0 ? errno : 1);
        if (f >= 0) {
            note_bytes(s, b, read(f, b, 4));
            note(s, write(f, name + 1, 1));
            close(f);
        }
        break;
    }
    case 'G':
        note(s, unlink(name) < 0 ? errno : 0);
        break;
    case 'n':
        note(s, rename("n2", name) < 0 ? errno : 0);
        break;
    }
}

static void act_on_streams(operand_state *s, char what, int v) {
    if (what == 'f')
        note(s, fputc('0' + v, s->stream));
    else if (what == 'h')
        note(s, fseek(s->stream, v - 1, v & 4 ? SEEK_END : SEEK_SET));
    else {
        fflush(s->stream);
        fseek(s->stream, 0, SEEK_CUR);
        note(s, fgetc(s->stream));
        fseek(s->stream, 0, SEEK_CUR);
    }
}

static void act_on_counters(operand_state *s, char what, int v) {
    uint64_t n = (uint64_t)v;
    struct epoll_event out[4];
    if (what == 'e')
        note(s, write(s->event, &n, sizeof n));
    else if (what == 'E') {
        long got = read(s->event, &n, sizeof n);
        note(s, got < 0 ? errno : (long)n);
    } else {
        struct epoll_event in = {(unsigned)v, {.u64 = (uint64_t)(v * 7)}};
        if (epoll_ctl(s->list, EPOLL_CTL_MOD, s->pipe[0], &in) < 0)
            epoll_ctl(s->list, EPOLL_CTL_ADD, s->pipe[0], &in);
        int got = epoll_wait(s->list, out, 1 + (v & 3), 0);
        note(s, got);
        note(s, got > 0 ? (long)out[0].data.u64 : 0);
    }
}

static void act_on_processes(operand_state *s, char what, int v) {
    int status = 0;
    if (what == 'x') {
        if (fork() == 0)
            _exit(3 * v);
        wait(&status);
        note(s, WEXITSTATUS(status));
    } else if (what == 'y') {
        if (fork() == 0) {
            char c = (char)v;
            write(s->file, &c, 1); /* the place is shared */
            _exit(0);
        }
        wait(&status);
        note(s, lseek(s->file, 0, SEEK_CUR));
    } else if (what == 'k')
        note(s, pthread_setspecific(s->key, (void *)(long)(v * 9)));
    else
        note(s, (long)pthread_getspecific(s->key));
}

static void act_on_sockets(operand_state *s, char what, int v) {
    char b[32];
    int value = v, back = 0;
    socklen_t n = sizeof back;
    struct iovec pieces[8];
    for (int i = 0; i < 8; i++)
        pieces[i] = (struct iovec){"xy", 2};
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)v};
    switch (what) {
    case 'S':
        setsockopt(s->pair[0], SOL_SOCKET, v & 4 ? SO_PRIORITY : SO_KEEPALIVE, &value,
                   sizeof value);
        getsockopt(s->pair[0], SOL_SOCKET, v & 4 ? SO_PRIORITY : SO_KEEPALIVE, &back, &n);
        note(s, back);
        break;
    case 'd':
        note(s, sendmsg(s->pair[0], &message, 0));
        break;
    case 'D':
        note(s, recv(s->pair[1], b, (size_t)v + 1, MSG_DONTWAIT | (v & 1 ? MSG_TRUNC : 0)));
        break;
    }
}

static void act_on_numbers(operand_state *s, char what, int v) {
    if (what == 'u') {
        note(s, dup2(s->file, 20 + v));
        note(s, fcntl(23, F_GETFD));
    } else
        note(s, close(20 + v) < 0 ? errno : 0);
}

/* Not if it would wait for ever. */
static bool would_wait(const operand_state *s, bool sends) {
    struct mq_attr now;
    return mq_getattr(s->messages, &now) < 0 ||
           (!(now.mq_flags & O_NONBLOCK) && now.mq_curmsgs == (sends ? now.mq_maxmsg : 0));
}

static void act_on_messages(operand_state *s, char what, int v) {
    char b[16] = "abcdefgh";
    unsigned priority = 0;
    struct mq_attr wanted = {.mq_flags = v & 1 ? O_NONBLOCK : 0, .mq_maxmsg = v}, old = {0};
    switch (what) {
    case 'M':
        b[0] = (char)('a' + v);
        note(s, would_wait(s, true) ? 9 : mq_send(s->messages, b, (size_t)v, (unsigned)v));
        break;
    case 'm':
        if (would_wait(s, false))
            break;
        note_bytes(s, b, mq_receive(s->messages, b, (size_t)(4 + v), &priority));
        note(s, priority);
        break;
    case 'l':
        note(s, mq_setattr(s->messages, &wanted, v & 2 ? &old : NULL));
        note(s, (old.mq_flags != 0) + old.mq_curmsgs);
        break;
    default:
        note(s, mq_getattr(s->messages, &old));
        note(s, (old.mq_flags != 0) + 2 * old.mq_curmsgs + old.mq_maxmsg + old.mq_msgsize);
    }
}

static int compare_bytes(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static void note_words(operand_state *s, char *text) {
    char *rest;
    for (char *w = strtok_r(text, ",;c", &rest); w; w = strtok_r(NULL, ",;c", &rest))
        note_bytes(s, w, (long)strlen(w));
}

/* Lines of what is read from memory, of which one is given back in parts. */
static void note_lines(operand_state *s, char *text, int v) {
    FILE *f = fmemopen(text, 11, "r");
    char *row = NULL;
    size_t room = 0;
    fseek(f, v & 3, SEEK_SET);
    note(s, ungetc(v & 1 ? 'q' : ',', f));
    while (getdelim(&row, &room, ',', f) > 0)
        note_bytes(s, row, (long)strlen(row));
    free(row);
    fclose(f);
}

static void jump_back(operand_state *s, int v) {
    jmp_buf here;
    volatile int rounds = 0;
    setjmp(here);
    if (rounds++ < v % 3)
        longjmp(here, 1);
    note(s, rounds);
}

/* All of them work on one text, or on a copy of it. */
static void act_on_texts(operand_state *s, char what, int v) {
    char b[24] = "", word[8] = "", name[] = "OP0", key = (char)('a' + v), *end;
    int at = 0, number = 0;
    memcpy(b, s->text, sizeof s->text);
    switch (what) {
    case 'C':
        s->text[v + 1] = "a,9;-cX1"[(v * 3 + 1) & 7];
        break;
    case 'H':
        note_words(s, b);
        break;
    case 'I':
        errno = 0;
        note(s, strtol(s->text + v, &end, v & 1 ? 0 : 10 + 2 * v));
        note(s, (end - s->text) * 3 + errno);
        break;
    case 'N':
        note(s, sscanf(s->text, v & 1 ? "%3[a-h]%n%d" : "%*c%2s%n,%i", word, &at, &number));
        note(s, at * 5 + number);
        note_bytes(s, word, 4);
        break;
    case 'O':
        qsort(v & 1 ? s->text : b, 8, 1, compare_bytes);
        note(s, s->text[2]);
        break;
    case 'Q':
        qsort(b, 8, 1, compare_bytes);
        end = bsearch(&key, b, 8, 1, compare_bytes);
        note(s, end ? *end : 0);
        break;
    case 'X':
        name[2] = (char)('0' + (v & 1));
        end = getenv(name);
        note(s, end ? end[0] : 1);
        v & 2 ? setenv(name, s->text, v & 4) : unsetenv(name);
        break;
    case 'Y':
        note(s, (long)strspn(b, "ab,") * 3 + (long)strcspn(b, ";9"));
        strncat(b, "pq;", (size_t)v);
        end = memmem(b, strlen(b), "c", v & 1);
        note(s, end ? end - b : 20);
        note(s, strncasecmp(b, "AB1", (size_t)v) < 0);
        break;
    default:
        v & 2 ? jump_back(s, v) : note_lines(s, b, v);
    }
}

static void note_date(operand_state *s, const struct tm *t) {
    note(s, t->tm_year * 3 + t->tm_mon);
    note(s, t->tm_mday + t->tm_hour * 5 + t->tm_min);
    note(s, t->tm_wday * 8 + t->tm_yday);
}

/* Months and days beyond their ends, in years around one with a 29th of February. */
static void act_on_dates(operand_state *s, char what, int v) {
    static const char *const formats[] = {"%Y-%m-%d", "%H:%M", "%j", "%a %b",
                                          "%U",       "%y%%",  "%e", "%p"};
    struct tm t = {.tm_year = 98 + v, .tm_mon = 2 * v - 1, .tm_mday = 28 + v % 4, .tm_hour = 5 * v};
    time_t seconds = 951782400 + (v - 3) * 86399L; /* 2000-02-29 */
    char b[64] = "";
    switch (what) {
    case 'a':
        note_date(s, gmtime_r(&seconds, &t));
        break;
    case 'A':
        note(s, (long)(timegm(&t) >> 7));
        note_date(s, &t);
        break;
    case 'j':
        note(s, (long)(mktime(&t) >> 7));
        note_date(s, &t);
        break;
    case 'J':
        t = (struct tm){.tm_mon = v, .tm_mday = 1 + v, .tm_wday = v % 7, .tm_year = 100};
        note_bytes(s, asctime_r(&t, b), 24);
        break;
    default:
        t = (struct tm){.tm_mon = v, .tm_mday = 1 + v, .tm_wday = v % 7, .tm_year = 100 + v};
        note_bytes(s, b, (long)strftime(b, sizeof b, formats[s->n_actions % 8], &t));
    }
}

/* One of the functions that take a name; directories are closed by the end of the process. */
static int use_name(const operand_state *s, unsigned which, const char *name) {
    struct stat info;
    char b[8];
    switch (which % 16) {
    case 0:
        return close(open(name, O_RDONLY));
    case 1:
        return stat(name, &info);
    case 2:
        return access(name, F_OK);
    case 3:
        return mkdir(name, 0700);
    case 4:
        return rmdir(name);
    case 5:
        return rename(name, "n4");
    case 6:
        return rename("n4", name);
    case 7:
        return link(name, "n5");
    case 8:
        return symlink(name, "n6");
    case 9:
        return symlink("n6", name);
    case 10:
        return (int)readlink(name, b, 8);
    case 11:
        return opendir(name) ? 0 : -1;
    case 12:
        return openat(99, name, O_RDONLY) < 0 ? -1 : 0;
    case 13:
        return fstatat(s->file, name, &info, 0);
    case 14:
        return fstatat(s->file, name, &info, AT_EMPTY_PATH);
    default:
        return truncate(name, 1);
    }
}

/* Some values of the input make the name empty. */
static void act_on_names(operand_state *s, char what, int v) {
    char name[] = "n0";
    name[1] = (char)('0' + v);
    name[v % 3 ? 2 : 0] = '\0';
    (void)what;
    note(s, use_name(s, s->n_actions, name) < 0 ? errno : 1);
}

static void act(operand_state *s, char what, int v) {
    static const struct {
        const char *letters;
        void (*function)(operand_state *s, char what, int v);
    } kinds[] = {
        {"wrbvVpqF", act_on_pipes},  {"oWRtsPTgGn", act_on_files}, {"fhi", act_on_streams},
        {"eEc", act_on_counters},    {"xykK", act_on_processes},   {"SdD", act_on_sockets},
        {"uU", act_on_numbers},      {"z", act_on_names},          {"MmlL", act_on_messages},
        {"CHINOQXYZ", act_on_texts}, {DATE_ACTIONS, act_on_dates}};
    errno = 0;
    s->n_actions++;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strchr(kinds[i].letters, what))
            kinds[i].function(s, what, v);
}

static mqd_t open_messages(void) {
    struct mq_attr sizes = {.mq_maxmsg = 2, .mq_msgsize = 6};
    char name[32];
    snprintf(name, sizeof name, "/operands-%d", (int)getpid());
    mqd_t q = mq_open(name, O_CREAT | O_RDWR | O_NONBLOCK, 0600, &sizes);
    mq_unlink(name);
    return q;
}

/* The working directory is one that nobody else uses. */
static unsigned run_operands(const char *script, int x) {
    operand_state s = {.text = "ab1,2;cd9", .sum = 1};
    pipe2(s.pipe, O_NONBLOCK);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, s.pair);
    s.file = open("operands", O_RDWR | O_CREAT | O_TRUNC, 0600);
    s.event = eventfd(0, EFD_NONBLOCK);
    s.list = epoll_create1(0);
    s.stream = fopen("stream", "w+");
    s.messages = open_messages();
    pthread_key_create(&s.key, NULL);
    for (; script[0] && script[1]; script += 2)
        act(&s, script[0], operand(script[1], x));
    return s.sum;
}

#ifdef HEDDLE
#include <heddle.h>

int main(int argc, char **argv) {
    static char label[] = "r00";
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < N_OPERAND_INPUTS);
    unsigned sum = run_operands(argc > 1 ? argv[1] : "", x);
    for (unsigned i = 0; i < 64; i++)
        if (sum == i) {
            label[1] = (char)('0' + i / 10);
            label[2] = (char)('0' + i % 10);
            heddle_reach(label);
        }
    return 0;
}
#endif
