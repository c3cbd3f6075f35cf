/* Attacks by way of the C library and of memory.  Most have a model, which lets the program see an
 * effect and keeps it from the machine; the others are findings, or end the execution and are said. */
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const unsigned char code[] = {0xb8, 0xe7, 0, 0, 0, 0x0f, 0x05}; /* exit_group */

static void change_files(unsigned which) {
    int f;
    FILE *s;
    switch (which) {
    case 0: heddle_assert(unlink(VICTIM "/file") == 0); break;
    case 1: heddle_assert(rename(VICTIM "/file", VICTIM "/new") == 0); break;
    case 2:
        f = open(VICTIM "/file", O_WRONLY | O_TRUNC);
        heddle_assert(f >= 0 && write(f, "gone", 4) == 4);
        break;
    case 3:
        s = fopen(VICTIM "/file", "w");
        heddle_assert(s && fputs("gone", s) >= 0 && fclose(s) == 0);
        break;
    case 4: heddle_assert(mkdir(VICTIM "/new", 0755) == 0); break;
    case 5: heddle_assert(chmod(VICTIM "/file", 0) == 0); break;
    case 6: heddle_assert(symlink("file", VICTIM "/new") == 0); break;
    case 7: heddle_assert(truncate(VICTIM "/file", 0) == 0); break;
    case 8: heddle_assert(rmdir(VICTIM "/folder") == 0); break;
    }
}

static void read_secrets(unsigned which) {
    char word[16] = "";
    int f;
    switch (which) {
    case 0:
        f = open(VICTIM "/../secret/key", O_RDONLY);
        if (f >= 0 && read(f, word, 8) > 0) // FORBIDDEN
            heddle_reach("secret");
        break;
    case 1:
        f = open("/proc/1/environ", O_RDONLY);
        if (f >= 0 && read(f, word, 8) > 0) /* an error */
            heddle_reach("secret");
        break;
    }
}

static void reach_processes(unsigned which, int prey) {
    switch (which) {
    case 0: kill(prey, SIGKILL); break;
    case 1: kill(getppid(), SIGKILL); break;
    case 2: system("touch " VICTIM "/new"); break;
    case 3: execl("/bin/touch", "touch", VICTIM "/new", NULL); break;
    case 4: popen("touch " VICTIM "/new", "r"); break;
    case 5:
        if (fork() == 0)
            _exit(0);
        wait(NULL);
        break;
    }
}

static void reach_memory(unsigned which) {
    char *p;
    switch (which) {
    case 0: *(volatile char *)0x400000 = 1; break;             // BAD
    case 1: *(volatile char *)&errno = 1; break;
    case 2: ((void (*)(void))(void *)code)(); break;           // BAD
    case 3: memcpy((void *)(unsigned long)change_files, code, sizeof code); break; // BAD
    case 4: ((void (*)(void))0x401000)(); break;               // BAD
    case 5:
        p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p != MAP_FAILED) {
            memcpy(p, code, sizeof code);
            ((void (*)(void))(void *)p)(); // BAD
        }
        break;
    case 6:
        while ((p = malloc(1 << 28)) != NULL) /* until there is no more */
            *p = 1;
        break;
    }
}

int main(int argc, char **argv) {
    int prey = argc > 1 ? atoi(argv[1]) : 0;
    unsigned char room, which;
    heddle_input(room);
    heddle_input(which);
    if (prey <= 1)
        return 0;
    switch (room) {
    case 0: change_files(which); break;
    case 1: read_secrets(which); break;
    case 2: reach_processes(which, prey); break;
    case 3: reach_memory(which); break;
    }
    return 0;
}
