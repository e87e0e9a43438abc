// uses: ingest
/* A change has its turn alone, readers share theirs, and those who wait have it after each change.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/ingest/rwlock.h"

enum { COMERS = 6, ROUNDS = 20000 };

struct comer {
    struct lore_rwlock *turns;
    bool changes;
    atomic_int *next; /* counts turns */
    int had;          /* which turn this was */
    pthread_t thread;
};

static void *
have_one(void *arg)
{
    struct comer *c = arg;

    (c->changes ? lore_rwlock_write : lore_rwlock_read)(c->turns);
    c->had = atomic_fetch_add(c->next, 1);
    lore_rwlock_unlock(c->turns);
    return NULL;
}

static struct lore_rwlock_waiter *
last_of(struct lore_rwlock *t)
{
    struct lore_rwlock_waiter *last;

    pthread_mutex_lock(&t->lock);
    last = t->first != NULL ? t->last : NULL;
    pthread_mutex_unlock(&t->lock);
    return last;
}

/* Comes, and is in the queue when this returns. */
static void
come(struct comer *c)
{
    struct lore_rwlock_waiter *before = last_of(c->turns);

    assert_int_equal(pthread_create(&c->thread, NULL, have_one, c), 0);
    while (last_of(c->turns) == before)
        sched_yield();
}

static void
readers_that_wait_come_together_after_one_change(void **state)
{
    static const bool changes[COMERS] = {true, false, true, false, false, true};
    static const int first[COMERS] = {0, 1, 4, 1, 1, 5}, last[COMERS] = {0, 3, 4, 3, 3, 5};
    struct comer c[COMERS];
    struct lore_rwlock t;
    atomic_int next = 0;

    (void)state;
    lore_rwlock_init(&t);
    lore_rwlock_read(&t);
    for (int i = 0; i < COMERS; i++) { /* readers too: they do not go before the change */
        c[i] = (struct comer){.turns = &t, .changes = changes[i], .next = &next};
        come(&c[i]);
    }
    assert_int_equal(atomic_load(&next), 0);
    lore_rwlock_unlock(&t);
    for (int i = 0; i < COMERS; i++) {
        pthread_join(c[i].thread, NULL);
        assert_in_range(c[i].had, first[i], last[i]);
    }
    lore_rwlock_destroy(&t);
}

static void
readers_share_a_turn(void **state)
{
    struct lore_rwlock t;
    atomic_int next = 0;
    struct comer c = {.turns = &t, .next = &next};

    (void)state;
    lore_rwlock_init(&t);
    lore_rwlock_read(&t);
    assert_int_equal(pthread_create(&c.thread, NULL, have_one, &c), 0);
    pthread_join(c.thread, NULL);
    assert_int_equal(c.had, 0);
    lore_rwlock_unlock(&t);
    lore_rwlock_destroy(&t);
}

struct shared {
    struct lore_rwlock turns;
    int64_t a, b; /* equal when nobody changes them */
    atomic_int wrong;
};

static void *
read_often(void *arg)
{
    struct shared *s = arg;

    for (int i = 0; i < ROUNDS; i++) {
        lore_rwlock_read(&s->turns);
        if (s->a != s->b)
            atomic_fetch_add(&s->wrong, 1);
        lore_rwlock_unlock(&s->turns);
    }
    return NULL;
}

static void
a_turn_that_is_kept_over_many_changes_is_had_alone(void **state)
{
    struct shared s = {0};
    struct lore_write_batch turn = {.lock = &s.turns};
    pthread_t reader[4];

    (void)state;
    lore_rwlock_init(&s.turns);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&reader[i], NULL, read_often, &s), 0);
    for (int i = 0; i < ROUNDS; i++) {
        lore_write_batch_next(&turn);
        s.a++;
        s.b++;
        if (i % 7 == 0)
            lore_write_batch_end(&turn);
    }
    lore_write_batch_end(&turn);
    for (int i = 0; i < 4; i++)
        pthread_join(reader[i], NULL);
    assert_int_equal(atomic_load(&s.wrong), 0);
    assert_int_equal(s.a, ROUNDS);
    lore_rwlock_destroy(&s.turns);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_that_wait_come_together_after_one_change),
        cmocka_unit_test(readers_share_a_turn),
        cmocka_unit_test(a_turn_that_is_kept_over_many_changes_is_had_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
