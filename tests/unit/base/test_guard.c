// uses: base
/* Work that needs more memory than it may have ends, releases what it held, and nothing else does.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/base/arena.h"
#include "service/base/buf.h"
#include "service/base/guard.h"
#include "service/base/json.h"

#define LIMIT ((size_t)64 << 10)

struct work {
    struct lore_arena arena;
    pthread_mutex_t lock;
    size_t wanted; /* bytes, in pieces */
    const char *json;
    bool in_scratch, came_to_end;
    enum lore_status inner;
};

static int
set_up(void **state)
{
    struct work *w = calloc(1, sizeof *w);

    pthread_mutex_init(&w->lock, NULL);
    *state = w;
    return 0;
}

static int
tear_down(void **state)
{
    struct work *w = *state;

    lore_arena_free(&w->arena);
    pthread_mutex_destroy(&w->lock);
    free(w);
    return 0;
}

/* Deep enough that several frames have something to release. */
static void
fill(struct work *w, int depth)
{
    LORE_SCRATCH own = {0};
    LORE_BUF text = {0};

    lore_buf_puts(&text, "held");
    memset(lore_alloc(&own, 100), 1, 100);
    if (depth > 0) {
        fill(w, depth - 1);
        return;
    }
    for (size_t i = 0; i < w->wanted; i += 100)
        memset(lore_alloc(w->in_scratch ? &own : &w->arena, 100), 1, 100);
}

static enum lore_status
work(void *ctx, struct lore_err *err)
{
    struct work *w = ctx;
    struct lore_json *root;

    LORE_LOCKED(&w->lock);
    fill(w, 5);
    if (w->json)
        /* A caller that can do without must not take the want of memory for bad JSON. */
        (void)!lore_json_parse(w->json, strlen(w->json), NULL, &w->arena, &root, err);
    w->came_to_end = true;
    return LORE_OK;
}

static void
assert_free(struct work *w)
{
    assert_int_equal(pthread_mutex_trylock(&w->lock), 0);
    pthread_mutex_unlock(&w->lock);
    assert_int_equal(lore_guard_limit(), 0);
}

static void
expect_over(struct work *w)
{
    struct lore_err err = {0};

    w->came_to_end = false;
    assert_int_equal(lore_guarded(LIMIT, work, w, &err), LORE_TOOBIG);
    assert_string_equal(err.code, "over_memory");
    assert_true(err.hint[0] != '\0');
    assert_false(w->came_to_end);
    assert_free(w);
}

static void
work_within_its_limit_is_not_touched(void **state)
{
    struct work *w = *state;

    w->wanted = LIMIT / 2;
    assert_int_equal(lore_guarded(LIMIT, work, w, NULL), LORE_OK);
    assert_true(w->came_to_end);
    assert_free(w);
}

static void
work_over_its_limit_ends_and_releases_what_it_held(void **state)
{
    struct work *w = *state;

    w->wanted = 2 * LIMIT;
    for (int i = 0; i < 3; i++) { /* it can be done again */
        expect_over(w);
        assert_true(w->arena.used <= LIMIT);
    }
}

static void
memory_of_a_block_counts_too(void **state)
{
    struct work *w = *state;

    w->wanted = 2 * LIMIT;
    w->in_scratch = true;
    expect_over(w);
}

static void
json_that_does_not_fit_ends_the_work_and_is_not_called_bad(void **state)
{
    struct work *w = *state;
    char *text = malloc(LIMIT + 3);

    text[0] = '[';
    for (size_t i = 1; i < LIMIT; i += 2)
        memcpy(text + i, "1,", 2);
    memcpy(text + LIMIT - 1, "1]", 3);
    w->json = text;
    expect_over(w);
    free(text);
}

static enum lore_status
outer_work(void *ctx, struct lore_err *err)
{
    struct work *w = ctx;

    w->inner = lore_guarded(LIMIT, work, w, err);
    assert_int_equal(lore_guard_limit(), 4 * LIMIT);
    return LORE_OK;
}

static void
guards_nest(void **state)
{
    struct work *w = *state;

    w->wanted = 2 * LIMIT;
    assert_int_equal(lore_guarded(4 * LIMIT, outer_work, w, &(struct lore_err){0}), LORE_OK);
    assert_int_equal(w->inner, LORE_TOOBIG);
    assert_free(w);
}

static enum lore_status
fill_kept(void *ctx, struct lore_err *err)
{
    struct work *w = ctx;

    w->arena.kept = true;
    return work(ctx, err);
}

static void
memory_that_outlives_the_work_is_not_counted(void **state)
{
    struct work *w = *state;

    w->wanted = 2 * LIMIT;
    assert_int_equal(lore_guarded(LIMIT, fill_kept, w, NULL), LORE_OK);
    assert_true(w->came_to_end);
}

/* Not unwound: what it belongs to would stay half-made. */
static void
memory_that_outlives_the_work_ends_the_program_past_its_own_ceiling(void **state)
{
    struct work *w = *state;
    int status = 0;
    pid_t child;

    w->wanted = 2 * LIMIT;
    w->arena.limit = LIMIT;
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};

        setrlimit(RLIMIT_CORE, &none);
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        signal(SIGABRT, SIG_DFL);
        (void)!lore_guarded(LIMIT, fill_kept, w, NULL);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(work_within_its_limit_is_not_touched, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            work_over_its_limit_ends_and_releases_what_it_held, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_of_a_block_counts_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            json_that_does_not_fit_ends_the_work_and_is_not_called_bad, set_up, tear_down),
        cmocka_unit_test_setup_teardown(guards_nest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            memory_that_outlives_the_work_is_not_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            memory_that_outlives_the_work_ends_the_program_past_its_own_ceiling, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
