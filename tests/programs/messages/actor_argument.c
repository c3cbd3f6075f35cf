/* What an actor is created with is a copy, with its symbolic values; so are the globals of that
 * time.
 *
 * run:
 * verdict: complete
 * paths: 4 */
#include <assert.h>
#include <heddle.h>

static int shared = 1;
static int secret;

static void child(void *argument) {
    int *values = argument;
    assert(shared == 2 && values[0] == 5);
    shared = 3; /* its own */
    values[0] = 6;
    int answer = (values[1] > 0) + 2 * (secret > 0);
    if (values[1] > 0)
        answer++;
    if (secret > 0)
        answer++;
    heddle_send(0, &answer, sizeof answer);
}

int main(void) {
    int values[2] = {5, 0}, answer;
    heddle_input(secret);
    heddle_input(values[1]);
    shared = 2;
    heddle_spawn(child, values, sizeof values);
    assert(shared == 2 && values[0] == 5);
    heddle_receive(&answer, sizeof answer);
    assert(answer == 2 * (values[1] > 0) + 3 * (secret > 0));
    assert(shared == 2);
}
