/* The environment, and options of the command line. */
#include "calls.h"

#include <getopt.h>

extern char **environ;

static void show_all(void) {
    for (char **at = environ; at && *at; at++)
        show_text("has", *at);
}

static void variables(void) {
    static char given[] = "GIVEN=first";
    clearenv();
    T(setenv("A", "1", 0));
    T(setenv("B", "two", 1));
    show_all();
    show_text("A", getenv("A"));
    T(setenv("A", "3", 0)); /* stays */
    show_text("A", getenv("A"));
    T(setenv("A", "long enough to need another place", 1));
    show_text("A", getenv("A"));
    T(setenv("", "x", 1));
    T(setenv("A=B", "x", 1));
    T(putenv(given));
    show_text("GIVEN", getenv("GIVEN"));
    strcpy(given + 6, "other"); /* it is the program's */
    show_text("GIVEN", getenv("GIVEN"));
    TP(getenv("NONE"));
    TP(getenv(""));
    TP(getenv("GIVE"));
    TP(secure_getenv("A"));
    T(unsetenv("B"));
    T(unsetenv("B"));
    T(unsetenv(""));
    T(unsetenv("A=B"));
    show_all();
    for (int i = 0; i < 40; i++) {
        char name[8];
        snprintf(name, sizeof name, "N%d", i);
        T(setenv(name, name, 1));
    }
    show_text("N0", getenv("N0"));
    show_text("N39", getenv("N39"));
    T(unsetenv("N20"));
    TP(getenv("N20"));
    show_text("N21", getenv("N21"));
    char *of_mine[] = {"MINE=yes", NULL};
    environ = of_mine;
    show_text("MINE", getenv("MINE"));
    TP(getenv("A"));
    T(setenv("MORE", "1", 1));
    show_all();
    T(clearenv());
    TP(getenv("MINE"));
}

static void options(void) {
    char *words[] = {"name", "-a", "-bvalue", "-c", "other", "-x", "rest", "--", "-d", NULL};
    int n = 9, c;
    opterr = 0;
    while ((c = getopt(n, words, "+ab:c:")) != -1) {
        printf("  option %d at %d, wrong %d\n", c, optind, optopt);
        show_text("argument", optarg);
    }
    T(optind);
    optind = 1;
    char *more[] = {"name", "-c", NULL};
    T(getopt(2, more, ":c:"));
    T(optopt);
    T(getopt(2, more, ":c:"));
}

int main(void) {
    variables();
    options();
    return 0;
}
