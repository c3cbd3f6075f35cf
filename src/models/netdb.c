/* netdb.c -- hosts and services in the one object each that the C library has for them.
 *
 * The machine knows names and numbers; what it finds becomes an object of the program, which the next call
 * overwrites.  Two threads that ask at once are a data race (dates.c); it is written as a whole, so that
 * they are one and not hundreds. */
#include <netdb.h>
#include <string.h>

#define WEAK __attribute__((weak))
#define NAME 256 /* bytes of the longest name that is kept */

const struct hostent *__heddle_host(const char *name);
const struct servent *__heddle_service(const char *name, const char *protocol);

static char *no_alias[1];
static struct host {
    struct hostent answer;
    char *list[2];
    char name[NAME], address[4];
} host;
static struct service {
    struct servent answer;
    char name[NAME], protocol[8];
} service;

static void copy_name(char *to, const char *from, size_t room) {
    size_t n = strnlen(from, room - 1);
    memset(to, 0, room);
    memcpy(to, from, n);
}

WEAK struct hostent *gethostbyname(const char *name) {
    const struct hostent *found = __heddle_host(name);
    struct host next = {.list = {host.address}};
    if (!found)
        return NULL;
    next.answer = *found;
    next.answer.h_name = host.name;
    next.answer.h_aliases = no_alias;
    next.answer.h_addr_list = host.list;
    copy_name(next.name, found->h_name, sizeof next.name);
    memcpy(next.address, found->h_addr_list[0], sizeof next.address);
    memcpy(&host, &next, sizeof host);
    return &host.answer;
}

WEAK struct servent *getservbyname(const char *name, const char *protocol) {
    const struct servent *found = __heddle_service(name, protocol);
    struct service next = {0};
    if (!found)
        return NULL;
    next.answer = *found;
    next.answer.s_name = service.name;
    next.answer.s_proto = service.protocol;
    next.answer.s_aliases = no_alias;
    copy_name(next.name, found->s_name, sizeof next.name);
    copy_name(next.protocol, found->s_proto, sizeof next.protocol);
    memcpy(&service, &next, sizeof service);
    return &service.answer;
}
