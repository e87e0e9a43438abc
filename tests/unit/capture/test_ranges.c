// uses: capture
/* Which text says what a thread's launches compute, while ranges are pushed and popped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/capture/ranges.h"

static struct lore_channel *channel;
static char dir[] = "/tmp/lore-ranges-XXXXXX";

static _Thread_local uint32_t now; /* what the vendor's part was told last */

static void
told(uint32_t before, uint32_t id)
{
    assert_int_equal(before, now);
    assert_int_not_equal(before, id);
    now = id;
}

static int
start(void **state)
{
    struct lore_cap_start s = {.backend = "test"};

    (void)state;
    channel = mkdtemp(dir) ? lore_channel_begin(dir, &s) : NULL;
    lore_ranges_start(channel, told);
    return channel ? 0 : -1;
}

static int
stop(void **state)
{
    char path[PATH_MAX];
    DIR *d = opendir(dir);
    struct dirent *e;

    (void)state;
    lore_channel_end(channel);
    while (d && (e = readdir(d))) {
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        unlink(path);
    }
    closedir(d);
    return rmdir(dir);
}

static uint32_t
id(const char *text)
{
    return lore_channel_name(channel, text);
}

/* The range TEXT has the text WANTED; "": it is of no interest. */
static void
is_text(const char *text, const char *wanted)
{
    lore_ranges_push(0, text);
    assert_int_equal(lore_ranges_current(NULL), *wanted ? id(wanted) : 0);
    assert_int_equal(lore_ranges_current(NULL), now);
    lore_ranges_pop(0);
    assert_int_equal(now, 0);
}

static void
what_differs_between_calls_is_left_out(void **state)
{
    char longest[2000];

    (void)state;
    is_text("aten::mm, seq = 12, op_id = 40, sizes = [[64, 32], [32, 16]], input_op_ids = [(39,0)]",
        "aten::mm, sizes = [[64, 32], [32, 16]]");
    is_text("aten::mm, sizes = [[64, 32], [32, 16]]", "aten::mm, sizes = [[64, 32], [32, 16]]");
    is_text("warplore:gemm M=1,N=2", "warplore:gemm M=1,N=2");
    is_text("aten::mm, seq = 12", "");
    is_text("aten::mm, sizes = [[64, 32", "");
    is_text("forward", "");
    is_text("", "");
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    memcpy(longest, "warplore:", 9);
    is_text(longest, "");
}

static void
the_innermost_operator_holds_and_what_warplore_names_wins(void **state)
{
    const char *mm = "aten::mm, seq = 1, sizes = [[4, 5], [5, 6]]", *gemm = "warplore:gemm M=4";

    (void)state;
    assert_int_equal(lore_ranges_current(NULL), 0);
    lore_ranges_pop(0); /* more pops than pushes */
    lore_ranges_push(0, "forward");
    assert_int_equal(lore_ranges_current(NULL), 0);
    lore_ranges_push(0, mm);
    assert_int_equal(lore_ranges_current(NULL), id("aten::mm, sizes = [[4, 5], [5, 6]]"));
    lore_ranges_push(0, "aten::softmax, sizes = [[4, 5], []]");
    assert_int_equal(lore_ranges_current(NULL), id("aten::softmax, sizes = [[4, 5], []]"));
    lore_ranges_pop(0);
    lore_ranges_push(0, NULL);
    lore_ranges_push(0, gemm);
    lore_ranges_push(0, mm);
    assert_int_equal(lore_ranges_current(NULL), id(gemm));
    lore_ranges_push(0, "warplore:softmax");
    assert_int_equal(lore_ranges_current(NULL), id("warplore:softmax"));
    for (int i = 0; i < 4; i++)
        lore_ranges_pop(0);
    assert_int_equal(lore_ranges_current(NULL), id("aten::mm, sizes = [[4, 5], [5, 6]]"));
    lore_ranges_pop(0);
    lore_ranges_pop(0);
    assert_int_equal(lore_ranges_current(NULL), 0);
}

static void
ranges_deeper_than_are_kept_close_again(void **state)
{
    (void)state;
    lore_ranges_push(0, "warplore:gemm");
    for (int i = 0; i < 1000; i++)
        lore_ranges_push(0, "warplore:deeper");
    assert_int_equal(lore_ranges_current(NULL), id("warplore:deeper"));
    for (int i = 0; i < 1000; i++)
        lore_ranges_pop(0);
    assert_int_equal(lore_ranges_current(NULL), id("warplore:gemm"));
    lore_ranges_pop(0);
    assert_int_equal(lore_ranges_current(NULL), 0);
}

static void
domains_close_their_own_ranges(void **state)
{
    (void)state;
    assert_int_equal(lore_ranges_push(0, "warplore:gemm"), 0);
    assert_int_equal(lore_ranges_push(3, "warplore:softmax"), 0);
    assert_int_equal(lore_ranges_pop(0), 0);
    assert_int_equal(lore_ranges_current(NULL), id("warplore:softmax"));
    assert_int_equal(lore_ranges_pop(0), -1);
    assert_int_equal(lore_ranges_pop(3), 0);
    assert_int_equal(lore_ranges_current(NULL), 0);
}

static void *
look(void *out)
{
    *(uint32_t *)out = lore_ranges_current(NULL);
    return NULL;
}

static void
a_thread_has_ranges_of_its_own(void **state)
{
    uint32_t other = 7;
    pthread_t thread;

    (void)state;
    lore_ranges_push(0, "warplore:gemm");
    assert_int_equal(pthread_create(&thread, NULL, look, &other), 0);
    pthread_join(thread, NULL);
    assert_int_equal(other, 0);
    lore_ranges_pop(0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_differs_between_calls_is_left_out),
        cmocka_unit_test(the_innermost_operator_holds_and_what_warplore_names_wins),
        cmocka_unit_test(ranges_deeper_than_are_kept_close_again),
        cmocka_unit_test(domains_close_their_own_ranges),
        cmocka_unit_test(a_thread_has_ranges_of_its_own),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
