/* The working directory and the mask of new files are shared by threads: a path depends on who was
 * first.  To change them was no event for those who use a path.
 *
 * run:
 * verdict: complete
 * label: here
 * label: elsewhere
 *
 * run: -DMASK
 * verdict: complete
 * label: here
 * label: elsewhere
 *
 * run: --por none
 * verdict: complete
 * label: here
 * label: elsewhere */
#include <fcntl.h>
#include <heddle.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat s;
static int is_here;

static void *changes(void *unused) {
#ifdef MASK
    umask(0777);
#else
    chdir("inner");
#endif
    return unused;
}

static void *looks(void *unused) {
#ifdef MASK
    int f = open("new", O_RDWR | O_CREAT, 0600);
    fstat(f, &s);
    is_here = (s.st_mode & 0777) == 0600;
#else
    is_here = stat("file", &s) < 0;
#endif
    return unused;
}

int main(void) {
    pthread_t t[2];
    mkdir("inner", 0700);
    close(open("inner/file", O_RDWR | O_CREAT, 0600));
    pthread_create(&t[0], NULL, changes, NULL);
    pthread_create(&t[1], NULL, looks, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    heddle_reach(is_here ? "here" : "elsewhere");
    return 0;
}
