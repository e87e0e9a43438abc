// uses: import
/* The kernel-tuner importer on small files in the real formats: what a configuration becomes, which
 * pairs become experiments, and the traps K1 to K12 of docs/import.md, each in a test that carries
 * its number. The counts of the public tuning files are checked where the folder of real data
 * stands beside the checkout. */
#include <stdio.h>
#include <unistd.h>

#include "service/base/file.h"
#include "service/wire/wire.h"
#include "tests/unit/import_intake.h"
#include "tests/unit/import_read.h"

#define CACHE FIXTURES "kernel-tuner/scale_A100.json"
#define RESULTS FIXTURES "kernel-tuner/scale_MI250X_T4.json"
#define REAL SOURCE_DIR "/../shared/data/tuning/"
#define HEAD                                                                                       \
    "{\"device_name\": \"NVIDIA RTX A4000\", \"kernel_name\": \"scale\", \"problem_size\": 64, "   \
    "\"tune_params_keys\": [\"block_size_x\"], \"tune_params\": {}, \"cache\": {"

/* TEXT as the file NAME; the document that the service's decoder reads. */
static struct lore_submission
read_text(struct taken *t, const char *name, const char *text)
{
    const char *chip = t->k.chip;
    struct lore_err err = {0};

    lore_arena_free(&t->arena);
    struct lore_import_tree *tree = lore_alloc(&t->arena, sizeof *tree);
    lore_intake_begin(&t->k, &t->arena);
    t->k.chip = chip;
    tree->name = name;
    (void)lore_tree_add(&t->arena, tree, name, text, strlen(text));
    if (lore_intake_tree(&t->k, tree, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return decoded(t, format_named(t, "kernel-tuner"));
}

static struct lore_submission
read_file(struct taken *t, const char *path)
{
    take(t, path);
    return decoded(t, format_named(t, "kernel-tuner"));
}

static const struct lore_run *
run_of(const struct lore_submission *doc, const char *key)
{
    for (size_t i = 0; i < doc->n_runs; i++) {
        if (lore_streq(doc->runs[i].provenance.external_id, key))
            return &doc->runs[i];
    }
    fail_msg("no run of %s", key);
    return NULL;
}

static const struct lore_version *
version_of(const struct lore_submission *doc, const char *id)
{
    for (size_t i = 0; i < doc->n_versions; i++) {
        if (strcmp(doc->versions[i].id, id) == 0)
            return &doc->versions[i];
    }
    fail_msg("no version %s", id);
    return NULL;
}

/* The experiment with TITLE of the two runs; NULL: none. */
static const struct lore_experiment *
pair_of(const struct lore_submission *doc, const char *title, const char *before, const char *after)
{
    for (size_t i = 0; i < doc->n_experiments; i++) {
        const struct lore_experiment *x = &doc->experiments[i];
        if (strcmp(x->title, title) == 0 &&
            strcmp(x->runs_before.v[0], run_of(doc, before)->id) == 0 &&
            strcmp(x->runs_after.v[0], run_of(doc, after)->id) == 0)
            return x;
    }
    return NULL;
}

static size_t
listed(const struct taken *t, enum lore_import_list list, const char *part)
{
    return noted(format_named(t, "kernel-tuner"), list, part);
}

static void
a_configuration_is_a_version_with_its_parameters_and_a_run(void **state)
{
    struct lore_submission doc = read_file(*state, CACHE);
    const struct lore_run *r = run_of(&doc, "32,0,copy,15");
    const struct lore_version *v = version_of(&doc, r->version);

    assert_int_equal(doc.n_kernels, 1);
    assert_string_equal(doc.kernels[0].op, "conv2d");
    assert_string_equal(doc.kernels[0].name, "convolution");
    assert_int_equal(doc.n_versions, 7);
    assert_int_equal(doc.n_runs, 7);
    assert_string_equal(lore_kvs_get(&v->params, "block_size_x"), "32");
    assert_string_equal(lore_kvs_get(&v->params, "method"), "\"copy\"");
    assert_string_equal(v->label, "block_size_x=32 filter_width=15 method=\"copy\" use_padding=0");
    assert_string_equal(r->chip, "a100");
    assert_string_equal(r->measured_at, "2024-03-01T09:00:01.250000+00:00");
    assert_int_equal(r->evidence, LORE_EV_IMPORTED);
    assert_string_equal(lore_kvs_get(&r->workload.dims, "x"), "2048");
    assert_string_equal(lore_kvs_get(&r->workload.dims, "y"), "1024");
    assert_string_equal(lore_kvs_get(&r->workload.dims, "filter_width"), "15");
    assert_int_equal(r->metrics.n, 1);
    assert_true(r->metrics.v[0].value == 1500.25);
    assert_non_null(strstr(r->extra, "\"compile_time\":800.5"));
    assert_null(strstr(r->extra, "\"times\""));
    assert_string_equal(
        lore_kvs_get(&doc.environments[0].soft, "device_name"), "\"NVIDIA A100-PCIE-40GB\"");
}

static void
a_configuration_without_a_parameter_is_refused_with_its_line(void **state)
{
    struct taken *t = *state;

    (void)read_file(t, CACHE);
    assert_int_equal(format_named(t, "kernel-tuner")->in.refused, 1);
    assert_int_equal(listed(t, LORE_IL_ERRORS,
                         "line 16: cache[\"32,1,none,15\"]: parameter \"use_padding\": missing"),
        1);
}

static void
k1_times_of_a_cache_file_are_milliseconds_in_order(void **state)
{
    struct lore_submission doc = read_file(*state, CACHE);
    const struct lore_run *r = run_of(&doc, "32,0,copy,15");
    const int64_t expected[] = {2500000, 1900000, 1800000, 1800000};

    assert_int_equal(r->n_samples, 4);
    assert_memory_equal(r->samples_ns, expected, sizeof expected);
    assert_false(r->error.set);
}

static void
k2_a_file_that_is_still_written_gives_what_is_complete(void **state)
{
    static const char *const ends[] = {
        ",\n", ",", ",\n\"64\": {\"block_size_x\": 64, \"ti", "", "}"};
    struct taken *t = *state;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[1000];
        (void)snprintf(text, sizeof text,
            "%s\"16\": {\"block_size_x\": 16, \"time\": 2.0},\n"
            "\"32\": {\"block_size_x\": 32, \"time\": 1.0}%s",
            HEAD, ends[i]);
        struct lore_submission doc = read_text(t, "k2.json", text);
        assert_int_equal(doc.n_runs, 2);
        assert_int_equal(doc.n_experiments, 1);
        assert_int_equal(listed(t, LORE_IL_DOUBTS, "k2.json: unfinished"), 1);
        assert_non_null(doc.artifacts[0].text);
    }
}

static void
k3_members_of_the_header_stand_in_any_order(void **state)
{
    struct lore_submission doc = read_text(*state, "k3.json",
        "{\"cache\": {\"16\": {\"time\": 2.0, \"block_size_x\": 16}}, "
        "\"tune_params_keys\": [\"block_size_x\"], \"objective\": \"time\", "
        "\"problem_size\": [64, 8], \"kernel_name\": \"scale\", \"device_name\": \"A4000\"}");

    assert_int_equal(doc.n_runs, 1);
    assert_string_equal(doc.runs[0].chip, "a4000");
    assert_true(doc.runs[0].summary.mean_ns.v == 2e6);
}

static void
k4_a_file_without_a_device_takes_the_chip_of_its_name_unless_told(void **state)
{
    static const char text[] =
        "{\"device_name\": \"\", \"kernel_name\": \"scale\", \"tune_params_keys\": "
        "[\"block_size_x\"], \"cache\": {\"16\": {\"block_size_x\": 16, \"time\": 2.0}}}";
    struct taken *t = *state;
    struct lore_submission doc = read_text(t, "scale_MI250X.json", text);

    assert_string_equal(doc.runs[0].chip, "mi250x");
    assert_int_equal(doc.n_environments, 0);
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "chip mi250x is taken from the file's name"), 1);
    t->k.chip = "mi300x";
    doc = read_text(t, "scale_MI250X.json", text);
    assert_string_equal(doc.runs[0].chip, "mi300x");
    t->k.chip = NULL;
    doc = read_text(t, "scale.json", text);
    assert_null(doc.runs[0].chip);
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "chip unknown; name it with --chip"), 1);
}

static void
k5_a_text_or_a_huge_number_instead_of_a_time_is_a_failure(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, CACHE);

    assert_string_equal(run_of(&doc, "64,0,copy,15")->error.type, "runtime");
    assert_string_equal(run_of(&doc, "64,0,copy,15")->error.code, "RuntimeFailedConfig");
    assert_string_equal(run_of(&doc, "16,0,none,15")->error.type, "compilation");
    assert_string_equal(run_of(&doc, "16,0,swap,15")->error.type, "compilation");
    assert_string_equal(run_of(&doc, "16,0,swap,15")->error.code, "InvalidConfig");
    doc = read_text(t, "k5.json",
        HEAD "\"16\": {\"block_size_x\": 16, \"time\": 1e20}, "
             "\"32\": {\"block_size_x\": 32, \"time\": \"OutOfLuck\"}}}");
    assert_string_equal(run_of(&doc, "16")->error.code, "1e20");
    assert_false(run_of(&doc, "16")->summary.set);
    assert_string_equal(run_of(&doc, "32")->error.code, "OutOfLuck");
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "\"OutOfLuck\" instead of a time"), 1);
}

static void
k6_times_beside_a_failure_make_no_measurement(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, CACHE);
    const struct lore_run *r = run_of(&doc, "16,0,none,15");

    assert_int_equal(r->n_samples, 0);
    assert_non_null(strstr(r->extra, "\"times\":[5.5,5.5]"));
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "1 configurations have times and are marked"), 1);
}

static void
k7_times_that_are_not_those_of_the_number_give_no_samples(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_text(t, "k7.json",
        HEAD "\"16\": {\"block_size_x\": 16, \"time\": 52.5, \"times\": [0.5, 0.5]}, "
             "\"32\": {\"block_size_x\": 32, \"time\": 8.0, \"times\": [8.0, 8.0]}}}");

    /* one file, one kind of number: the other's list would be compared with a mean */
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(doc.runs[i].n_samples, 0);
        assert_true(doc.runs[i].summary.mean_ns.set);
    }
    assert_true(run_of(&doc, "16")->summary.mean_ns.v == 52.5e6);
    assert_non_null(strstr(run_of(&doc, "16")->extra, "\"times\":[0.5,0.5]"));
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "for 1 of 2 configurations, the mean"), 1);
}

static void
k8_a_results_file_names_its_unit_or_is_refused(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, RESULTS);
    struct lore_import in;
    const struct lore_importer *used = lore_importer_find("kernel-tuner");
    struct lore_err err = {0};
    static const char weeks[] =
        "{\"metadata\": {\"timeunit\": \"weeks\"}, \"results\": [{\"configuration\": "
        "{\"a\": 1}, \"invalidity\": \"correct\"}]}";

    assert_int_equal(doc.n_runs, 4);
    assert_int_equal(doc.runs[0].samples_ns[0], 12500000);
    assert_int_equal(
        import_read(used, "w.json", weeks, sizeof weeks - 1, &t->arena, &in, &used, &err),
        LORE_INVALID);
    assert_non_null(strstr(err.msg, "metadata.timeunit: \"weeks\""));
}

static void
k9_a_verification_that_took_no_time_is_none(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, CACHE);

    assert_int_equal(run_of(&doc, "32,0,copy,15")->correctness.status, LORE_C_NOT_CHECKED);
    assert_int_equal(run_of(&doc, "16,1,copy,15")->correctness.status, LORE_C_PASS);
    assert_false(run_of(&doc, "64,0,copy,15")->correctness.set);
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "verification of 3 configurations"), 1);
}

static void
k9_holds_for_results_that_call_themselves_correct(void **state)
{
    struct lore_submission doc = read_file(*state, RESULTS);

    assert_int_equal(doc.runs[0].correctness.status, LORE_C_NOT_CHECKED);
    assert_int_equal(doc.runs[1].correctness.status, LORE_C_PASS);
}

static void
k10_a_configuration_is_one_version_whatever_its_file_says_of_it(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_text(t, "a.json",
        "{\"device_name\": \"A4000\", \"kernel_name\": \"scale_kernel\", \"problem_size\": 64, "
        "\"tune_params_keys\": [\"a\", \"b\"], \"cache\": {\"1,2\": {\"a\": 1, \"b\": 2.0, "
        "\"time\": 1.0}}}");
    struct lore_arena mine = {0}; /* what was read dies with the next text */
    const char *id = lore_strdup(&mine, doc.versions[0].id);

    doc = read_text(t, "b.json",
        "{\"device_name\": \"MI250X\", \"kernel_name\": \"scale\", \"problem_size\": 128, "
        "\"tune_params_keys\": [\"b\", \"a\"], \"cache\": {\"2,1\": {\"b\": 2, \"a\": 1, "
        "\"time\": 3.0}}}");
    assert_string_equal(doc.versions[0].id, id);
    lore_arena_free(&mine);
}

static void
k11_a_results_file_has_kernel_and_chip_in_its_name_alone(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, RESULTS);

    assert_string_equal(doc.kernels[0].name, "scale");
    assert_string_equal(doc.runs[0].chip, "mi250x"); /* and not the T4 */
    assert_false(doc.runs[0].workload.set);
    assert_string_equal(doc.runs[2].error.code, "constraints");
    assert_string_equal(doc.runs[3].error.type, "timeout");
    assert_non_null(strstr(doc.runs[0].extra, "\"compilation\":600.5"));
    assert_non_null(strstr(doc.runs[0].extra, "\"value\":640.5"));
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "its measurements would count twice"), 1);
}

static void
k12_a_word_behind_a_name_makes_another_chip(void **state)
{
    static const struct {
        const char *device, *file, *chip;
    } cases[] = {{"NVIDIA GeForce RTX 3060", "scale.json", "rtx3060"},
        {"NVIDIA GeForce RTX 3060 Ti", "scale.json", "rtx3060ti"},
        {"NVIDIA GeForce RTX 3060 Laptop GPU", "scale.json", "rtx3060-laptop"},
        {"NVIDIA GeForce RTX 3060 SUPER", "scale.json", NULL},
        {"NVIDIA GeForce RTX 4090 D", "scale.json", NULL},
        {"NVIDIA GeForce RTX 2080 Ti", "scale.json", "rtx2080ti"},
        {"", "scale_RTX_3060_Ti.json", "rtx3060ti"}, {"", "scale_RTX_3060_Max-Q.json", NULL},
        {"", "scale_RTX_3060.json", "rtx3060"}};
    struct taken *t = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
            "{\"device_name\": \"%s\", \"kernel_name\": \"scale\", \"tune_params_keys\": "
            "[\"block_size_x\"], \"cache\": {\"16\": {\"block_size_x\": 16, \"time\": 2.0}}}",
            cases[i].device);
        struct lore_submission doc = read_text(t, cases[i].file, text);
        if (!lore_streq(doc.runs[0].chip, cases[i].chip))
            fail_msg("%s, %s: %s", cases[i].device, cases[i].file,
                doc.runs[0].chip ? doc.runs[0].chip : "unknown");
    }
}

static void
neighbours_on_a_line_are_pairs_and_gaps_are_stepped_over(void **state)
{
    struct lore_submission doc = read_file(*state, CACHE);
    const struct lore_experiment *x =
        pair_of(&doc, "block_size_x: 16 → 32", "16,0,copy,15", "32,0,copy,15");

    assert_non_null(x);
    assert_string_equal(x->techniques[0].name, "compute.launch_config");
    assert_string_equal(lore_kvs_get(&x->techniques[0].params, "parameter"), "\"block_size_x\"");
    assert_string_equal(lore_kvs_get(&x->techniques[0].params, "from"), "16");
    assert_string_equal(lore_kvs_get(&x->techniques[0].params, "to"), "32");
    assert_string_equal(x->chip, "a100");
    assert_non_null(pair_of(&doc, "block_size_x: 16 → 64", "16,1,copy,15", "64,1,copy,15"));
    assert_null(pair_of(&doc, "block_size_x: 16 → 64", "16,0,copy,15", "64,0,copy,15"));
    assert_int_equal(doc.n_experiments, 7);
}

static void
a_failure_comes_after_what_ran_and_two_failures_are_no_pair(void **state)
{
    struct lore_submission doc = read_file(*state, CACHE);
    const struct lore_experiment *x =
        pair_of(&doc, "use_padding: 1 → 0", "64,1,copy,15", "64,0,copy,15");

    assert_non_null(pair_of(&doc, "block_size_x: 32 → 64", "32,0,copy,15", "64,0,copy,15"));
    assert_non_null(x); /* padding that is taken away is no use of padding */
    assert_string_equal(x->techniques[0].name, "without_use_padding");
    x = pair_of(&doc, "use_padding: 0 → 1", "16,0,copy,15", "16,1,copy,15");
    assert_string_equal(x->techniques[0].name, "memory.smem_padding");
    assert_non_null(pair_of(&doc, "method: \"copy\" → \"swap\"", "16,0,copy,15", "16,0,swap,15"));
    assert_null(pair_of(&doc, "method: \"none\" → \"swap\"", "16,0,none,15", "16,0,swap,15"));
}

static void
pairs_are_all_or_none_when_asked(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc;

    lore_intake_begin(&t->k, &t->arena);
    t->k.pairs = LORE_PAIRS_NONE;
    doc = read_file(t, CACHE);
    assert_int_equal(doc.n_experiments, 0);
    assert_int_equal(doc.n_runs, 7);
    lore_intake_begin(&t->k, &t->arena);
    t->k.pairs = LORE_PAIRS_ALL;
    doc = read_file(t, CACHE);
    assert_int_equal(doc.n_experiments, 8);
    assert_non_null(pair_of(&doc, "block_size_x: 16 → 64", "16,0,copy,15", "64,0,copy,15"));
    assert_int_equal(listed(t, LORE_IL_NAMES, "8 experiments from pairs"), 1);
}

static void
a_configuration_that_stands_twice_has_two_runs_and_one_pair(void **state)
{
    struct lore_submission doc = read_text(*state, "twice.json",
        HEAD "\"16\": {\"block_size_x\": 16, \"time\": 1.0}, "
             "\"16 \": {\"block_size_x\": 16, \"time\": 1.5}, "
             "\"32\": {\"block_size_x\": 32, \"time\": 2.0}}}");

    assert_int_equal(doc.n_versions, 2);
    assert_int_equal(doc.n_runs, 3);
    assert_int_equal(doc.n_experiments, 1);
    assert_non_null(pair_of(&doc, "block_size_x: 16 → 32", "16", "32"));
}

static void
many_texts_are_paired_as_they_stand_and_not_each_with_each(void **state)
{
    struct lore_buf b = {0};

    lore_buf_puts(&b, HEAD);
    for (int i = 0; i < 40; i++)
        lore_buf_printf(
            &b, "%s\"%d\": {\"block_size_x\": \"v%d\", \"time\": 1.5}", i > 0 ? "," : "", i, i);
    lore_buf_puts(&b, "}}");
    struct lore_submission doc = read_text(*state, "texts.json", b.data);
    lore_buf_free(&b);
    assert_int_equal(doc.n_runs, 40);
    assert_int_equal(doc.n_experiments, 39);
}

/* The public files: what they hold is in the README beside them. */
static void
the_tuning_of_a_convolution_on_an_a100_is_whole(void **state)
{
    struct taken *t = *state;
    size_t failed = 0;

    if (access(REAL "convolution_A100.json.gz", R_OK) != 0)
        skip();
    take(t, REAL "convolution_A100.json.gz");
    const struct lore_intake_format *f = format_named(t, "kernel-tuner");
    assert_int_equal(f->in.refused, 0);
    assert_int_equal(f->records[LORE_K_VERSION], 4362);
    assert_int_equal(f->records[LORE_K_RUN], 4362);
    assert_int_equal(f->records[LORE_K_EXPERIMENT], 17754);
    for (size_t i = 0; i < f->n; i++) {
        assert_true(f->documents[i].len < LORE_WIRE_MAX_BYTES);
        for (size_t r = 0; r < f->documents[i].doc->n_runs; r++) {
            const struct lore_run *run = &f->documents[i].doc->runs[r];
            failed += run->error.set;
            assert_int_equal(run->n_samples, run->error.set ? 0 : 32);
        }
    }
    assert_int_equal(failed, 161);
    assert_string_equal(f->documents[0].doc->artifacts[0].media_type, "application/gzip");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        INTAKE(a_configuration_is_a_version_with_its_parameters_and_a_run),
        INTAKE(a_configuration_without_a_parameter_is_refused_with_its_line),
        INTAKE(k1_times_of_a_cache_file_are_milliseconds_in_order),
        INTAKE(k2_a_file_that_is_still_written_gives_what_is_complete),
        INTAKE(k3_members_of_the_header_stand_in_any_order),
        INTAKE(k4_a_file_without_a_device_takes_the_chip_of_its_name_unless_told),
        INTAKE(k5_a_text_or_a_huge_number_instead_of_a_time_is_a_failure),
        INTAKE(k6_times_beside_a_failure_make_no_measurement),
        INTAKE(k7_times_that_are_not_those_of_the_number_give_no_samples),
        INTAKE(k8_a_results_file_names_its_unit_or_is_refused),
        INTAKE(k9_a_verification_that_took_no_time_is_none),
        INTAKE(k9_holds_for_results_that_call_themselves_correct),
        INTAKE(k10_a_configuration_is_one_version_whatever_its_file_says_of_it),
        INTAKE(k11_a_results_file_has_kernel_and_chip_in_its_name_alone),
        INTAKE(k12_a_word_behind_a_name_makes_another_chip),
        INTAKE(neighbours_on_a_line_are_pairs_and_gaps_are_stepped_over),
        INTAKE(a_failure_comes_after_what_ran_and_two_failures_are_no_pair),
        INTAKE(pairs_are_all_or_none_when_asked),
        INTAKE(a_configuration_that_stands_twice_has_two_runs_and_one_pair),
        INTAKE(many_texts_are_paired_as_they_stand_and_not_each_with_each),
        INTAKE(the_tuning_of_a_convolution_on_an_a100_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
