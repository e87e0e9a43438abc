// uses: verdicts
// What is known beside runs and experiments: quotes that are checked, numbers that stand side by
// side, campaigns and directions with what was decided about them.
#include "db/experiment_list.h"
#include "db/knowledge.h"
#include "db/put_context.h"
#include "db/query.h"
#include "tests/unit/db_fixture.h"

#define SHEET                                                                                      \
    "'source_documents':[{'id':'@S1','title':'MI300X data sheet','path':'hw/mi300x.md','text':"    \
    "'# MI300X\\r\\n\\r\\n| Peak **HBM** bandwidth | `5.3`   TB/s |\\r\\nL2\\tcache: 4 MB\\n'},"   \
    "{'id':'@S2','title':'Wiki','path':'wiki/mi300x.md','text':'bandwidth 5.2 TB/s\\n5.3 TB/s'}]"

static int
open_sheet(void **state)
{
    fixture_open(state);
    take(*state, "D0", SHEET);
    return 0;
}

/* A spec of the bandwidth: id, value, source document, line, quote. */
static const char *
spec(struct fixture *f, const char *tail, const char *value, const char *source, int line,
    const char *quote)
{
    return lore_format(&f->arena,
        "'specs':[{'id':'@%s','chip':'mi300x','metric':'hbm_bandwidth','value':%s,'unit':'TB/s',"
        "'evidence_class':'vendor_published','source_document':'@%s','line':%d,'quote':'%s'}]",
        tail, value, source, line, quote);
}

static struct lore_spec_row
get_spec(struct fixture *f, const char *tail)
{
    struct lore_spec_row row;

    ok(f, lore_db_get_spec(f->db, id(f, tail), &f->arena, &row, &f->err));
    return row;
}

static void
a_quote_is_found_whatever_its_marks_and_spaces(void **state)
{
    struct fixture *f = *state;

    take(f, "D1", spec(f, "P1", "5.3", "S1", 3, "Peak HBM bandwidth 5.3 TB/s"));
    take(f, "D2", spec(f, "P2", "5.3", "S1", 3, " | `5.3` TB/s |"));
    take(f, "D3", spec(f, "P3", "5.3", "S1", 3, "**HBM** bandwidth | 5.3"));
    take(f, "D4", spec(f, "P4", "4", "S1", 4, "L2 cache: 4 MB"));
    take(f, "D5", spec(f, "P5", "5.3", "S2", 2, "5.3 TB/s"));
    assert_int_equal(count(f, "fact_spec"), 5);
    assert_string_equal(get_spec(f, "P5").path, "wiki/mi300x.md");
}

static void
a_quote_that_is_not_on_its_line_is_refused_and_the_line_shown(void **state)
{
    struct fixture *f = *state;

    refuse(f, spec(f, "P1", "5.4", "S1", 3, "HBM bandwidth 5.4 TB/s"), LORE_INVALID,
        "quote_not_found", "quote");
    assert_non_null(strstr(f->err.hint, "line 3 is: | Peak **HBM** bandwidth | `5.3`   TB/s |"));
    refuse(f, spec(f, "P1", "5.3", "S1", 4, "5.3 TB/s"), LORE_INVALID, "quote_not_found", "quote");
    refuse(f, spec(f, "P1", "5.3", "S1", 2, "5.3"), LORE_INVALID, "quote_not_found", "quote");
    refuse(f, spec(f, "P1", "5.3", "S1", 3, "**"), LORE_INVALID, "quote_not_found", "quote");
}

static void
values_of_one_metric_that_may_stand_side_by_side_are_bounded(void **state)
{
    struct fixture *f = *state;
    const char *all = "'specs':[";

    for (int i = 0; i <= 1000; i++)
        all = lore_format(&f->arena,
            "%s%s{'id':'01J0000000000000000000%04d','chip':'mi300x','metric':'l2_latency','unknown'"
            ":'no_source',"
            "'evidence_class':'vendor_published'}",
            all, i > 0 ? "," : "", 1000 + i);
    refuse(f, lore_format(&f->arena, "%s]", all), LORE_TOOBIG, "too_big", "metric");
    assert_int_equal(count(f, "fact_spec"), 0);
}

static void
a_number_is_quoted_whole(void **state)
{
    static const char *const not_said[] = {
        "3.35 TB/s", "13", "13.3", "35 TB/s", "232", "24", "1,02"};
    static const char *const said[] = {
        "13.35 TB/s", "bandwidth 13.35", "2*32", "1,024", "5.3", "is 8"};
    struct fixture *f = *state;

    take(f, "D1",
        "'source_documents':[{'id':'@S9','title':'t','path':'p','text':"
        "'bandwidth 13.35 TB/s, 2*32 GB, 1,024, **5**.3, is 8.'}]");
    for (size_t i = 0; i < sizeof not_said / sizeof *not_said; i++)
        refuse(
            f, spec(f, "P1", "1", "S9", 1, not_said[i]), LORE_INVALID, "quote_not_found", "quote");
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        take(f, lore_format(&f->arena, "E%zu", i),
            spec(f, lore_format(&f->arena, "Q%zu", i), "1", "S9", 1, said[i]));
}

static void
a_line_that_the_document_does_not_have_is_refused(void **state)
{
    struct fixture *f = *state;

    refuse(f, spec(f, "P1", "5.3", "S1", 5, "5.3"), LORE_INVALID, "line_not_found", "line");
    refuse(f, spec(f, "P1", "5.3", "S2", 3, "5.3"), LORE_INVALID, "line_not_found", "line");
}

static void
text_that_was_undone_is_not_quoted_from(void **state)
{
    struct fixture *f = *state;
#define ONE(text) "'source_documents':[{'id':'@S9','title':'t','path':'p','text':'" text "'}]"
    const char *quoting = spec(f, "P1", "1", "S9", 1, "two");

    refuse(f, lore_format(&f->arena, "%s,%s", ONE("one"), quoting), LORE_INVALID, "quote_not_found",
        "quote");
    take(f, "D1", lore_format(&f->arena, "%s,%s", ONE("two"), quoting));
}

static void
a_number_that_no_source_says_is_kept_as_unknown(void **state)
{
    struct fixture *f = *state;
    struct lore_spec_row row;

    take(f, "D1",
        "'specs':[{'id':'@P1','chip':'mi300x','metric':'l2_latency','unknown':'no_source',"
        "'evidence_class':'vendor_published'}]");
    row = get_spec(f, "P1");
    assert_false(row.r.value.set);
    assert_int_equal(row.r.unknown, LORE_MISS_NO_SOURCE);
    assert_false(row.selected);
    assert_null(row.path);
}

static void
one_value_is_in_force_and_two_are_not(void **state)
{
    struct fixture *f = *state;
    struct lore_spec_row *rows;
    size_t n;

    take(f, "D1", spec(f, "P1", "5.3", "S1", 3, "5.3"));
    assert_true(get_spec(f, "P1").selected);
    take(f, "D2", spec(f, "P2", "5.3", "S2", 2, "5.3"));
    assert_true(get_spec(f, "P1").selected); /* they agree: the oldest */
    assert_false(get_spec(f, "P2").selected);
    take(f, "D3", spec(f, "P3", "5.2", "S2", 1, "5.2"));
    ok(f,
        lore_db_list_specs(f->db,
            &(struct lore_list_filter){.chip = "mi300x", .metric = "hbm_bandwidth", .page = {0, 9}},
            &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++)
        assert_false(rows[i].selected);
}

#define DECIDE(q, action, tail)                                                                    \
    "'curations':[{'id':'@" q "','action':'" action "','subjects':['@" tail "'],'reason':'" action \
    " " tail "'}]"

static void
a_selection_decides_until_it_is_taken_back(void **state)
{
    struct fixture *f = *state;

    take(f, "D1", spec(f, "P1", "5.3", "S1", 3, "5.3"));
    take(f, "D2", spec(f, "P2", "5.2", "S2", 1, "5.2"));
    take(f, "D3", DECIDE("Q1", "select_spec", "P2"));
    assert_true(get_spec(f, "P2").selected);
    assert_string_equal(get_spec(f, "P2").why, "select_spec P2");
    assert_false(get_spec(f, "P1").selected);
    take(f, "D4", DECIDE("Q2", "reject_spec", "P2"));
    assert_true(get_spec(f, "P2").rejected);
    assert_false(get_spec(f, "P2").selected);
    assert_true(get_spec(f, "P1").selected); /* the only accepted one now */
    take(f, "D5", DECIDE("Q3", "retract", "Q2"));
    assert_false(get_spec(f, "P2").rejected);
    assert_true(get_spec(f, "P2").selected);
    take(f, "D6", DECIDE("Q4", "retract", "Q1"));
    assert_false(get_spec(f, "P2").selected);
    assert_false(get_spec(f, "P1").selected);
    take(f, "D7", DECIDE("Q5", "retract", "P1"));
    assert_true(get_spec(f, "P1").retracted);
    assert_string_equal(get_spec(f, "P1").why, "retract P1");
    assert_true(get_spec(f, "P2").selected);
}

static void
qualifiers_do_not_compete(void **state)
{
    struct fixture *f = *state;

    take(f, "D1",
        "'specs':[{'id':'@P1','chip':'mi300x','metric':'tflops','value':1307,'unit':'TFLOP/s',"
        "'qualifier':'dense','evidence_class':'vendor_published','source_document':'@S1','line':1,"
        "'quote':'MI300X'},{'id':'@P2','chip':'mi300x','metric':'tflops','value':2614,'unit':"
        "'TFLOP/s','qualifier':'sparse','evidence_class':'vendor_published','source_document':"
        "'@S1','line':1,'quote':'MI300X'}]");
    assert_true(get_spec(f, "P1").selected);
    assert_true(get_spec(f, "P2").selected);
}

#define KERNEL "'kernels':[{'id':'@K1','operator':'gemm','name':'k','language':'hip'}]"

static struct lore_campaign_row
get_campaign(struct fixture *f, const char *tail)
{
    struct lore_campaign_row row;

    ok(f, lore_db_get_campaign(f->db, id(f, tail), &f->arena, &row, &f->err));
    return row;
}

static void
a_campaign_counts_what_arrived_and_keeps_what_was_planned(void **state)
{
    struct fixture *f = *state;
    struct lore_experiment_filter of_it = {.disagrees = -1, .masked = -1, .page.limit = 9};
    struct lore_experiment_row *experiments;
    struct lore_campaign_row *rows, row;
    size_t n;

    take(f, "D1",
        KERNEL ",'campaigns':[{'id':'@C1','label':'run_1','kernel':'@K1',"
               "'iterations':4,'expected_records':3}]");
    take(f, "D2",
        "'experiments':[{'id':'@X1','kernel':'@K1','campaign':'@C1','iteration':1},"
        "{'id':'@X2','kernel':'@K1','campaign':'@C1','iteration':2},"
        "{'id':'@X3','kernel':'@K1'}]");
    of_it.campaign = id(f, "C1");
    ok(f, lore_db_list_experiments(f->db, &of_it, &f->arena, &experiments, &n, &f->err));
    assert_int_equal(n, 2);
    assert_string_equal(experiments[1].e.id, id(f, "X1"));
    row = get_campaign(f, "C1");
    assert_int_equal(row.arrived, 2);
    assert_int_equal(row.expected_records.v, 3);
    assert_false(row.closed);
    take(f, "D3",
        "'curations':[{'id':'@Q1','action':'amend','subjects':['@C1'],'reason':'less',"
        "'values':{'expected_records':2}}]");
    take(f, "D5",
        "'curations':[{'id':'@Q3','action':'amend','subjects':['@C1'],'reason':'more',"
        "'values':{'iterations':6}}]");
    row = get_campaign(f, "C1");
    assert_int_equal(row.expected_records.v, 2);
    assert_int_equal(row.iterations.v, 6);
    take(f, "D6", DECIDE("Q4", "retract", "Q3"));
    row = get_campaign(f, "C1");
    assert_int_equal(row.iterations.v, 4);
    assert_int_equal(row.r.expected_records.v, 3);
    take(f, "D4", DECIDE("Q2", "close", "C1"));
    ok(f, lore_db_list_campaigns(f->db,
              &(struct lore_list_filter){.kernel = id(f, "K1"), .page = {0, 9}}, &f->arena, &rows,
              &n, &f->err));
    assert_int_equal(n, 1);
    assert_true(rows[0].closed);
    assert_string_equal(rows[0].close_reason, "close C1");
}

/* Fewer than expected, and nothing came for a day. */
static void
a_campaign_that_fell_silent_alarms_without_being_closed(void **state)
{
    struct fixture *f = *state;
    struct lore_campaign_row row;
    struct lore_alarms alarms;

    take(f, "D1",
        KERNEL ",'campaigns':[{'id':'@C1','label':'a','kernel':'@K1','expected_records':2},"
               "{'id':'@C2','label':'b','kernel':'@K1'},{'id':'@C3','label':'c','kernel':'@K1',"
               "'expected_records':1,'ended_at':'2026-01-01T00:00:00Z'}]");
    take(f, "D2", "'experiments':[{'id':'@X1','kernel':'@K1','campaign':'@C1'}]");
    row = get_campaign(f, "C1");
    assert_true(row.last_us > 0);
    assert_null(lore_campaign_alarm(&row, row.last_us + LORE_QUIET_US - 1));
    assert_string_equal(lore_campaign_alarm(&row, row.last_us + LORE_QUIET_US), "quiet");
    ok(f, lore_db_list_alarms(f->db, row.last_us, 9, &f->arena, &alarms, &f->err));
    assert_int_equal(alarms.n, 1);
    assert_string_equal(alarms.rows[0].r.id, id(f, "C3"));
    assert_string_equal(lore_campaign_alarm(&alarms.rows[0], row.last_us), "ended");
    ok(f, lore_db_list_alarms(f->db, row.last_us + LORE_QUIET_US, 1, &f->arena, &alarms, &f->err));
    assert_int_equal(alarms.n, 1);
    assert_int_equal(alarms.total, 2);
    take(f, "D3",
        "'curations':[{'id':'@Q1','action':'amend','subjects':['@C2'],'reason':'one',"
        "'values':{'expected_records':1}},{'id':'@Q2','action':'amend','subjects':['@C1'],"
        "'reason':'less','values':{'expected_records':1}}]");
    ok(f, lore_db_list_alarms(
              f->db, row.last_us + 2 * LORE_QUIET_US, 9, &f->arena, &alarms, &f->err));
    assert_int_equal(alarms.n, 2);
    assert_string_equal(alarms.rows[1].r.id, id(f, "C2"));
    take(f, "D4", DECIDE("Q3", "close", "C2"));
    row = get_campaign(f, "C2");
    assert_string_equal(lore_campaign_alarm(&row, row.last_us), "closed");
}

static size_t
directions(struct fixture *f, const char *state)
{
    struct lore_direction_row *rows;
    size_t n = 0;

    ok(f, lore_db_list_directions(f->db,
              &(struct lore_list_filter){.kernel = id(f, "K1"), .state = state, .page = {0, 9}},
              &f->arena, &rows, &n, &f->err));
    return n;
}

static void
a_direction_is_open_until_it_is_closed_and_again_when_that_is_retracted(void **state)
{
    struct fixture *f = *state;

    take(f, "D1",
        KERNEL ",'directions':[{'id':'@G1','text':'try fp8','kernel':'@K1'},"
               "{'id':'@G2','text':'split k','kernel':'@K1'}]");
    assert_int_equal(directions(f, "open"), 2);
    take(f, "D2", DECIDE("Q1", "close", "G1"));
    assert_int_equal(directions(f, "open"), 1);
    assert_int_equal(directions(f, "closed"), 1);
    assert_int_equal(directions(f, NULL), 2);
    take(f, "D3", DECIDE("Q2", "retract", "Q1"));
    assert_int_equal(directions(f, "open"), 2);
}

static const char *
every_field(struct fixture *f)
{
    struct lore_buf text = {0};
    const char *copy;

    ok(f,
        lore_file_read(SOURCE_DIR "/tests/fixtures/submissions/every_field.json", &text, &f->err));
    copy = lore_strndup(&f->arena, text.data, text.len);
    lore_buf_free(&text);
    return copy;
}

static void
every_noun_is_found_by_its_words(void **state)
{
    static const struct {
        const char *text, *kind;
    } found[] = {{"data sheet", "source_document"}, {"wide loads", "technique"},
        {"run_1", "campaign"}, {"fp8", "direction"}};
    struct fixture *f = *state;

    ok(f, put(f, every_field(f)));
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        struct lore_found_hits hits;

        ok(f, lore_search(f->db, &(struct lore_search_for){found[i].text, found[i].kind, 0, 9},
                  &f->arena, &hits, &f->err));
        if (hits.n == 0)
            fail_msg("no %s says %s", found[i].kind, found[i].text);
    }
}

/* The lists of every_field.json, each alone under another document id. */
static void
every_noun_knows_its_duplicates_and_conflicts(void **state)
{
    static const char *const lists[] = {"source_documents", "specs", "techniques", "verifications",
        "campaigns", "directions", "curations"};
    struct fixture *f = *state;
    struct lore_json *root;

    ok(f, put(f, every_field(f)));
    ok(f, lore_json_parse(every_field(f), strlen(every_field(f)), NULL, &f->arena, &root, &f->err));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const struct lore_json *record = lore_json_get(root, lists[i])->child;
        struct lore_buf text = {0};
        struct lore_jsonw w;
        const char *again, *other;

        lore_jsonw_begin(&w, &text, false);
        lore_w_node(&w, record);
        ok(f, lore_jsonw_end(&w, &f->err));
        again = lore_format(&f->arena, "{\"warplore\":1,\"id\":\"%s\",\"%s\":[%s]}",
            id(f, lore_format(&f->arena, "A%zu", i)), lists[i], text.data);
        other = lore_format(&f->arena, "{\"warplore\":1,\"id\":\"%s\",\"%s\":[%.*s}]}",
            id(f, lore_format(&f->arena, "B%zu", i)), lists[i],
            (int)(strstr(text.data, ",\"extra\"") - text.data), text.data);
        f->last = LORE_PUT_STORED;
        ok(f, put(f, again));
        assert_int_equal(f->last, LORE_PUT_DUPLICATE);
        assert_int_equal(put(f, other), LORE_CONFLICT);
        assert_string_equal(f->err.path, "id");
        lore_buf_free(&text);
    }
}

static void
lists_filter_and_page(void **state)
{
    struct fixture *f = *state;
    struct lore_verification_row *v;
    struct lore_technique_def_row *t;
    struct lore_source_document_row *s = NULL;
    struct lore_curation_row *c;
    size_t n;

    ok(f, put(f, every_field(f)));
    ok(f, lore_db_list_verifications(f->db,
              &(struct lore_list_filter){
                  .version = id(f, "V2"), .technique = "memory.vectorized_access", .page = {0, 9}},
              &f->arena, &v, &n, &f->err));
    assert_int_equal(n, 1);
    ok(f, lore_db_list_verifications(f->db,
              &(struct lore_list_filter){.version = id(f, "V1"), .page = {0, 9}}, &f->arena, &v, &n,
              &f->err));
    assert_int_equal(n, 0);
    ok(f, lore_db_list_technique_defs(f->db,
              &(struct lore_list_filter){.technique = "memory.vectorized_access", .page = {0, 9}},
              &f->arena, &t, &n, &f->err));
    assert_int_equal(n, 1);
    ok(f, lore_db_list_source_documents(
              f->db, &(struct lore_list_filter){.page = {0, 1}}, &f->arena, &s, &n, &f->err));
    assert_int_equal(n, 1);
    ok(f, lore_db_list_source_documents(f->db, &(struct lore_list_filter){.page = {s[0].seq, 9}},
              &f->arena, &s, &n, &f->err));
    assert_int_equal(n, 0);
    ok(f, lore_db_list_curations(f->db,
              &(struct lore_list_filter){.subject = id(f, "X1"), .action = "merge", .page = {0, 9}},
              &f->arena, &c, &n, &f->err));
    assert_int_equal(n, 1);
    assert_string_equal(c[0].r.canonical, id(f, "X1"));
    assert_int_equal(
        lore_db_get_spec(f->db, id(f, "K1"), &f->arena, &(struct lore_spec_row){0}, &f->err),
        LORE_NOTFOUND);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_sheet, fixture_close)
#define ALONE(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_quote_is_found_whatever_its_marks_and_spaces),
        TEST(a_quote_that_is_not_on_its_line_is_refused_and_the_line_shown),
        TEST(a_number_is_quoted_whole),
        TEST(values_of_one_metric_that_may_stand_side_by_side_are_bounded),
        TEST(a_line_that_the_document_does_not_have_is_refused),
        TEST(text_that_was_undone_is_not_quoted_from),
        TEST(a_number_that_no_source_says_is_kept_as_unknown),
        TEST(one_value_is_in_force_and_two_are_not),
        TEST(a_selection_decides_until_it_is_taken_back),
        TEST(qualifiers_do_not_compete),
        TEST(a_campaign_counts_what_arrived_and_keeps_what_was_planned),
        TEST(a_campaign_that_fell_silent_alarms_without_being_closed),
        TEST(a_direction_is_open_until_it_is_closed_and_again_when_that_is_retracted),
        ALONE(every_noun_is_found_by_its_words),
        ALONE(every_noun_knows_its_duplicates_and_conflicts),
        ALONE(lists_filter_and_page),
    };

    return cmocka_run_group_tests_name("db knowledge", tests, NULL, NULL);
}
