// uses: run
/* From hand-made traces to submissions: what is stored under which id, what a failure and a loss
 * become, and the lineage that the ledger finds. The golden document is
 * tests/fixtures/collect/golden.json (LORE_BLESS=1 writes it). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/collect_case.h"
#include "tests/unit/scratch.h"

static const char *
method(const struct lore_run *run, const char *key)
{
    const char *v = lore_kvs_get(&run->method, key);

    return v ? lore_kvs_plain(&arena, v) : "(absent)";
}

/* New ids differ from run to run: replaced by words. */
static void
mask(char *text, const char *id, const char *word)
{
    for (char *at = strstr(text, id); at; at = strstr(at, id))
        memcpy(at, word, 26);
}

static struct lore_metric *
add_metric(struct lore_trace_group *g, const char *name, double value)
{
    struct lore_metric *m = LORE_PUSH(&arena, g->metrics.v, g->metrics.n, g->metrics.cap);

    m->name = name;
    m->value = value;
    return m;
}

static struct lore_observations
with_counters(void)
{
    struct lore_observations c = case_collected();
    struct lore_trace_state unknown = {
        .pid = 1, .code = LORE_CAP_COUNTER_UNKNOWN, .text = "sm__nothing.sum"};

    case_operator(&c, "v1.cu");
    case_group(&c.trace, "scale", 40, 100000, 300);
    case_group(&c.trace, "reduce", 20, 9000, 100);
    c.counters_asked = "dram__bytes_read.sum,sm__nothing.sum,lts__t_bytes.sum";
    add_metric(case_group(&c.counters, "scale", 1, 100000, 0), "dram__bytes_read.sum", 4096);
    *LORE_PUSH(&arena, c.counters.states, c.counters.n_states, c.counters.cap_states) = unknown;
    c.trace.totals.of[LORE_CAP_COPY_H2D].count = 2;
    c.trace.totals.of[LORE_CAP_COPY_H2D].bytes = 1 << 20;
    c.what.warmup = 3;
    c.what.no_isa = false; /* the program does not exist: always "unavailable" */
    case_add(&c.what.techniques, "memory.vectorized_access{width=4}");
    return c;
}

static void
an_operator_becomes_the_golden_document(void **state)
{
    struct lore_observations c = with_counters();
    struct lore_submission *doc = case_collect(&c);
    const char *path = COLLECT_FILES "golden.json";
    struct lore_buf golden = {0};
    char *text = case_encode(doc);

    (void)state;
    mask(text, doc->id, "<document>................");
    mask(text, doc->runs[0].id, "<run>.....................");
    if (getenv("LORE_BLESS"))
        assert_int_equal(lore_file_write(path, text, strlen(text), 0644, NULL), LORE_OK);
    assert_int_equal(lore_file_read(path, &golden, NULL), LORE_OK);
    const char *wanted = lore_strdup(&arena, golden.data);
    lore_buf_free(&golden);
    assert_string_equal(text, wanted);
}

static void
a_counter_without_a_value_says_why_and_is_never_zero(void **state)
{
    struct lore_observations c = with_counters();
    struct lore_trace_state denied = {.code = LORE_CAP_PERMISSION, .text = "ask the admin"};
    const struct lore_run *run = &case_collect(&c)->runs[0];

    (void)state;
    assert_int_equal(run->metrics.n, 3);
    assert_true(run->metrics.v[0].value == 4096 && !run->metrics.v[0].missing);
    assert_int_equal(run->metrics.v[1].missing, LORE_MISS_COUNTER_UNSUPPORTED);
    assert_int_equal(run->metrics.v[2].missing, LORE_MISS_NOT_COLLECTED);
    c.counters.loss.dropped = 1;
    assert_int_equal(case_collect(&c)->runs[0].metrics.v[2].missing, LORE_MISS_LOST);
    *LORE_PUSH(&arena, c.counters.states, c.counters.n_states, c.counters.cap_states) = denied;
    assert_int_equal(case_collect(&c)->runs[0].metrics.v[2].missing, LORE_MISS_PERMISSION_DENIED);
    assert_non_null(strstr(case_story(&c, case_collect(&c)), "not permitted: ask the admin"));
}

static void
how_it_was_counted_is_part_of_the_method(void **state)
{
    struct lore_observations c = with_counters();
    struct lore_trace_state done = {.code = LORE_CAP_COUNTER_DONE, .a = 12};
    struct lore_trace_state unclean = {.code = LORE_CAP_COUNTER_UNCLEAN, .text = "no memory"};
    const struct lore_kvs *method;

    (void)state;
    assert_null(lore_kvs_get(&case_collect(&c)->runs[0].method, "cache"));
    *LORE_PUSH(&arena, c.counters.states, c.counters.n_states, c.counters.cap_states) = done;
    add_metric(&c.counters.groups[0], "gpu__time_duration.sum", 107000);
    method = &case_collect(&c)->runs[0].method;
    assert_string_equal(lore_kvs_get(method, "counter_passes"), "12");
    assert_string_equal(lore_kvs_get(method, "cache"), "\"all\"");
    double ratio = strtod(lore_kvs_get(method, "counted_over_timed"), NULL);
    assert_true(ratio > 1.0 && ratio < 107000.0 / 100000); /* the samples are 100 us and a little */
    *LORE_PUSH(&arena, c.counters.states, c.counters.n_states, c.counters.cap_states) = unclean;
    method = &case_collect(&c)->runs[0].method;
    assert_string_equal(lore_kvs_get(method, "cache"), "\"none\"");
    assert_non_null(strstr(lore_kvs_get(method, "problem_1"), "not cleaned before counter passes"));
}

static void
the_same_again_has_the_same_ids_and_a_new_run(void **state)
{
    struct lore_observations c = with_counters();
    struct lore_submission *a, *b;

    (void)state;
    case_host(&c);
    a = case_collect(&c);
    b = case_collect(&c);
    assert_string_equal(a->kernels[0].id, b->kernels[0].id);
    assert_string_equal(a->versions[0].id, b->versions[0].id);
    assert_string_equal(a->environments[0].id, b->environments[0].id);
    assert_string_not_equal(a->runs[0].id, b->runs[0].id);
    assert_string_equal(a->runs[0].environment, a->environments[0].id);
    assert_string_equal(a->runs[0].chip, "h200");
}

/* The service refuses an id with other content, so whatever the record says is in the id. */
static void
other_words_about_the_same_files_are_another_version(void **state)
{
    struct lore_observations c = with_counters();
    const char *plain = case_collect(&c)->versions[0].id;
    struct lore_run_options saved = c.what;

    (void)state;
    c.what.label = "fast";
    assert_string_not_equal(case_collect(&c)->versions[0].id, plain);
    c.what = saved;
    c.what.summary = "words";
    assert_string_not_equal(case_collect(&c)->versions[0].id, plain);
    c.what = saved;
    c.what.kind = LORE_V_LIBRARY;
    assert_string_not_equal(case_collect(&c)->versions[0].id, plain);
    c.what = saved;
    lore_kvs_set(&arena, &c.what.params, "threads", "256");
    assert_string_not_equal(case_collect(&c)->versions[0].id, plain);
    c.what = saved;
    case_operator(&c, "v2.cu");
    assert_string_not_equal(case_collect(&c)->versions[0].id, plain);
    c.what = saved;
    assert_string_equal(case_collect(&c)->versions[0].id, plain);
}

static void
a_program_that_failed_is_a_record_with_the_reason(void **state)
{
    struct lore_observations c = case_collected();
    struct lore_submission *doc;

    (void)state;
    c.app.exit_status = 3;
    doc = case_collect(&c); /* nothing said, nothing seen: still data */
    assert_int_equal(doc->n_profiles, 1);
    assert_string_equal(doc->profiles[0].error.type, "runtime");
    assert_string_equal(doc->profiles[0].error.code, "exit 3");
    assert_int_equal(doc->profiles[0].n_lines, 0);
    assert_string_equal(doc->profiles[0].program, "no-such-bench");
    case_operator(&c, "v1.cu");
    case_group(&c.trace, "k", 5, 100000, 10);
    c.app = (struct lore_launch_result){.started = true, .exit_status = 139, .signal = 11};
    doc = case_collect(&c);
    assert_string_equal(doc->runs[0].error.code, "signal 11");
    assert_int_equal(doc->runs[0].n_samples, 4);
    assert_non_null(strstr(case_story(&c, doc), "killed by signal 11"));
}

static void
a_program_that_was_not_seen_says_why(void **state)
{
    struct lore_observations c = case_collected();
    struct lore_trace_state other = {.code = LORE_CAP_OTHER_PROFILER, .text = "by nsys"};

    (void)state;
    *LORE_PUSH(&arena, c.trace.states, c.trace.n_states, c.trace.cap_states) = other;
    struct lore_submission *doc = case_collect(&c);
    assert_int_equal(doc->n_runs, 0); /* no kernel that the run could belong to */
    assert_non_null(strstr(case_story(&c, doc), "another profiler was attached"));
    case_operator(&c, "v1.cu");
    doc = case_collect(&c);
    assert_int_equal(doc->n_runs, 1);
    assert_string_equal(doc->runs[0].error.type, "profiling");
    assert_non_null(strstr(doc->runs[0].error.message, "by nsys"));
    c.trace.states[0].code = LORE_CAP_VENDOR_TOO_OLD;
    assert_string_equal(case_collect(&c)->runs[0].error.type, "environment");
    c.trace.n_states = 0;
    c.app.other_library = "/opt/tool/libtool.so";
    assert_non_null(strstr(case_collect(&c)->runs[0].error.message, "already there (libtool.so)"));
}

static void
losses_are_counted_in_the_method_and_told(void **state)
{
    struct lore_observations c = with_counters();

    (void)state;
    c.trace.loss = (struct lore_cap_loss){5, 4, 3, 2};
    c.trace.processes[0].ended = false;
    struct lore_submission *doc = case_collect(&c);
    assert_string_equal(method(&doc->runs[0], "dropped"), "5");
    assert_string_equal(method(&doc->runs[0], "bad"), "4");
    assert_string_equal(method(&doc->runs[0], "no_memory"), "3");
    assert_string_equal(method(&doc->runs[0], "write_failed"), "2");
    assert_string_equal(method(&doc->runs[0], "ended"), "false");
    const char *story = case_story(&c, doc);
    assert_non_null(strstr(story, "5 launches were dropped"));
    assert_non_null(strstr(story, "ended without closing its capture file"));
}

static void
the_story_is_short_and_says_each_thing_once(void **state)
{
    struct lore_observations c = with_counters();
    struct lore_trace_state other = {.code = LORE_CAP_OTHER_PROFILER, .text = "by nsys"};
    const char *story, *at;
    size_t lines = 0;

    (void)state;
    for (int i = 0; i < 40; i++) {
        struct lore_trace_state s = {
            .code = LORE_CAP_COUNTER_UNKNOWN, .text = lore_format(&arena, "m%d", i)};
        *LORE_PUSH(&arena, c.counters.states, c.counters.n_states, c.counters.cap_states) = s;
        case_add(&c.trace.problems, lore_format(&arena, "file %d is bad", i));
    }
    story = case_story(&c, case_collect(&c));
    for (at = story; *at; at++)
        lines += *at == '\n';
    assert_true(lines <= 20);
    assert_non_null(strstr(story, "softmax: rows=8192 cols=4096 f32\n"));
    assert_non_null(
        strstr(story, "counters: 1 of 3 metrics, 1 not collected, 1 counter unsupported"));
    assert_null(strstr(story, "m1"));
    c = case_collected();
    c.what.op = "softmax";
    *LORE_PUSH(&arena, c.trace.states, c.trace.n_states, c.trace.cap_states) = other;
    story = case_story(&c, case_collect(&c));
    assert_true(lore_starts(story, "softmax\n"));
    at = strstr(story, "by nsys");
    assert_non_null(at);
    assert_null(strstr(at + 1, "by nsys"));
}

/* ---- lineage ---- */

static struct lore_observations
version(const char *file, const char *dir, int64_t ns)
{
    struct lore_observations c = case_collected();

    case_host(&c);
    case_operator(&c, file);
    case_group(&c.trace, "scale", 40, ns, 10);
    c.state_dir = dir;
    return c;
}

static struct lore_submission *
measured(struct lore_observations *c)
{
    struct lore_submission *doc = case_collect(c);

    assert_int_equal(lore_collect_add_to_ledger(c, doc, &arena, NULL), LORE_OK);
    return doc;
}

static void
a_parent_by_file_gives_an_experiment_from_its_last_run(void **state)
{
    char dir[64];

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    struct lore_observations before = version("v1.cu", dir, 100000);
    struct lore_observations after = version("v2.cu", dir, 80000);
    before.what.label = "first"; /* a name that the files alone do not give */
    (void)measured(&before);
    struct lore_submission *first = measured(&before);
    after.what.parent = case_file("v1.cu");
    after.what.hypothesis = case_file("v2.txt");
    after.what.advice = "01J000000000000000000000A1";
    case_add(&after.what.techniques, "memory.vectorized_access{width=4}");
    struct lore_submission *doc = measured(&after);
    assert_int_equal(doc->n_versions, 1);
    assert_string_equal(doc->versions[0].parents[0].version, first->versions[0].id);
    assert_int_equal(doc->n_experiments, 1);
    const struct lore_experiment *x = &doc->experiments[0];
    assert_int_equal(x->runs_before.n, 1);
    assert_string_equal(x->runs_before.v[0], first->runs[0].id);
    assert_string_equal(x->hypothesis, doc->hypotheses[0].id);
    assert_string_equal(x->techniques[0].name, "memory.vectorized_access");
    assert_string_equal(x->extra, "{\"advice\":\"01J000000000000000000000A1\"}");
    assert_string_equal(
        doc->hypotheses[0].claim, "Four elements per thread: a quarter of the requests.");
    assert_non_null(doc->hypotheses[0].claimed_at);
    assert_int_equal(doc->versions[0].kind, LORE_V_CANDIDATE);
    scratch_drop(dir);
}

static void
the_same_change_measured_again_is_a_run_and_no_experiment(void **state)
{
    char dir[64];

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    struct lore_observations before = version("v1.cu", dir, 100000);
    (void)measured(&before);
    struct lore_observations after = version("v2.cu", dir, 80000);
    after.what.parent = case_file("v1.cu");
    struct lore_submission *first = measured(&after);
    assert_int_equal(first->n_experiments, 1);
    for (int i = 0; i < 2; i++) {
        struct lore_submission *again = measured(&after);
        assert_int_equal(again->n_runs, 1);
        assert_int_equal(again->n_experiments, 0);
        assert_string_equal(after.again, first->experiments[0].id);
        assert_non_null(strstr(case_story(&after, again), first->experiments[0].id));
    }
    after.what.new_experiment = true;
    assert_int_equal(case_collect(&after)->n_experiments, 1);
    after.what.new_experiment = false;
    after.what.hypothesis = case_file("v2.txt"); /* a claim is another try, once */
    assert_int_equal(measured(&after)->n_experiments, 1);
    struct lore_submission *claimed = measured(&after);
    assert_int_equal(claimed->n_experiments + claimed->n_hypotheses, 0);
    lore_kvs_set(&arena, &after.what.dims, "rows", "16"); /* elsewhere */
    assert_int_equal(measured(&after)->n_experiments, 1);
    scratch_drop(dir);
}

static void
an_experiment_without_its_parents_run_is_made_once_more_when_there_is_one(void **state)
{
    char dir[64];

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    struct lore_observations after = version("v2.cu", dir, 80000);
    after.what.parent = case_file("v1.cu");
    assert_int_equal(measured(&after)->experiments[0].runs_before.n, 0);
    assert_int_equal(measured(&after)->n_experiments, 0);
    struct lore_observations before = version("v1.cu", dir, 100000);
    (void)measured(&before);
    assert_int_equal(measured(&after)->experiments[0].runs_before.n, 1);
    assert_int_equal(measured(&after)->n_experiments, 0);
    scratch_drop(dir);
}

static void
a_run_elsewhere_is_not_the_run_before(void **state)
{
    char dir[64];

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    struct lore_observations before = version("v1.cu", dir, 100000);
    struct lore_observations after = version("v2.cu", dir, 80000);
    (void)measured(&before);
    after.what.parent = case_file("v1.cu");
    lore_kvs_set(&arena, &after.what.dims, "rows", "1");
    assert_int_equal(case_collect(&after)->experiments[0].runs_before.n, 0);
    after = version("v2.cu", dir, 80000);
    after.what.parent = case_file("v1.cu");
    lore_kvs_set(&arena, &after.host->devices[0].hard, "power_cap_w", "400");
    struct lore_submission *doc = case_collect(&after);
    assert_int_equal(doc->experiments[0].runs_before.n, 0);
    assert_non_null(strstr(case_story(&after, doc), "no earlier run of its parent"));
    scratch_drop(dir);
}

static void
a_parent_never_measured_here_comes_along_as_a_record(void **state)
{
    struct lore_observations before = version("v1.cu", NULL, 100000);
    struct lore_observations after = version("v2.cu", NULL, 80000);

    (void)state;
    before.state_dir = after.state_dir = "/nonexistent/warplore";
    after.what.parent = case_file("v1.cu");
    struct lore_submission *doc = case_collect(&after);
    assert_int_equal(doc->n_versions, 2);
    /* as it would be stored by who measures it with nothing more said */
    assert_string_equal(doc->versions[0].id, case_collect(&before)->versions[0].id);
    assert_string_equal(doc->versions[1].parents[0].version, doc->versions[0].id);
}

static void
an_ablation_is_charged_to_its_technique(void **state)
{
    char dir[64];

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    struct lore_observations v1 = version("v1.cu", dir, 100000);
    struct lore_observations v2 = version("v2.cu", dir, 80000);
    struct lore_observations without = version("v2_scalar.cu", dir, 96000);
    (void)measured(&v1);
    v2.what.parent = case_file("v1.cu");
    struct lore_submission *champion = measured(&v2);
    without.what.parent = case_file("v2.cu");
    without.what.ablates = "float4 loads";
    struct lore_submission *doc = measured(&without);
    assert_int_equal(doc->n_experiments, 0);
    assert_int_equal(doc->n_attributions, 1);
    const struct lore_attribution *a = &doc->attributions[0];
    assert_string_equal(a->experiment, champion->experiments[0].id);
    assert_string_equal(a->champion_run, champion->runs[0].id);
    assert_string_equal(a->ablated_run, doc->runs[0].id);
    assert_string_equal(a->technique, "memory.vectorized_access");
    assert_string_equal(a->contributed, "yes");
    assert_true(a->attribution_pct.v > 19.9 && a->attribution_pct.v < 20.1);
    assert_int_equal(doc->versions[0].kind, LORE_V_ABLATION);
    assert_int_equal(doc->versions[0].parents[0].kind, LORE_E_ABLATION_OF);
    assert_int_equal(doc->runs[0].role, LORE_ROLE_ABLATION);
    scratch_drop(dir);
}

static void
a_failed_run_is_not_remembered(void **state)
{
    char dir[64];

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    struct lore_observations v1 = version("v1.cu", dir, 100000);
    struct lore_observations v2 = version("v2.cu", dir, 80000);
    v1.app.exit_status = 1;
    (void)measured(&v1);
    v2.what.parent = case_file("v1.cu");
    assert_int_equal(case_collect(&v2)->experiments[0].runs_before.n, 0);
    scratch_drop(dir);
}

/* ---- what is refused before the program starts ---- */

static void
refused(const struct lore_run_options *what, const char *option, const char *part)
{
    struct lore_err err = {0};

    assert_int_not_equal(lore_collect_check(what, &arena, &err), LORE_OK);
    assert_string_equal(err.path, option);
    if (!strstr(err.msg, part))
        fail_msg("%s", err.msg);
}

static void
what_cannot_be_used_is_refused_by_the_options_name(void **state)
{
    struct lore_observations c = version("v1.cu", NULL, 1);
    struct lore_run_options good = c.what, w = good;

    (void)state;
    w.version_files.v[0] = "/nonexistent/x.cu";
    refused(&w, "--source", "no such file");
    w.version_files.v[0] = case_file("v1.cu");
    w.kernel_regex = "[";
    refused(&w, "--kernel-regex", "--kernel-regex");
    w = good;
    w.family = "moe";
    refused(&w, "--family", "softmax is of family");
    w = good;
    w.parent = "/nonexistent/y.cu";
    refused(&w, "--parent", "neither a file nor a version");
    w.parent = case_file("v1.cu");
    refused(&w, "--parent", "nothing was changed");
    w = good;
    w.ablates = "x";
    refused(&w, "--ablates", "needs --parent");
    w = good;
    w.hypothesis = "/nonexistent/h.txt";
    refused(&w, "--hypothesis-file", "h.txt");
    w = good;
    w.advice = "01J000000000000000000000A1";
    refused(&w, "--advice", "needs --parent");
    w.parent = case_file("v1.cu");
    w.advice = "yesterday";
    refused(&w, "--advice", "not the id");
    w = (struct lore_run_options){.parent = "x"};
    refused(&w, "--parent", "needs --operator");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operator_becomes_the_golden_document),
        cmocka_unit_test(a_counter_without_a_value_says_why_and_is_never_zero),
        cmocka_unit_test(how_it_was_counted_is_part_of_the_method),
        cmocka_unit_test(the_same_again_has_the_same_ids_and_a_new_run),
        cmocka_unit_test(other_words_about_the_same_files_are_another_version),
        cmocka_unit_test(a_program_that_failed_is_a_record_with_the_reason),
        cmocka_unit_test(a_program_that_was_not_seen_says_why),
        cmocka_unit_test(losses_are_counted_in_the_method_and_told),
        cmocka_unit_test(the_story_is_short_and_says_each_thing_once),
        cmocka_unit_test(a_parent_by_file_gives_an_experiment_from_its_last_run),
        cmocka_unit_test(the_same_change_measured_again_is_a_run_and_no_experiment),
        cmocka_unit_test(an_experiment_without_its_parents_run_is_made_once_more_when_there_is_one),
        cmocka_unit_test(a_run_elsewhere_is_not_the_run_before),
        cmocka_unit_test(a_parent_never_measured_here_comes_along_as_a_record),
        cmocka_unit_test(an_ablation_is_charged_to_its_technique),
        cmocka_unit_test(a_failed_run_is_not_remembered),
        cmocka_unit_test(what_cannot_be_used_is_refused_by_the_options_name),
    };

    return cmocka_run_group_tests(tests, NULL, case_free);
}
