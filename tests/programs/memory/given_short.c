/* Texts that library functions give: they end where they end.
 *
 * run: --strategy dfs --no-leaks
 * verdict: complete
 * finding: out-of-bounds 12
 * label: inside 12 */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <limits.h>
#include <locale.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *canonical(void) {
    struct addrinfo hints = {.ai_flags = AI_CANONNAME, .ai_socktype = SOCK_STREAM}, *all;
    getaddrinfo("127.0.0.1", NULL, &hints, &all);
    return all->ai_canonname;
}
static const char *zone(void) {
    static struct tm t;
    return gmtime_r(&(time_t){0}, &t)->tm_zone;
}
static const char *printed(void) {
    char *text = NULL;
    asprintf(&text, "%d", 12345);
    return text;
}
static const char *streamed(void) {
    static char *text;
    static size_t n;
    FILE *f = open_memstream(&text, &n);
    fputs("stream", f);
    fclose(f);
    return text;
}

static volatile char c;
static const char *end_of(const char *text) {
    c = text[strlen(text)];
    heddle_reach("inside");
    return text + strlen(text);
}

int main(void) {
    switch (heddle_choose(0, 11)) {
    case 0: c = end_of(strerror(ENOENT))[1]; break; // BUG out-of-bounds
    case 1: c = end_of(strsignal(2))[1]; break; // BUG out-of-bounds
    case 2: c = end_of(setlocale(LC_ALL, NULL))[1]; break; // BUG out-of-bounds
    case 3: c = end_of(localeconv()->decimal_point)[1]; break; // BUG out-of-bounds
    case 4: c = end_of(gai_strerror(EAI_NONAME))[1]; break; // BUG out-of-bounds
    case 5: c = end_of(getcwd(NULL, 0))[1]; break; // BUG out-of-bounds
    case 6: c = end_of(realpath("/", NULL))[1]; break; // BUG out-of-bounds
    case 7: c = end_of(canonical())[1]; break; // BUG out-of-bounds
    case 8: c = end_of(zone())[1]; break; // BUG out-of-bounds
    case 9: c = end_of(printed())[1]; break; // BUG out-of-bounds
    case 10: c = end_of(streamed())[1]; break; // BUG out-of-bounds
    default: c = end_of(strdup("text"))[1]; break; // BUG out-of-bounds
    }
    return 0;
}
