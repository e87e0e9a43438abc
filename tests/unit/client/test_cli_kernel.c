// uses: client
/* One kernel on the command line: history, summary, latest, compare, drift, restart; and which
 * kernel a name means. */
#include "tests/unit/cli_fake.h"

#define K "01J000000000000000000000K1"
#define V(n) "01J000000000000000000000V" n

#define ROW(id, label, ordinal, kind, ns, more)                                                    \
    "{\"version\":{\"id\":\"" id "\",\"label\":\"" label "\",\"ordinal\":" ordinal                 \
    ",\"kind\":\"" kind "\"},\"time_ns\":" ns more "}"

static const char history[] = "{\"rows\":[" ROW(V("0"), "v0", "0", "baseline", "79936",
    ",\"baseline\":true,\"champion\":false,\"hidden\":false") "," ROW(V("1"), "v1", "1",
    "candidate", "69168",
    ",\"speedup_vs_first\":1.1557,\"speedup_vs_parent\":1.1557,\"speedup_vs_best_before\":1."
    "1557,\"champion\":true,\"hidden\":false,\"experiment\":{\"techniques\":[{\"name\":"
    "\"memory.a\"},{\"name\":\"sync.b\"}],\"outcome\":{\"effect\":\"win\",\"speedup\":1.1557,"
    "\"correctness\":\"pass\",\"process\":\"clean\"}}") "," ROW(V("2"), "v1_without_a", "1",
    "ablation", "70000",
    ",\"champion\":false,\"hidden\":false") "," ROW(V("3"), "v2", "2", "candidate", "92160",
    ",\"champion\":false,\"hidden\":true") "],\"next\":null,"
                                           "\"workload_label\":\"rows=8 f32\",\"champion\":\"" V(
                                               "1") "\"}";

static const char compared[] = "{\"a\":{\"id\":\"" V("0") "\",\"label\":\"v0\"},\"b\":{\"id\":\"" V(
    "1") "\",\"label\":\"v1\"},\"time\":{\"a\":{\"workload\":{\"label\":\"rows=8\"},\"stats\":{"
         "\"n\":3,"
         "\"median_ns\":80000}},\"b\":{\"stats\":{\"n\":3,\"median_ns\":40000}},\"speedup\":2,"
         "\"same_environment\":false,\"same_tool\":true},\"metrics\":[{\"name\":\"dram\",\"a\":"
         "1234567,"
         "\"b\":0,\"delta_pct\":-100,\"unit\":\"byte\",\"sense\":\"better\"},{\"name\":\"only_b\","
         "\"b\":3,\"sense\":"
         "\"unknown\"}],\"techniques\":{\"a\":[],\"b\":[{\"name\":\"memory.a\",\"label\":\"v1\"},{"
         "\"name\":\"sync.b\",\"label\":\"v0\",\"out_label\":\"v1\"}],\"only_b\":[\"memory.a\"]},"
         "\"params\":[{"
         "\"name\":\"threads\",\"a\":128,\"b\":256}],\"build\":[],\"isa\":{\"a\":[],\"b\":[{"
         "\"technique\":\"memory.a\",\"status\":\"verified\"}]},\"files\":[{\"file\":\"same.cu\","
         "\"same\":true},{\"file\":\"k.cu\",\"same\":false,\"added\":1,\"removed\":1,\"diff\":\"-"
         "old "
         "\\u001b[2J\\n+new\\n\"}]}";

static const struct fake_row rows[] = {
    {"/api/v1/kernels/" K "/history", 200, history},
    {"/api/v1/kernels/team/softmax/history", 200, history},
    {"/api/v1/kernels/nothing/history", 404, "{\"status\":404,\"detail\":\"nothing\"}"},
    {"/api/v1/kernels/gemm/history", 409,
        "{\"status\":409,\"code\":\"ambiguous_name\",\"detail\":\"gemm: 2 records have this "
        "name\",\"hint\":\"give the id of one\",\"candidates\":[{\"kind\":\"kernel\",\"id\":"
        "\"01J000000000000000000000K2\",\"name\":\"one\",\"language\":\"cuda\"},{\"kind\":"
        "\"kernel\",\"id\":\"01J000000000000000000000K3\",\"name\":\"two\",\"project\":\"t\","
        "\"language\":\"hip\",\"chip\":\"mi300x\"}]}"},
    {"/api/v1/kernels/" K "/drift", 200,
        "{\"rows\":[{\"label\":\"v0\",\"bound\":\"memory\",\"gaps\":{\"compute\":0.6,\"memory\":0."
        "1,\"unknown_inputs\":[]}},{\"label\":\"v1\",\"bound\":\"unknown\",\"gaps\":{"
        "\"unknown_inputs\":[\"a stall reason\"]}}],\"summary\":\"memory throughout\"}"},
    {"/api/v1/versions/" V("0") "/compare/" V("1"), 200, compared},
    {"/api/v1/kernels/" K "/restart", 201,
        "{\"id\":\"01J000000000000000000000C1\",\"seed\":\"7\",\"hidden_versions\":[\"" V(
            "3") "\"],\"masked_experiments\":[\"01J000000000000000000000E1\"],\"visible_versions\":"
                 "[\"" V("0") "\",\"" V("1") "\"],\"from_version\":\"" V("1") "\",\"next_ordinal\":"
                                                                              "3}"},
    {"/api/v1/kernels/" K, 200,
        "{\"id\":\"" K "\",\"versions\":[{\"id\":\"" V("0") "\",\"label\":\"v0\"},{\"id\":\"" V(
            "1") "\",\"label\":\"v1\"},{\"id\":\"" V("3") "\",\"label\":\"v2\"}]}"},
    {NULL, 0, NULL},
};

static void
history_says_what_each_version_gained(void **state)
{
    struct fake *f = *state;

    f->cli.width = 140;
    assert_int_equal(fake_run(f, "history|" K "|--workload|w1"), 0);
    assert_string_equal(f->asked[0], "/api/v1/kernels/" K "/history?workload=w1");
    assert_says(fake_out(f), "v0            79.94 us      -       -      -  -          baseline");
    assert_says(fake_out(f), "69.17 us  1.16x   1.16x  1.16x  win 1.16x  champion");
    assert_says(fake_out(f), "hidden    01J000000000000000000000V3");
    assert_says(fake_out(f), "times on rows=8 f32");
    assert_says(fake_out(f), "1 version hidden from recommendations");
    f->cli.width = 80;
    f->cli.out.len = 0;
    assert_int_equal(fake_run(f, "history|" K), 0); /* a narrow terminal keeps times and ids */
    assert_says(fake_out(f), "version       ");
    assert_null(strstr(fake_out(f), "best  "));
    assert_says(fake_out(f), V("3"));
}

static void
summary_lists_masked_versions_and_marks_them(void **state)
{
    struct fake *f = *state;

    f->cli.width = 140;
    assert_int_equal(fake_run(f, "summary|" K), 0);
    assert_says(fake_out(f), "memory.a + sync.b");
    assert_says(fake_out(f), "v2            masked  92.16 us");
}

static void
unmasked_only_leaves_hidden_versions_out_of_text_and_json(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "summary|" K "|--unmasked-only"), 0);
    assert_null(strstr(fake_out(f), "92.16 us"));
    assert_says(fake_out(f), "69.17 us");
    f->cli.out.len = 0;
    assert_int_equal(fake_run(f, "summary|" K "|--unmasked-only|--json"), 0);
    assert_null(strstr(fake_out(f), V("3")));
    assert_says(fake_out(f), V("1"));
}

static void
latest_is_the_highest_version_that_is_neither_hidden_nor_an_ablation(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "latest|" K), 0);
    assert_says(fake_out(f), V("1"));
    assert_null(strstr(fake_out(f), V("2")));
    assert_null(strstr(fake_out(f), V("3")));
    f->cli.out.len = 0;
    assert_int_equal(fake_run(f, "latest|" K "|--json"), 0);
    assert_string_equal(fake_out(f),
        "{\"id\":\"" V("1") "\",\"label\":\"v1\",\"ordinal\":1,\"kind\":\"candidate\"}\n");
}

static void
a_name_is_sent_as_it_is_and_the_candidates_of_an_ambiguous_one_are_listed(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "latest|team/softmax"), 0);
    assert_string_equal(f->asked[0], "/api/v1/kernels/team/softmax/history");
    assert_int_equal(fake_run(f, "latest|gemm"), 2);
    assert_says(fake_err(f), "gemm: 2 records have this name");
    assert_says(fake_err(f), "  01J000000000000000000000K2  kernel  one  cuda\n");
    assert_says(fake_err(f), "  01J000000000000000000000K3  kernel  t  two  hip  mi300x\n");
    assert_int_equal(fake_run(f, "history|nothing"), 1);
}

static void
compare_shows_time_metrics_parameters_and_source(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "compare|" V("0") "|" V("1")), 0);
    assert_says(fake_out(f), "v0 -> v1\n");
    assert_says(fake_out(f), "80 us, n=3 -> 40 us, n=3: 2.00x");
    assert_says(fake_out(f), "measured in different environments");
    assert_null(strstr(fake_out(f), "different tools"));
    assert_says(fake_out(f),
        "v1: memory.a (v1), sync.b (v0, out in v1)\n                  v0 lacks memory.a\n");
    assert_says(fake_out(f), "none -> memory.a verified");
    assert_says(fake_out(f), "1234567      0  byte      -100  better");
    assert_says(fake_out(f), "only_b        -      3  -            -  unknown");
    assert_says(fake_out(f), "threads    128     256");
    assert_says(fake_out(f), "k.cu (+1 -1)\n-old ?[2J\n+new\n");
    assert_null(strstr(fake_out(f), "same.cu"));
}

static void
drift_shows_gaps_and_leaves_unknown_ones_empty(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "drift|" K), 0);
    assert_says(fake_out(f), "v0       memory   -            0.6         0.1            -");
    assert_says(fake_out(f), "a stall reason");
    assert_says(fake_out(f), "memory throughout\n");
}

static void
restart_names_versions_by_label_and_sends_a_number_as_one(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "restart|" K "|--seed|7"), 2);
    assert_says(fake_err(f), "--reason: required");
    assert_int_equal(f->n_asked, 0);
    assert_int_equal(fake_run(f, "restart|" K "|--seed|7|--reason|stuck"), 0);
    assert_string_equal(f->sent, "{\"reason\":\"stuck\",\"seed\":7}");
    assert_says(fake_out(f), "hidden          v2\n");
    assert_says(fake_out(f), "masks           1 experiment\n");
    assert_says(fake_out(f), "visible         v0, v1\n");
    assert_says(fake_out(f), "continue from   v1\n");
    assert_says(fake_out(f), "next version    v3\n");
    assert_int_equal(fake_run(f, "restart|" K "|--seed|a \"word\"|--reason|stuck|--dry-run"), 0);
    assert_string_equal(
        f->sent, "{\"reason\":\"stuck\",\"seed\":\"a \\\"word\\\"\",\"dry_run\":true}");
    assert_says(fake_out(f), "would hide (nothing was changed)");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(history_says_what_each_version_gained),
        TEST(summary_lists_masked_versions_and_marks_them),
        TEST(unmasked_only_leaves_hidden_versions_out_of_text_and_json),
        TEST(latest_is_the_highest_version_that_is_neither_hidden_nor_an_ablation),
        TEST(a_name_is_sent_as_it_is_and_the_candidates_of_an_ambiguous_one_are_listed),
        TEST(compare_shows_time_metrics_parameters_and_source),
        TEST(drift_shows_gaps_and_leaves_unknown_ones_empty),
        TEST(restart_names_versions_by_label_and_sends_a_number_as_one),
    };
    return cmocka_run_group_tests(tests, clean_environment, NULL);
}
