// uses: base
/* Arena memory: alignment, zeroing, independence of allocations, reuse, growth of arrays. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/base/arena.h"

static bool
all_bytes(const unsigned char *p, size_t n, unsigned char want)
{
    size_t i;

    for (i = 0; i < n; i++)
        if (p[i] != want)
            return false;
    return true;
}

static void
memory_is_zeroed_and_aligned_whatever_the_sizes(void **state)
{
    struct lore_arena a = {0};
    size_t size;
    int round;

    (void)state;
    for (round = 0; round < 3; round++) {
        for (size = 0; size < 3000; size = size * 3 / 2 + 1) {
            unsigned char *p = lore_alloc(&a, size);

            assert_non_null(p);
            assert_int_equal((uintptr_t)p % 16, 0);
            assert_true(all_bytes(p, size, 0));
            memset(p, 0xee, size);
        }
        lore_arena_reset(&a);
    }
    lore_arena_free(&a);
}

/* Small and large mixed, so that large ones get chunks of their own while a chunk stays in use. */
static void
allocations_do_not_touch_each_other(void **state)
{
    enum { N = 400 };
    struct lore_arena a = {0};
    unsigned char *p[N];
    size_t size[N], i;

    (void)state;
    for (i = 0; i < N; i++) {
        size[i] = i % 50 == 7 ? 300000 : i * 13 % 700;
        p[i] = lore_alloc(&a, size[i]);
        memset(p[i], (int)(i % 255 + 1), size[i]);
    }
    for (i = 0; i < N; i++)
        assert_true(all_bytes(p[i], size[i], (unsigned char)(i % 255 + 1)));
    lore_arena_free(&a);
}

static void
text_is_copied_with_its_end(void **state)
{
    struct lore_arena a = {0};
    char source[] = "mi300x";
    char *copy = lore_strdup(&a, source);

    (void)state;
    source[0] = 'X';
    assert_string_equal(copy, "mi300x");
    assert_string_equal(lore_strndup(&a, "gfx942:sramecc", 6), "gfx942");
    assert_string_equal(lore_strndup(&a, NULL, 0), "");
    assert_null(lore_strdup(&a, NULL));
    assert_memory_equal(lore_memdup(&a, "a\0b", 3), "a\0b", 3);
    lore_arena_free(&a);
}

static void
format_handles_short_and_long_text(void **state)
{
    struct lore_arena a = {0};
    char filler[1001];

    (void)state;
    memset(filler, 'z', 1000);
    filler[1000] = '\0';
    assert_string_equal(lore_format(&a, "%s-%d", "v", 3), "v-3");
    assert_int_equal(strlen(lore_format(&a, "<%s>", filler)), 1002);
    lore_arena_free(&a);
}

static void
push_grows_and_keeps_what_was_there(void **state)
{
    struct lore_arena a = {0};
    struct pair {
        int x, y;
    } *pairs = NULL;
    size_t n = 0, cap = 0;
    int i;

    (void)state;
    for (i = 0; i < 1000; i++) {
        struct pair *p = LORE_PUSH(&a, pairs, n, cap);

        assert_int_equal(p->x, 0);
        p->x = i;
        p->y = -i;
    }
    assert_int_equal(n, 1000);
    assert_true(cap >= n);
    for (i = 0; i < 1000; i++)
        assert_true(pairs[i].x == i && pairs[i].y == -i);
    lore_arena_free(&a);
}

static void
reset_forgets_the_bytes_but_not_the_ceiling(void **state)
{
    struct lore_arena a = {.limit = 1 << 20};
    void *first;

    (void)state;
    first = lore_alloc(&a, 100);
    (void)lore_alloc(&a, 200000);
    assert_true(a.used >= 200100);
    lore_arena_reset(&a);
    assert_int_equal(a.used, 0);
    assert_int_equal(a.limit, 1 << 20);
    assert_ptr_equal(lore_alloc(&a, 100), first);
    lore_arena_free(&a); /* nor does this */
    assert_int_equal(a.limit, 1 << 20);
    a.limit = 0;
    (void)lore_alloc(&a, 4 << 20);
    lore_arena_reset(&a); /* so much is not kept */
    assert_null(a.head);
    lore_arena_reset(&a); /* an unused arena is fine too */
}

/* In a child: does asking for N bytes under a ceiling of 1000 end the program? */
static bool
ends_the_program(size_t n)
{
    struct lore_arena a = {.limit = 1000};
    int status = 0;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        signal(SIGABRT, SIG_DFL);
        (void)lore_alloc(&a, 400);
        (void)lore_alloc(&a, n);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void
past_the_ceiling_the_program_ends(void **state)
{
    (void)state;
    assert_false(ends_the_program(500));
    assert_true(ends_the_program(601));
    assert_true(ends_the_program(SIZE_MAX));
    assert_true(ends_the_program(SIZE_MAX - 8));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned_whatever_the_sizes),
        cmocka_unit_test(allocations_do_not_touch_each_other),
        cmocka_unit_test(text_is_copied_with_its_end),
        cmocka_unit_test(format_handles_short_and_long_text),
        cmocka_unit_test(push_grows_and_keeps_what_was_there),
        cmocka_unit_test(reset_forgets_the_bytes_but_not_the_ceiling),
        cmocka_unit_test(past_the_ceiling_the_program_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
