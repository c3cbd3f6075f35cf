#include <arpa/inet.h>
#include <heddle.h>
#include <sys/socket.h>
#include <unistd.h>

/* Four ways to one place where it waits for ever; which one says the second input. */
static int fd;
static void __attribute__((noinline)) wait_if(int waits) {
    char c;
    if (waits)
        recv(fd, &c, 1, 0);
    usleep(1000);
}
#define WAY(name)                                                                                  \
    static void __attribute__((noinline)) name(int waits) {                                        \
        wait_if(waits);                                                                            \
        usleep(1000);                                                                              \
    }
WAY(one_way)
WAY(second_way)
WAY(third_way)
WAY(last_way)
static void (*const way[])(int) = {one_way, second_way, third_way, last_way};

int main(void) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(7000)};
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    bind(fd, (struct sockaddr *)&here, sizeof here);
    for (int round = 0; round < 2; round++) {
        unsigned char x;
        heddle_bytes(&x, 1, "x");
        way[x > 200 ? 0 : x > 100 ? 1 : x > 50 ? 2 : 3](round);
    }
    return 0;
}
