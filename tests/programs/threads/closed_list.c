/* A list of names that one thread reads or closes beside another that asks for it.
 *
 * run: -DWAY=0
 * verdict: complete
 * finding: use-after-free 1
 * finding: data-race
 * label: read
 *
 * run: -DWAY=0 --por none
 * verdict: complete
 * finding: use-after-free 1
 * finding: data-race
 * label: read
 *
 * run: -DWAY=1
 * verdict: complete
 * label: before
 * label: behind */
#include <dirent.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static DIR *all;

static void *use(void *unused) {
#if WAY == 0
    readdir(all); // BUG use-after-free data-race
    heddle_reach("read");
#else
    heddle_reach(telldir(all) ? "behind" : "before");
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    all = opendir("/");
    pthread_create(&thread, NULL, use, NULL);
#if WAY == 0
    closedir(all);
#else
    readdir(all);
#endif
    pthread_join(thread, NULL);
    return 0;
}
