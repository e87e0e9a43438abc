// uses: verdicts
// Derived tables made again from facts: what readers see stays, verdicts that changed keep history.
#include "db/curated.h"
#include "db/experiment_list.h"
#include "db/feed.h"
#include "db/files.h"
#include "db/put.h"
#include "db/query.h"
#include "service/board/board.h"
#include "service/recommend/recommend.h"
#include "tests/unit/db_fixture.h"

#include "db/rebuild.h"

static const struct lore_experiment_filter any = {.disagrees = -1, .masked = -1, .page.limit = 500};

static void
put_file(struct fixture *f, const char *name)
{
    struct lore_buf text = {0};

    ok(f, lore_file_read(
              lore_format(&f->arena, SOURCE_DIR "/tests/fixtures/%s", name), &text, &f->err));
    ok(f, put(f, lore_strndup(&f->arena, text.data, text.len)));
    lore_buf_free(&text);
}

static int
open_filled(void **state)
{
    fixture_open(state);
    put_file(*state, "submissions/full.json");
    put_file(*state, "demo/kernel-forge.json");
    put_file(*state, "demo/kernel-opt-skill.json");
    return 0;
}

static const char *
text_or(const char *s)
{
    return s ? s : "-";
}

static bool
print_evidence(void *ctx, const struct lore_evidence_in *in)
{
    lore_buf_printf(ctx, "evidence %lld %s %s %s %s %s %s %u %d %d %d %d %d %d %.17g\n",
        (long long)in->seq, in->experiment, in->op, text_or(in->family), in->language,
        text_or(in->chip), text_or(in->technique), in->labels, (int)in->effect,
        (int)in->correctness, in->process_broken, in->masked, (int)in->evidence, in->said_lost,
        in->speedup);
    return true;
}

static bool
print_entry(void *ctx, const struct lore_entry *in)
{
    lore_buf_printf(ctx, "entry %lld %s %s %s %.17g %.17g %d %d %d %d %u\n", (long long)in->seq,
        text_or(in->run), text_or(in->experiment), text_or(in->chip), in->time_ns, in->speedup,
        (int)in->effect, (int)in->correctness, in->masked, in->said_lost, in->labels);
    return true;
}

static void
print_lists(struct fixture *f, struct lore_buf *out)
{
    struct lore_experiment_row *rows;
    size_t n;

    ok(f, lore_db_list_experiments(f->db, &any, &f->arena, &rows, &n, &f->err));
    assert_true(n > 3);
    for (size_t i = 0; i < n; i++) {
        const struct lore_outcome_row *o = &rows[i].outcome;

        lore_buf_printf(out, "row %s %s %s %s %s %s %s %.17g %d %lld %d\n", rows[i].e.id,
            rows[i].op, text_or(rows[i].e.chip), o->policy, o->effect, o->correctness, o->process,
            o->speedup.v, o->disagrees, (long long)o->at_us, rows[i].masked);
    }
}

static void
print_facets(struct fixture *f, struct lore_buf *out)
{
    struct lore_facets all;

    ok(f, lore_count_facets(f->db, &any, &f->arena, &all, &f->err));
    for (int i = 0; i < LORE_FACET_COUNT; i++)
        for (size_t k = 0; k < all.of[i].n; k++)
            lore_buf_printf(
                out, "%d %s %lld\n", i, all.of[i].v[k].name, (long long)all.of[i].v[k].n);
}

static void
print_hits(struct fixture *f, struct lore_buf *out)
{
    static const char *const words[] = {"softmax", "vector", "loads", "memory", "kernel", "cuda",
        "bandwidth", "the", "register", "hip", "tile"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct lore_found_hits hits;

        ok(f, lore_search(f->db, &(struct lore_search_for){words[i], NULL, 0, 500}, &f->arena,
                  &hits, &f->err));
        for (size_t k = 0; k < hits.n; k++)
            lore_buf_printf(out, "%s %s %s %s %s %.17g\n", words[i], hits.rows[k].kind,
                hits.rows[k].id, hits.rows[k].title, hits.rows[k].snippet, hits.rows[k].rank);
    }
}

/* Everything that readers get from derived tables, as text in the fixture. */
static const char *
all_that_is_read(struct fixture *f)
{
    struct lore_buf out = {0};
    const char *text;
    int64_t last;

    print_lists(f, &out);
    print_facets(f, &out);
    print_hits(f, &out);
    ok(f, lore_db_each_evidence(f->db, 0, print_evidence, &out, &last, &f->err));
    ok(f, lore_db_each_run_entry(f->db, 0, print_entry, &out, &last, &f->err));
    ok(f, lore_db_each_claim_entry(f->db, 0, print_entry, &out, &last, &f->err));
    text = lore_strndup(&f->arena, out.data, out.len);
    lore_buf_free(&out);
    return text;
}

static void
run_sql(struct fixture *f, const char *sql)
{
    ok(f, lore_db_exec(f->db, sql, &f->err));
}

static const char *
newest_experiment(struct fixture *f)
{
    struct lore_experiment_filter newest = any;
    struct lore_experiment_row *rows;
    size_t n;

    newest.page.limit = 1;
    ok(f, lore_db_list_experiments(f->db, &newest, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 1);
    return rows[0].e.id;
}

static void
emptied_tables_are_filled_as_they_were(void **state)
{
    struct fixture *f = *state;
    const char *before;
    struct lore_rebuilt done;

    ok(f, lore_mask_put(f->db, newest_experiment(f),
              &(struct lore_mask_row){true, "bad clock", "cu", NOW}, 0, &f->err));
    before = all_that_is_read(f);
    run_sql(f, "DELETE FROM drv_experiment; DELETE FROM drv_outcome; DELETE FROM drv_search");
    ok(f, lore_verdicts_rebuild(f->db, NOW, &done, &f->err));
    assert_string_equal(all_that_is_read(f), before);
    assert_int_equal(done.experiments, count(f, "fact_experiment"));
    assert_int_equal(done.verdicts, done.experiments);
    assert_true(done.search > done.experiments);
    ok(f, lore_db_check(f->db, &f->err));
}

static void
a_rebuild_of_what_is_right_changes_nothing(void **state)
{
    struct fixture *f = *state;
    const char *before = all_that_is_read(f);
    struct lore_rebuilt done;
    int64_t n;

    ok(f, lore_verdicts_rebuild(f->db, NOW + 5, &done, &f->err));
    assert_int_equal(done.verdicts, 0);
    assert_string_equal(all_that_is_read(f), before);
    ok(f, lore_db_verify_events(f->db, &n, &f->err));
    assert_int_equal(n, 1); /* the rebuild itself */
}

static void
a_verdict_of_another_policy_is_superseded_and_stays_in_the_history(void **state)
{
    struct fixture *f = *state;
    const char *experiment = newest_experiment(f);
    struct lore_outcome_row *rows;
    struct lore_rebuilt done;
    size_t n;

    run_sql(f, "UPDATE drv_outcome SET policy = 'older@0', effect = 'neutral'"
               " WHERE experiment = (SELECT max(seq) FROM fact_experiment)");
    ok(f, lore_verdicts_rebuild(f->db, NOW + 7, &done, &f->err));
    assert_int_equal(done.verdicts, 1);
    ok(f, lore_db_list_outcomes(f->db, experiment, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 2);
    assert_string_not_equal(rows[0].policy, "older@0");
    assert_int_equal(rows[0].at_us, NOW + 7);
    assert_int_equal(rows[0].superseded_us, 0);
    assert_string_equal(rows[1].policy, "older@0");
    assert_int_equal(rows[1].superseded_us, NOW + 7);
}

/* The one refused here stands for any end before the commit. */
static void
a_rebuild_that_fails_has_changed_nothing(void **state)
{
    struct fixture *f = *state;
    const char *before = all_that_is_read(f);
    struct lore_rebuilt done = {-1, -1, -1};

    run_sql(f, "CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.drv_experiment"
               " WHEN new.seq = (SELECT max(seq) FROM fact_experiment)"
               " BEGIN SELECT raise(ABORT, 'no'); END");
    assert_int_not_equal(lore_verdicts_rebuild(f->db, NOW + 9, &done, &f->err), LORE_OK);
    assert_int_equal(done.search, -1);
    assert_string_equal(all_that_is_read(f), before);
    run_sql(f, "DROP TRIGGER refuse");
    ok(f, lore_verdicts_rebuild(f->db, NOW + 9, &done, &f->err));
    assert_string_equal(all_that_is_read(f), before);
}

/* The names of the techniques of experiment ID, as "slug (raw)". */
static const char *
techniques_of(struct fixture *f, const char *id)
{
    struct lore_experiment_row row;
    const char *out = "";

    ok(f, lore_db_get_experiment(f->db, id, &f->arena, &row, &f->err));
    for (size_t i = 0; i < row.e.n_techniques; i++)
        out = lore_format(&f->arena, "%s%s (%s) ", out, row.e.techniques[i].name,
            text_or(row.e.techniques[i].raw));
    return out;
}

static void
a_name_that_somebody_explains_is_resolved_again(void **state)
{
    struct fixture *f = *state;
    struct lore_rebuilt done;
    int64_t n = -1;

    ok(f, put(f, "{\"warplore\":1,\"id\":\"01JB0000000000000000000901\",\"kernels\":[{\"id\":"
                 "\"01JB0000000000000000000902\",\"operator\":\"softmax\",\"name\":\"z\","
                 "\"language\":\"cuda\"}],\"experiments\":[{\"id\":"
                 "\"01JB0000000000000000000903\",\"kernel\":\"01JB0000000000000000000902\","
                 "\"techniques\":[\"zigzag walk\",\"quux\"]}]}"));
    ok(f, lore_names_again(f->db, false, &n, &f->err));
    assert_int_equal(n, 0);
    ok(f, put(f, "{\"warplore\":1,\"id\":\"01JB0000000000000000000904\",\"techniques\":[{\"id\":"
                 "\"01JB0000000000000000000905\",\"technique\":\"L2 swizzle\","
                 "\"slug\":\"zigzag_walk\"}]}"));
    assert_string_equal(techniques_of(f, "01JB0000000000000000000903"),
        "memory.l2_grouped_ordering (zigzag walk) quux (-) ");
    ok(f, put(f, "{\"warplore\":1,\"id\":\"01JB0000000000000000000906\",\"experiments\":[{\"id\":"
                 "\"01JB0000000000000000000907\",\"kernel\":\"01JB0000000000000000000902\","
                 "\"techniques\":[\"zigzag_walk\"]}]}"));
    assert_string_equal(techniques_of(f, "01JB0000000000000000000907"),
        "memory.l2_grouped_ordering (zigzag_walk) ");
    ok(f, lore_names_again(f->db, false, &n, &f->err));
    assert_int_equal(n, 0);
    ok(f, lore_db_exec(f->db,
              "UPDATE fact_experiment_technique SET technique = 'zigzag_walk'"
              " WHERE raw = 'zigzag walk'",
              &f->err));
    ok(f, lore_names_again(f->db, false, &n, &f->err));
    assert_int_equal(n, 1);
    ok(f, lore_verdicts_rebuild(f->db, NOW + 9, &done, &f->err));
    assert_string_equal(techniques_of(f, "01JB0000000000000000000903"),
        "memory.l2_grouped_ordering (zigzag walk) quux (-) ");
    ok(f, lore_names_again(f->db, false, &n, &f->err));
    assert_int_equal(n, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            emptied_tables_are_filled_as_they_were, open_filled, fixture_close),
        cmocka_unit_test_setup_teardown(
            a_rebuild_of_what_is_right_changes_nothing, open_filled, fixture_close),
        cmocka_unit_test_setup_teardown(
            a_verdict_of_another_policy_is_superseded_and_stays_in_the_history, open_filled,
            fixture_close),
        cmocka_unit_test_setup_teardown(
            a_rebuild_that_fails_has_changed_nothing, open_filled, fixture_close),
        cmocka_unit_test_setup_teardown(
            a_name_that_somebody_explains_is_resolved_again, open_filled, fixture_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
