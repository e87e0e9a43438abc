// uses: ingest
/* A change has its turn alone and before those who wait to read, readers have theirs after each
 * change, and not too many read at once. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "turns.h"

enum { COMERS = 6, ROUNDS = 20000 };

struct comer {
    struct lore_turns *turns;
    bool changes;
    atomic_int *next; /* counts turns */
    int had;          /* which turn this was */
    pthread_t thread;
};

static void *
have_one(void *arg)
{
    struct comer *c = arg;

    (c->changes ? lore_turns_change : lore_turns_read)(c->turns);
    c->had = atomic_fetch_add(c->next, 1);
    lore_turns_leave(c->turns);
    return NULL;
}

static struct lore_turns_waiter *
last_of(struct lore_turns *t)
{
    struct lore_turns_waiter *last;

    pthread_mutex_lock(&t->lock);
    last = t->first != NULL ? t->last : NULL;
    pthread_mutex_unlock(&t->lock);
    return last;
}

/* Comes, and is in the queue when this returns. */
static void
come(struct comer *c)
{
    struct lore_turns_waiter *before = last_of(c->turns);

    assert_int_equal(pthread_create(&c->thread, NULL, have_one, c), 0);
    while (last_of(c->turns) == before)
        sched_yield();
}

static void
changes_go_before_readers_that_wait_but_not_two_in_a_row(void **state)
{
    static const bool changes[COMERS] = {false, true, true, false, false, true};
    static const int had[COMERS] = {1, 0, 2, 3, 5, 4}; /* one reads at a time */
    struct comer c[COMERS];
    struct lore_turns t;
    atomic_int next = 0;

    (void)state;
    lore_turns_init(&t);
    t.most = 1;
    lore_turns_read(&t);
    for (int i = 0; i < COMERS; i++) {
        c[i] = (struct comer){.turns = &t, .changes = changes[i], .next = &next};
        come(&c[i]);
    }
    assert_int_equal(atomic_load(&next), 0);
    lore_turns_leave(&t);
    for (int i = 0; i < COMERS; i++) {
        pthread_join(c[i].thread, NULL);
        assert_int_equal(c[i].had, had[i]);
    }
    lore_turns_destroy(&t);
}

static void
more_readers_than_may_read_at_once_wait(void **state)
{
    struct lore_turns t;
    struct comer c;
    atomic_int next = 0;

    (void)state;
    lore_turns_init(&t);
    t.most = 2;
    lore_turns_read(&t);
    lore_turns_read(&t);
    c = (struct comer){.turns = &t, .next = &next};
    come(&c);
    assert_int_equal(atomic_load(&next), 0);
    lore_turns_leave(&t);
    pthread_join(c.thread, NULL);
    assert_int_equal(c.had, 0);
    lore_turns_leave(&t);
    lore_turns_destroy(&t);
}

struct shared {
    struct lore_turns turns;
    int64_t a, b; /* equal when nobody changes them */
    atomic_int wrong;
};

static void *
read_often(void *arg)
{
    struct shared *s = arg;

    for (int i = 0; i < ROUNDS; i++) {
        lore_turns_read(&s->turns);
        if (s->a != s->b)
            atomic_fetch_add(&s->wrong, 1);
        lore_turns_leave(&s->turns);
    }
    return NULL;
}

static void
a_turn_that_is_kept_over_many_changes_is_had_alone(void **state)
{
    struct shared s = {0};
    struct lore_turn turn = {.turns = &s.turns};
    pthread_t reader[4];

    (void)state;
    lore_turns_init(&s.turns);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&reader[i], NULL, read_often, &s), 0);
    for (int i = 0; i < ROUNDS; i++) {
        lore_turn_keep(&turn);
        s.a++;
        s.b++;
        if (i % 7 == 0)
            lore_turn_end(&turn);
    }
    lore_turn_end(&turn);
    for (int i = 0; i < 4; i++)
        pthread_join(reader[i], NULL);
    assert_int_equal(atomic_load(&s.wrong), 0);
    assert_int_equal(s.a, ROUNDS);
    lore_turns_destroy(&s.turns);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_go_before_readers_that_wait_but_not_two_in_a_row),
        cmocka_unit_test(more_readers_than_may_read_at_once_wait),
        cmocka_unit_test(a_turn_that_is_kept_over_many_changes_is_had_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
