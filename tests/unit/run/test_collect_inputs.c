// uses: run
/* What comes in beside the trace: warplore.yaml, hypothesis files, the ledger of earlier runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "collectors/run/hypothesis_file.h"
#include "collectors/run/isa_facts.h"
#include "collectors/run/ledger.h"
#include "tests/unit/collect_case.h"
#include "tests/unit/scratch.h"

/* ---- warplore.yaml ---- */

static struct lore_run_options
yaml(const char *text)
{
    struct lore_run_options w = {0};
    struct lore_err err = {0};

    if (lore_options_yaml(text, strlen(text), "k/warplore.yaml", &arena, &w, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return w;
}

static void
every_key_of_the_file_arrives(void **state)
{
    struct lore_run_options w =
        yaml("operator: softmax\ndims: {rows: 8192, cols: 4096, note: odd}\ndtype: f32\n"
             "source: [v2.cu, /abs/c.cuh]\nparent: v1.cu\nlanguage: triton\nversion-kind: branch\n"
             "role: reference\nwarmup: 10\niterations: 70\nmax_samples: 99\nno_isa: true\n"
             "param: {threads: 256}\ntechnique: memory.vectorized_access{width=4}\n"
             "hypothesis_file: h.txt\nlabel: 7\nadvice: 01J000000000000000000000A1\n");

    (void)state;
    assert_string_equal(w.op, "softmax");
    assert_string_equal(lore_kvs_get(&w.dims, "rows"), "8192");
    assert_string_equal(lore_kvs_get(&w.dims, "note"), "\"odd\"");
    assert_int_equal(w.version_files.n, 2);
    assert_string_equal(w.version_files.v[0], "k/v2.cu");
    assert_string_equal(w.version_files.v[1], "/abs/c.cuh");
    assert_string_equal(w.parent, "k/v1.cu");
    assert_string_equal(w.hypothesis, "k/h.txt");
    assert_string_equal(w.advice, "01J000000000000000000000A1");
    assert_int_equal(w.language, LORE_LANG_TRITON);
    assert_int_equal(w.kind, LORE_V_BRANCH);
    assert_int_equal(w.role, LORE_ROLE_REFERENCE);
    assert_int_equal(w.warmup, 10);
    assert_int_equal(w.iterations, 70);
    assert_int_equal(w.samples, 99);
    assert_true(w.no_isa);
    assert_string_equal(lore_kvs_get(&w.params, "threads"), "256");
    assert_string_equal(w.techniques.v[0], "memory.vectorized_access{width=4}");
    assert_string_equal(w.label, "7");
    assert_string_equal(
        yaml("parent: 01M7ZS70X08CXQJ4H1K6HKPQJC\n").parent, "01M7ZS70X08CXQJ4H1K6HKPQJC");
    w = yaml("dims: M=1,N=2\n");
    assert_string_equal(lore_kvs_get(&w.dims, "N"), "2");
    assert_null(yaml("").op);
}

static void
what_the_command_line_said_stays(void **state)
{
    struct lore_run_options w = {.op = "gemm", .warmup = 3};
    static const char text[] = "operator: softmax\nwarmup: 9\ndtype: f32\ndims: {M: 1, N: 2}\n";

    (void)state;
    lore_kvs_set(&arena, &w.dims, "M", "8");
    assert_int_equal(lore_options_yaml(text, strlen(text), "w.yaml", &arena, &w, NULL), LORE_OK);
    assert_string_equal(w.op, "gemm");
    assert_int_equal(w.warmup, 3);
    assert_string_equal(w.dtype, "f32");
    assert_string_equal(lore_kvs_get(&w.dims, "M"), "8");
    assert_string_equal(lore_kvs_get(&w.dims, "N"), "2");
}

static void
yaml_fails(const char *text, const char *msg, const char *hint)
{
    struct lore_run_options w = {0};
    struct lore_err err = {0};

    assert_int_not_equal(
        lore_options_yaml(text, strlen(text), "w.yaml", &arena, &w, &err), LORE_OK);
    assert_string_equal(err.msg, msg);
    assert_string_equal(err.hint, hint);
}

static void
a_wrong_file_is_refused_by_the_key(void **state)
{
    (void)state;
    yaml_fails("opertor: x\n", "w.yaml: opertor: no such key", "did you mean operator?");
    yaml_fails(
        "kernel--regex: x\n", "w.yaml: kernel--regex: no such key", "did you mean kernel_regex?");
    yaml_fails("zzz: x\n", "w.yaml: zzz: no such key", "");
    yaml_fails(
        "warmup: many\n", "w.yaml: warmup: a whole number from 0 to 1000000000 is expected", "");
    yaml_fails("no_isa: 1\n", "w.yaml: no_isa: true or false is expected", "");
    yaml_fails("dims: [1]\n", "w.yaml: dims: expected a mapping of names to values", "");
    yaml_fails("dims: {M: [1]}\n", "w.yaml: dims.M: a number or text is expected", "");
    yaml_fails("operator: {a: b}\n", "w.yaml: operator: text is expected", "");
    yaml_fails("version_kind: x\n",
        "w.yaml: version_kind: one of baseline, candidate, branch, ablation, revert, library", "");
    yaml_fails("language: klingon\n", "w.yaml: language: no language of that name is known", "");
    yaml_fails("- a\n", "w.yaml: expected a mapping of keys to values", "");
}

/* ---- hypothesis files ---- */

static char dir[64];

static int
make_dir(void **state)
{
    (void)state;
    return scratch_make(dir);
}

static int
drop_dir(void **state)
{
    (void)state;
    scratch_drop(dir);
    return 0;
}

static const char *
write_file(const char *name, const char *text, int mode)
{
    const char *path = lore_format(&arena, "%s/%s", dir, name);

    assert_int_equal(lore_file_write(path, text, strlen(text), mode, NULL), LORE_OK);
    return path;
}

static void
the_first_line_is_the_change_and_the_rest_is_why(void **state)
{
    struct lore_hypothesis h;

    (void)state;
    assert_int_equal(lore_hypothesis_file_read(case_file("v2.txt"), &arena, &h, NULL), LORE_OK);
    assert_string_equal(h.claim, "Four elements per thread: a quarter of the requests.");
    assert_true(lore_starts(h.rationale, "Each thread asks for 4 bytes"));
    assert_non_null(h.claimed_at);
    const char *path = write_file("h.md", "\n# Use shuffles\n", 0600);
    assert_int_equal(lore_hypothesis_file_read(path, &arena, &h, NULL), LORE_OK);
    assert_string_equal(h.claim, "Use shuffles");
    assert_null(h.rationale);
    path = write_file("l.txt", "Hypothesis: wide loads\nRationale: requests limit\n", 0600);
    assert_int_equal(lore_hypothesis_file_read(path, &arena, &h, NULL), LORE_OK);
    assert_string_equal(h.claim, "wide loads");
    assert_string_equal(h.rationale, "requests limit");
}

static void
yaml_has_the_fields_of_the_record(void **state)
{
    struct lore_hypothesis h;

    (void)state;
    assert_int_equal(lore_hypothesis_file_read(case_file("v2.yaml"), &arena, &h, NULL), LORE_OK);
    assert_string_equal(h.claim, "Four elements per thread quarter the requests.");
    assert_int_equal(h.n_expected, 1);
    assert_string_equal(h.expected[0].direction, "down");
    assert_true(h.probability.set && h.probability.v == 0.7);
    assert_string_equal(h.technique, "memory.vectorized_access");
    assert_string_equal(h.claimed_at, "2026-11-20T08:00:00Z");
    assert_null(h.id);
}

static void
a_wrong_hypothesis_file_names_file_and_field(void **state)
{
    struct lore_hypothesis h;
    struct lore_err err = {0};
    const char *path = write_file("e.txt", " \n\n", 0600);

    (void)state;
    assert_int_equal(lore_hypothesis_file_read(path, &arena, &h, &err), LORE_INVALID);
    assert_non_null(strstr(err.msg, "e.txt: it is empty"));
    assert_string_equal(err.path, "--hypothesis-file");
    path = write_file("e.yaml", "claim: x\nprobability: 2\n", 0600);
    assert_int_equal(lore_hypothesis_file_read(path, &arena, &h, &err), LORE_INVALID);
    assert_non_null(strstr(err.msg, "e.yaml: probability"));
    path = write_file("f.yaml", "clam: x\n", 0600);
    assert_int_equal(lore_hypothesis_file_read(path, &arena, &h, &err), LORE_INVALID);
    assert_non_null(strstr(err.msg, "f.yaml: clam"));
    path = write_file("g.txt", "\377\376", 0600);
    assert_int_equal(lore_hypothesis_file_read(path, &arena, &h, &err), LORE_INVALID);
    assert_int_equal(lore_hypothesis_file_read("/nonexistent/h", &arena, &h, &err), LORE_NOTFOUND);
}

/* ---- the ledger ---- */

static struct lore_ledger_entry
entry(const char *version, int i)
{
    return (struct lore_ledger_entry){.at_us = 1795000000000000 + i,
        .kernel = "01M7ZS70X0D4HXT6Y08R085HEN",
        .version = version,
        .content = "c0ffee",
        .workload = "w",
        .hard = "h",
        .run = lore_format(&arena, "01M7ZS70X0D4HXT6Y08R0%05d", i),
        .median_ns = {true, 1000 + i}};
}

static void
the_last_run_of_a_version_is_found_in_its_place(void **state)
{
    static const char a[] = "01M7ZS70X0QVN0DFBJFW6ENZ81", b[] = "01M7ZS70X0YRDDTBX73SSF2T4Y";
    struct lore_ledger_entry e[3] = {entry(a, 1), entry(b, 2), entry(a, 3)};
    const char *place = lore_format(&arena, "%s/a", dir);
    struct lore_ledger l;

    (void)state;
    e[2].workload = "other";
    assert_int_equal(lore_ledger_read(place, NULL, &arena, &l, NULL), LORE_OK);
    assert_int_equal(l.n, 0);
    assert_int_equal(lore_ledger_add(place, e, 3, NULL), LORE_OK);
    assert_int_equal(lore_ledger_read(place, NULL, &arena, &l, NULL), LORE_OK);
    assert_int_equal(l.n, 3);
    assert_string_equal(lore_ledger_last(&l, a, "w", "h")->run, e[0].run);
    assert_string_equal(lore_ledger_last(&l, a, NULL, NULL)->run, e[2].run);
    assert_null(lore_ledger_last(&l, a, "w", "other"));
    assert_string_equal(lore_ledger_content(&l, e[0].kernel, "c0ffee")->run, e[2].run);
    assert_null(lore_ledger_content(&l, b, "c0ffee"));
    assert_true(l.v[0].median_ns.set && l.v[0].median_ns.v == 1001);
    assert_false(l.v[0].noise_pct.set);
}

static void
runs_that_another_service_stores_are_not_known(void **state)
{
    static const char a[] = "01M7ZS70X0QVN0DFBJFW6ENZ81";
    const char *place = lore_format(&arena, "%s/s", dir);
    struct lore_ledger_entry e = entry(a, 1);
    struct lore_ledger l;

    (void)state;
    e.service = "http://one";
    assert_int_equal(lore_ledger_add(place, &e, 1, NULL), LORE_OK);
    assert_int_equal(lore_ledger_read(place, "http://one", &arena, &l, NULL), LORE_OK);
    assert_int_equal(l.n, 1);
    assert_int_equal(lore_ledger_read(place, "http://two", &arena, &l, NULL), LORE_OK);
    assert_int_equal(l.n, 0);
    assert_int_equal(lore_ledger_read(place, NULL, &arena, &l, NULL), LORE_OK);
    assert_int_equal(l.n + l.damaged, 0);
}

static void
a_torn_line_costs_itself_and_nothing_else(void **state)
{
    static const char a[] = "01M7ZS70X0QVN0DFBJFW6ENZ81";
    const char *place = lore_format(&arena, "%s/t", dir);
    struct lore_ledger_entry e = entry(a, 1), f = entry(a, 2);
    const char *path = lore_format(&arena, "%s/ledger.jsonl", place);
    struct lore_buf text = {0};
    struct lore_ledger l;

    (void)state;
    assert_int_equal(lore_ledger_add(place, &e, 1, NULL), LORE_OK);
    assert_int_equal(lore_file_read(path, &text, NULL), LORE_OK);
    lore_buf_puts(&text, "garbage\n{\"at\":\"2026\n{\"at\":\"2026-11-2");
    assert_int_equal(lore_file_write(path, text.data, text.len, 0600, NULL), LORE_OK);
    lore_buf_free(&text);
    assert_int_equal(lore_ledger_add(place, &f, 1, NULL), LORE_OK);
    assert_int_equal(lore_ledger_read(place, NULL, &arena, &l, NULL), LORE_OK);
    assert_int_equal(l.n, 2);
    assert_int_equal(l.damaged, 3);
    assert_string_equal(l.v[1].run, f.run);
}

static void
the_ledger_is_bounded_and_keeps_the_newest(void **state)
{
    static const char a[] = "01M7ZS70X0QVN0DFBJFW6ENZ81";
    const char *place = lore_format(&arena, "%s/b", dir);
    struct lore_ledger_entry *v = lore_alloc_array(&arena, 8000, sizeof *v);
    struct stat file;
    struct lore_ledger l;

    (void)state;
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < 8000; i++)
            v[i] = entry(a, 8000 * k + i);
        assert_int_equal(lore_ledger_add(place, v, 8000, NULL), LORE_OK);
    }
    assert_int_equal(stat(lore_format(&arena, "%s/ledger.jsonl", place), &file), 0);
    assert_true(file.st_size < 8 << 20);
    assert_int_equal(lore_ledger_read(place, NULL, &arena, &l, NULL), LORE_OK);
    assert_true(l.n >= LORE_LEDGER_LINES);
    assert_int_equal(l.damaged, 0);
    assert_string_equal(l.v[l.n - 1].run, v[7999].run);
}

static void
the_ledger_lies_where_the_user_keeps_state(void **state)
{
    (void)state;
    setenv("XDG_STATE_HOME", "/x", 1);
    assert_string_equal(lore_ledger_dir(&arena, "/given"), "/given");
    assert_string_equal(lore_ledger_dir(&arena, NULL), "/x/warplore");
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/h", 1);
    assert_string_equal(lore_ledger_dir(&arena, NULL), "/h/.local/state/warplore");
    unsetenv("HOME");
    assert_null(lore_ledger_dir(&arena, ""));
}

/* ---- tools ---- */

static void
a_tool_is_bounded_in_time_and_output(void **state)
{
    char *yes[] = {"yes", NULL}, *wait[] = {"sleep", "60", NULL}, *none[] = {"none", NULL};
    struct lore_buf out = {.max = 100000};
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(lore_isa_tool_run("/usr/bin/yes", yes, 60, &out, &err), LORE_IO);
    assert_non_null(strstr(err.msg, "printed too much"));
    lore_buf_reset(&out);
    assert_int_equal(lore_isa_tool_run("/usr/bin/sleep", wait, 0, &out, &err), LORE_IO);
    assert_non_null(strstr(err.msg, "took too long"));
    assert_int_equal(lore_isa_tool_run("/nonexistent/tool", none, 1, &out, &err), LORE_IO);
    lore_buf_free(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_of_the_file_arrives),
        cmocka_unit_test(what_the_command_line_said_stays),
        cmocka_unit_test(a_wrong_file_is_refused_by_the_key),
        cmocka_unit_test_setup_teardown(
            the_first_line_is_the_change_and_the_rest_is_why, make_dir, drop_dir),
        cmocka_unit_test(yaml_has_the_fields_of_the_record),
        cmocka_unit_test_setup_teardown(
            a_wrong_hypothesis_file_names_file_and_field, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            the_last_run_of_a_version_is_found_in_its_place, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            runs_that_another_service_stores_are_not_known, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            a_torn_line_costs_itself_and_nothing_else, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            the_ledger_is_bounded_and_keeps_the_newest, make_dir, drop_dir),
        cmocka_unit_test(the_ledger_lies_where_the_user_keeps_state),
        cmocka_unit_test(a_tool_is_bounded_in_time_and_output),
    };

    return cmocka_run_group_tests(tests, NULL, case_free);
}
