/* A run on a cluster without machines: the log and its fold (fleet/cluster/fold.h), the messages
 * and the store of a run at a real server (post.h), its manifest, and a desk with a coordinator. */
#include "base/clock.h"
#include "fleet/cluster/desk.h"
#include "fleet/cluster/fold.h"
#include "fleet/cluster/manifest.h"
#include "fleet/cluster/server.h"
#include "fleet/cluster/talk.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a fold ---- */

typedef struct folder {
    hd_fold fold;
    hd_record *record;
    hd_run_options options;
    char directory[HD_SCRATCH_SIZE];
} folder;

/* Its record only. */
static folder *new_record(void) {
    hd_err err = {0};
    folder *f = calloc(1, sizeof *f);
    hd_run_info info = {.command = "test", .options = "{}"};
    assert_true(hd_scratch_make(f->directory, "heddle-test", &err));
    char *out = hd_text_format("%s/out", f->directory);
    f->record = hd_record_create(out, &info, &err);
    free(out);
    if (!f->record)
        fail_msg("%s", err.message);
    return f;
}

static folder *new_folder(void) {
    hd_err err = {0};
    folder *f = new_record();
    f->fold.ledger = hd_ledger_open(f->record, &f->options, NULL, &err);
    assert_non_null(f->fold.ledger);
    return f;
}

static void free_folder(folder *f) {
    hd_fold_release(&f->fold);
    hd_record_close(f->record);
    hd_scratch_remove(f->directory);
    free(f);
}

static hd_effect apply(folder *f, hd_log_entry e) {
    hd_text bytes = {0};
    hd_log_entry_pack(&bytes, &e);
    hd_effect effect = hd_fold_apply(&f->fold, bytes.at, bytes.n);
    hd_text_release(&bytes);
    return effect;
}

static void begin(folder *f, uint64_t who) {
    hd_effect e = apply(f, (hd_log_entry){.kind = HD_ENTRY_BEGIN, .writer = who});
    assert_int_equal(e.kind, HD_EFFECT_BEGAN);
}

static hd_effect hand_out(folder *f, uint64_t who) {
    hd_effect e = apply(f, (hd_log_entry){.kind = HD_ENTRY_HAND_OUT, .writer = who});
    if (e.kind == HD_EFFECT_HANDED_OUT)
        assert_int_equal(e.unit, e.work.unit);
    hd_work_release(&e.work);
    return e;
}

/* A commit; `journal` NULL ends the unit, `split` is given away. */
static void pack_commit(hd_text *out, const hd_effect *unit, uint64_t number, const char *journal,
                        const char *split) {
    hd_bundle p = {
        .commit = {.unit = unit->unit, .epoch = unit->epoch, .number = number, .is_done = !journal},
        .is_whole = true};
    hd_text_add(&p.commit.journal, "%s", journal ? journal : "");
    hd_text_add(&p.commit.split, "%s", split ? split : "");
    p.results.counters.explore.executions = p.results.counters.explore.paths = 1;
    hd_wire_pack_bundle(out, &p);
    hd_bundle_release(&p);
}

static hd_effect_kind commit(folder *f, const hd_effect *unit, uint64_t number, const char *journal,
                             const char *split) {
    hd_text bundle = {0};
    pack_commit(&bundle, unit, number, journal, split);
    hd_effect e = apply(
        f, (hd_log_entry){.kind = HD_ENTRY_COMMIT, .bundle = bundle.at, .n_bundle = bundle.n});
    hd_text_release(&bundle);
    return e.kind;
}

static uint64_t executions(const folder *f) {
    return hd_ledger_state(f->fold.ledger)->counters.explore.executions;
}

static void a_log_is_a_search(void **state) {
    (void)state;
    folder *f = new_folder();
    assert_int_equal(hand_out(f, 7).kind, HD_EFFECT_NONE); /* nobody is the coordinator */
    begin(f, 7);
    hd_effect one = hand_out(f, 7);
    assert_int_equal(one.kind, HD_EFFECT_HANDED_OUT);
    assert_int_equal(hand_out(f, 7).kind, HD_EFFECT_NONE); /* nothing is left to hand out */
    assert_int_equal(commit(f, &one, 0, "left", "other half"), HD_EFFECT_COMMITTED);
    assert_int_equal(commit(f, &one, 0, "left", "other half"), HD_EFFECT_NONE); /* doubled */
    hd_effect two = hand_out(f, 7);
    assert_int_equal(two.kind, HD_EFFECT_HANDED_OUT);
    assert_int_equal(commit(f, &two, 0, NULL, NULL), HD_EFFECT_COMMITTED);
    hd_effect old = apply(f, (hd_log_entry){.kind = HD_ENTRY_BEGIN, .writer = 7});
    assert_int_equal(old.kind, HD_EFFECT_NONE); /* repeated: units stay where they are */
    assert_int_equal(commit(f, &one, 1, NULL, NULL), HD_EFFECT_COMMITTED);
    assert_true(hd_ledger_is_complete(f->fold.ledger));
    assert_int_equal(executions(f), 3);
    free_folder(f);
}

static void units_that_come_back_have_another_epoch(void **state) {
    (void)state;
    folder *f = new_folder();
    begin(f, 7);
    hd_effect old = hand_out(f, 7);
    commit(f, &old, 0, "left", NULL);
    apply(f, (hd_log_entry){.kind = HD_ENTRY_GIVE_BACK, .unit = old.unit, .epoch = old.epoch + 9});
    assert_int_equal(hand_out(f, 7).kind, HD_EFFECT_NONE); /* of another epoch: it stays out */
    apply(f, (hd_log_entry){.kind = HD_ENTRY_GIVE_BACK, .unit = old.unit, .epoch = old.epoch});
    hd_effect new = hand_out(f, 7);
    assert_int_equal(new.unit, old.unit);
    assert_int_not_equal(new.epoch, old.epoch);
    assert_int_equal(commit(f, &old, 1, "late", NULL), HD_EFFECT_REFUSED);
    assert_int_equal(commit(f, &new, 3, "early", NULL), HD_EFFECT_REFUSED);
    assert_int_equal(commit(f, &new, 1, "lost", NULL), HD_EFFECT_REFUSED); /* it has lost it */
    assert_int_equal(executions(f), 1);
    assert_int_equal(f->fold.n_refused, 3);
    free_folder(f);
}

static void who_was_coordinator_hands_out_nothing(void **state) {
    (void)state;
    folder *f = new_folder();
    begin(f, 7);
    hd_effect old = hand_out(f, 7);
    begin(f, 8); /* C3: what was out is not any more */
    assert_int_equal(commit(f, &old, 0, "late", NULL), HD_EFFECT_REFUSED);
    assert_int_equal(hand_out(f, 7).kind, HD_EFFECT_NONE); /* C2 */
    hd_effect new = hand_out(f, 8);
    assert_int_equal(new.kind, HD_EFFECT_HANDED_OUT);
    assert_int_equal(new.unit, old.unit);
    assert_int_not_equal(new.epoch, old.epoch);
    free_folder(f);
}

/* The queue gave one unit to two machines: what they did since the last commit is done again. */
static void a_unit_that_two_have_is_neithers(void **state) {
    (void)state;
    folder *f = new_folder();
    hd_text bundle = {0};
    begin(f, 7);
    hd_effect u = hand_out(f, 7);
    for (uint64_t number = 0; number < 2; number++)
        for (uint64_t machine = 1; machine <= 2; machine++) {
            hd_text_clear(&bundle);
            pack_commit(&bundle, &u, number, machine == 1 ? "mine" : "theirs", NULL);
            hd_effect e = apply(f, (hd_log_entry){.kind = HD_ENTRY_COMMIT,
                                                  .writer = machine,
                                                  .bundle = bundle.at,
                                                  .n_bundle = bundle.n});
            bool is_first = !number && machine == 1;
            assert_int_equal(e.kind, is_first ? HD_EFFECT_COMMITTED : HD_EFFECT_REFUSED);
        }
    assert_int_equal(executions(f), 1);
    hd_effect again = hand_out(f, 7);
    assert_true(again.kind == HD_EFFECT_HANDED_OUT && again.unit == u.unit);
    assert_int_equal(again.work.n_commits, 1);
    hd_text_release(&bundle);
    free_folder(f);
}

static hd_effect set_aside(folder *f, uint64_t unit, uint64_t epoch) {
    hd_text told = {0};
    hd_last_words words = {.line = 12, .file = "a.c", .n_decisions = 5};
    hd_pack_u32(&told, 11);
    hd_last_words_pack(&told, &words);
    hd_effect e = apply(f, (hd_log_entry){.kind = HD_ENTRY_ASIDE,
                                          .unit = unit,
                                          .epoch = epoch,
                                          .bundle = told.at,
                                          .n_bundle = told.n});
    hd_text_release(&told);
    return e;
}

static void check_aside(const folder *f) {
    const hd_batch *b = hd_ledger_state(f->fold.ledger);
    assert_int_equal(hd_coordinator_n_aside(hd_ledger_coordinator(f->fold.ledger)), 1);
    assert_int_equal(b->n_findings, 1);
    assert_int_equal(b->findings[0].kind, HD_FINDING_LOST_WORKER);
    assert_false(hd_ledger_is_complete(f->fold.ledger));
}

static void what_a_machine_sets_aside_is_left_alone_by_all(void **state) {
    (void)state;
    hd_err err = {0};
    hd_text bytes = {0};
    folder *f = new_folder();
    begin(f, 7);
    hd_effect bad = hand_out(f, 7);
    assert_int_equal(commit(f, &bad, 0, "left", "other half"), HD_EFFECT_COMMITTED);
    hd_effect good = hand_out(f, 7);
    set_aside(f, bad.unit, bad.epoch + 9); /* of somebody who had it once */
    assert_int_equal(hd_coordinator_n_aside(hd_ledger_coordinator(f->fold.ledger)), 0);
    apply(f, (hd_log_entry){
                 .kind = HD_ENTRY_ASIDE, .unit = bad.unit, .epoch = bad.epoch}); /* no words */
    assert_int_equal(hd_coordinator_n_aside(hd_ledger_coordinator(f->fold.ledger)), 0);
    set_aside(f, bad.unit, bad.epoch);
    check_aside(f);
    assert_int_equal(commit(f, &bad, 1, NULL, NULL), HD_EFFECT_REFUSED);
    assert_int_equal(hand_out(f, 7).kind, HD_EFFECT_NONE);
    begin(f, 8); /* another machine coordinates: it stays aside */
    assert_int_equal(commit(f, &good, 0, NULL, NULL), HD_EFFECT_REFUSED);
    good = hand_out(f, 8);
    assert_int_equal(commit(f, &good, 0, NULL, NULL), HD_EFFECT_COMMITTED);
    check_aside(f);
    assert_true(hd_fold_save(&f->fold, &bytes, &err));
    folder *other = new_record(); /* and so it does in a snapshot */
    assert_true(hd_fold_restore(&other->fold, other->record, &other->options, NULL, bytes.at,
                                bytes.n, &err));
    begin(other, 9);
    assert_int_equal(hand_out(other, 9).kind, HD_EFFECT_NONE);
    check_aside(other);
    hd_text_release(&bytes);
    free_folder(other);
    free_folder(f);
}

/* Entries at random, as many machines and coordinators would write them: two who read the same log
 * know the same (C1), and so does one who has read it again from the beginning. */
static void write_at_random(folder *f, hd_text *log, uint64_t *seed) {
    hd_effect units[8];
    uint64_t next[8], n_units = 0, who = 1;
    for (int i = 0; i < 400; i++) {
        hd_text bundle = {0};
        hd_log_entry e = {.writer = who};
        uint64_t which = n_units ? hd_random_next(seed) % n_units : 0;
        switch (i ? 1 + hd_random_next(seed) % 9 + (hd_random_next(seed) % 50 == 0) * 100 : 101) {
        case 101 ... 110:
            e.kind = HD_ENTRY_BEGIN;
            e.writer = who = hd_random_next(seed) % 5 ? 100 + (uint64_t)i : who;
            break;
        case 1:
        case 2:
            e.kind = HD_ENTRY_HAND_OUT;
            e.writer = hd_random_next(seed) % 4 ? who : 9;
            break;
        case 3:
            e.kind = HD_ENTRY_GIVE_BACK;
            e.unit = n_units ? units[which].unit : 0;
            e.epoch = n_units ? units[which].epoch : 0;
            break;
        default:
            if (!n_units)
                continue;
            e.kind = HD_ENTRY_COMMIT;
            pack_commit(&bundle, &units[which], next[which]++,
                        hd_random_next(seed) % 12 ? "left" : NULL,
                        hd_random_next(seed) % 3 ? NULL : "half");
            e.bundle = bundle.at;
            e.n_bundle = bundle.n;
        }
        hd_text bytes = {0};
        hd_log_entry_pack(&bytes, &e);
        hd_pack_bytes(log, bytes.at, bytes.n);
        hd_effect effect = hd_fold_apply(&f->fold, bytes.at, bytes.n);
        if (effect.kind == HD_EFFECT_HANDED_OUT) {
            size_t to = n_units < 8 ? n_units++ : hd_random_next(seed) % 8;
            units[to] = effect;
            next[to] = effect.work.n_commits;
        }
        hd_work_release(&effect.work);
        hd_text_release(&bytes);
        hd_text_release(&bundle);
    }
}

static void read_some(folder *f, hd_unpack *log, uint64_t most) {
    for (; log->at < log->end && most > 0; most--) {
        size_t n;
        const void *bytes = hd_unpack_bytes(log, &n);
        hd_effect effect = hd_fold_apply(&f->fold, bytes, n);
        hd_work_release(&effect.work);
    }
}

static void read_again(folder *f, const hd_text *log) {
    hd_unpack u = hd_unpack_from(log->at, log->n);
    read_some(f, &u, UINT64_MAX);
}

/* One reads a part of the log, another goes on from its snapshot with the rest. */
static folder *read_in_two_parts(const hd_text *log, uint64_t n_first) {
    hd_unpack u = hd_unpack_from(log->at, log->n);
    hd_text snapshot = {0};
    hd_err err = {0};
    folder *first = new_folder(), *second = new_record();
    read_some(first, &u, n_first);
    assert_true(hd_fold_save(&first->fold, &snapshot, &err));
    if (!hd_fold_restore(&second->fold, second->record, &second->options, NULL, snapshot.at,
                         snapshot.n, &err))
        fail_msg("%s", err.message);
    read_some(second, &u, UINT64_MAX);
    hd_text_release(&snapshot);
    free_folder(first);
    return second;
}

static void expect_same(const folder *first, const folder *second) {
    hd_text here = {0}, there = {0};
    hd_ledger_save_owners(first->fold.ledger, &here);
    hd_ledger_save_owners(second->fold.ledger, &there);
    assert_int_equal(here.n, there.n);
    assert_memory_equal(here.at, there.at, here.n);
    assert_int_equal(executions(first), executions(second));
    assert_int_equal(first->fold.n_refused, second->fold.n_refused);
    assert_int_equal(first->fold.n_commits, second->fold.n_commits);
    hd_text_release(&here);
    hd_text_release(&there);
}

static void whoever_reads_the_log_knows_the_same(void **state) {
    (void)state;
    uint64_t n_commits = 0, n_refused = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t numbers = seed;
        folder *first = new_folder(), *second = new_folder();
        hd_text log = {0};
        write_at_random(first, &log, &numbers);
        read_again(second, &log);
        folder *third = read_in_two_parts(&log, hd_random_next(&numbers) % 400);
        expect_same(first, second);
        expect_same(first, third);
        n_commits += first->fold.n_commits;
        n_refused += first->fold.n_refused;
        hd_text_release(&log);
        free_folder(first);
        free_folder(second);
        free_folder(third);
    }
    if (n_commits < 1000 || n_refused < 1000)
        fail_msg("%d commits, %d refused", (int)n_commits, (int)n_refused);
}

/* ---- bytes that make no sense ---- */

static bool reads_entry(const void *bytes, size_t n) {
    hd_log_entry e;
    return hd_log_entry_unpack(bytes, n, &e);
}

static bool reads_notice(const void *bytes, size_t n) {
    hd_notice c;
    return hd_notice_unpack(bytes, n, &c);
}

static bool reads_news(const void *bytes, size_t n) {
    hd_news news;
    if (!hd_news_unpack(bytes, n, &news))
        return false;
    hd_news_release(&news);
    return true;
}

static bool reads_manifest(const void *bytes, size_t n) {
    hd_manifest m;
    if (!hd_manifest_unpack(bytes, n, &m))
        return false;
    hd_manifest_release(&m);
    return true;
}

/* Whole it can be read; shorter, longer or empty it cannot. */
static void check_lengths(const hd_text *whole, bool (*reads)(const void *, size_t)) {
    char *copy = malloc(whole->n + 1);
    for (size_t n = 0; n <= whole->n + 1; n++) {
        memcpy(copy, whole->at, n < whole->n ? n : whole->n);
        copy[whole->n] = 0;
        char *exact = malloc(n ? n : 1); /* sanitizers see who reads beyond */
        memcpy(exact, copy, n);
        assert_int_equal(reads(exact, n), n == whole->n);
        free(exact);
    }
    free(copy);
}

static hd_manifest some_manifest(void) {
    hd_manifest m = hd_manifest_new("1", "heddle run a.c", "{}", "[]", 5, 1);
    hd_manifest_file file = {.name = hd_text_format("module/image"),
                             .bale = {.size = 3, .part = 10}};
    hd_hash_name("abc", 3, file.bale.hash);
    hd_vec_push(&m.files, file);
    return m;
}

static void damaged_messages_are_not_read(void **state) {
    (void)state;
    hd_text entry = {0}, notice = {0}, news_bytes = {0}, manifest = {0};
    hd_log_entry_pack(&entry,
                      &(hd_log_entry){.kind = HD_ENTRY_COMMIT, .bundle = "x", .n_bundle = 1});
    hd_notice_pack(&notice, &(hd_notice){.coordinator = 1, .host = "h", .has_order = true});
    hd_news news = {.machine = 3};
    hd_text_add(&news.live, "said");
    hd_vec_push(&news.held, ((hd_unit_at){1, 2}));
    hd_news_pack(&news_bytes, &news);
    hd_manifest m = some_manifest();
    hd_manifest_pack(&manifest, &m);
    check_lengths(&entry, reads_entry);
    check_lengths(&notice, reads_notice);
    check_lengths(&news_bytes, reads_news);
    check_lengths(&manifest, reads_manifest);
    entry.at[0] = HD_N_ENTRIES;
    assert_false(reads_entry(entry.at, entry.n));
    hd_text_release(&entry);
    hd_text_release(&notice);
    hd_text_release(&news_bytes);
    hd_text_release(&manifest);
    hd_news_release(&news);
    hd_manifest_release(&m);
}

/* ---- manifests ---- */

static void files_stay_below_their_directory(void **state) {
    (void)state;
    static const char *const bad[] = {"",      "/etc/passwd", "../a", "a/../b", "a/",
                                      "a/b/c", ".profile",    "a/.b", NULL};
    for (const char *const *name = bad; *name; name++) {
        hd_text bytes = {0};
        hd_manifest m = some_manifest();
        free(m.files.at[0].name);
        m.files.at[0].name = hd_text_format("%s", *name);
        hd_manifest_pack(&bytes, &m);
        if (reads_manifest(bytes.at, bytes.n))
            fail_msg("'%s' was taken for the name of a file", *name);
        hd_text_release(&bytes);
        hd_manifest_release(&m);
    }
}

static void machines_of_another_kind_are_refused(void **state) {
    (void)state;
    hd_err err = {0};
    hd_manifest m = some_manifest(), other = some_manifest();
    assert_true(hd_manifest_check(&m, "1", "r", &err));
    assert_false(hd_manifest_check(&m, "2", "r", &err));
    assert_non_null(strstr(err.message, "this is Heddle 2"));
    m.processor[0] ^= 1;
    assert_false(hd_manifest_check(&m, "1", "r", &err));
    assert_non_null(strstr(err.message, "is for processors"));
    assert_true(hd_manifest_is_same(&m, &other));
    other.module_hash++;
    assert_false(hd_manifest_is_same(&m, &other));
    hd_manifest_release(&m);
    hd_manifest_release(&other);
}

/* Whatever is cut off or changed: refused, or another state, but no harm. */
static void a_damaged_snapshot_is_refused(void **state) {
    (void)state;
    uint64_t numbers = 5;
    hd_err err = {0};
    hd_text log = {0}, bytes = {0};
    folder *f = new_folder();
    write_at_random(f, &log, &numbers);
    assert_true(hd_fold_save(&f->fold, &bytes, &err));
    for (unsigned i = 0; i < 60; i++) {
        size_t n = i < 20 ? hd_random_next(&numbers) % bytes.n : bytes.n;
        size_t at = hd_random_next(&numbers) % bytes.n;
        folder *other = new_record();
        bytes.at[at] ^= (char)(i < 20 ? 0 : 1 + i);
        bool ok =
            hd_fold_restore(&other->fold, other->record, &other->options, NULL, bytes.at, n, &err);
        assert_true(!ok || i >= 20);
        bytes.at[at] ^= (char)(i < 20 ? 0 : 1 + i);
        free_folder(other);
    }
    hd_text_release(&bytes);
    hd_text_release(&log);
    free_folder(f);
}

/* ---- at a server ---- */

typedef struct place {
    hd_server server;
    hd_seal seal;
    hd_post *post, *other; /* the same run from two machines */
} place;

static hd_post *open_post(place *p, const hd_seal *seal) {
    hd_err err = {0};
    hd_post *post =
        hd_post_open(&(hd_line_options){.servers = p->server.url, .patience = 10}, seal, &err);
    if (!post)
        fail_msg("%s", err.message);
    return post;
}

static int set_up(void **state) {
    hd_err err = {0};
    place *p = *state = calloc(1, sizeof *p);
    if (!hd_server_start(&p->server, NULL, &err) || !hd_seal_make(&p->seal, "r", &err))
        fail_msg("%s", err.message);
    p->post = open_post(p, &p->seal);
    p->other = open_post(p, &p->seal);
    if (!hd_post_found(p->post, &err))
        fail_msg("%s", err.message);
    return 0;
}

static int tear_down(void **state) {
    place *p = *state;
    hd_post_close(p->post);
    hd_post_close(p->other);
    hd_server_stop(&p->server);
    free(p);
    return 0;
}

static hd_text bytes_of_size(size_t n) {
    hd_text t = {0};
    uint64_t seed = n;
    while (t.n < n) {
        uint64_t number = hd_random_next(&seed);
        hd_text_add_bytes(&t, &number, n - t.n < 8 ? n - t.n : 8);
    }
    return t;
}

static void messages_of_any_size(void **state) {
    place *p = *state;
    hd_err err = {0};
    static const size_t sizes[] = {0, 1, 1000, 1000000, 1044400, 1044480, 1048576, 3500000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hd_text sent = bytes_of_size(sizes[i]), read = {0};
        if (!hd_post_append(p->post, NULL, &sent, &err))
            fail_msg("%s", err.message);
        assert_int_equal(hd_post_next(p->other, 10, &read, &err), HD_READ);
        assert_int_equal(read.n, sent.n);
        assert_memory_equal(hd_text_string(&read), hd_text_string(&sent), sent.n);
        hd_text_release(&sent);
        hd_text_release(&read);
    }
    assert_int_equal(hd_post_n_dropped(p->other), 0);
}

static void append_words(hd_post *post, const char *words, size_t n_more) {
    hd_err err = {0};
    hd_text entry = bytes_of_size(n_more);
    hd_text_add(&entry, "%s", words);
    assert_true(hd_post_append(post, NULL, &entry, &err));
    hd_text_release(&entry);
}

static void read_entries(hd_post *post, unsigned n) {
    hd_err err = {0};
    hd_text entry = {0};
    for (; n > 0; n--)
        assert_int_equal(hd_post_next(post, 10, &entry, &err), HD_READ);
    hd_text_release(&entry);
}

static void keep_snapshot(hd_post *post, const char *words, size_t n_more) {
    hd_err err = {0};
    hd_text snapshot = bytes_of_size(n_more);
    hd_text_add(&snapshot, "%s", words);
    if (!hd_post_keep_snapshot(post, &snapshot, &err))
        fail_msg("%s", err.message);
    hd_text_release(&snapshot);
}

/* Who comes gets the snapshot, and this entry behind it. */
static void expect_snapshot(place *p, const char *words, size_t n_more, const char *behind) {
    hd_err err = {0};
    hd_text read = {0};
    bool found;
    hd_post *post = open_post(p, &p->seal);
    assert_true(hd_post_read_snapshot(post, &read, &found, &err));
    assert_true(found);
    assert_int_equal(read.n, n_more + strlen(words));
    assert_string_equal(read.at + n_more, words);
    assert_int_equal(hd_post_next(post, 10, &read, &err), HD_READ);
    assert_string_equal(read.at, behind);
    hd_text_release(&read);
    hd_post_close(post);
}

static void a_snapshot_stands_for_what_was_read(void **state) {
    place *p = *state;
    hd_err err = {0};
    hd_text read = {0};
    bool found;
    assert_true(hd_post_read_snapshot(p->other, &read, &found, &err));
    assert_false(found);
    append_words(p->post, "one", 0);
    append_words(p->post, "two", 3000000);
    read_entries(p->post, 2);
    append_words(p->post, "three", 0);
    keep_snapshot(p->post, "first", 2500000);
    expect_snapshot(p, "first", 2500000, "three");
    read_entries(p->post, 1);
    append_words(p->post, "four", 0);
    keep_snapshot(p->post, "second", 10);
    expect_snapshot(p, "second", 10, "four");
    /* One who did not know of these is late: what he needs is gone. */
    keep_snapshot(p->other, "late", 10);
    expect_snapshot(p, "second", 10, "four");
    hd_text_release(&read);
}

static void what_others_write_is_dropped(void **state) {
    place *p = *state;
    hd_err err = {0};
    hd_text words = {0}, read = {0};
    hd_seal forged;
    assert_true(hd_seal_make(&forged, "r", &err));
    hd_post *stranger = open_post(p, &forged);
    hd_text_add(&words, "run this");
    assert_true(hd_post_append(stranger, NULL, &words, &err));
    assert_true(hd_post_append(stranger, NULL, &words, &err));
    hd_text_clear(&words);
    hd_text_add(&words, "right");
    assert_true(hd_post_append(p->post, NULL, &words, &err));
    assert_int_equal(hd_post_next(p->other, 10, &read, &err), HD_READ);
    assert_string_equal(read.at, "right");
    assert_int_equal(hd_post_n_dropped(p->other), 2);
    assert_int_equal(hd_post_declare(stranger, &words, &err), HD_PUBLISHED);
    assert_int_equal(hd_post_declare(p->post, &words, &err), HD_NOT_FIRST);
    assert_int_equal(hd_post_read_declared(p->post, &read, &err), HD_DECLARED_BY_OTHERS);
    hd_post_close(stranger);
    hd_text_release(&words);
    hd_text_release(&read);
}

static void a_program_travels_by_its_hash(void **state) {
    place *p = *state;
    hd_err err = {0};
    char from[HD_SCRATCH_SIZE], to[HD_SCRATCH_SIZE], path[HD_SCRATCH_SIZE + 32];
    hd_manifest m = hd_manifest_new("1", "c", "{}", "[]", 5, 1), read;
    hd_text image = bytes_of_size(1500000), packed = {0}, there = {0};
    assert_true(hd_scratch_make(from, "heddle-test", &err));
    assert_true(hd_scratch_make(to, "heddle-test", &err));
    snprintf(path, sizeof path, "%s/image", from);
    FILE *f = fopen(path, "w");
    fwrite(image.at, 1, image.n, f);
    fclose(f);
    assert_true(hd_manifest_add_directory(&m, p->post, from, "module", &err));
    hd_manifest_pack(&packed, &m);
    assert_true(hd_manifest_unpack(packed.at, packed.n, &read));
    if (!hd_manifest_unload(&read, p->other, to, &err))
        fail_msg("%s", err.message);
    snprintf(path, sizeof path, "%s/module/image", to);
    assert_true(hd_text_read_file(&there, path));
    assert_int_equal(there.n, image.n);
    assert_memory_equal(there.at, image.at, image.n);
    read.files.at[0].bale.hash[0] ^= 1;
    assert_false(hd_manifest_unload(&read, p->other, to, &err));
    hd_manifest_release(&m);
    hd_manifest_release(&read);
    hd_text_release(&image);
    hd_text_release(&packed);
    hd_text_release(&there);
    hd_scratch_remove(from);
    hd_scratch_remove(to);
}

/* ---- a desk ---- */

static void offer(place *p, uint64_t unit, uint64_t epoch) {
    hd_err err = {0};
    hd_text bytes = {0};
    hd_work work = {.unit = unit, .epoch = epoch, .max_executions = UINT64_MAX};
    hd_wire_pack_work(&bytes, &work);
    assert_true(hd_post_offer(p->post, NULL, &bytes, &err));
    hd_text_release(&bytes);
}

/* Rounds of a supervisor with one idle worker, until a unit waits. */
static bool await_unit(hd_desk *d, double seconds) {
    hd_err err = {0};
    hd_source *s = hd_desk_source(d);
    for (double until = hd_clock_now() + seconds; hd_clock_now() < until;) {
        assert_true(
            s->calls->tend(s, &(hd_shift){.n_workers = 1, .n_idle = 1}, hd_clock_now(), &err));
        if (s->calls->n_waiting(s))
            return true;
        struct pollfd bell = {.fd = s->calls->descriptor(s), .events = POLLIN};
        poll(&bell, 1, 20);
    }
    return false;
}

static hd_commit_answer send_commit(hd_desk *d, const hd_effect *unit, uint64_t number,
                                    const char *journal) {
    hd_text bytes = {0};
    hd_bundle p;
    pack_commit(&bytes, unit, number, journal, NULL);
    assert_true(hd_wire_unpack_bundle(bytes.at, bytes.n, &p));
    hd_commit_answer answer =
        hd_desk_source(d)->calls->take(hd_desk_source(d), &p, bytes.at, bytes.n);
    hd_bundle_release(&p);
    hd_text_release(&bytes);
    return answer;
}

static void check_entry(hd_text *bytes, hd_log_entry_kind kind, uint64_t unit, uint64_t epoch) {
    hd_log_entry e;
    assert_true(hd_log_entry_unpack(bytes->at, bytes->n, &e));
    assert_int_equal(e.kind, kind);
    if (kind == HD_ENTRY_GIVE_BACK) {
        assert_int_equal(e.unit, unit);
        assert_int_equal(e.epoch, epoch);
    }
    hd_text_release(bytes);
}

static void expect_entry(place *p, hd_log_entry_kind kind, uint64_t unit, uint64_t epoch) {
    hd_err err = {0};
    hd_text bytes = {0};
    assert_int_equal(hd_post_next(p->other, 10, &bytes, &err), HD_READ);
    check_entry(&bytes, kind, unit, epoch);
}

static void a_dead_worker_is_replaced_at_its_desk(void **state) {
    place *p = *state;
    hd_err err = {0};
    hd_work work;
    char why[128] = "";
    hd_desk *d = hd_desk_open(p->post, 30, NULL, NULL, &err);
    hd_source *s = hd_desk_source(d);
    hd_effect unit = {.unit = 4, .epoch = 6};
    offer(p, 4, 6);
    assert_true(await_unit(d, 10));
    assert_true(s->calls->hand_out(s, false, &work));
    hd_work_release(&work);
    assert_false(s->calls->n_waiting(s));
    assert_int_equal(send_commit(d, &unit, 0, "what is left"), HD_COMMIT_APPLIED);
    assert_int_equal(send_commit(d, &unit, 2, "one is missing"), HD_COMMIT_EARLY);
    expect_entry(p, HD_ENTRY_COMMIT, 4, 6);
    s->calls->release(s, 4, 6); /* its worker is dead */
    assert_true(s->calls->n_waiting(s));
    assert_true(s->calls->hand_out(s, false, &work));
    assert_string_equal(work.journal.at, "what is left");
    assert_int_equal(work.n_commits, 1);
    assert_int_equal(work.epoch, 6);
    hd_work_release(&work);
    assert_true(s->calls->end(s, why, &err));
    expect_entry(p, HD_ENTRY_GIVE_BACK, 4, 6);
    hd_desk_close(d);
}

static void a_unit_that_somebody_had_is_given_back(void **state) {
    place *p = *state;
    hd_err err = {0};
    hd_text bytes = {0};
    hd_delivery d;
    char why[128] = "";
    assert_true(hd_post_open_queue(p->other, 1, &err));
    offer(p, 4, 6);
    assert_int_equal(hd_post_take(p->other, 10, &d, &bytes), HD_READ);
    hd_delivery_forget(&d); /* a machine that is gone */
    hd_desk *desk = hd_desk_open(p->post, 1, NULL, NULL, &err);
    hd_text entry = {0};
    hd_read read = HD_READ_NOTHING; /* a busy server may take long to deliver it again */
    for (int i = 0; i < 60 && read != HD_READ; i++) {
        assert_false(await_unit(desk, 1)); /* K2 */
        read = hd_post_next(p->other, 0.1, &entry, &err);
    }
    assert_int_equal(read, HD_READ);
    check_entry(&entry, HD_ENTRY_GIVE_BACK, 4, 6);
    assert_true(hd_desk_source(desk)->calls->end(hd_desk_source(desk), why, &err));
    hd_desk_close(desk);
    hd_text_release(&bytes);
}

static void say_order(place *p, hd_order order) {
    hd_text bytes = {0};
    hd_notice_pack(&bytes, &(hd_notice){.coordinator = 1, .has_order = true, .order = order});
    hd_post_say(p->other, HD_TALK_ORDERS, &bytes);
    hd_text_release(&bytes);
}

static hd_order await_order(hd_desk *d) {
    hd_source *s = hd_desk_source(d);
    hd_order order = {.unit = 99};
    for (int i = 0; i < 500 && !s->calls->next_order(s, &order); i++)
        usleep(10000);
    return order;
}

static void a_desk_hears_orders(void **state) {
    place *p = *state;
    hd_err err = {0};
    hd_work work;
    hd_desk *d = hd_desk_open(p->post, 30, NULL, NULL, &err);
    hd_effect unit = {.unit = 4, .epoch = 6};
    offer(p, 4, 6);
    assert_true(await_unit(d, 10));
    assert_true(hd_desk_source(d)->calls->hand_out(hd_desk_source(d), false, &work));
    hd_work_release(&work);
    say_order(p, (hd_order){.kind = HD_ORDER_GIVE, .unit = 4, .epoch = 6});
    assert_int_equal(await_order(d).kind, HD_ORDER_GIVE);
    assert_int_equal(send_commit(d, &unit, 0, "left"), HD_COMMIT_APPLIED);
    say_order(p, (hd_order){.kind = HD_ORDER_DROP, .unit = 4, .epoch = 6});
    assert_int_equal(await_order(d).kind, HD_ORDER_DROP);
    assert_int_equal(send_commit(d, &unit, 1, "left"), HD_COMMIT_REFUSED);
    say_order(p, (hd_order){.kind = HD_ORDER_STOP, .why = "enough"});
    assert_string_equal(await_order(d).why, "enough");
    hd_desk_close(d);
}

int main(void) {
#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_is_a_search),
        cmocka_unit_test(units_that_come_back_have_another_epoch),
        cmocka_unit_test(who_was_coordinator_hands_out_nothing),
        cmocka_unit_test(whoever_reads_the_log_knows_the_same),
        cmocka_unit_test(a_unit_that_two_have_is_neithers),
        cmocka_unit_test(what_a_machine_sets_aside_is_left_alone_by_all),
        cmocka_unit_test(a_damaged_snapshot_is_refused),
        cmocka_unit_test(damaged_messages_are_not_read),
        cmocka_unit_test(files_stay_below_their_directory),
        cmocka_unit_test(machines_of_another_kind_are_refused),
        WITH_SERVER(messages_of_any_size),
        WITH_SERVER(what_others_write_is_dropped),
        WITH_SERVER(a_snapshot_stands_for_what_was_read),
        WITH_SERVER(a_program_travels_by_its_hash),
        WITH_SERVER(a_dead_worker_is_replaced_at_its_desk),
        WITH_SERVER(a_unit_that_somebody_had_is_given_back),
        WITH_SERVER(a_desk_hears_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
