/* A parent drives a child that reads its standard input with scanf and prints to its standard
 * output, both of which are pipes.
 *
 * -DBUG: the child does not flush: its answer stays in a buffer, and both wait.
 * -DTWICE: text that was not flushed before fork is written by both.
 *
 * run:
 * verdict: complete
 * executions: 1
 *
 * run: -DBUG
 * verdict: complete
 * finding: deadlock
 *
 * run: -DTWICE
 * verdict: complete
 * executions: 1 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void calculate(void) {
    int a, b;
    char operation;
    while (scanf("%d %c %d", &a, &operation, &b) == 3) {
        if (operation == '+')
            printf("%d\n", a + b);
        else if (operation == '-')
            printf("%d\n", a - b);
        else
            puts("error");
#ifndef BUG
        fflush(stdout);
#endif
    }
}

static int start(int *to, int *from) {
    int in[2], out[2];
    if (pipe(in) || pipe(out))
        exit(1);
    int child = fork();
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        calculate();
        exit(0);
    }
    close(in[0]), close(out[1]);
    *to = in[1];
    *from = out[0];
    return child;
}

static void ask(void) {
    int to, from, child = start(&to, &from), answer, status;
    FILE *questions = fdopen(to, "w"), *answers = fdopen(from, "r");
    fprintf(questions, "%d + %d\n", 40, 2);
    fflush(questions);
    int n = fscanf(answers, "%d", &answer);
    assert(n == 1 && answer == 42);
    fputs("40 * 2\n", questions);
    fclose(questions);
    char line[16];
    assert(fgetc(answers) == '\n');
    assert(fgets(line, sizeof line, answers) && line[0] == 'e');
    assert(!fgets(line, sizeof line, answers) && feof(answers) && !ferror(answers));
    fclose(answers);
    assert(waitpid(child, &status, 0) == child && status == 0);
}

static void print_twice(void) {
    int ends[2];
    char text[16];
    if (pipe(ends))
        exit(1);
    FILE *out = fdopen(ends[1], "w");
    fprintf(out, "once");
    if (fork() == 0)
        exit(0);
    wait(NULL);
    fclose(out);
    ssize_t n = read(ends[0], text, sizeof text);
    assert(n == 8);
}

int main(void) {
#ifdef TWICE
    print_twice();
#else
    ask();
#endif
    return 0;
}
