/* getopt had no model: optarg was null.
 *
 * run: -- -n 5 file --name=7 -v
 * verdict: complete
 * paths: 1
 *
 * run: -DINPUT
 * verdict: complete
 * paths: 3 */
#include <assert.h>
#include <getopt.h>
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

static const struct option names[] = {{"name", required_argument, NULL, 'N'}, {NULL, 0, NULL, 0}};

#ifdef INPUT
int main(void) {
    char option[] = "-?", *argv[] = {"program", "other", option, "5", NULL};
    heddle_input(option[1]);
    heddle_assume(option[1] > 'a' && option[1] < 'e');
    opterr = 0;
    int r = getopt(4, argv, "bc:");
    heddle_reach(r == 'b' ? "b" : r == 'c' ? "c" : "none");
    assert(r == '?' ? optopt == option[1] : r == option[1]);
    assert(r == 'c' ? strcmp(optarg, "5") == 0 : !optarg);
    return 0;
}
#else
int main(int argc, char **argv) {
    int r, n = 0, name = 0, is_verbose = 0;
    while ((r = getopt_long(argc, argv, "n:v", names, NULL)) != -1) {
        n = r == 'n' ? atoi(optarg) : n;
        name = r == 'N' ? atoi(optarg) : name;
        is_verbose |= r == 'v';
    }
    assert(n == 5 && name == 7 && is_verbose && optind == argc - 1 && !strcmp(argv[optind], "file"));
    return 0;
}
#endif
