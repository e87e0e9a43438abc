// uses: import
/* Source files with kernels: versions of kernels by the files' names, and their entry points. */
#include <time.h>

#include "collectors/import/importers.h"
#include "tests/unit/import_intake.h"

static const struct lore_version *
version(const struct lore_submission *doc, const char *file)
{
    for (size_t i = 0; i < doc->n_versions; i++)
        if (lore_streq(doc->versions[i].sources[0].file, file))
            return &doc->versions[i];
    fail_msg("no version of %s", file);
    return NULL;
}

static const struct lore_kernel *
kernel(const struct lore_submission *doc, const struct lore_version *v)
{
    for (size_t i = 0; i < doc->n_kernels; i++)
        if (lore_streq(doc->kernels[i].id, v->kernel))
            return &doc->kernels[i];
    fail_msg("no kernel of %s", v->id);
    return NULL;
}

static struct lore_submission
read_folder(struct taken *t)
{
    take(t, FIXTURES "sources");
    return decoded(t, format_named(t, "sources"));
}

static void
files_of_one_stem_are_versions_of_one_kernel(void **state)
{
    struct lore_submission doc = read_folder(*state);
    const struct lore_version *one = version(&doc, "gemm_v1.cu"),
                              *two = version(&doc, "gemm_v2_tiled.cu");

    assert_int_equal(doc.n_versions, 4);
    assert_int_equal(doc.n_kernels, 3);
    assert_string_equal(one->kernel, two->kernel);
    assert_string_equal(one->label, "v1");
    assert_string_equal(two->label, "v2");
    assert_string_equal(two->tag, "tiled");
    assert_string_equal(kernel(&doc, one)->op, "gemm");
    assert_int_equal(kernel(&doc, one)->language, LORE_LANG_CUDA);
    assert_int_equal(one->n_parents + two->n_parents + doc.n_experiments + doc.n_runs, 0);
    assert_non_null(strstr(one->sources[0].text, "c[i] = a[i] * b[i];"));
}

static void
a_bare_version_belongs_to_the_kernel_of_its_folder(void **state)
{
    struct lore_submission doc = read_folder(*state);
    const struct lore_version *v = version(&doc, "v1.hip");

    assert_string_equal(kernel(&doc, v)->name, "softmax");
    assert_int_equal(kernel(&doc, v)->language, LORE_LANG_HIP);
    assert_string_equal(v->label, "v1");
}

static void
entry_points_are_not_taken_from_comments_and_texts(void **state)
{
    struct lore_submission doc = read_folder(*state);
    const struct lore_version *py = version(&doc, "helper.py");

    assert_string_equal(version(&doc, "gemm_v1.cu")->extra, "{\"entry_points\":[\"gemm_naive\"]}");
    assert_string_equal(version(&doc, "gemm_v2_tiled.cu")->extra,
        "{\"entry_points\":[\"gemm_tiled\",\"split_k_sum\"]}");
    assert_string_equal(py->extra, "{\"entry_points\":[\"_scale\",\"second\"]}");
    assert_string_equal(kernel(&doc, py)->op, "unclassified");
    assert_null(py->label);
}

static void
the_report_says_what_each_file_became(void **state)
{
    struct taken *t = *state;

    (void)read_folder(t);
    const struct lore_intake_format *f = format_named(t, "sources");
    assert_int_equal(noted(f, LORE_IL_NAMES,
                         "gemm_v1.cu: version v1 of kernel gemm in cuda, operator gemm; entry "
                         "points gemm_naive"),
        1);
    assert_int_equal(noted(f, LORE_IL_NAMES, "operator not in the catalogue"), 1);
    assert_int_equal(f->in.records, 4);
}

/* Many kernels, and parentheses that nothing closes, take time in proportion to their length. */
static void
bombs_end_soon(void **state)
{
    const size_t n = 128u << 10; /* sanitizers measure each text anew */
    struct lore_arena arena = {0};
    struct lore_buf names = {.max = 2 * n}, open = {.max = 2 * n};
    struct lore_import_tree t = {.name = "bomb"};
    clock_t began = clock();

    (void)state;
    for (size_t i = 0; names.len < n; i++)
        lore_buf_printf(&names, "__global__ f%zu(", i);
    while (open.len < n)
        lore_buf_puts(&open, "__global__ __launch_bounds__((/*");
    (void)lore_tree_add(&arena, &t, "names.cu", names.data, names.len);
    (void)lore_tree_add(&arena, &t, "open.cu", open.data, open.len);
    lore_buf_free(&names);
    lore_buf_free(&open);
    lore_tree_sort(&t);
    assert_true(lore_sources_detect(&t, "names.cu"));
    assert_false(lore_sources_detect(&t, "open.cu"));
    assert_true((double)(clock() - began) / CLOCKS_PER_SEC < 20);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        INTAKE(files_of_one_stem_are_versions_of_one_kernel),
        INTAKE(a_bare_version_belongs_to_the_kernel_of_its_folder),
        INTAKE(entry_points_are_not_taken_from_comments_and_texts),
        INTAKE(the_report_says_what_each_file_became),
        cmocka_unit_test(bombs_end_soon),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
