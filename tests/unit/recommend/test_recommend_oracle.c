// uses: recommend m
/* The index by technique and operator against a plain pass over the rows (recommend_brute.h):
 * random memories with random later verdicts, masks, techniques and operators, steps among them,
 * random questions, with an operator, a family, both or neither; every number and every word must
 * be the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "service/recommend/recommend.h"
#include "service/stats/student.h"
#include "tests/unit/recommend_brute.h"

static uint64_t state;
static bool uniform;  /* all told of one chip, in one language: they differ in what they gained */
static bool learning; /* the model's numbers are others now and then */
static bool apart;    /* most is on one operator, and each operator has workloads of its own */

static uint32_t
below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) * n >> 31);
}

static const char *const ops[] = {"softmax", "layernorm", "rmsnorm", "gemm", "gemv", "frobnicate"};
static const char *const chips[] = {
    "a6000", "a4000", "sm_86", "a100", "h100-sxm", "mi300x", "gfx942", "mi250x", NULL};
static const char *const languages[] = {"cuda", "triton", "hip", "ck", NULL};
static const char *const techniques[] = {"memory.vectorized_access", "compute.warp_shuffle",
    "compute.loop_unroll", "memory.cache_hints", "idea_a", "idea_b", "baseline", "fill_me_tag",
    NULL};
static const char *const workloads[] = {"w0", "w1", "w2", "w3", "w4", "w5", "w6", NULL};
#define PICK(list) (list)[below(sizeof(list) / sizeof *(list))]

static const char *
id_of(uint32_t n)
{
    static const char *const times[] = {"01KAHVBV00", "01HXAHVBV0", "0000000000", "01FAHVBV00"};
    static char id[27];

    snprintf(id, sizeof id, "%s%016u", times[n % 4], (unsigned)n);
    return id;
}

/* One in five is told of another workload each time. */
static void
tell_apart(struct lore_evidence_in *in, uint32_t n)
{
    static char workload[32];
    uint64_t now = state;

    if (n % 5 != 0)
        state = n * 31 + 7;
    uint32_t number = below(2) ? below(3000) : below(9);
    if (n % 5 != 0)
        state = now;
    if (n % 4 != 0)
        in->op = "softmax";
    if (n % 151 == 0)
        in->technique = "idea_of_few";
    snprintf(workload, sizeof workload, "%s %u", in->op, (unsigned)number);
    in->workload = number == 8 ? NULL : workload;
}

/* Experiment N, the SEQ-th to come, as it is told now: what was measured changes from time to time,
 * what it is does not, but for the operator of one in three now and then. */
static struct lore_evidence_in
told(uint32_t n, uint32_t seq)
{
    uint64_t now = state;
    struct lore_evidence_in in = {.experiment = id_of(n), .seq = seq};

    state = n * 977 + 5;
    in.op = PICK(ops);
    in.chip = PICK(chips);
    in.language = PICK(languages);
    in.workload = PICK(workloads);
    in.evidence = (enum lore_evidence)below(LORE_EV_COUNT);
    in.technique = PICK(techniques);
    in.at_us = below(2) ? (int64_t)(1500 + below(400)) * 1000000 * 1000000 : 0;
    state = now;
    if (n % 3 != 0)
        in.technique = PICK(techniques);
    else if (below(8) == 0)
        in.op = PICK(ops);
    if (apart)
        tell_apart(&in, n);
    const struct lore_operator *known = lore_operator_find(in.op);
    in.family = known != NULL ? known->family : n % 2 ? "odd" : NULL;
    in.labels = below(3) == 0 ? 0 : 1u << below(4) | 1u << below(4);
    in.labels_derived = below(2);
    in.effect = (enum lore_effect)below(LORE_X_COUNT);
    in.correctness = below(4) != 0 ? LORE_C_PASS : (enum lore_check)below(LORE_C_COUNT);
    in.process_broken = below(8) == 0;
    in.masked = below(8) == 0;
    in.step = n % (apart ? 97 : 7) == 0;
    in.said_lost = below(5) == 0;
    in.share = below(6) == 0 ? (enum lore_share)below(3) : LORE_SHARE_OPEN;
    if (below(5) != 0)
        in.speedup = below(30) == 0 ? 25 : 0.5 + below(12) * 0.15;
    if (uniform) {
        in.chip = "a6000";
        in.language = "cuda";
        in.evidence = LORE_EV_MEASURED;
        in.labels = 1;
        in.speedup *= 1 + below(1000) * 1e-4;
    }
    return in;
}

static struct lore_question
asked(struct lore_shape *shape)
{
    const char *chip = PICK(chips), *language = PICK(languages);
    struct lore_question q = {.op = below(4) != 0 ? PICK(ops) : NULL,
        .chip = chip != NULL ? lore_chip_find(chip) : NULL,
        .language = language != NULL ? lore_language_find(language) : LORE_LANG_NONE,
        .labels = below(3) == 0 ? 0 : 1u << below(5),
        .workload = below(2) ? (apart ? "softmax 1" : PICK(workloads)) : NULL,
        .include_masked = below(6) == 0,
        .at_least = below(4) == 0 ? (enum lore_evidence)below(LORE_EV_COUNT) : LORE_EV_NONE,
        .limit = below(3) == 0 ? 2 : 0,
        .year = below(4) == 0 ? (uint8_t)(20 + below(10)) : 0};

    if (below(!q.op ? 2 : 8) == 0)
        q.family = below(3) ? "norm" : "odd";
    if (below(12) == 0)
        q.op = "nobody_has_heard_of_it";
    if (q.workload && below(2))
        q.shape = shape;
    return q;
}

static void
near_enough(double a, double b)
{
    if (fabs(a - b) > 1e-9 * fmax(1, fabs(b)))
        fail_msg("%.12g is not %.12g", a, b);
}

static void
same_cited(const struct lore_cited *c, const struct lore_scan *s, struct brute_ranked r)
{
    assert_string_equal(c->experiment, r.row->experiment);
    assert_int_equal(c->effect, r.row->effect);
    assert_int_equal(c->correctness, r.row->correctness);
    assert_int_equal(c->language, r.row->language);
    assert_int_equal(c->labels, r.row->labels);
    assert_int_equal(c->labels_derived, r.row->labels_derived);
    assert_int_equal(c->process_broken, r.row->process_broken);
    near_enough(c->weight, r.bearing);
    near_enough(c->alike, brute_read(s, r.row).alike);
    assert_int_equal(c->years_older, r.row->year == 0 ? 0 : abs(s->year - r.row->year));
    assert_int_equal(c->travel, brute_read(s, r.row).travel);
}

/* Among what may be cited, in the right order. */
static void
same_citations(const struct lore_advice *a, const struct lore_scan *s, const struct brute_cites *c)
{
    size_t won = 0, other = 0;

    for (size_t i = 0; i < a->n_cited; i++) {
        bool is_won =
            won < c->n_won && strcmp(a->cited[i].experiment, c->won[won].row->experiment) == 0;
        assert_true(is_won || other < c->n_other);
        same_cited(&a->cited[i], s, is_won ? c->won[won] : c->other[other]);
        won += is_won;
        other += !is_won;
    }
    size_t all = c->n_won + c->n_other;
    assert_int_equal(a->n_cited, all < LORE_CITED ? all : LORE_CITED);
}

static void
same_counts(const struct lore_advice *a, const struct lore_tried *t)
{
    assert_int_equal(a->won, t->effect[LORE_X_WIN]);
    assert_int_equal(a->neutral, t->effect[LORE_X_NEUTRAL]);
    assert_int_equal(a->lost, t->effect[LORE_X_LOSS]);
    assert_int_equal(a->inconclusive, t->effect[LORE_X_INCONCLUSIVE]);
    assert_int_equal(a->not_measured, t->effect[LORE_X_NOT_MEASURED]);
    assert_int_equal(a->tried_here, t->here);
    assert_int_equal(a->won_here, t->won_here);
    assert_int_equal(a->lost_here, t->lost_here);
    for (int i = 0; i < LORE_T_COUNT; i++)
        assert_int_equal(a->by_travel[i], t->travel[i]);
    assert_int_equal(a->process_faults, t->process_faults);
    assert_int_equal(a->incorrect, t->incorrect);
    assert_int_equal(a->said_lost, t->said_lost);
    assert_int_equal(a->inert, t->inert);
    assert_int_equal(a->absent, t->absent);
    assert_int_equal(a->alike, t->alike);
    near_enough(a->effective_n, t->effective_n);
}

static void
same_advice(const struct lore_advice *a, const struct lore_scan *s, const struct lore_candidate *c,
    const struct brute_cites *cites)
{
    assert_string_equal(a->technique, c->slug);
    near_enough(a->p_win.value, c->e.p);
    double width;
    near_enough(a->p_win.low, lore_estimate_p_win(&c->e, &width).low);
    near_enough(a->gain.value, c->e.gain);
    near_enough(a->gain.high, c->e.gain + lore_student_quantile(c->e.nu, 0.95) * c->e.spread);
    if (!cites)
        return;
    same_counts(a, c->tried);
    same_citations(a, s, cites);
    assert_string_equal(a->why, lore_words_why(s, c->tried, &cites->seen));
    assert_int_equal(a->workloads, cites->n_workloads);
    assert_int_equal(a->worst_in != NULL, cites->worst != NULL);
    if (cites->worst)
        assert_string_equal(a->worst_in, cites->worst->experiment);
    assert_false(a->sampled);
}

static void
same_answer(const struct lore_answer *a, const struct brute_answer *b)
{
    const struct lore_scan *s = &b->s;

    assert_int_equal(a->considered, s->considered);
    assert_int_equal(a->matched, s->matched);
    assert_int_equal(a->on_operator, s->on_operator);
    assert_int_equal(a->on_chip, s->on_chip);
    near_enough(a->base_rate, s->judged > 0 ? (double)s->wins / (double)s->judged : 0);
    assert_int_equal(a->n_advice, b->lists.advice.n);
    assert_int_equal(a->n_avoid, b->lists.avoid.n);
    assert_int_equal(a->n_untried, b->lists.untried.n);
    for (size_t i = 0; i < a->n_advice; i++)
        same_advice(&a->advice[i], s, &b->lists.advice.v[i], &b->cites[i]);
    for (size_t i = 0; i < a->n_avoid; i++)
        same_advice(&a->avoid[i], s, &b->lists.avoid.v[i], &b->cites[a->n_advice + i]);
    for (size_t i = 0; i < a->n_untried; i++)
        same_advice(&a->untried[i], s, &b->lists.untried.v[i], NULL);
    assert_int_equal(a->n_similar, b->n_similar);
    for (size_t i = 0; i < a->n_similar; i++)
        same_cited(&a->similar[i], s, b->similar[i]);
    assert_string_equal(a->summary, lore_words_summary(s, a->empty));
}

static void
know_shapes(struct lore_evidence_index *ix, struct lore_kv *dims)
{
    for (size_t i = 0; i < 6; i++) {
        char rows[8];
        dims[0] = (struct lore_kv){"N", rows};
        snprintf(rows, sizeof rows, "%d", 64 << i);
        struct lore_kvs kvs = {.v = dims, .n = 1, .cap = 1};
        lore_evidence_workload(
            ix, i < 4 ? "softmax" : "gemm", workloads[i], &(struct lore_shape){.dims = &kvs});
    }
}

/* Other numbers for what is learned, or the priors. */
static void
learn_something(void)
{
    double numbers[LORE_M_COUNT];

    lore_model_priors(numbers);
    for (int i = LORE_M_TRAVEL_CHIP; i <= LORE_M_RECENCY_YEAR; i++)
        if (i != LORE_M_SHAPE_WIDTH)
            numbers[i] =
                lore_model_clamp((enum lore_model_index)i, numbers[i] * (80 + below(40)) / 100);
    lore_model_use(below(4) ? numbers : NULL);
}

/* N facts about up to EXPERIMENTS experiments, and QUESTIONS asked on the way. */
static void
live(uint64_t seed, uint32_t n, uint32_t experiments, uint32_t questions)
{
    struct lore_evidence_index *ix = lore_evidence_new();
    struct brute b = {.ix = ix};
    struct lore_arena arena = {0};
    struct lore_kv dims[1] = {{"N", "200"}};
    uint32_t *seq = calloc(experiments, sizeof *seq), last = 0;

    state = seed;
    know_shapes(ix, dims);
    dims[0] = (struct lore_kv){"N", "200"};
    struct lore_kvs kvs = {.v = dims, .n = 1, .cap = 1};
    struct lore_shape shape = {.dims = &kvs};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number = below(experiments);
        if (seq[number] == 0)
            seq[number] = ++last;
        struct lore_evidence_in in = told(number, seq[number]);
        lore_evidence_add(ix, &in);
        brute_add(&b, &in, true);
        if (i % (n / questions + 1) != 0 && i != n - 1)
            continue;
        if (learning && below(2))
            learn_something();
        struct lore_question q = asked(&shape);
        struct lore_answer a;
        struct brute_answer plain;
        lore_recommend(ix, &q, &arena, &a);
        brute_recommend(&b, &q, &arena, &plain);
        same_answer(&a, &plain);
        assert_int_equal(lore_evidence_count(ix), b.n);
        lore_arena_reset(&arena);
    }
    free(b.rows);
    free(seq);
    lore_arena_free(&arena);
    lore_evidence_free(ix);
}

static void
small_memories_answer_as_a_plain_pass_does(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 60; seed++)
        live(seed, 40, 25, 40);
}

static void
larger_memories_with_many_corrections_do_too(void **unused)
{
    (void)unused;
    for (uint64_t seed = 100; seed < 106; seed++)
        live(seed, 2500, 1500, 60);
}

/* An experiment's rows share its credit whatever came between them. */
static void
one_experiment_with_many_techniques_is_one(void **unused)
{
    (void)unused;
    for (uint64_t seed = 200; seed < 205; seed++)
        live(seed, 300, 6, 60);
}

/* Few experiments, each told about forty times: with other verdicts, masks, and operators. */
static void
what_moved_many_times_is_counted_where_it_is(void **unused)
{
    (void)unused;
    for (uint64_t seed = 300; seed < 304; seed++)
        live(seed, 6000, 150, 60);
}

/* Then cells are large, and which groups are looked at depends on the largest effect in them. */
static void
what_differs_in_its_gain_alone_is_found_by_it(void **unused)
{
    (void)unused;
    uniform = true;
    for (uint64_t seed = 400; seed < 404; seed++)
        live(seed, 2500, 1500, 60);
    uniform = false;
}

/* What was added up before by other numbers is added up again, sooner or later. */
static void
numbers_learned_on_the_way_are_those_of_the_next_answer(void **unused)
{
    (void)unused;
    learning = true;
    for (uint64_t seed = 500; seed < 520; seed++)
        live(seed, 600, 300, 60);
    learning = false;
    lore_model_use(NULL);
}

/* Then on how many it was tried is known without its rows, but where they are many for few rows. */
static void
workloads_of_one_operator_are_counted_as_they_come_and_go(void **unused)
{
    (void)unused;
    apart = true;
    for (uint64_t seed = 600; seed < 620; seed++)
        live(seed, 400, 150, 60);
    for (uint64_t seed = 620; seed < 622; seed++)
        live(seed, 6000, 4000, 60);
    apart = false;
}

/* Of a technique with very many rows the second look takes a part: what is counted and cited stays
 * exact, the median and the shapes are of that part. */
static void
what_was_tried_very_often_is_sampled_and_says_so(void **unused)
{
    struct lore_evidence_index *ix = lore_evidence_new();
    struct brute b = {.ix = ix};
    struct lore_arena arena = {0};
    struct lore_answer a;
    struct brute_answer plain;
    struct lore_question q = {.op = "softmax", .chip = lore_chip_find("a6000")};
    (void)unused;

    state = 7;
    for (uint32_t i = 0; i < 60000; i++) {
        struct lore_evidence_in in = told(i, i + 1);
        in.technique = below(4) ? "idea_a" : "idea_b";
        in.masked = in.step = false;
        lore_evidence_add(ix, &in);
        brute_add(&b, &in, false);
        b.rows[b.n - 1].siblings = 1;
    }
    lore_recommend(ix, &q, &arena, &a);
    brute_recommend(&b, &q, &arena, &plain);
    assert_int_equal(a.considered, 60000);
    assert_int_equal(a.n_advice + a.n_avoid, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct lore_advice *got = i < a.n_advice ? &a.advice[i] : &a.avoid[i - a.n_advice];
        const struct lore_candidate *want =
            i < a.n_advice ? &plain.lists.advice.v[i] : &plain.lists.avoid.v[i - a.n_advice];
        assert_string_equal(got->technique, want->slug);
        near_enough(got->p_win.value, want->e.p);
        near_enough(got->gain.value, want->e.gain);
        same_counts(got, want->tried);
        same_citations(got, &plain.s, &plain.cites[i]);
        assert_string_equal(got->worst_in, plain.cites[i].worst->experiment);
        assert_int_equal(got->sampled, strcmp(got->technique, "idea_a") == 0);
        assert_int_equal(got->workloads, plain.cites[i].n_workloads); /* seven: any part has all */
    }
    free(b.rows);
    lore_arena_free(&arena);
    lore_evidence_free(ix);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_memories_answer_as_a_plain_pass_does),
        cmocka_unit_test(larger_memories_with_many_corrections_do_too),
        cmocka_unit_test(one_experiment_with_many_techniques_is_one),
        cmocka_unit_test(what_moved_many_times_is_counted_where_it_is),
        cmocka_unit_test(what_differs_in_its_gain_alone_is_found_by_it),
        cmocka_unit_test(numbers_learned_on_the_way_are_those_of_the_next_answer),
        cmocka_unit_test(workloads_of_one_operator_are_counted_as_they_come_and_go),
        cmocka_unit_test(what_was_tried_very_often_is_sampled_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
