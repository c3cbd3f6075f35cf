/* recall.h -- executions that are made of what threads did before, without running them.
 *
 * Between two events a thread's doings are its own (E1): what it stands before next depends on
 * where it stood and on what its event met, and on nothing else.  So a thread that comes to where
 * it stood before, and meets there what it met before, need not run: what it would do next is
 * known.  Most executions of a search consist of nothing else, in a new order.  Such an execution
 * is told to the sink event by event, from tables, and the machine, its memory and its checkpoints
 * stay as the last execution that was run has left them.
 *
 * Where something comes that nobody has seen the execution is run after all: the events so far
 * become a part of its script (hd_sink.again).
 *
 * A stop is a place where a thread stands before an action, with all that it has met on its way
 * there: stops of a thread are a tree.  A way leads from one to the next, for what was met.
 *
 * K3. A way is used only if the machine was not entered on it for anything but the two stops, or
 *     the end of the thread: whatever it does besides memory of its own would have to be done
 *     again.
 * K4. What events change is followed word by word, in globals only: these are never private
 *     (compile/compiler/escape.c), so that nothing else changes them while there are threads.
 * K5. The end of an execution is known for a stop of main: where it asks for the end nothing of the
 *     program runs any more.  Where it is alone it may look at globals without events: if it does
 *     its end is known together with all words only.
 * K6. The trail has an entry for each event of the last execution, up to the first that is not
 *     followed; what is known of the state is as after its last entry, and taking entries back
 *     costs as much as is taken back.
 * K7. In the hostile build what was recalled is run too, and is the same.
 *
 * Not here: who goes next (the sink), how an execution is run (run/run.c). */
#ifndef HD_MACHINE_TASKS_RECALL_H
#define HD_MACHINE_TASKS_RECALL_H
#include "machine/tasks/threads.h"

struct hd_recall;

/* What an execution that was recalled leaves. */
typedef struct hd_recalled {
    uint64_t steps, hash, n_events;
    hd_end end; /* EXIT or STOPPED */
} hd_recalled;

/* Before an execution: all of it from tables, if that can be.  If not it is to be run; the sink
 * knows then what of it is to be repeated. */
bool hd_recall_run(hd_machine *m, hd_recalled *out);
/* An execution that is run begins: is it followed? */
void hd_recall_begin(hd_machine *m);
/* The execution has ended, and its outcome is known. */
void hd_recall_end(hd_machine *m);
/* Is the next execution followed from its first event on, so that no checkpoint is of use? */
bool hd_recall_starts_anew(const hd_machine *m);
void hd_recall_free(struct hd_recall *r);

/* ---- while it runs, if m->call.is_followed ---- */
/* The running thread stands before its action. */
void hd_recall_arrive(hd_machine *m);
/* The turn of the running thread has come, and its action is settled. */
void hd_recall_event(hd_machine *m);
/* The number of events that need not be looked at. */
uint64_t hd_recall_length(const hd_machine *m);
/* The running thread goes on alone: whether it looks at globals is noted. */
void hd_recall_watch(hd_machine *m);
/* The running thread has ended. */
void hd_recall_end_thread(hd_machine *m);
#endif
