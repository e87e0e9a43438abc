// uses: verdicts
// Finding experiments: facets, text, lists, and what feeds the in-memory indexes.
#include "db/curated.h"
#include "db/experiment_list.h"
#include "db/feed.h"
#include "db/put.h"
#include "db/query.h"
#include "service/base/text.h"
#include "service/board/board.h"
#include "service/catalogue/catalogue.h"
#include "service/recommend/recommend.h"
#include "service/verdicts/gather.h"
#include "tests/unit/db_fixture.h"

#define ID(tail) "01J000000000000000000000" tail
#define EXPERIMENT(tail, kernel, title, technique, label, chip, before, after)                     \
    "{\"id\":\"" ID(tail) "\",\"kernel\":\"" ID(                                                   \
        kernel) "\",\"title\":\"" title "\",\"techniques\":[\"" technique                          \
                "\"],\"bottleneck\":\"" label "\",\"chip\":\"" chip                                \
                "\",\"claim\":{\"latency_before_ns\":" before ",\"latency_after_ns\":" after "}}"

static const char some[] =
    "{\"warplore\":1,\"id\":\"" ID(
        "D1") "\",\"kernels\":["
              "{\"id\":\"" ID(
                  "K1") "\",\"operator\":\"softmax\",\"name\":\"soft\",\"language\":\"cuda\"},"
                        "{\"id\":\"" ID(
                            "K2") "\",\"operator\":\"gemm\",\"name\":\"mm\",\"language\":\"hip\"}],"
                                  "\"versions\":[{\"id\":\"" ID("V1") "\",\"kernel\":\"" ID(
                                      "K1") "\",\"kind\":\"baseline\","
                                            "\"summary\":\"naive three pass softmax\"},"
                                            "{\"id\":\"" ID(
                                                "V2") "\",\"kernel\":\"" ID("K1") "\",\"kind\":"
                                                                                  "\"candidate\","
                                                                                  "\"label\":"
                                                                                  "\"v2\"}],"
                                                                                  "\"environments\""
                                                                                  ":[{\"id\":\"" ID("E1") "\",\"chip\":\"h200\",\"hard\":{\"driver\":\"1\"}},"
                                                                                                          "{\"id\":\"" ID(
                                                                                                              "E2") "\",\"chip\":\"h200\",\"hard\":{\"driver\":\"2\"}}],"
                                                                                                                    "\"runs\":[{\"id\":\"" ID("R1") "\",\"version\":\"" ID("V1") "\",\"environment\":\"" ID("E1") "\",\"workload\":{\"dims\":{\"M\":8}},\"samples_ns\":[200,201,202,203,204,205],"
                                                                                                                                                                                                                  "\"diagnoses\":[\"memory\"]},"
                                                                                                                                                                                                                  "{\"id\":\"" ID("R2") "\",\"version\":\"" ID("V2") "\",\"environment\":\"" ID("E2") "\",\"workload\":{\"dims\":{\"M\":8}},\"samples_ns\":[100,101,102],\"correctness\":{\"status\":"
                                                                                                                                                                                                                                                                                                      "\"pass\"}},"
                                                                                                                                                                                                                                                                                                      "{\"id\":\"" ID(
                                                                                                                                                                                                                                                                                                          "R3") "\",\"version\":\"" ID("V2") "\",\"environment\":\"" ID("E2") "\",\"workload\":{\"dims\":{\"M\":8}},\"samples_ns\":[103,104,105],\"correctness\":{\"status\":"
                                                                                                                                                                                                                                                                                                                                                                              "\"fail\"}}],"
                                                                                                                                                                                                                                                                                                                                                                              "\"hypotheses\":[{\"id\":\"" ID(
                                                                                                                                                                                                                                                                                                                                                                                  "H1") "\",\"claim\":\"coalescing pays on wide rows\"}],"
                                                                                                                                                                                                                                                                                                                                                                                        "\"experiments\":[" EXPERIMENT("X1", "K1", "Vector loads",
                                                                                                                                                                                                                                                                                                                                                                                            "memory.vectorized_access",
                                                                                                                                                                                                                                                                                                                                                                                            "memory", "h200", "200", "100") "," EXPERIMENT("X2",
                                                                                                                                                                                                                                                                                                                                                                                            "K1", "Vector loads again", "memory.vectorized_access", "memory+sync", "mi300x", "100", "200") "," EXPERIMENT("X3", "K2", "Bigger tiles", "big_tiles", "compute", "mi300x", "100", "99.9") ","
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                       "{\"id\":\"" ID(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "X4") "\",\"kernel\":\"" ID("K1") "\",\"hypothesis\":\"" ID("H1") "\","
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "\"from_version\":\"" ID("V1") "\",\"to_version\":\"" ID("V2") "\",\"runs_before\":[\"" ID("R1") "\"],\"runs_after\":[\"" ID(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "R2") "\",\"" ID("R3") "\"],\"techniques\":[\"a\",\"fill_me_tag\"],"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        "\"notes\":\"registers spilled; see c++ \\\"notes\\\" (x*y)\"}],"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        "\"insights\":[{\"id\":\"" ID("N1") "\",\"kind\":\"note\",\"title\":\"Watch the registers\","
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            "\"body\":\"spilling kills softmax\"}]}";

static int
open_filled(void **state)
{
    fixture_open(state);
    return put(*state, some);
}

static const struct lore_experiment_filter any = {.disagrees = -1, .masked = -1, .page.limit = 50};

static size_t
found(struct fixture *f, struct lore_experiment_filter filter, struct lore_experiment_row **rows)
{
    size_t n = 0;
    int64_t total = -1;

    ok(f, lore_db_list_experiments(f->db, &filter, &f->arena, rows, &n, &f->err));
    ok(f, lore_count_total(f->db, &filter, &total, &f->err));
    assert_int_equal(n, total);
    return n;
}

static void
lists_go_newest_first_and_page_by_seq(void **state)
{
    struct fixture *f = *state;
    struct lore_experiment_filter filter = any;
    struct lore_experiment_row *rows;
    size_t n = found(f, filter, &rows);

    assert_int_equal(n, 4);
    assert_string_equal(rows[0].e.id, ID("X4"));
    assert_string_equal(rows[3].e.id, ID("X1"));
    assert_string_equal(rows[3].outcome.effect, "win");
    assert_string_equal(rows[3].e.techniques[0].name, "memory.vectorized_access");
    filter.page.limit = 1;
    filter.page.before = rows[1].seq;
    ok(f, lore_db_list_experiments(f->db, &filter, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 1);
    assert_string_equal(rows[0].e.id, ID("X2"));
}

static void
every_facet_restricts(void **state)
{
    struct fixture *f = *state;
    struct lore_experiment_row *r;
    struct lore_experiment_filter x;
    const char *const chips[] = {"mi300x", "mi308x"};

#define FOUND(count, ...)                                                                          \
    x = (struct lore_experiment_filter){.disagrees = -1, .page.limit = 50, __VA_ARGS__};           \
    assert_int_equal(found(f, x, &r), count)
    FOUND(3, .op = "softmax");
    FOUND(1, .op = "gemm");
    FOUND(0, .op = "no_such");
    FOUND(3, .family = lore_operator_find("softmax")->family);
    FOUND(1, .language = "hip");
    FOUND(2, .technique = "memory.vectorized_access");
    FOUND(1, .effect = "loss", .chip = "mi300x", .op = "softmax");
    FOUND(2, .chips = chips, .n_chips = 2);
    FOUND(2, .label = "memory");
    FOUND(1, .label = "sync");
    FOUND(1, .kernel = ID("K2"));
    FOUND(1, .version = ID("V2"));
    FOUND(1, .correctness = "fail");
    FOUND(4, .process = NULL);
    FOUND(0, .masked = 1);
    FOUND(1, .text = "tile");
    FOUND(2, .text = "vector load");
    FOUND(1, .text = "vector load", .chip = "mi300x");
    FOUND(0, .text = "?!*");
}

static int64_t
in_facet(struct fixture *f, const struct lore_experiment_filter *filter, enum lore_facet facet,
    const char *name)
{
    struct lore_facets all;
    const struct lore_counts *c = &all.of[facet];
    int64_t total;

    ok(f, lore_count_facets(f->db, filter, &f->arena, &all, &f->err));
    ok(f, lore_count_total(f->db, filter, &total, &f->err));
    assert_int_equal(all.total, total);
    for (size_t i = 0; i < c->n; i++) {
        assert_true(i == 0 || c->v[i - 1].n >= c->v[i].n);
        if (strcmp(c->v[i].name, name) == 0)
            return c->v[i].n;
    }
    return 0;
}

static void
a_facet_leaves_its_own_restriction_out(void **state)
{
    struct fixture *f = *state;
    struct lore_experiment_filter x = any;

    x.op = "softmax";
    x.chip = "mi300x";
    assert_int_equal(in_facet(f, &x, LORE_FACET_CHIP, "h200"), 2); /* X4 has its runs' chip */
    assert_int_equal(in_facet(f, &x, LORE_FACET_CHIP, "mi300x"), 1);
    assert_int_equal(in_facet(f, &x, LORE_FACET_OPERATOR, "gemm"), 1);
    assert_int_equal(in_facet(f, &x, LORE_FACET_OPERATOR, "softmax"), 1);
    assert_int_equal(in_facet(f, &x, LORE_FACET_TECHNIQUE, "memory.vectorized_access"), 1);
    assert_int_equal(in_facet(f, &x, LORE_FACET_TECHNIQUE, "big_tiles"), 0);
    assert_int_equal(in_facet(f, &x, LORE_FACET_LABEL, "sync"), 1);
    assert_int_equal(in_facet(f, &x, LORE_FACET_LANGUAGE, "cuda"), 1);
    assert_int_equal(in_facet(f, &x, LORE_FACET_EFFECT, "loss"), 1);
    assert_int_equal(in_facet(f, &any, LORE_FACET_EVIDENCE, "claimed"), 3);
    x = any;
    x.text = "vector";
    assert_int_equal(in_facet(f, &x, LORE_FACET_LABEL, "memory"), 2);
    x.text = "?!*";
    assert_int_equal(in_facet(f, &x, LORE_FACET_LABEL, "memory"), 0);
}

static void
restrictions_on_techniques_and_labels_hold_for_the_other_facets(void **state)
{
    struct fixture *f = *state;
    struct lore_experiment_filter x = any;
    const char *const chips[] = {"mi300x", "mi308x"};

    x.technique = "fill_me_tag";
    assert_int_equal(in_facet(f, &x, LORE_FACET_TECHNIQUE, "memory.vectorized_access"), 2);
    assert_int_equal(in_facet(f, &x, LORE_FACET_TECHNIQUE, "a"), 1);
    assert_int_equal(in_facet(f, &x, LORE_FACET_CHIP, "h200"), 1);
    assert_int_equal(in_facet(f, &x, LORE_FACET_CHIP, "mi300x"), 0);
    x = any;
    x.label = "sync";
    assert_int_equal(in_facet(f, &x, LORE_FACET_LABEL, "compute"), 1);
    assert_int_equal(in_facet(f, &x, LORE_FACET_CHIP, "mi300x"), 1);
    x = any;
    x.chips = chips;
    x.n_chips = 2;
    assert_int_equal(in_facet(f, &x, LORE_FACET_OPERATOR, "softmax"), 1);
    assert_int_equal(in_facet(f, &x, LORE_FACET_CHIP, "h200"), 2);
    x.technique = "big_tiles"; /* two restrictions: a facet leaves out only its own */
    assert_int_equal(in_facet(f, &x, LORE_FACET_OPERATOR, "softmax"), 0);
    assert_int_equal(in_facet(f, &x, LORE_FACET_TECHNIQUE, "memory.vectorized_access"), 1);
}

static size_t
hits(struct fixture *f, const char *text, const char *kind, struct lore_hit **rows)
{
    struct lore_found_hits found;

    ok(f, lore_search(
              f->db, &(struct lore_search_for){text, kind, 0, 20}, &f->arena, &found, &f->err));
    assert_false(found.bounded);
    *rows = found.rows;
    return found.n;
}

static void
search_finds_every_kind_and_marks_the_words(void **state)
{
    struct fixture *f = *state;
    struct lore_hit *h;

    assert_int_equal(hits(f, "registers", NULL, &h), 2);
    assert_int_equal(hits(f, "registers", "insight", &h), 1);
    assert_string_equal(h[0].id, ID("N1"));
    assert_non_null(strstr(h[0].snippet, "\x02registers\x03"));
    assert_int_equal(hits(f, "naive", NULL, &h), 1);
    assert_string_equal(h[0].kind, "version");
    assert_int_equal(hits(f, "coalesc", NULL, &h), 2); /* the hypothesis and its experiment */
    assert_int_equal(hits(f, "nowhere", NULL, &h), 0);
}

static void
no_character_means_anything_to_the_search(void **state)
{
    struct fixture *f = *state;
    struct lore_hit *h;
    static const char *const nasty[] = {"\"", "\"\"", "*", "a*b", "NEAR(", "NEAR(a b, 2)", "AND",
        "OR", "a AND", "NOT x", "(", ")", "^a", "title:", "title:a", "-a", "+a", "{a b}:c", "a\"b",
        "'", ";--", "c++", "\xc3\xbc", "…", "%", "\\", "a . b", "\x02", " ", "", "a:b:c",
        "rank MATCH 'x'"};

    for (size_t i = 0; i < sizeof nasty / sizeof *nasty; i++) {
        hits(f, nasty[i], NULL, &h);
        struct lore_experiment_filter x = any;
        struct lore_experiment_row *rows;

        x.text = nasty[i];
        found(f, x, &rows);
    }
    assert_int_equal(hits(f, "(x*y)", NULL, &h), 1);
}

static void
the_verdict_is_made_from_all_runs_of_a_side(void **state)
{
    struct fixture *f = *state;
    struct lore_gathered g;
    struct lore_outcome o;

    ok(f, lore_gather(f->db, ID("X4"), true, &f->arena, &g, &f->err));
    struct lore_outcome_in in = g.in;
    assert_int_equal(in.before.n, 6);
    assert_int_equal(in.after.n, 6);
    assert_int_equal(in.after.samples_ns[3], 103);
    assert_int_equal(in.n_correctness, 2);
    assert_int_equal(in.correctness[1], LORE_C_FAIL);
    lore_outcome_derive(&in, &f->arena, &o);
    assert_string_equal(o.rules, "one_variable,placeholder_technique,environment_differs");
    assert_int_equal(lore_gather(f->db, ID("XX"), true, &f->arena, &g, &f->err), LORE_NOTFOUND);
}

static void
a_new_verdict_supersedes_and_keeps_the_old(void **state)
{
    struct fixture *f = *state;
    struct lore_outcome_row o = {.effect = "loss",
        .correctness = "pass",
        .process = "clean",
        .policy = "other@2",
        .rules = "",
        .flags = "",
        .basis = "none",
        .speedup = {true, 0.5}};
    struct lore_outcome_row *rows;
    struct lore_experiment_filter x = any;
    struct lore_experiment_row *e;
    struct lore_fact_experiment fact;
    size_t n;

    ok(f, lore_fact_experiment(f->db, ID("X1"), &f->arena, &fact, &f->err));
    for (int i = 0; i < 2; i++) /* the second changes nothing */
        ok(f, lore_put_outcome(f->db, &fact, &o, NOW + 5, &f->err));
    ok(f, lore_verdicts_update_rows(f->db, &fact, &f->arena, &f->err));
    ok(f, lore_db_list_outcomes(f->db, ID("X1"), &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 2);
    assert_string_equal(rows[0].policy, "other@2");
    assert_int_equal(rows[0].superseded_us, 0);
    assert_int_equal(rows[1].superseded_us, NOW + 5);
    x.effect = "win";
    assert_int_equal(found(f, x, &e), 0);
    x.effect = "wrong_result";
    assert_int_equal(found(f, x, &e), 1); /* X4, by its samples */
    x.effect = "loss";
    assert_int_equal(found(f, x, &e), 2);
    x.effect = "neutral";
    assert_int_equal(found(f, x, &e), 1);
}

struct fed {
    size_t n, stop;
    char seen[16][40];
    double time_ns, speedup;
    bool masked;
};

static bool
take_evidence(void *ctx, const struct lore_evidence_in *in)
{
    struct fed *fed = ctx;

    snprintf(fed->seen[fed->n++], sizeof *fed->seen, "%.*s %s", 2, in->experiment + 24,
        in->technique != NULL ? in->technique : "-");
    fed->masked = in->masked;
    return fed->n != fed->stop;
}

static bool
take_entry(void *ctx, const struct lore_entry *in)
{
    struct fed *fed = ctx;

    snprintf(
        fed->seen[fed->n++], sizeof *fed->seen, "%s", (in->run ? in->run : in->experiment) + 24);
    fed->time_ns = in->time_ns;
    fed->speedup = in->speedup;
    return fed->n != fed->stop;
}

static void
evidence_is_one_row_per_technique_and_goes_on_where_it_stopped(void **state)
{
    struct fixture *f = *state;
    struct fed fed = {.stop = 2};
    int64_t last = 0;

    ok(f, lore_db_each_evidence(f->db, 0, take_evidence, &fed, &last, &f->err));
    assert_int_equal(fed.n, 2);
    fed.stop = 0;
    ok(f, lore_db_each_evidence(f->db, last, take_evidence, &fed, &last, &f->err));
    assert_int_equal(fed.n, 5);
    assert_string_equal(fed.seen[0], "X1 memory.vectorized_access");
    assert_string_equal(fed.seen[3], "X4 a");
    assert_string_equal(fed.seen[4], "X4 fill_me_tag");
    ok(f, lore_db_each_evidence(f->db, last, take_evidence, &fed, &last, &f->err));
    assert_int_equal(fed.n, 5);
}

static void
runs_and_experiments_feed_the_board(void **state)
{
    struct fixture *f = *state;
    struct fed runs = {0}, claims = {0};
    int64_t last = 0;

    ok(f, lore_db_each_run_entry(f->db, 0, take_entry, &runs, &last, &f->err));
    assert_int_equal(runs.n, 3);
    assert_true(runs.time_ns > 103.9 && runs.time_ns < 104.1);
    ok(f, lore_db_each_claim_entry(f->db, 0, take_entry, &claims, &last, &f->err));
    assert_int_equal(claims.n, 4);
    assert_string_equal(claims.seen[3], "X4");
    assert_true(claims.time_ns < 0.5); /* X4 has runs: the time is theirs */
    assert_int_equal(last, 4);
    claims = (struct fed){.stop = 1};
    ok(f, lore_db_each_claim_entry(f->db, 2, take_entry, &claims, &last, &f->err));
    assert_string_equal(claims.seen[0], "X3");
    assert_true(claims.time_ns > 99.8 && claims.time_ns < 100);
    assert_true(claims.speedup > 1.0 && claims.speedup < 1.01);
    assert_int_equal(last, 3);
}

static bool
take_time(void *ctx, const struct lore_evidence_in *in)
{
    int64_t *at_us = ctx;

    at_us[in->experiment[25] - 'A'] = in->at_us;
    return true;
}

static void
evidence_says_when_it_happened_but_not_later_than_it_came(void **state)
{
    static const char dated[] = "{\"warplore\":1,\"id\":\"%s\",\"experiments\":["
                                "{\"id\":\"%s\",\"kernel\":\"%s\",\"happened_at\":\"2020-06-01\"},"
                                "{\"id\":\"%s\",\"kernel\":\"%s\",\"happened_at\":\"2031-06-01\"},"
                                "{\"id\":\"%s\",\"kernel\":\"%s\"}]}";
    struct fixture *f = *state;
    int64_t at_us[3] = {0}, last = 0;

    ok(f, put(f, lore_format(&f->arena, dated, ID("D2"), ID("TA"), ID("K1"), ID("TB"), ID("K1"),
                     ID("TC"), ID("K1"))));
    ok(f, lore_db_each_evidence(f->db, 4, take_time, at_us, &last, &f->err));
    assert_int_equal(at_us[0], INT64_C(1590969600000000));
    assert_int_equal(at_us[1], NOW);
    assert_int_equal(at_us[2], 0); /* no date is not the date when it came */
}

static void
a_mask_hides_and_shows_again(void **state)
{
    struct fixture *f = *state;
    struct lore_mask_row *masks;
    struct lore_experiment_filter x = any;
    struct lore_experiment_row *rows;
    struct fed fed = {.stop = 1};
    int64_t last;
    size_t n;

    ok(f, lore_mask_put(
              f->db, ID("X1"), &(struct lore_mask_row){true, "bad clock", "cu", NOW}, 0, &f->err));
    x.masked = 1;
    assert_int_equal(found(f, x, &rows), 1);
    assert_true(rows[0].masked);
    ok(f, lore_db_each_evidence(f->db, 0, take_evidence, &fed, &last, &f->err));
    assert_true(fed.masked);
    ok(f, lore_mask_put(f->db, ID("X1"), &(struct lore_mask_row){false, "was fine", "cu", NOW + 1},
              0, &f->err));
    assert_int_equal(found(f, x, &rows), 0);
    ok(f, lore_db_list_masks(f->db, ID("X1"), &f->arena, &masks, &n, &f->err));
    assert_int_equal(n, 2);
    assert_string_equal(masks[1].reason, "bad clock");
    assert_int_equal(
        lore_mask_put(f->db, ID("XX"), &(struct lore_mask_row){true, "r", "a", NOW}, 0, &f->err),
        LORE_NOTFOUND);
}

static void
the_catalogue_counts_its_use(void **state)
{
    struct fixture *f = *state;
    struct lore_operator_row *ops;
    struct lore_technique_row *techniques;
    struct lore_chip_row *chips;
    size_t n;
    bool seen = false;

    ok(f, lore_db_list_chips(f->db, &f->arena, &chips, &n, &f->err));
    assert_int_equal(n, 2);
    assert_string_equal(chips[0].name, "h200");
    assert_int_equal(chips[0].runs, 3);
    assert_int_equal(chips[0].experiments, 2);
    ok(f, lore_db_list_techniques(f->db, &f->arena, &techniques, &n, &f->err));
    for (size_t i = 0; i < n; i++)
        if (strcmp(techniques[i].slug, "memory.vectorized_access") == 0) {
            seen = true;
            assert_int_equal(techniques[i].wins, 1);
            assert_int_equal(techniques[i].losses, 1);
            assert_true(techniques[i].known);
        }
    assert_true(seen);
    ok(f, lore_db_list_operators(f->db, &f->arena, &ops, &n, &f->err));
    seen = false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(ops[i].name, "gemm") == 0) {
            seen = true;
            assert_int_equal(ops[i].experiments, 1);
            assert_non_null(strstr(ops[i].aliases, "matmul"));
        }
    assert_true(seen);
}

static void
lists_of_other_nouns_filter_and_page(void **state)
{
    struct fixture *f = *state;
    struct lore_page page = {.limit = 50};
    struct lore_list_filter all = {.page = page};
    struct lore_kernel_row *k;
    struct lore_version_row *v;
    struct lore_run_row *r;
    struct lore_insight_row *i;
    struct lore_hypothesis_row *h;
    struct lore_document_row *d;
    struct lore_workload_row w;
    size_t n;

    ok(f, lore_db_list_kernels(f->db, &(struct lore_list_filter){.op = "gemm", .page = page},
              &f->arena, &k, &n, &f->err));
    assert_int_equal(n, 1);
    ok(f, lore_db_list_kernels(
              f->db, &(struct lore_list_filter){.page = {2, 5}}, &f->arena, &k, &n, &f->err));
    assert_int_equal(n, 1);
    assert_string_equal(k[0].k.id, ID("K1"));
    ok(f, lore_db_list_versions(f->db, &(struct lore_list_filter){.kernel = ID("K1"), .page = page},
              &f->arena, &v, &n, &f->err));
    assert_int_equal(n, 2);
    ok(f, lore_db_list_runs(f->db,
              &(struct lore_list_filter){.version = ID("V1"), .chip = "h200", .page = page},
              &f->arena, &r, &n, &f->err));
    assert_int_equal(n, 1);
    assert_int_equal(r[0].r.n_samples, 6);
    assert_string_equal(r[0].r.diagnoses[0].labels.v[0], "memory");
    ok(f, lore_db_get_workload(f->db, r[0].workload.id, &f->arena, &w, &f->err));
    assert_string_equal(w.dims, "{\"M\":8}");
    ok(f, lore_db_list_insights(f->db, &(struct lore_list_filter){.kind = "note", .page = page},
              &f->arena, &i, &n, &f->err));
    assert_int_equal(n, 1);
    ok(f, lore_db_list_hypotheses(f->db, &all, &f->arena, &h, &n, &f->err));
    assert_int_equal(n, 1);
    ok(f, lore_db_list_documents(f->db, &all, &f->arena, &d, &n, &f->err));
    assert_int_equal(n, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_filled, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lists_go_newest_first_and_page_by_seq),
        TEST(every_facet_restricts),
        TEST(a_facet_leaves_its_own_restriction_out),
        TEST(restrictions_on_techniques_and_labels_hold_for_the_other_facets),
        TEST(search_finds_every_kind_and_marks_the_words),
        TEST(no_character_means_anything_to_the_search),
        TEST(the_verdict_is_made_from_all_runs_of_a_side),
        TEST(a_new_verdict_supersedes_and_keeps_the_old),
        TEST(evidence_is_one_row_per_technique_and_goes_on_where_it_stopped),
        TEST(runs_and_experiments_feed_the_board),
        TEST(evidence_says_when_it_happened_but_not_later_than_it_came),
        TEST(a_mask_hides_and_shows_again),
        TEST(the_catalogue_counts_its_use),
        TEST(lists_of_other_nouns_filter_and_page),
    };

    return cmocka_run_group_tests_name("db query", tests, NULL, NULL);
}
