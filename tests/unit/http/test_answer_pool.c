// uses: http
/* First come, first served; as many at once as there are threads; who asked waits for the answer.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/http/answer_pool.h"

enum { COMERS = 5 };

struct comer {
    struct lore_answer_pool *pool;
    atomic_int *begun;
    sem_t *go; /* what the work waits for */
    int had;   /* which one it was to begin; -1: it has not */
    pthread_t worked, thread;
};

static void
work(void *arg)
{
    struct comer *c = arg;

    c->worked = pthread_self();
    c->had = atomic_fetch_add(c->begun, 1);
    while (sem_wait(c->go) != 0)
        ;
}

static void *
ask(void *arg)
{
    struct comer *c = arg;

    lore_answer_pool_run(c->pool, work, c);
    return NULL;
}

static void
come(struct comer *c)
{
    assert_int_equal(pthread_create(&c->thread, NULL, ask, c), 0);
}

static void
await(atomic_int *n, int value)
{
    while (atomic_load(n) != value)
        sched_yield();
}

static void
who_comes_first_is_served_first(void **state)
{
    struct lore_answer_pool *pool = lore_answer_pool_start(1);
    atomic_int begun = 0;
    struct comer c[COMERS];
    sem_t go;

    (void)state;
    sem_init(&go, 0, 0);
    for (int i = 0; i < COMERS; i++) {
        c[i] = (struct comer){.pool = pool, .begun = &begun, .go = &go, .had = -1};
        come(&c[i]);
        if (i == 0)
            await(&begun, 1); /* the others wait behind it */
        else
            while (lore_answer_pool_waiting(pool) != i)
                sched_yield();
    }
    assert_int_equal(atomic_load(&begun), 1);
    for (int i = 0; i < COMERS; i++)
        sem_post(&go);
    for (int i = 0; i < COMERS; i++) {
        pthread_join(c[i].thread, NULL);
        assert_int_equal(c[i].had, i);
    }
    lore_answer_pool_stop(pool);
    sem_destroy(&go);
}

static void
as_many_work_at_once_as_there_are_threads(void **state)
{
    struct lore_answer_pool *pool = lore_answer_pool_start(2);
    atomic_int begun = 0;
    struct comer c[3];
    sem_t go;

    (void)state;
    sem_init(&go, 0, 0);
    for (int i = 0; i < 3; i++) {
        c[i] = (struct comer){.pool = pool, .begun = &begun, .go = &go, .had = -1};
        come(&c[i]);
    }
    await(&begun, 2); /* neither waits for the other */
    while (lore_answer_pool_waiting(pool) != 1)
        sched_yield();
    assert_int_equal(atomic_load(&begun), 2);
    for (int i = 0; i < 3; i++)
        sem_post(&go);
    for (int i = 0; i < 3; i++)
        pthread_join(c[i].thread, NULL);
    lore_answer_pool_stop(pool);
    sem_destroy(&go);
}

static void
work_is_done_by_a_thread_of_the_pool_and_without_one_by_whoever_asks(void **state)
{
    struct lore_answer_pool *pool = lore_answer_pool_start(0);
    atomic_int begun = 0;
    sem_t go;
    struct comer c = {.begun = &begun, .go = &go, .had = -1};

    (void)state;
    sem_init(&go, 0, 2);
    lore_answer_pool_run(pool, work, &c);
    assert_int_equal(c.had, 0);
    assert_false(pthread_equal(c.worked, pthread_self()));
    lore_answer_pool_run(NULL, work, &c);
    assert_int_equal(c.had, 1);
    assert_true(pthread_equal(c.worked, pthread_self()));
    lore_answer_pool_stop(pool);
    sem_destroy(&go);
}

static void
no_pool_can_be_stopped_too(void **state)
{
    (void)state;
    lore_answer_pool_stop(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_comes_first_is_served_first),
        cmocka_unit_test(as_many_work_at_once_as_there_are_threads),
        cmocka_unit_test(work_is_done_by_a_thread_of_the_pool_and_without_one_by_whoever_asks),
        cmocka_unit_test(no_pool_can_be_stopped_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
