/* What opendir and getaddrinfo allocate was not the program's: that it is lost was not found.  And
 * of a list of addresses, which was one block, the program could not free a part by itself.
 *
 * run: -DDIRECTORY
 * verdict: complete
 * paths: 3
 * finding: leak
 *
 * run: -DLIST
 * verdict: complete
 * paths: 3
 * finding: leak
 *
 * run: -DPARTS
 * verdict: complete
 * paths: 3
 * finding: leak
 *
 * run: -DTWICE
 * verdict: complete
 * paths: 3
 * finding: use-after-free
 *
 * run: -DWIDE
 * verdict: complete
 * paths: 3
 * finding: leak */
#define _GNU_SOURCE
#include <dirent.h>
#include <heddle.h>
#include <netdb.h>
#include <stdlib.h>
#include <wchar.h>

static int use(int n) {
#ifdef DIRECTORY
    DIR *d = opendir("/"); // BUG leak
    struct dirent *first = readdir(d);
    int c = first->d_name[0];
    if (n != 1)
        closedir(d);
    d = NULL, first = NULL;
    return c;
#elif defined LIST
    struct addrinfo *list;
    getaddrinfo("127.0.0.1", "80", NULL, &list); // BUG leak
    int family = list->ai_family;
    if (n != 1)
        freeaddrinfo(list);
    list = NULL;
    return family;
#elif defined PARTS
    struct addrinfo wanted = {.ai_flags = AI_CANONNAME}, *list, *rest;
    getaddrinfo("127.0.0.1", "80", &wanted, &list); // BUG leak
    rest = list->ai_next;
    list->ai_next = NULL;
    if (n != 1)
        freeaddrinfo(rest);
    freeaddrinfo(list);
    list = rest = NULL;
    return 0;
#elif defined TWICE
    DIR *d = opendir("/");
    closedir(d);
    return n == 1 ? closedir(d) : 0; // BUG use-after-free
#else
    wchar_t *copy = wcsdup(L"abc"); // BUG leak
    int c = (int)copy[2];
    if (n != 1)
        free(copy);
    copy = NULL;
    return c;
#endif
}

int main(void) {
    int n = heddle_choose(0, 2);
    return n == 0 ? use(0) == 9 : n == 1 ? use(1) == 9 : 0;
}
