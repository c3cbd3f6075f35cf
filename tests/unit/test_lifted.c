/* The tree of lifted states: what it counts and forgets along the way is what somebody finds who
 * looks at all of it, whatever happens to it.  What goes where is for test_coordinator.c. */
#include "fleet/lifted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* A tree in use: sequences are taken, lifted, finished, and asked for. */
typedef struct forest {
    hd_lifted_tree tree;
    uint32_t root;
    hd_state_numbers out; /* bases of units */
    uint64_t seed;
    bool is_done;
} forest;

static uint32_t draw(forest *f, uint32_t n) {
    f->seed = f->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(f->seed >> 33) % n;
}

static uint32_t add(forest *f, uint32_t parent) {
    return hd_lifted_add(&f->tree, parent, NULL, (hd_gift){0});
}

/* A sequence of up to three steps that waits below a state. */
static void plan(forest *f, uint32_t state) {
    hd_lifted_open_again(&f->tree, state);
    for (uint32_t n = draw(f, 3) + 1; n--;)
        state = add(f, state);
}

static void take(forest *f) {
    if (!f->tree.n_ready)
        return;
    uint32_t end = hd_lifted_nth_ready(&f->tree, f->root, draw(f, (uint32_t)f->tree.n_ready));
    for (uint32_t s = f->tree.at.at[end].parent; s != HD_NO_STATE; s = f->tree.at.at[s].parent)
        if (f->tree.at.at[s].kind == HD_LIFTED_PLANNED)
            hd_lifted_set_kind(&f->tree, s, HD_LIFTED_KNOWN);
    hd_lifted_set_kind(&f->tree, end, HD_LIFTED_OUT);
    f->tree.at.at[end].is_free = true;
    hd_vec_push(&f->out, end);
}

/* The base of a unit is given up: some children are done, one is the new base, others wait. */
static uint32_t lift(forest *f, uint32_t base) {
    hd_lifted_set_kind(&f->tree, base, HD_LIFTED_KNOWN);
    for (uint32_t n = draw(f, 3); n--;) {
        uint32_t explored = add(f, base);
        hd_lifted_set_kind(&f->tree, explored, HD_LIFTED_DONE);
        hd_lifted_set_known(&f->tree, explored);
    }
    uint32_t next = add(f, base);
    hd_lifted_set_kind(&f->tree, next, HD_LIFTED_OUT);
    hd_lifted_set_known(&f->tree, next);
    for (uint32_t n = draw(f, 3); n--;)
        plan(f, base);
    return next;
}

static void commit(forest *f) {
    uint32_t i = draw(f, (uint32_t)f->out.n), base = f->out.at[i];
    for (uint32_t s = base; s != HD_NO_STATE; s = f->tree.at.at[s].parent)
        hd_lifted_set_known(&f->tree, s);
    if (f->tree.at.n < 300 && draw(f, 3)) {
        f->out.at[i] = lift(f, base);
        return;
    }
    f->out.at[i] = f->out.at[--f->out.n];
    hd_lifted_finish(&f->tree, base);
    f->is_done = !hd_lifted_fold(&f->tree, base);
}

/* A request of a state that a unit came by: it may be done. */
static void ask(forest *f) {
    uint32_t s = f->out.at[draw(f, (uint32_t)f->out.n)];
    for (uint32_t n = draw(f, 4) + 1; n-- && f->tree.at.at[s].parent != HD_NO_STATE;)
        s = f->tree.at.at[s].parent;
    const hd_state_numbers *kids = &f->tree.at.at[s].kids;
    if (kids->n && draw(f, 2))
        s = kids->at[draw(f, (uint32_t)kids->n)];
    if (f->tree.at.at[s].kids.n && f->tree.at.n < 300)
        plan(f, s);
}

static void check(const forest *f) {
    hd_state_numbers all = {0};
    assert_true(hd_lifted_is_right(&f->tree, f->root));
    hd_lifted_list_ready(&f->tree, f->root, &all);
    assert_int_equal(all.n, f->tree.n_ready);
    for (size_t i = 0; i < all.n; i++)
        assert_int_equal(hd_lifted_nth_ready(&f->tree, f->root, i), all.at[i]);
    hd_vec_release(&all);
}

/* All states that were ever made are given back in the end, and nothing is planned. */
static void check_end(const forest *f) {
    size_t n = 0;
    for (uint32_t s = f->tree.unused; s != HD_NO_STATE; s = f->tree.at.at[s].parent)
        n++;
    assert_int_equal(n, f->tree.at.n);
    assert_int_equal(f->tree.n_ready, 0);
}

static void live(uint64_t seed) {
    forest f = {.seed = seed};
    hd_lifted_init(&f.tree);
    f.root = hd_lifted_add(&f.tree, HD_NO_STATE, NULL, (hd_gift){0});
    take(&f);
    while (!f.is_done) {
        if (!f.out.n || draw(&f, 3) == 0)
            take(&f);
        else if (draw(&f, 4) == 0)
            ask(&f);
        else
            commit(&f);
        if (!f.is_done)
            check(&f);
    }
    hd_lifted_drop_root(&f.tree, f.root);
    check_end(&f);
    hd_vec_release(&f.out);
    hd_lifted_release(&f.tree);
}

static void counts_are_those_of_a_walk(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++)
        live(seed);
}

/* D3: what is behind a child whose action is only foretold cannot be handed out. */
static void what_is_foretold_hides_what_is_behind_it(void **state) {
    (void)state;
    hd_lifted_tree t;
    hd_lifted_init(&t);
    uint32_t root = hd_lifted_add(&t, HD_NO_STATE, NULL, (hd_gift){0});
    assert_int_equal(t.n_ready, 1);
    hd_lifted_set_kind(&t, root, HD_LIFTED_KNOWN);
    uint32_t first = hd_lifted_add(&t, root, NULL, (hd_gift){0});
    uint32_t second = hd_lifted_add(&t, root, NULL, (hd_gift){0});
    assert_int_equal(t.n_ready, 1);
    hd_lifted_set_known(&t, first);
    assert_int_equal(t.n_ready, 2);
    assert_int_equal(hd_lifted_nth_ready(&t, root, 1), second);
    hd_lifted_set_kind(&t, first, HD_LIFTED_OUT);
    assert_int_equal(t.n_ready, 1);
    hd_lifted_release(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_a_walk),
        cmocka_unit_test(what_is_foretold_hides_what_is_behind_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
