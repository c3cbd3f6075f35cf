/* What library functions allocate and the program has to give back: for one x it does not. */
#include "property/random/sanitizer_maker.h"

typedef struct way {
    const char *begin, *end; /* two lines */
} way;

static const way ways[] = {
    {"char *p = strdup(\"abcd\");", "free(p);"},
    {"char *p = strndup(\"abcd\", 1 + (size_t)x);", "free(p);"},
    {"char *p = calloc(2, 1 + (size_t)x);", "free(p);"},
    {"char *p = realloc(0, 8);", "free(p);"},
    {"char *p = reallocarray(0, 4, 2);", "free(p);"},
    {"char *p = aligned_alloc(16, 32);", "free(p);"},
    {"char *p = realpath(\"/\", 0);", "free(p);"},
    {"char *p = getcwd(0, 0);", "free(p);"},
    {"wchar_t *p = wcsdup(L\"abcd\");", "free(p);"},
    {"DIR *p = opendir(\"/\");", "closedir(p);"},
    {"DIR *p = fdopendir(open(\"/\", O_RDONLY | O_DIRECTORY));", "closedir(p);"},
    {"char *p = 0; posix_memalign((void **)&p, 16, 32);", "free(p);"},
    {"char *p = 0; asprintf(&p, \"%d\", 3);", "free(p);"},
    {"char *p = 0; asprintf(&p, \"%d\", x * 7 - 9);", "free(p);"},
    {"char *p = 0; sscanf(\"abc def\", \"%ms\", &p);", "free(p);"},
    {"struct addrinfo *p = 0; getaddrinfo(\"127.0.0.1\", 0, 0, &p);", "freeaddrinfo(p);"},
    {"struct if_nameindex *p = if_nameindex();", "if_freenameindex(p);"},
};
#define N_WAYS (sizeof ways / sizeof *ways)

/* fclose tells the program its block. */
static void stream(maker *m) {
    line(m, "char *p;");
    line(m, "size_t size;");
    line(m, "FILE *f = open_memstream(&p, &size);");
    line(m, "fputs(\"abc\", f);");
    line(m, "fclose(f);");
}

static void read_line(maker *m) {
    line(m, "char *p = 0, text[] = \"abc\\ndef\";");
    line(m, "size_t size = 0;");
    line(m, "FILE *f = fmemopen(text, sizeof text, \"r\");");
    line(m, "getline(&p, &size, f);");
    line(m, "fclose(f);");
}

static void names(maker *m) {
    line(m, "struct dirent **p = 0;");
    line(m, "int n = scandir(\"/proc/self/task\", &p, 0, 0);");
    line(m, "while (n-- > 0)");
    line(m, "    free(p[n]);");
}

void forgotten(maker *m) {
    static void (*const more[])(maker *) = {stream, read_line, names};
    unsigned which = drawn_below(m, N_WAYS + 3);
    if (which < N_WAYS)
        line(m, "%s", ways[which].begin);
    else
        more[which - N_WAYS](m);
    line(m, "if (x != %u)", drawn_below(m, 5));
    line(m, "    %s", which < N_WAYS ? ways[which].end : "free(p);");
    line(m, "p = 0;");
}
