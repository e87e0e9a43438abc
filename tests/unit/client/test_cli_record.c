// uses: client
/* record, import and mask: what is sent, what is said about the answer. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/import/importers.h"
#include "service/base/file.h"
#include "service/wire/attempt.h"
#include "tests/unit/cli_fake.h"

#define RECEIPT                                                                                    \
    "{\"status\":\"stored\",\"document\":\"01J00000000000000000000000\",\"kernel\":\"gemm\","      \
    "\"chip\":\"a6000\",\"workload\":\"M=8\","                                                     \
    "\"version\":{\"id\":\"01J00000000000000000000002\",\"label\":\"v1\",\"time_ns\":52000},"      \
    "\"parent\":{\"id\":\"01J00000000000000000000003\",\"label\":\"v0\",\"time_ns\":90000},"       \
    "\"first\":{\"id\":\"01J00000000000000000000003\",\"label\":\"v0\",\"time_ns\":90000},"        \
    "\"champion\":{\"id\":\"01J00000000000000000000002\",\"label\":\"v1\",\"time_ns\":52000},"     \
    "\"champion_vs_first\":1.7307,\"outcome\":{\"effect\":\"win\",\"speedup\":1.7307,"             \
    "\"correctness\":\"not_checked\",\"process\":\"clean\",\"rules\":[],"                          \
    "\"missing\":[\"hypothesis_missing\"],\"disagrees\":true}}"

static const struct fake_row rows[] = {
    {"/api/v1/submissions", 201,
        "{\"id\":\"01J00000000000000000000000\",\"status\":\"stored\",\"records\":[]}"},
    {"/api/v1/attempts", 201, RECEIPT},
    {"/api/v1/experiments/01J00000000000000000000001/mask", 200,
        "{\"id\":\"01J00000000000000000000001\",\"masked\":true}"},
    {NULL, 0, NULL},
};

struct fixture {
    struct fake *fake;
    char folder[64];
    struct lore_attempt sent; /* what was sent, decoded as the service does */
};

static int
setup(void **state)
{
    struct fixture *x = test_calloc(1, sizeof *x);

    *state = x;
    x->fake = fake_new(rows);
    (void)snprintf(x->folder, sizeof x->folder, "%s", "/tmp/test_cli_record.XXXXXX");
    return mkdtemp(x->folder) ? 0 : -1;
}

static int
teardown(void **state)
{
    static const char *const names[] = {"x.yaml", "x.json", "times.txt", "k.cu", "hypothesis.txt",
        "v3/hypothesis.txt", "v3/k.cu", "v3"};
    struct fixture *x = *state;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)remove(lore_format(&x->fake->arena, "%s/%s", x->folder, names[i]));
    (void)rmdir(x->folder);
    fake_free(x->fake);
    test_free(x);
    return 0;
}

static const char *
put(struct fixture *x, const char *name, const char *text)
{
    const char *path = lore_format(&x->fake->arena, "%s/%s", x->folder, name);

    assert_int_equal(lore_file_write(path, text, strlen(text), 0600, NULL), LORE_OK);
    return path;
}

/* Run, expect success, decode what was sent. */
static const struct lore_attempt *
record(struct fixture *x, const char *words)
{
    struct lore_errs *errs = lore_alloc(&x->fake->arena, sizeof *errs);
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    if (fake_run(x->fake, words) != 0)
        fail_msg("%s", fake_err(x->fake));
    if (lore_json_parse(x->fake->sent, strlen(x->fake->sent), NULL, &x->fake->arena, &root, &err) !=
        LORE_OK)
        fail_msg("%s", err.msg);
    if (lore_wire_decode_attempt(&lore_attempt_record, root, &x->fake->arena, &x->sent, errs) !=
        LORE_OK)
        fail_msg("%s: %s", errs->v[0].path, errs->v[0].msg);
    return &x->sent;
}

static void
options_become_members_of_a_body_that_the_service_reads(void **state)
{
    const struct lore_attempt *a = record(*state,
        "record|tiles of 16|--operator|matmul|--language|cuda|--chip|a6000|--dims|M=1024,K=1024|--"
        "label|v3|--bottleneck|memory-bound|--stall|long scoreboard|--memory-sol-before|2.19|"
        "--sm-sol-before|97.33|--memory-sol-after|2.84|--before|0.9445ms|--time|702.5us|"
        "--occupancy-before|95|-t|shared-memory-tiling{tile-size=16}|-t|float4 loads|"
        "--params|tile=16,unroll=4|--hypothesis|tiles cut loads|--outcome|failure|--notes|n|"
        "--violation|one_variable|--from|v2|--tolerance|1e-3|--checked-against|torch");

    assert_string_equal(a->op, "gemm");
    assert_string_equal(a->chip, "a6000");
    assert_string_equal(a->change, "tiles of 16");
    assert_string_equal(a->label, "v3");
    assert_string_equal(a->parent, "v2");
    assert_string_equal(a->before.text, "0.9445ms");
    assert_string_equal(a->after.text, "702.5us");
    assert_int_equal(a->n_techniques, 2);
    assert_string_equal(lore_kvs_get(&a->params, "unroll"), "4");
    assert_int_equal(a->metrics_before.n, 3);
    assert_int_equal(a->metrics.n, 1);
    assert_string_equal(a->bottleneck.labels.v[0], "memory");
    assert_string_equal(a->bottleneck.evidence, "dominant stall: long scoreboard");
    assert_string_equal(a->violations.v[0], "one_variable");
    assert_string_equal(a->hypothesis.claim, "tiles cut loads");
    assert_string_equal(a->checked_against, "torch");
    assert_true(a->tolerance.v == 1e-3);
}

static void
the_receipt_says_verdict_champion_and_what_is_missing(void **state)
{
    struct fixture *x = *state;

    (void)record(x, "record|tiles|-o|gemm|-l|hip|--outcome|failure|--before|90us|--time|52us");
    assert_says(fake_out(x->fake), "v1  52 us  win, 1.73x over v0\n");
    assert_says(
        fake_out(x->fake), "gemm on a6000, M=8: champion v1, 52 us, 1.73x over the first (v0)\n");
    assert_says(fake_out(x->fake), "you said \"failure\"; the numbers say win");
    assert_says(fake_out(x->fake), "missing: a hypothesis (--hypothesis)\n");
}

static void
all_errors_of_a_body_are_printed_in_the_words_of_options(void **state)
{
    static const struct fake_row refused[] = {
        {"/api/v1/attempts", 400,
            "{\"detail\":\"chip: no\",\"path\":\"chip\",\"errors\":["
            "{\"detail\":\"chip: no\",\"path\":\"chip\",\"hint\":\"GET /api/v1/chips?all=true\"},"
            "{\"detail\":\"parent: parent: no\",\"path\":\"parent\"},"
            "{\"detail\":\"kind: no\",\"path\":\"kind\"},"
            "{\"detail\":\"time: no\",\"path\":\"time\","
            "\"hint\":\"\\\"time\\\": \\\"81us\\\", or \\\"dry_run\\\": true\"}]}"},
        {NULL, 0, NULL},
    };
    struct fixture *x = *state;

    x->fake->rows = refused;
    assert_int_equal(fake_run(x->fake, "record|x|-o|gemm"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "warplore: --chip: no\n  hint: warplore list chips --all\n"
                                   "warplore: --from: no\nwarplore: kind: no\n"
                                   "warplore: --time: no\n  hint: --time 81us, or --dry-run\n");
}

static void
samples_are_sent_in_nanoseconds(void **state)
{
    struct fixture *x = *state;
    const char *file = put(x, "times.txt", "# warm\nus\n12.5\n12.75, 13\n");
    const struct lore_attempt *a = record(x, lore_format(&x->fake->arena,
                                                 "record|x|-o|gemm|-l|hip|--samples-before|%s|--"
                                                 "samples|10,11,12ms|--correctness|pass",
                                                 file));

    assert_int_equal(a->before.n_samples, 3);
    assert_int_equal(a->before.samples_ns[1], 12750);
    assert_int_equal(a->after.samples_ns[0], 10000000);
    assert_int_equal(a->correctness, LORE_C_PASS);
}

static void
a_yaml_file_holds_the_same_options_and_the_command_line_wins(void **state)
{
    struct fixture *x = *state;
    const char *path = put(x, "x.yaml",
        "operator: softmax\nlanguage: triton\nchip: mi300x\ndims: {M: 128, N: 64}\nbefore: 2.5ms\n"
        "time: 2ms\ntechnique:\n  - one{a=1}\n  - two\nnotes: \"12: not a number\"\n");
    const struct lore_attempt *a =
        record(x, lore_format(&x->fake->arena, "record|--file|%s|--chip|h200", path));

    assert_string_equal(a->op, "softmax");
    assert_string_equal(a->chip, "h200");
    assert_string_equal(a->before.text, "2.5ms");
    assert_int_equal(a->n_techniques, 2);
    assert_string_equal(lore_kvs_get(&a->workload.dims, "N"), "64");
    assert_string_equal(a->notes, "12: not a number");
}

static void
mistakes_in_a_file_are_named(void **state)
{
    struct fixture *x = *state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"kernel: a\nkernle: b\n", "x.yaml: kernle: unknown option\n  hint: did you mean kernel?"},
        {"{\"kernel\": \"a\",}", "x.yaml: line 1, column"}, {"kernel: a\nkernel: b\n", "kernel"},
        {"kernel: &x a\n", "anchors and tags are not supported"}, {"- a\n", "expected options"},
        {"kernel: [a\n", "x.yaml:"}, {"notes: true\n", "notes: expected text"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = put(x, "x.yaml", cases[i].text);
        lore_buf_reset(&x->fake->cli.err);
        assert_int_equal(fake_run(x->fake, lore_format(&x->fake->arena, "record|--file|%s", path)),
            LORE_EXIT_USAGE);
        assert_says(fake_err(x->fake), cases[i].says);
    }
    assert_null(x->fake->sent);
}

static void
a_whole_submission_is_sent_as_it_is(void **state)
{
    struct fixture *x = *state;
    static const char text[] = "{ \"warplore\": 1, \"id\": \"01J00000000000000000000000\" }\n";
    const char *path = put(x, "x.json", text);

    assert_int_equal(fake_run(x->fake, lore_format(&x->fake->arena, "record|--file|%s", path)), 0);
    assert_string_equal(x->fake->sent, text);
}

static void
a_directory_gives_hypothesis_and_sources(void **state)
{
    struct fixture *x = *state;
    const char *folder = lore_format(&x->fake->arena, "%s/v3", x->folder);

    assert_int_equal(mkdir(folder, 0700), 0);
    (void)put(x, "v3/hypothesis.txt", "Hypothesis: wider loads\nRationale: low efficiency\n");
    (void)put(x, "v3/k.cu", "__global__ void k() {}\n");
    const struct lore_attempt *a =
        record(x, lore_format(&x->fake->arena, "record|%s|-o|gemm", folder));

    assert_string_equal(a->hypothesis.claim, "wider loads");
    assert_string_equal(a->hypothesis.rationale, "low efficiency");
    assert_string_equal(a->label, "v3");
    assert_string_equal(a->sources[0].file, "k.cu");
    assert_null(a->change);
}

static void
a_directory_of_the_source_version_holds_the_parents_code(void **state)
{
    struct fixture *x = *state;
    const char *folder = lore_format(&x->fake->arena, "%s/v3", x->folder);

    assert_int_equal(mkdir(folder, 0700), 0);
    (void)put(x, "v3/hypothesis.txt",
        "Version:\n- Source: v3\n- Target: v4\nSingle change:\n- Change: wider loads\n");
    (void)put(x, "v3/k.cu", "__global__ void k() {}\n");
    const struct lore_attempt *a =
        record(x, lore_format(&x->fake->arena, "record|%s|-o|gemm", folder));

    assert_string_equal(a->parent, "v3");
    assert_string_equal(a->label, "v4");
    assert_int_equal(a->n_parent_sources, 1);
    assert_int_equal(a->n_sources, 0);
}

static void
what_cannot_be_read_is_named_before_anything_is_sent(void **state)
{
    struct fixture *x = *state;
    static const struct {
        const char *words, *says;
    } cases[] = {{"record|x|-o|gemm|--samples|t.txt", "\"t.txt\" is no time"},
        {"record|x|-o|gemm|--samples|10,11", "--samples: time 1 has no unit"},
        {"record|x|-o|gemm|--samples|10furlongs", "10furlongs"},
        {"record|x|-o|gemm|--checked-against|torch|--tolerance|-1", "must not be negative"},
        {"record|x|-o|gemm|--tolerance|1e-3", "Add --checked-against REF"},
        {"record|x|-o|gemm|--time|1us|--samples|1us,2us", "--time and --samples: give one"},
        {"record|x|-o|gemm|--memory-sol-before|fast", "--memory-sol-before"},
        {"record|x|-o|gemm|--params|tile", "--params"},
        {"record|x|-o|gemm|--source|/nonexistent/k.cu", "/nonexistent/k.cu"},
        {"record|x|-o|gemm|--log|/nonexistent/log", "/nonexistent/log"},
        {"record|x|-o|gemm|--oprator|gemm", "did you mean --operator?"},
        {"mask|01J00000000000000000000001", "--reason: required"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lore_buf_reset(&x->fake->cli.err);
        assert_int_equal(fake_run(x->fake, cases[i].words), LORE_EXIT_USAGE);
        assert_says(fake_err(x->fake), cases[i].says);
    }
    assert_int_equal(x->fake->n_asked, 0);
}

static void
a_long_log_keeps_its_end(void **state)
{
    struct fixture *x = *state;
    char text[70000];

    memset(text, 'x', sizeof text);
    memcpy(text + sizeof text - 7, "ptxas!", 7);
    const char *path = put(x, "times.txt", text);
    const struct lore_attempt *a = record(
        x, lore_format(&x->fake->arena, "record|x|-o|gemm|-l|hip|--error|compile|--log|%s", path));

    assert_string_equal(a->error, "compile");
    assert_int_equal(strlen(a->log), 60000);
    assert_string_equal(a->log + 60000 - 6, "ptxas!");
}

static void
import_counts_what_the_service_stored(void **state)
{
    static const struct fake_row duplicate[] = {
        {"/api/v1/submissions", 200,
            "{\"id\":\"01J00000000000000000000000\",\"status\":\"duplicate\",\"stored\":{},"
            "\"duplicates\":{\"experiments\":4},\"records\":[]}"},
        {NULL, 0, NULL}};
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "import|--format|experiences|" SOURCE_DIR
                                       "/tests/fixtures/import/experiences.json"),
        LORE_EXIT_USAGE);
    assert_says(fake_out(x->fake), "6 entries, 2 refused, 1 document");
    lore_buf_reset(&x->fake->cli.out);
    x->fake->rows = duplicate;
    (void)fake_run(x->fake, "import|" SOURCE_DIR "/tests/fixtures/import/experiences.json|--json");
    assert_says(fake_out(x->fake), "\"entries\":6,\"refused\":2");
    assert_says(fake_out(x->fake),
        "\"experiments\":{\"read\":4,\"repeated\":0,\"stored\":0,\"duplicates\":4}");
}

static void
import_says_when_another_number_of_entries_came_than_expected(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "import|--dry-run|--expect|12|" SOURCE_DIR
                                       "/tests/fixtures/import/traps/experiences.json"),
        LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "12 entries were expected, 11 found");
    assert_int_equal(fake_run(x->fake, "import|--dry-run|--expect|11|" SOURCE_DIR
                                       "/tests/fixtures/import/traps/experiences.json"),
        LORE_EXIT_OK);
    assert_int_equal(fake_run(x->fake, "import|--format|none|x"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "--format: \"none\" is not known");
    for (const struct lore_importer *i = lore_importers; i->name; i++)
        assert_says(fake_err(x->fake), i->name); /* not cut */
    assert_int_equal(fake_run(x->fake, "import|--format|experience|x"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "did you mean experiences?");
}

static void
a_dry_run_sends_nothing(void **state)
{
    struct fixture *x = *state;

    (void)fake_run(
        x->fake, "import|--dry-run|" SOURCE_DIR "/tests/fixtures/import/kernelflow.json");
    assert_says(fake_out(x->fake), "7 entries, 2 refused, nothing sent");
    assert_int_equal(x->fake->n_asked, 0);
}

static void
a_mask_carries_its_reason(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(
        fake_run(x->fake, "mask|01J00000000000000000000001|--reason|wrong \"clock\""), 0);
    assert_string_equal(x->fake->sent, "{\"masked\":true,\"reason\":\"wrong \\\"clock\\\"\"}");
    assert_int_equal(fake_run(x->fake, "unmask|01J00000000000000000000001|-r|fine"), 0);
    assert_string_equal(x->fake->sent, "{\"masked\":false,\"reason\":\"fine\"}");
}

#define CASE(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(options_become_members_of_a_body_that_the_service_reads),
        CASE(the_receipt_says_verdict_champion_and_what_is_missing),
        CASE(all_errors_of_a_body_are_printed_in_the_words_of_options),
        CASE(samples_are_sent_in_nanoseconds),
        CASE(a_yaml_file_holds_the_same_options_and_the_command_line_wins),
        CASE(mistakes_in_a_file_are_named),
        CASE(a_whole_submission_is_sent_as_it_is),
        CASE(a_directory_gives_hypothesis_and_sources),
        CASE(a_directory_of_the_source_version_holds_the_parents_code),
        CASE(what_cannot_be_read_is_named_before_anything_is_sent),
        CASE(a_long_log_keeps_its_end),
        CASE(import_counts_what_the_service_stored),
        CASE(import_says_when_another_number_of_entries_came_than_expected),
        CASE(a_dry_run_sends_nothing),
        CASE(a_mask_carries_its_reason),
    };
    return cmocka_run_group_tests(tests, clean_environment, NULL);
}
