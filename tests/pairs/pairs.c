/* pairs.c -- two library calls at the same time: every call of a family against every other, by two
 * threads, or with PROCESSES by two processes.
 *
 * Inputs choose the family and the two calls.  The label of an execution names them and says what
 * both answered and what was left behind: tests/pairs.sh compares the reductions, which differ if
 * an event of a call is missing or touches something else than it says. */
#define _GNU_SOURCE
#include "channel_calls.h"
#include "file_calls.h"
#include "process_calls.h"
#include "waiting_calls.h"

/* ---- the table ---- */

typedef struct call {
    const char *name;
    int (*run)(void);
} call;
#define C(name) {#name, name}
static const struct family {
    void (*begin)(void);
    call at[14];
    int n;
} families[] = {
#ifndef NUMBERS
    {begin_event, {C(event_take), C(event_add), C(event_fill), C(event_poll)}, 4},
#endif
    {begin_pipe,
     {C(pipe_read), C(pipe_write), C(pipe_ask), C(pipe_poll), C(pipe_shut), C(pipe_copy),
      C(pipe_flags), C(pipe_deafen), C(pipe_name), C(pipe_mark), C(pipe_tell)},
     11},
#ifndef NUMBERS
    {begin_socket,
     {C(socket_receive), C(socket_send), C(socket_answer), C(socket_end), C(socket_deafen),
      C(socket_poll), C(socket_error)},
     7},
    {begin_name,
     {C(name_bind), C(name_listen), C(name_take), C(name_connect), C(name_unlink), C(name_accept)},
     6},
    {begin_queue,
     {C(queue_receive), C(queue_send), C(queue_overtake), C(queue_ask), C(queue_unlink),
      C(queue_open), C(queue_wait)},
     7},
    {begin_file,
     {C(file_read), C(file_write), C(file_read_at), C(file_write_at), C(file_seek), C(file_cut),
      C(file_size), C(file_map)},
     8},
    {begin_path,
     {C(path_create), C(path_remove), C(path_rename), C(path_look), C(path_ask), C(path_list),
      C(path_mode), C(path_link), C(path_rmdir), C(path_cut)},
     10},
    {begin_names, {C(names_next), C(names_again), C(names_where)}, 3},
    {begin_stream,
     {C(stream_get), C(stream_push), C(stream_tell), C(stream_seek), C(stream_end), C(stream_put),
      C(stream_try), C(stream_flush), C(stream_read), C(stream_clear), C(stream_again),
      C(stream_buffer), C(stream_wide)},
     13},
    {begin_shared, {C(shared_create), C(shared_unlink), C(shared_cut), C(shared_open)}, 4},
    {begin_list, {C(list_wait), C(list_write), C(list_add), C(list_remove), C(list_change)}, 5},
    {begin_nest, {C(nest_add), C(nest_back), C(nest_raise), C(nest_wait), C(nest_poll)}, 5},
#endif
    {begin_number,
     {C(number_copy), C(number_shut), C(number_from), C(number_over), C(number_mark),
      C(number_ask)},
     6},
#if !defined ALL_ORDERS && !defined NUMBERS /* couriers have too many */
    {begin_port,
     {C(port_accept), C(port_connect), C(port_shut), C(port_poll), C(port_send), C(port_peer),
      C(port_name), C(port_option), C(port_set)},
     9},
#endif
#ifndef NUMBERS
    {begin_datagram,
     {C(datagram_send), C(datagram_receive), C(datagram_peek), C(datagram_end), C(datagram_shut),
      C(datagram_ask)},
     6},
    {begin_like,
     {C(like_mode), C(like_time), C(like_ask), C(like_enter), C(like_find), C(like_mask),
      C(like_make), C(like_look), C(like_owner), C(like_where), C(like_go)},
     11},
    {begin_lock,
     {C(lock_take), C(lock_share), C(lock_free), C(lock_shut), C(lock_record), C(lock_open),
      C(lock_end), C(lock_cut), C(lock_ask)},
     9},
    {begin_timer, {C(timer_stop), C(timer_again), C(timer_ask), C(timer_read)}, 4},
    {begin_gone, {C(gone_ask), C(gone_look), C(gone_wait)}, 3},
    {begin_alarm, {C(alarm_ask), C(alarm_stop), C(alarm_again)}, 3},
    {begin_child, {C(child_kill), C(child_ask), C(child_look), C(child_wake)}, 4},
    {begin_child, {C(heir_kill), C(heir_forget), C(heir_told)}, 3},
    {begin_signal, {C(signal_send), C(signal_look), C(signal_drop), C(signal_open)}, 4},
#endif
};
#define N_FAMILIES (int)(sizeof families / sizeof *families)

static const call *chosen[2];
static int answers[2];

static int answer_of(int (*run)(void)) {
    errno = 0;
    int result = run();
    return result < 0 ? -errno : result;
}

#ifdef PROCESSES
static void run_both(void) {
    int status, child = fork();
    if (child == 0)
        _exit(answer_of(chosen[0]->run) & 255);
    answers[1] = answer_of(chosen[1]->run) & 255;
    answers[0] = waitpid(child, &status, 0) < 0 ? 99 : WEXITSTATUS(status);
}
#else
/* What other threads could see is as little as can be, so that `none` can run every order. */
static void *run_one(void *run) {
    return (void *)(long)answer_of((int (*)(void))run);
}
static void run_both(void) {
    pthread_t t[2];
    void *answer[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, run_one, (void *)chosen[i]->run);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], &answer[i]);
    for (int i = 0; i < 2; i++)
        answers[i] = (int)(long)answer[i];
}
#endif

/* A number below n that an input decides, one path for each. */
static int choose(unsigned char x, int n) {
    heddle_assume(x < n);
    for (int i = 0; i < n; i++)
        if (x == i)
            return i;
    return 0;
}

int main(void) {
    unsigned char x, y, z;
    static char label[128];
    heddle_input(x);
    heddle_input(y);
    heddle_input(z);
    const struct family *f = &families[choose(x, N_FAMILIES)];
    int first = choose(y, f->n), second = choose(z, f->n);
    heddle_assume(first <= second);
    chosen[0] = &f->at[first];
    chosen[1] = &f->at[second];
    f->begin();
    run_both();
    if (child)
        kill(child, SIGKILL); /* nobody is left */
    snprintf(label, sizeof label, "%s+%s=%d,%d", chosen[0]->name, chosen[1]->name, answers[0],
             answers[1]);
    heddle_reach(label);
    return 0;
}
