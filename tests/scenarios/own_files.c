/* A node with files of its own: a folder is laid over those of the machine, what it writes nobody
 * else sees, and after a reboot it is there, or not (tests/nodes.sh).  Run as own_files INDEX;
 * labels: the index in its configuration, how often it began. */
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Names of both folders are there, each once. */
static void look(void) {
    int n_hosts = 0, n_own = 0;
    DIR *d = opendir("/etc");
    assert(d);
    for (const struct dirent *e; (e = readdir(d));) {
        n_hosts += strcmp(e->d_name, "hosts") == 0;
        n_own += strcmp(e->d_name, "own_files.conf") == 0;
    }
    closedir(d);
    assert(n_own == 1 && n_hosts == (access("/etc/hosts", F_OK) == 0));
}

static int read_number(const char *path) {
    int number = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    if (fscanf(f, "%d", &number) != 1)
        number = -1;
    fclose(f);
    return number;
}

static void write_number(const char *path, int number) {
    FILE *f = fopen(path, "w");
    assert(f && fprintf(f, "%d\n", number) > 0 && fclose(f) == 0);
}

int main(int argc, char **argv) {
    char label[32];
    int n_begun = read_number("/var/own/begun") + 1;
    assert(argc == 2 && read_number("/etc/own_files.conf") == atoi(argv[1]));
    look();
    write_number("/var/own/begun", n_begun);
    assert(rename("/var/own/begun", "/var/own/other") == 0 && access("/var/own/begun", F_OK) != 0);
    assert(rename("/var/own/other", "/var/own/begun") == 0);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    assert(read_number("/var/own/begun") == n_begun);
    snprintf(label, sizeof label, "%s: %d", argv[1], n_begun);
    heddle_reach(label);
    return 0;
}
