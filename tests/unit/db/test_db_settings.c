// uses: verdicts recommend
// Which versions are one configuration: the database and the memory of moves must say the same.
#include "db/feed_moves.h"
#include "db/settings.h"
#include "service/moves/moves.h"
#include "service/moves/trials.h"
#include "tests/unit/db_fixture.h"

enum { VERSIONS = 400, KERNELS = 8 };

/* Values of parameters; those that say the same stand side by side. */
static const char *const a_values[] = {"1", "1.0", "true", "'1'", "'true'", "-0", "0", "false",
    "0.1", "1e-1", "0.10000000000000001", "0.25", "-1", "4096", "4.096e3"};
static const char *const b_values[] = {
    "'x'", "'\\u0078'", "'x\\ny'", "'x\\u000ay'", "'{\\'params\\':{'", "2"};
static const char *const kinds[] = {"candidate", "baseline", "candidate", "library"};

static uint64_t seed = 1;

static size_t
draw(size_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(seed >> 33) % n;
}
#define ONE_OF(list) list[draw(sizeof list / sizeof *list)]

/* Parameters a and b, one of them or none, in either order. */
static const char *
draw_params(struct fixture *f)
{
    const char *a = lore_format(&f->arena, "'a':%s", ONE_OF(a_values));
    const char *b = lore_format(&f->arena, "'b':%s", ONE_OF(b_values));

    switch (draw(6)) {
    case 0:
        return "{}";
    case 1:
        return lore_format(&f->arena, "{%s}", a);
    case 2:
        return lore_format(&f->arena, "{%s}", b);
    case 3:
        return lore_format(&f->arena, "{%s,%s}", a, b);
    default:
        return lore_format(&f->arena, "{%s,%s}", b, a);
    }
}

static const char *
version_id(struct fixture *f, size_t i)
{
    return lore_format(&f->arena, "01J000000000000000000V%04zu", i);
}

/* Kernels of two operators, with two names each, two of each. */
static void
draw_versions(struct fixture *f)
{
    struct lore_buf b = {0};

    lore_buf_puts(&b, "'kernels':[");
    for (size_t i = 0; i < KERNELS; i++)
        lore_buf_printf(&b, "%s{'id':'@K%zu','operator':'%s','name':'%s','language':'%s'}",
            i > 0 ? "," : "", i, i % 2 ? "softmax" : "gemm", i / 2 % 2 ? "row" : "column",
            i < 4 ? "cuda" : "hip");
    lore_buf_puts(&b, "],'versions':[");
    for (size_t i = 0; i < VERSIONS; i++)
        lore_buf_printf(&b, "%s{'id':'%s','kernel':'@K%zu','kind':'%s','params':%s}",
            i > 0 ? "," : "", version_id(f, i), draw(KERNELS), ONE_OF(kinds), draw_params(f));
    lore_buf_putc(&b, ']');
    take(f, "D1", b.data);
    lore_buf_free(&b);
}

static const char *
configuration(struct fixture *f, const char *version)
{
    LORE_STMT q = lore_sql(f->db, "SELECT" LORE_CONFIGURATION("$1"));
    const char *text;

    lore_bind_text(&q, 1, version);
    assert_true(lore_row(&q));
    text = lore_col_text(&q, 0, &f->arena);
    ok(f, lore_done(&q, &f->err));
    return text;
}

static bool
tell(void *trials, const struct lore_trial_version *v)
{
    lore_trials_version(trials, v);
    return true;
}

/* Pairs that are one configuration; every one of them must be so in both. */
static size_t
compare(struct fixture *f, const struct lore_trials *t)
{
    const char *has[VERSIONS];
    uint32_t state[VERSIONS];
    size_t same = 0;

    for (size_t i = 0; i < VERSIONS; i++) {
        has[i] = configuration(f, version_id(f, i));
        state[i] = lore_trials_state(t, version_id(f, i));
        for (size_t k = 0; k < i; k++) {
            bool one = strcmp(has[i], has[k]) == 0;
            if (one != (state[i] == state[k] && state[i] != LORE_MOVES_NONE))
                fail_msg("versions %zu and %zu: %s and %s, %u and %u", k, i, has[k], has[i],
                    state[k], state[i]);
            same += one;
        }
    }
    return same;
}

static void
versions_are_one_where_the_memory_of_moves_takes_them_for_one(void **state)
{
    struct fixture *f = *state;
    struct lore_trials *t = lore_trials_new();
    struct lore_rebuilt done;
    int64_t last = 0;

    draw_versions(f);
    ok(f, lore_db_each_trial_version(f->db, 0, tell, t, &last, &f->err));
    assert_true(compare(f, t) > 30);
    ok(f, lore_verdicts_rebuild(f->db, NOW, &done, &f->err));
    assert_true(compare(f, t) > 30);
    lore_trials_free(t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            versions_are_one_where_the_memory_of_moves_takes_them_for_one, fixture_open,
            fixture_close),
    };

    return cmocka_run_group_tests_name("db settings", tests, NULL, NULL);
}
