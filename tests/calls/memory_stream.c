/* Streams of memory. */
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *at;
static size_t size;

static void tell(const char *when, FILE *f) {
    printf("%s: %ld, size %zu, '%.*s'\n", when, f ? ftell(f) : -2, size, (int)size, at ? at : "");
}

static void growing(void) {
    FILE *f = open_memstream(&at, &size);
    int number = fileno(f);
    printf("fileno %d %s\n", number, strerror(errno));
    fflush(f);
    tell("nothing", f);
    fprintf(f, "hello %d", 42);
    fflush(f);
    tell("flushed", f);
    fputs(", world", f);
    fflush(NULL);
    tell("all flushed", f);
    printf("seek %d\n", fseek(f, 2, SEEK_SET));
    fputc('L', f);
    fflush(f);
    tell("back", f);
    printf("seek %d\n", fseek(f, 20, SEEK_SET));
    fputc('x', f);
    fflush(f);
    printf("beyond: %d %d %d\n", at[19], at[20], at[21]);
    printf("before the start: %d\n", fseek(f, -1, SEEK_SET));
    printf("read %d\n", fgetc(f));
    printf("close %d\n", fclose(f));
    printf("%zu %d\n", size, at[size]);
    free(at);
    f = open_memstream(&at, &size);
    for (int i = 0; i < 3000; i++)
        fprintf(f, "%d,", i);
    fclose(f);
    printf("long %zu %s\n", size, at + size - 10);
    free(at);
}

static void reading(void) {
    char b[] = "12 ab\nnext", line[20];
    int n;
    FILE *f = fmemopen(b, strlen(b), "r");
    printf("scan %d", fscanf(f, "%d", &n));
    printf(" %d\n", n);
    printf("%s", fgets(line, sizeof line, f));
    printf("%s", fgets(line, sizeof line, f));
    printf(" at %ld\n", ftell(f));
    printf("end %d", fgetc(f));
    printf(" %d\n", feof(f));
    rewind(f);
    printf("again %c\n", fgetc(f));
    printf("end %d", fseek(f, -2, SEEK_END));
    printf(" %ld\n", ftell(f));
    printf("too far %d", fseek(f, 11, SEEK_SET));
    printf(" %s\n", strerror(errno));
    printf("put %d\n", fputc('x', f));
    printf("close %d\n", fclose(f));
}

static void writing(void) {
    char b[8] = "abcdefg";
    FILE *f = fmemopen(b, sizeof b, "w");
    show("opened", b, 8);
    fputs("xy", f);
    fflush(f);
    show("two", b, 8);
    fputs("123456789", f);
    printf("full %d", fflush(f));
    printf(" %s\n", strerror(errno));
    show("full", b, 8);
    printf("close %d\n", fclose(f));
    show("closed", b, 8);
    f = fmemopen(b, sizeof b, "w+");
    show("both", b, 8);
    fputs("pq", f);
    rewind(f);
    printf("read %c\n", fgetc(f));
    fclose(f);
    strcpy(b, "abc");
    f = fmemopen(b, sizeof b, "a");
    printf("append at %ld\n", ftell(f));
    fputs("de", f);
    fclose(f);
    show("appended", b, 8);
    f = fmemopen(b, sizeof b, "r+");
    fputs("Z", f);
    fclose(f);
    show("over", b, 8);
    f = fmemopen(NULL, 10, "w+");
    fputs("own", f);
    rewind(f);
    printf("own %c\n", fgetc(f));
    fclose(f);
    f = fmemopen(b, 8, "q");
    printf("mode %d %s\n", f != NULL, f ? "" : strerror(errno));
}

/* What was there before is there when the block has become another. */
static void growing_often(void) {
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    for (int i = 0; i < 60; i++) {
        fprintf(f, "line %d of many, each of which is flushed by itself;", i);
        fflush(f);
    }
    T(n);
    show("first", text, 60);
    T(fclose(f));
    T(strlen(text) == n);
    show("last", text + n - 60, 60);
    free(text);
}

/* An end that is written itself gets no other behind it. */
static void ends(void) {
    for (int n = 0; n < 4; n++) {
        char room[8];
        memset(room, 'x', sizeof room);
        FILE *f = fmemopen(room, 6, "w");
        for (int i = 1; i < n; i++)
            fputc('a', f);
        if (n)
            fputc('\0', f);
        T(fclose(f));
        show("room", room, 8);
    }
}

int main(void) {
    growing_often();
    ends();
    growing();
    reading();
    writing();
    return 0;
}
