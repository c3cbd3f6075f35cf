/* Queries as SMT-LIB, for those who want to try other solvers on what programs really ask
 * (--dump-queries).  Each is a script of its own behind (reset), written at once: workers share the
 * file, which is open for appending. */
#include "base/text.h"
#include "solve/solve_int.h"

#include <unistd.h>

static const char *const status_words[] = {
    [HD_UNSAT] = "unsat", [HD_SAT] = "sat", [HD_UNKNOWN] = "unknown"};

/* A full disk costs the rest of what is written here, and nothing else. */
static void write_all(int to, const hd_text *text) {
    for (size_t done = 0; done < text->n;) {
        ssize_t n = write(to, text->at + done, text->n - done);
        if (n <= 0)
            return;
        done += (size_t)n;
    }
}

void hd_task_dump(const hd_task *t, const char *layer, hd_verdict verdict, double seconds, int to) {
    hd_text text = {0};
    hd_text_add(&text,
                "(reset)\n; %s decided in %.1f microseconds, goal last\n(set-info :status %s)\n",
                layer, 1e6 * seconds, status_words[verdict]);
    hd_expr_print_script(t->g, t->constraints.at, (uint32_t)t->constraints.n, &text);
    write_all(to, &text);
    hd_text_release(&text);
}
