// uses: import
/* The kernel-tuner importer on small files in the real formats: a search becomes one sweep, its
 * best configuration a version with a run, and the traps K1 to K12 of docs/import.md are each in a
 * test that carries its number. The counts of the public tuning files are checked where the folder
 * of real data stands beside the checkout. */
#include <stdio.h>
#include <unistd.h>

#include "service/base/file.h"
#include "service/wire/sweep.h"
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

/* The sweep of a document that has one. */
static const struct lore_sweep_data *
data_of(const struct lore_submission *doc)
{
    assert_int_equal(doc->n_sweeps, 1);
    return doc->sweeps[0].configurations.data;
}

/* The value of column NAME in configuration I; NULL: none. */
static const char *
value_of(const struct lore_sweep_data *d, const char *name, size_t i)
{
    for (size_t p = 0; p < d->n_parameters; p++)
        if (lore_streq(d->parameters[p].name, name))
            return lore_series_value(&d->parameters[p].s, i);
    for (size_t p = 0; p < d->n_metrics; p++)
        if (lore_streq(d->metrics[p].name, name))
            return lore_series_value(&d->metrics[p].s, i);
    fail_msg("no column %s", name);
    return NULL;
}

/* The configuration with these values of block_size_x, use_padding and method. */
static size_t
find(const struct lore_sweep_data *d, const char *block, const char *padding, const char *method)
{
    for (size_t i = 0; i < d->n; i++)
        if (lore_streq(value_of(d, "block_size_x", i), block) &&
            lore_streq(value_of(d, "use_padding", i), padding) &&
            lore_streq(value_of(d, "method", i), method))
            return i;
    fail_msg("no configuration %s %s %s", block, padding, method);
    return 0;
}

static const struct lore_sweep_why *
why_of(const struct lore_sweep_data *d, size_t i)
{
    assert_true(d->why[i] > 0);
    return &d->whys[d->why[i] - 1];
}

static size_t
listed(const struct taken *t, enum lore_import_list list, const char *part)
{
    return noted(format_named(t, "kernel-tuner"), list, part);
}

static void
a_file_is_one_sweep_and_its_best_configuration_a_version_with_a_run(void **state)
{
    struct lore_submission doc = read_file(*state, CACHE);
    const struct lore_sweep_data *d = data_of(&doc);
    const struct lore_sweep *s = &doc.sweeps[0];
    size_t at = find(d, "32", "0", "\"copy\"");

    assert_int_equal(doc.n_kernels, 1);
    assert_string_equal(doc.kernels[0].op, "conv2d");
    assert_string_equal(doc.kernels[0].name, "convolution");
    assert_int_equal(d->n, 7);
    assert_int_equal(d->n_parameters, 3); /* filter_width is a dimension */
    assert_string_equal(lore_kvs_get(&s->workload.dims, "x"), "2048");
    assert_string_equal(lore_kvs_get(&s->workload.dims, "y"), "1024");
    assert_string_equal(lore_kvs_get(&s->workload.dims, "filter_width"), "15");
    assert_string_equal(s->chip, "a100");
    assert_string_equal(s->searched_at, "2024-03-01T09:00:01.250000+00:00");
    assert_int_equal(s->evidence, LORE_EV_IMPORTED);
    assert_string_equal(value_of(d, "GFLOP/s", at), "1500.25");
    assert_string_equal(value_of(d, "compile_time", at), "800.5");
    assert_string_equal(
        lore_kvs_get(&doc.environments[0].soft, "device_name"), "\"NVIDIA A100-PCIE-40GB\"");
    assert_int_equal(doc.n_versions, 1);
    assert_int_equal(doc.n_runs, 1);
    assert_int_equal(doc.n_experiments, 0);
    assert_int_equal(s->n_best, 1);
    assert_string_equal(s->best[0].version, doc.versions[0].id);
    for (size_t i = 0; i < d->n; i++)
        if (d->time_ns[i] > 0)
            assert_true(d->time_ns[i] >= d->time_ns[s->best[0].configuration.v]);
    assert_int_equal(doc.runs[0].n_samples,
        d->first[s->best[0].configuration.v + 1] - d->first[s->best[0].configuration.v]);
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
    const struct lore_sweep_data *d = data_of(&doc);
    size_t at = find(d, "32", "0", "\"copy\"");
    const int64_t expected[] = {2500000, 1900000, 1800000, 1800000};

    assert_int_equal(d->first[at + 1] - d->first[at], 4);
    assert_memory_equal(&d->samples[d->first[at]], expected, sizeof expected);
    assert_true(d->time_ns[at] == 2e6);
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
        assert_int_equal(data_of(&doc)->n, 2);
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
    assert_string_equal(doc.sweeps[0].objective, "time");
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

    assert_string_equal(doc.sweeps[0].chip, "mi250x");
    assert_int_equal(doc.n_environments, 0);
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "chip mi250x is taken from the file's name"), 1);
    t->k.chip = "mi300x";
    doc = read_text(t, "scale_MI250X.json", text);
    assert_string_equal(doc.sweeps[0].chip, "mi300x");
    t->k.chip = NULL;
    doc = read_text(t, "scale.json", text);
    assert_null(doc.sweeps[0].chip);
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "chip unknown; name it with --chip"), 1);
}

static void
k5_a_text_or_a_huge_number_instead_of_a_time_is_a_failure(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, CACHE);
    const struct lore_sweep_data *d = data_of(&doc);
    const struct lore_sweep_why *why = why_of(d, find(d, "64", "0", "\"copy\""));

    assert_string_equal(why->type, "runtime");
    assert_string_equal(why->said, "RuntimeFailedConfig");
    assert_string_equal(why_of(d, find(d, "16", "0", "\"none\""))->type, "compilation");
    why = why_of(d, find(d, "16", "0", "\"swap\""));
    assert_string_equal(why->type, "compilation");
    assert_string_equal(why->said, "InvalidConfig");
    doc = read_text(t, "k5.json",
        HEAD "\"16\": {\"block_size_x\": 16, \"time\": 1e20}, "
             "\"32\": {\"block_size_x\": 32, \"time\": \"OutOfLuck\"}}}");
    d = data_of(&doc);
    assert_string_equal(why_of(d, 0)->said, "1e20");
    assert_true(d->time_ns[0] == 0);
    assert_string_equal(why_of(d, 1)->said, "OutOfLuck");
    assert_int_equal(doc.n_versions, 0);
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "\"OutOfLuck\" instead of a time"), 1);
}

static void
k6_times_beside_a_failure_make_no_measurement(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_file(t, CACHE);
    const struct lore_sweep_data *d = data_of(&doc);
    size_t at = find(d, "16", "0", "\"none\"");

    assert_true(d->time_ns[at] == 0);
    assert_int_equal(d->first[at + 1] - d->first[at], 2);
    assert_int_equal(d->samples[d->first[at]], 5500000);
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "1 configurations have times and are marked"), 1);
}

static void
k7_where_many_times_contradict_the_number_the_number_counts(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_text(t, "k7.json",
        HEAD "\"16\": {\"block_size_x\": 16, \"time\": 52.5, \"times\": [0.5, 0.5]}, "
             "\"32\": {\"block_size_x\": 32, \"time\": 8.0, \"times\": [8.0, 8.0]}}}");
    const struct lore_sweep_data *d = data_of(&doc);

    assert_true(d->time_ns[0] == 52.5e6);
    assert_int_equal(d->samples[0], 500000); /* and the list is kept */
    assert_int_equal(doc.sweeps[0].best[0].configuration.v, 1);
    assert_int_equal(doc.runs[0].n_samples, 0);
    assert_true(doc.runs[0].summary.mean_ns.v == 8e6);
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "for 1 of 2 configurations, the mean"), 1);
}

static void
k7_where_few_do_the_mean_of_the_list_counts_and_the_number_is_kept(void **state)
{
    struct lore_buf b = {0};

    lore_buf_puts(&b, HEAD "\"0\": {\"block_size_x\": 0, \"time\": 9.5, \"times\": [0.5, 1.5]}");
    for (int i = 1; i < 20; i++)
        lore_buf_printf(
            &b, ",\"%d\": {\"block_size_x\": %d, \"time\": 8.0, \"times\": [8.0]}", i, i);
    lore_buf_puts(&b, "}}");
    struct lore_submission doc = read_text(*state, "k7.json", b.data);
    const struct lore_sweep_data *d = data_of(&doc);

    lore_buf_free(&b);
    assert_true(d->time_ns[0] == 1e6);
    assert_string_equal(value_of(d, "time", 0), "9.5");
    assert_null(value_of(d, "time", 1));
    assert_int_equal(doc.runs[0].n_samples, 2);
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

    assert_int_equal(data_of(&doc)->n, 4);
    assert_int_equal(data_of(&doc)->samples[0], 12500000);
    assert_int_equal(
        import_read(used, "w.json", weeks, sizeof weeks - 1, &t->arena, &in, &used, &err),
        LORE_INVALID);
    assert_non_null(strstr(err.msg, "metadata.timeunit: \"weeks\""));
}

static void
k9_a_verification_that_took_no_time_is_none(void **state)
{
    static const char *const seconds[] = {"0", "1.5"};
    struct taken *t = *state;

    (void)read_file(t, CACHE);
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "results of 3 configurations were not verified"), 1);
    for (size_t i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text,
            HEAD "\"16\": {\"block_size_x\": 16, \"time\": 2.0, \"verification_time\": %s}}}",
            seconds[i]);
        struct lore_submission doc = read_text(t, "k9.json", text);
        assert_int_equal(doc.runs[0].correctness.status, i == 0 ? LORE_C_NOT_CHECKED : LORE_C_PASS);
    }
}

static void
a_time_that_is_none_costs_that_time_only(void **state)
{
    struct taken *t = *state;
    struct lore_submission doc = read_text(t, "zero.json",
        HEAD "\"16\": {\"block_size_x\": 16, \"time\": 0, \"GFLOP/s\": 5},"
             "\"32\": {\"block_size_x\": 32, \"time\": -1.5, \"times\": [2.0, -3.0, null, 4.0]},"
             "\"64\": {\"block_size_x\": 64, \"time\": 8.0}}}");
    const struct lore_sweep_data *d = data_of(&doc);

    assert_int_equal(d->n, 3);
    assert_true(d->time_ns[0] == 0);
    assert_int_equal(d->why[0], 0);
    assert_string_equal(value_of(d, "stated_time", 0), "0");
    assert_string_equal(value_of(d, "GFLOP/s", 0), "5");
    assert_true(d->time_ns[1] == 3e6); /* the mean of those samples that are times */
    assert_string_equal(value_of(d, "stated_time", 1), "-1.5");
    assert_true(d->time_ns[2] == 8e6);
    assert_null(value_of(d, "stated_time", 2));
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "a stated time of 0 is no time"), 1);
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "a time of -3 ms in a list"), 1);
    assert_int_equal(listed(t, LORE_IL_ERRORS, ""), 0);
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
    const struct lore_sweep_data *d = data_of(&doc);
    assert_string_equal(doc.sweeps[0].chip, "mi250x"); /* and not the T4 */
    assert_false(doc.sweeps[0].workload.set);
    assert_int_equal(doc.n_versions, 1);
    assert_int_equal(doc.n_runs, 0); /* a time on an unknown workload ranks nowhere */
    assert_string_equal(why_of(d, 2)->said, "constraints");
    assert_string_equal(why_of(d, 3)->type, "timeout");
    assert_string_equal(value_of(d, "times.compilation", 0), "600.5");
    assert_string_equal(value_of(d, "GFLOP/s", 0), "640.5");
    assert_int_equal(listed(t, LORE_IL_DOUBTS, "so its workload is unknown"), 1);
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
        if (!lore_streq(doc.sweeps[0].chip, cases[i].chip))
            fail_msg("%s, %s: %s", cases[i].device, cases[i].file,
                doc.sweeps[0].chip ? doc.sweeps[0].chip : "unknown");
    }
}

static void
a_parameter_that_is_a_dimension_makes_a_sweep_of_each_value(void **state)
{
    struct lore_submission doc = read_text(*state, "two.json",
        "{\"device_name\": \"A4000\", \"kernel_name\": \"scale\", \"problem_size\": 64, "
        "\"tune_params_keys\": [\"filter_width\", \"b\"], \"cache\": {"
        "\"1\": {\"filter_width\": 3, \"b\": 1, \"time\": 1.0}, "
        "\"2\": {\"filter_width\": 5, \"b\": 1, \"time\": 3.0}, "
        "\"3\": {\"filter_width\": 5, \"b\": 2, \"time\": 2.0}}}");

    assert_int_equal(doc.n_sweeps, 2);
    assert_int_equal(doc.sweeps[0].configurations.data->n, 1);
    assert_int_equal(doc.sweeps[1].configurations.data->n, 2);
    assert_int_equal(doc.n_versions, 2);
    assert_int_equal(doc.n_runs, 2);
}

static void
what_stands_twice_is_measured_twice(void **state)
{
    struct lore_submission doc = read_text(*state, "twice.json",
        HEAD "\"16\": {\"block_size_x\": 16, \"time\": 1.0}, "
             "\"16 \": {\"block_size_x\": 16, \"time\": 1.0}, "
             "\"32\": {\"block_size_x\": 32, \"time\": 2.0}}}");

    assert_int_equal(data_of(&doc)->n, 3);
    assert_int_equal(doc.n_versions, 1);
    assert_int_equal(doc.n_runs, 1);
}

/* KTT writes results files, too: all values are texts, and counters have a type. */
static void
a_results_file_of_ktt_has_the_values_that_its_texts_say(void **state)
{
    struct lore_submission doc = read_text(*state, "blur_T4.json",
        "{\"metadata\": {\"timeunit\": \"microseconds\", \"autotuner\": \"KTT\", \"device\": "
        "\"NVIDIA GeForce RTX 3060 Ti\"}, \"results\": [{\"configuration\": {\"BLOCK\": \"16\", "
        "\"MODE\": \"fast\", \"NOTE\": \"\"}, \"times\": {\"compilation_time\": 7.5, "
        "\"runtimes\": [12.5]}, \"invalidity\": \"correct\", \"measurements\": [{\"name\": "
        "\"time\", \"value\": 12.5, \"unit\": \"\"}, {\"name\": \"dram__sectors_read.sum\", "
        "\"type\": \"Double\", \"value\": 40.5, \"unit\": \"\"}]}, {\"configuration\": "
        "{\"BLOCK\": \"32\"}, \"times\": {\"runtimes\": []}, \"invalidity\": \"compile\", "
        "\"error\": \"ptxas\"}]}");
    const struct lore_sweep_data *d = data_of(&doc);

    assert_string_equal(doc.sweeps[0].tool, "ktt");
    assert_string_equal(doc.sweeps[0].chip, "rtx3060ti");
    assert_string_equal(value_of(d, "BLOCK", 0), "16");
    assert_string_equal(value_of(d, "MODE", 0), "\"fast\"");
    assert_null(value_of(d, "MODE", 1));
    assert_true(d->time_ns[0] == 12500);
    assert_string_equal(value_of(d, "times.compilation_time", 0), "7.5");
    assert_string_equal(why_of(d, 1)->said, "ptxas");
    assert_int_equal(doc.runs[0].metrics.n, 1);
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
    assert_int_equal(f->records[LORE_K_SWEEP], 1);
    assert_int_equal(f->records[LORE_K_VERSION], 1);
    assert_int_equal(f->records[LORE_K_RUN], 1);
    assert_int_equal(f->records[LORE_K_EXPERIMENT], 0);
    for (size_t i = 0; i < f->n; i++) {
        assert_true(f->documents[i].len < LORE_WIRE_MAX_BYTES);
        if (f->documents[i].doc->n_sweeps == 0)
            continue;
        struct lore_sweep_data d;
        assert_int_equal(
            lore_sweep_read(&f->documents[i].doc->sweeps[0].configurations, &t->arena, &d, NULL),
            LORE_OK);
        assert_int_equal(d.n, 4362);
        assert_int_equal(d.n_samples, 32 * 4201);
        for (size_t k = 0; k < d.n_whys; k++)
            failed += d.whys[k].n;
    }
    assert_int_equal(failed, 161);
    assert_string_equal(f->documents[0].doc->artifacts[0].media_type, "application/gzip");
}

/* A cache file and a results file of one search. */
static void
two_files_of_one_search_have_one_print(void **state)
{
    static const char *const files[] = {
        REAL "convolution_MI250X.json.gz", REAL "convolution_MI250X_T4.json.gz"};
    struct taken *t = *state;
    char print[2][33];

    for (size_t k = 0; k < 2; k++) {
        if (access(files[k], R_OK) != 0)
            skip();
        take(t, files[k]);
        const struct lore_intake_format *f = format_named(t, "kernel-tuner");
        for (size_t i = 0; i < f->n; i++) {
            struct lore_sweep_data d;
            if (f->documents[i].doc->n_sweeps == 0)
                continue;
            assert_int_equal(lore_sweep_read(&f->documents[i].doc->sweeps[0].configurations,
                                 &t->arena, &d, NULL),
                LORE_OK);
            lore_sweep_print(&d, &t->arena, print[k]);
        }
    }
    assert_string_equal(print[0], print[1]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        INTAKE(a_file_is_one_sweep_and_its_best_configuration_a_version_with_a_run),
        INTAKE(a_configuration_without_a_parameter_is_refused_with_its_line),
        INTAKE(k1_times_of_a_cache_file_are_milliseconds_in_order),
        INTAKE(k2_a_file_that_is_still_written_gives_what_is_complete),
        INTAKE(k3_members_of_the_header_stand_in_any_order),
        INTAKE(k4_a_file_without_a_device_takes_the_chip_of_its_name_unless_told),
        INTAKE(k5_a_text_or_a_huge_number_instead_of_a_time_is_a_failure),
        INTAKE(k6_times_beside_a_failure_make_no_measurement),
        INTAKE(k7_where_many_times_contradict_the_number_the_number_counts),
        INTAKE(k7_where_few_do_the_mean_of_the_list_counts_and_the_number_is_kept),
        INTAKE(k8_a_results_file_names_its_unit_or_is_refused),
        INTAKE(k9_a_verification_that_took_no_time_is_none),
        INTAKE(a_time_that_is_none_costs_that_time_only),
        INTAKE(k10_a_configuration_is_one_version_whatever_its_file_says_of_it),
        INTAKE(k11_a_results_file_has_kernel_and_chip_in_its_name_alone),
        INTAKE(k12_a_word_behind_a_name_makes_another_chip),
        INTAKE(a_parameter_that_is_a_dimension_makes_a_sweep_of_each_value),
        INTAKE(what_stands_twice_is_measured_twice),
        INTAKE(a_results_file_of_ktt_has_the_values_that_its_texts_say),
        INTAKE(the_tuning_of_a_convolution_on_an_a100_is_whole),
        INTAKE(two_files_of_one_search_have_one_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
