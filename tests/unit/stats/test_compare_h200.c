// uses: stats m
/* Comparisons that ran on an H200 (tests/fixtures/compare/h200.json, made by
 * tests/gpu/compare/repeats.py): the kept times of their processes give the same answers, at the
 * same look, and the answers keep what docs/compare.md promises. Real times have two modes and far
 * outliers, which no simulation was asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "service/base/json.h"
#include "service/stats/compare.h"
#include "tests/unit/near.h"

enum { MOST_PAIRS = LORE_COMPARE_ROUNDS * LORE_COMPARE_ROUND };

struct session {
    int64_t more_pct, rounds; /* what B does more; when it was decided */
    const char *verdict;
    double low, median, high;
    double a[MOST_PAIRS], b[MOST_PAIRS];
    size_t pairs;
};
struct repeats {
    struct lore_arena arena;
    const struct lore_json *sessions;
};

static int
setup(void **state)
{
    static struct repeats r;
    struct lore_json *root = NULL;
    struct lore_buf text = {0};

    if (lore_file_read(SOURCE_DIR "/tests/fixtures/compare/h200.json", &text, NULL) != LORE_OK)
        return 1;
    if (lore_json_parse(text.data, text.len, NULL, &r.arena, &root, NULL) != LORE_OK)
        return 1;
    r.sessions = lore_json_get(root, "sessions");
    *state = &r;
    lore_buf_free(&text);
    return !r.sessions;
}

static int
teardown(void **state)
{
    lore_arena_free(&((struct repeats *)*state)->arena);
    return 0;
}

static size_t
times(const struct lore_json *session, const char *key, double out[MOST_PAIRS])
{
    size_t n = 0;

    for (const struct lore_json *v = lore_json_get(session, key)->child; v; v = v->next) {
        assert_true(n < MOST_PAIRS);
        out[n++] = v->is_int ? (double)v->i : v->f;
    }
    return n;
}

static void
read_session(const struct lore_json *node, struct session *s)
{
    memset(s, 0, sizeof *s);
    assert_int_equal(LORE_OK, lore_json_i64(node, "more_pct", &s->more_pct, NULL));
    assert_int_equal(LORE_OK, lore_json_i64(node, "rounds", &s->rounds, NULL));
    assert_int_equal(LORE_OK, lore_json_text(node, "verdict", &s->verdict, NULL));
    assert_int_equal(LORE_OK, lore_json_f64(node, "low", &s->low, NULL));
    assert_int_equal(LORE_OK, lore_json_f64(node, "median", &s->median, NULL));
    assert_int_equal(LORE_OK, lore_json_f64(node, "high", &s->high, NULL));
    s->pairs = times(node, "a_ns", s->a);
    assert_int_equal(s->pairs, times(node, "b_ns", s->b));
}

/* The session once more from its times: the last look's comparison, and after how many rounds. */
static size_t
decide(const struct session *s, struct lore_arena *arena, struct lore_comparison *out)
{
    struct lore_compare_plan plan;
    size_t rounds = 0;

    assert_int_equal(
        LORE_OK, lore_compare_plan(LORE_COMPARE_ROUNDS, LORE_COMPARE_CONFIDENCE, &plan, NULL));
    memset(out, 0, sizeof *out);
    while ((rounds + 1) * LORE_COMPARE_ROUND <= s->pairs &&
           out->verdict == LORE_COMPARE_INCONCLUSIVE) {
        rounds++;
        if (lore_compare_due(&plan, rounds))
            assert_int_equal(LORE_OK,
                lore_compare_pairs((struct lore_pairs){s->a, s->b, rounds * LORE_COMPARE_ROUND},
                    plan.alpha, LORE_COMPARE_MIN_EFFECT, arena, out, NULL));
    }
    return rounds;
}

static void
each_session_is_decided_as_it_was_on_the_device(void **state)
{
    struct repeats *r = *state;

    for (const struct lore_json *node = r->sessions->child; node; node = node->next) {
        struct lore_arena own = {0};
        struct lore_comparison c;
        struct session s;
        read_session(node, &s);
        assert_int_equal(s.rounds, decide(&s, &own, &c));
        assert_int_equal(s.pairs, c.n);
        assert_string_equal(s.verdict, lore_compare_verdict_name(c.verdict));
        assert_near(s.low, c.low, 1e-9);
        assert_near(s.median, c.speedup, 1e-9);
        assert_near(s.high, c.high, 1e-9);
        lore_arena_free(&own);
    }
}

/* How many sessions with MORE_PCT there are, and how many of them are decided as VERDICT when all
 * times of B are FACTOR times as long. */
static size_t
count(const struct repeats *r, int64_t more_pct, double factor, enum lore_compare_verdict verdict,
    size_t *all)
{
    size_t n = 0;

    *all = 0;
    for (const struct lore_json *node = r->sessions->child; node; node = node->next) {
        struct lore_arena own = {0};
        struct lore_comparison c;
        struct session s;
        read_session(node, &s);
        for (size_t i = 0; i < s.pairs; i++)
            s.b[i] *= factor;
        if (s.more_pct == more_pct) {
            (void)decide(&s, &own, &c);
            n += c.verdict == verdict;
            *all += 1;
        }
        lore_arena_free(&own);
    }
    return n;
}

static void
two_copies_of_a_kernel_never_differ(void **state)
{
    size_t all, differ = 0;

    differ += count(*state, 0, 1, LORE_COMPARE_WIN, &all);
    differ += count(*state, 0, 1, LORE_COMPARE_LOSS, &all);
    assert_int_equal(100, all);
    assert_int_equal(0, differ);
}

static void
three_percent_more_work_is_always_found(void **state)
{
    size_t all;
    size_t found = count(*state, 3, 1, LORE_COMPARE_LOSS, &all);

    assert_int_equal(101, all);
    assert_int_equal(all, found);
}

/* The pairs end where the copies were decided, so a look or two may be missing here. */
static void
two_percent_put_onto_the_times_is_always_found_and_one_percent_mostly(void **state)
{
    size_t all;

    assert_int_equal(100, count(*state, 0, 1.02, LORE_COMPARE_LOSS, &all));
    assert_true(count(*state, 0, 1.01, LORE_COMPARE_LOSS, &all) >= 70);
    assert_int_equal(0, count(*state, 0, 1.01, LORE_COMPARE_WIN, &all));
    assert_true(count(*state, 0, 1 / 1.01, LORE_COMPARE_WIN, &all) >= 70);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_session_is_decided_as_it_was_on_the_device),
        cmocka_unit_test(two_copies_of_a_kernel_never_differ),
        cmocka_unit_test(three_percent_more_work_is_always_found),
        cmocka_unit_test(two_percent_put_onto_the_times_is_always_found_and_one_percent_mostly),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
