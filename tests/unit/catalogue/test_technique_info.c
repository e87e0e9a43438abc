// uses: wire
/* The lint of the technique tables, and the questions asked of them: pairs, chips, triggers. With
 * the public registry in ../shared/data (or WARPLORE_DATA), the 63 methods equal its file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "service/catalogue/technique_applies.h"
#include "service/catalogue/technique_info.h"

static struct lore_arena arena;

static int
free_arena(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static bool
in_list(const char *list, const char *name)
{
    size_t n = strlen(name);

    for (; list != NULL && *list != '\0'; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",") == n && memcmp(list, name, n) == 0)
            return true;
    return false;
}

/* Every word of LIST, cut at '|' too, is a feature of some instruction set of the vendor. */
static void
features_exist(const char *list, const char *const *isas)
{
    while (list && *list != '\0') {
        size_t n = strcspn(list, ",|");
        char *word = lore_strndup(&arena, list, n);
        bool known = false;

        for (size_t i = 0; isas[i] != NULL; i++)
            known = known || in_list(lore_technique_isa_features(isas[i], NULL), word);
        if (!known)
            fail_msg("no instruction set has %s", word);
        list += n + (list[n] != '\0');
    }
}

static void
every_technique_has_a_row_that_says_what_it_needs(void **state)
{
    static const char *const nvidia[] = {"sm_80", "sm_90", "sm_100", "sm_120", NULL};
    static const char *const amd[] = {"gfx908", "gfx90a", "gfx942", "gfx950", NULL};
    size_t n;
    const struct lore_technique *t = lore_techniques(&n);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        const struct lore_technique_info *info = lore_technique_info(t[i].slug);

        if (!info)
            fail_msg("%s has no row", t[i].slug);
        assert_string_equal(info->slug, t[i].slug);
        assert_true(info->needs[0] != '\0');
        features_exist(info->features, nvidia);
        if (!lore_streq(info->amd, "-"))
            features_exist(info->amd, amd);
        assert_true(info->min_sm >= 0 || !lore_streq(info->amd, "-"));
        if (info->method) {
            assert_non_null(lore_method_find(info->method));
            assert_string_equal(lore_method_find(info->method)->slug, info->slug);
        }
    }
    assert_null(lore_technique_info("nobody knows this"));
}

static void
the_63_methods_resolve_to_the_catalogue(void **state)
{
    static const char *const axes[] = {"compute", "memory", "latency"};
    size_t n, axis = 0;
    int priority = 0;
    const struct lore_ranked_method *m = lore_methods(&n);

    (void)state;
    assert_int_equal(n, 63);
    for (size_t i = 0; i < n; i++) {
        const struct lore_technique *t = lore_technique_find(m[i].id);

        if (strcmp(m[i].axis, axes[axis]) != 0) {
            axis++;
            priority = 0;
        }
        assert_string_equal(m[i].axis, axes[axis]);
        assert_int_equal(m[i].priority, ++priority); /* 1…n without a gap */
        assert_true(lore_starts(m[i].id, m[i].axis));
        assert_non_null(t);
        assert_string_equal(t->slug, m[i].slug);
        assert_ptr_equal(lore_method_find(m[i].id), &m[i]);
        assert_true(m[i].gain[0] != '\0');
        if (m[i].trigger.bounds) {
            assert_non_null(m[i].trigger.metric);
            assert_true(strcmp(m[i].trigger.direction, "high_is_bad") == 0
                            ? m[i].trigger.bad > m[i].trigger.good
                            : m[i].trigger.bad < m[i].trigger.good);
        }
        if (m[i].trigger.canonical) {
            const struct lore_metric_def *def = lore_metric_find(m[i].trigger.metric);

            assert_non_null(lore_metric_find(m[i].trigger.canonical));
            if (!def && strcmp(m[i].trigger.metric, "wgmma_throughput_pct") != 0)
                fail_msg("%s is no metric", m[i].trigger.metric);
            assert_true(
                !def || !def->canonical || strcmp(def->canonical, m[i].trigger.canonical) == 0);
        }
    }
}

static void
complements_are_symmetric_and_known(void **state)
{
    size_t n;
    const struct lore_technique *t = lore_techniques(&n);

    (void)state;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            const struct lore_technique_info *a = lore_technique_info(t[i].slug);
            const struct lore_technique_info *b = lore_technique_info(t[k].slug);

            assert_int_equal(in_list(a->complements, b->slug), in_list(b->complements, a->slug));
            assert_int_equal(lore_technique_pair(a->slug, b->slug, NULL),
                lore_technique_pair(b->slug, a->slug, NULL));
        }
}

/* The registry's own relations, id by id. */
/* A pair that the registry calls complements although it refuses it. */
static bool
contradicts(const char *a, const char *b)
{
    size_t n;
    const struct lore_pair_row *p = lore_technique_pairs(&n);

    for (size_t i = 0; i < n; i++) {
        if ((strcmp(p[i].a, a) == 0 && strcmp(p[i].b, b) == 0) ||
            (strcmp(p[i].a, b) == 0 && strcmp(p[i].b, a) == 0))
            return p[i].contradicts;
    }
    return false;
}

static void
a_pair_is_not_both_complement_and_conflict_unless_listed(void **state)
{
    size_t n, contradictions = 0;
    const struct lore_ranked_method *m = lore_methods(&n);

    (void)state;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            bool both = in_list(m[i].complements, m[k].id) &&
                        lore_technique_pair(m[i].id, m[k].id, NULL) != LORE_PAIR_FREE;

            if (in_list(m[i].conflicts, m[k].id)) {
                assert_true(in_list(m[k].conflicts, m[i].id));
                assert_int_equal(lore_technique_pair(m[i].id, m[k].id, NULL), LORE_PAIR_EXCLUSIVE);
            }
            if (both != contradicts(m[i].id, m[k].id) && i < k &&
                !in_list(m[k].complements, m[i].id))
                fail_msg("%s and %s", m[i].id, m[k].id);
            contradictions += both && (i < k || !in_list(m[k].complements, m[i].id));
        }
    /* ping-pong and intra-warp-group pipeline; interleaving and online recomputation */
    assert_int_equal(contradictions, 2);
    assert_true(contradicts(
        "latency.pingpong_warpgroup_schedule", "latency.intra_wg_gemm_softmax_pipeline"));
}

static void
pairs_are_unique_and_answered_by_id_or_by_slug(void **state)
{
    size_t n;
    const struct lore_pair_row *p = lore_technique_pairs(&n);
    const char *note = NULL;

    (void)state;
    assert_true(n >= 10);
    for (size_t i = 0; i < n; i++) {
        assert_non_null(lore_technique_find(p[i].a));
        assert_non_null(lore_technique_find(p[i].b));
        assert_int_equal(lore_technique_pair(p[i].b, p[i].a, &note), p[i].kind);
        assert_string_equal(note, p[i].note);
        for (size_t k = 0; k < i; k++)
            assert_false((strcmp(p[i].a, p[k].a) == 0 && strcmp(p[i].b, p[k].b) == 0) ||
                         (strcmp(p[i].a, p[k].b) == 0 && strcmp(p[i].b, p[k].a) == 0));
    }
    assert_int_equal(lore_technique_pair("split-k", "stream-k", &note), LORE_PAIR_EXCLUSIVE);
    assert_int_equal(lore_technique_pair("ilp", "latency.increase_ilp", NULL), LORE_PAIR_SAME);
    /* the registry couples async_copy with async_pipeline, not with multi_stage_pipeline */
    assert_false(lore_technique_conflicts("memory.async_copy", "memory.multi_stage_pipeline"));
    assert_true(lore_technique_conflicts("memory.async_copy", "latency.async_pipeline"));
    assert_false(lore_technique_conflicts("memory.vectorized_access", "compute.loop_unroll"));
    assert_false(lore_technique_conflicts("memory.vectorized_access", NULL));
}

static void
a_chip_has_what_a_technique_needs_or_the_reason_is_named(void **state)
{
    static const struct {
        const char *technique, *chip;
        enum lore_gate want;
        const char *missing;
    } cases[] = {{"memory.vectorized_access", "v100", LORE_GATE_OK, ""},
        {"memory.tma_multicast", "h200", LORE_GATE_OK, ""},
        {"memory.tma_multicast", "a100", LORE_GATE_ARCH, "sm_90"},
        {"memory.tma_multicast", "mi300x", LORE_GATE_ARCH, "nvidia"},
        {"memory.async_copy", "t4", LORE_GATE_ARCH, "sm_80"},
        {"memory.async_copy", "mi300x", LORE_GATE_OK, ""},
        {"latency.pingpong_schedule", "b200", LORE_GATE_OK, ""},
        {"latency.pingpong_schedule", "rtx5090", LORE_GATE_FEATURE, "wgmma|tcgen05"},
        {"launch.dynamic_scheduler", "rtx5090", LORE_GATE_FEATURE, "clc"},
        {"compute.block_scaled_precision", "mi300x", LORE_GATE_FEATURE, "block_scaling"},
        {"compute.block_scaled_precision", "mi355x", LORE_GATE_OK, ""},
        {"compute.tensor_core", "mi300x", LORE_GATE_OK, ""},
        {"compute.tensor_core", "mi50", LORE_GATE_UNKNOWN, ""},
        {"memory.lds_transpose_read", "mi300x", LORE_GATE_FEATURE, "lds_transpose"},
        {"memory.lds_double_buffer", "h100", LORE_GATE_ARCH, "amd"},
        {"memory.tiling_smem", "w7800", LORE_GATE_OK, ""},
        {"compute.sparse_matrix", "orin", LORE_GATE_UNKNOWN, ""},
        {"no such technique", "h100", LORE_GATE_UNKNOWN, ""}};
    char missing[64];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum lore_gate g =
            lore_technique_gate(cases[i].technique, lore_chip_find(cases[i].chip), missing);

        if (g != cases[i].want || strcmp(missing, cases[i].missing) != 0)
            fail_msg(
                "%s on %s: %d, missing %s", cases[i].technique, cases[i].chip, (int)g, missing);
    }
    assert_int_equal(lore_technique_gate("mfma", NULL, NULL), LORE_GATE_UNKNOWN);
}

static void
features_are_not_inferred_from_a_sibling(void **state)
{
    const char *source = NULL;

    (void)state;
    assert_null(lore_technique_isa_features("sm_103", &source));
    assert_null(lore_technique_isa_features("gfx940", NULL));
    assert_null(lore_technique_isa_features(NULL, NULL));
    assert_true(in_list(lore_technique_isa_features("sm_90", &source), "wgmma"));
    assert_true(source[0] != '\0');
    assert_false(in_list(lore_technique_isa_features("sm_100", NULL), "wgmma"));
}

/* The registry's file, when it is there. */
static struct lore_json *
registry(void)
{
    const char *data = getenv("WARPLORE_DATA");
    const char *root = data != NULL ? data : SOURCE_DIR "/../shared/data";
    struct lore_buf text = {0};
    struct lore_json *json = NULL;

    if (lore_file_read(lore_format(&arena, "%s/kernelflow/method_registry.json", root), &text,
            NULL) == LORE_OK)
        assert_int_equal(lore_json_parse(text.data, text.len, NULL, &arena, &json, NULL), LORE_OK);
    lore_buf_free(&text);
    return json;
}

/* Member KEY: a string, NULL, or an array joined by commas (NULL when empty or absent). */
static const char *
text_of(const struct lore_json *object, const char *key)
{
    const struct lore_json *v = lore_json_get(object, key);
    const char *out = NULL;

    if (!v || v->type == LORE_J_STRING)
        return !v ? NULL : v->str;
    if (v->type == LORE_J_ARRAY)
        for (const struct lore_json *c = v->child; c != NULL; c = c->next)
            out = !out ? c->str : lore_format(&arena, "%s,%s", out, c->str);
    return out;
}

static void
same_text(const struct lore_json *object, const char *key, const char *have)
{
    if (!lore_streq(text_of(object, key), have))
        fail_msg("%s.%s: %s", object->key, key, have != NULL ? have : "nothing");
}

static void
the_methods_equal_the_registry(void **state)
{
    const struct lore_json *json = registry(), *methods = lore_json_get(json, "methods");
    size_t n, pairs;
    const struct lore_ranked_method *m = lore_methods(&n);

    (void)state;
    if (!json) {
        skip();
    }
    assert_int_equal(methods->len, n);
    for (size_t i = 0; i < n; i++) {
        const struct lore_json *r = lore_json_get(methods, m[i].id);
        const struct lore_json *good = lore_json_get(r, "trigger_good");

        if (!r)
            fail_msg("the registry has no %s", m[i].id);
        same_text(r, "axis", m[i].axis);
        same_text(r, "required_features", m[i].features);
        same_text(r, "trigger_metric", m[i].trigger.metric);
        same_text(r, "trigger_direction", m[i].trigger.direction);
        same_text(r, "conflict_with", m[i].conflicts);
        same_text(r, "complements", m[i].complements);
        assert_true(lore_json_get(r, "priority")->f == m[i].priority);
        assert_true(lore_json_get(r, "min_sm")->f == m[i].min_sm);
        assert_int_equal(good->type == LORE_J_NUMBER, m[i].trigger.bounds);
        if (m[i].trigger.bounds) {
            assert_true(good->f == m[i].trigger.good);
            assert_true(lore_json_get(r, "trigger_bad")->f == m[i].trigger.bad);
        }
    }
    lore_technique_pairs(&pairs);
    assert_true(pairs >= lore_json_get(json, "coupled_methods")->len);
    for (const struct lore_json *c = lore_json_get(json, "coupled_methods")->child; c;
         c = c->next) {
        const struct lore_json *ids = lore_json_get(c, "ids")->child;

        assert_true(lore_technique_conflicts(ids->str, ids->next->str));
    }
}

/* Calls CHECK with each item of a comma-separated LIST. */
static void
each(const char *list, void (*check)(const char *item))
{
    char item[64];

    for (const char *at = list; at && *at != '\0';) {
        size_t n = strcspn(at, ",");
        assert_true(n < sizeof item);
        snprintf(item, sizeof item, "%.*s", (int)n, at);
        check(item);
        at += n + (at[n] == ',');
    }
}

static void
is_technique(const char *slug)
{
    const struct lore_technique *t = lore_technique_find(slug);

    assert_non_null(t);
    assert_string_equal(t->slug, slug);
}

static void
is_operator(const char *name)
{
    const struct lore_operator *o = lore_operator_find(name);

    assert_non_null(o);
    assert_string_equal(o->name, name);
}

static void
is_family(const char *name)
{
    size_t n, i = 0;
    const struct lore_operator *all = lore_operators(&n);

    while (i < n && strcmp(all[i].family, name) != 0)
        i++;
    assert_true(i < n);
}

/* A misspelt name in these lists would go unseen: nothing would lack anything. */
static void
needs_name_what_the_catalogue_has(void **state)
{
    size_t n;
    const struct lore_technique_need *needs = lore_technique_needs(&n);
    (void)state;

    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        each(needs[i].families, is_family);
        each(needs[i].operators, is_operator);
        each(needs[i].not_operators, is_operator);
        each(needs[i].techniques, is_technique);
    }
}

static const char *
lacks(const char *technique, const char *op, const char *language, const char *chip)
{
    return lore_technique_lacks(technique, &(struct lore_technique_place){op, language,
                                               chip ? lore_chip_find(chip) : NULL, .facts = NULL});
}

/* A misspelt name in the tests would go unseen, and limits that cross would answer both. */
static void
tests_name_techniques_and_have_two_limits(void **state)
{
    size_t n;
    const struct lore_technique_test *tests = lore_technique_tests(&n);
    (void)state;

    assert_true(n >= 6);
    for (size_t i = 0; i < n; i++) {
        each(tests[i].techniques, is_technique);
        each(tests[i].shown_by, is_technique);
        assert_true(tests[i].no != tests[i].yes && tests[i].fact < LORE_FACT_COUNT);
    }
}

/* Each test at its two limits: there it lacks, there it asks no more, and unknown is neither. */
static void
a_fact_removes_a_technique_or_its_words(void **state)
{
    size_t n;
    const struct lore_technique_test *tests = lore_technique_tests(&n);
    (void)state;

    for (size_t i = 0; i < n; i++) {
        char slug[64];
        size_t end = strcspn(tests[i].techniques, ",");
        struct lore_place_facts facts = {0};
        struct lore_technique_place at = {.facts = &facts};

        snprintf(slug, sizeof slug, "%.*s", (int)end, tests[i].techniques);
        assert_null(lore_technique_lacks(slug, &at));
        facts.known[tests[i].fact] = true;
        facts.v[tests[i].fact] = tests[i].no;
        assert_string_equal(lore_technique_lacks(slug, &at), tests[i].what);
        facts.v[tests[i].fact] = tests[i].yes;
        assert_null(lore_technique_lacks(slug, &at));
        const char *asks = lore_technique_asks(slug, &at, &arena);
        assert_true(!asks || !strstr(asks, tests[i].what));
        facts.v[tests[i].fact] = (tests[i].no + tests[i].yes) / 2;
        assert_null(lore_technique_lacks(slug, &at));
    }
}

static void
what_is_there_includes_its_parts(void **state)
{
    const char *has[] = {"compute.warp_specialization"};
    const char *tiles[] = {"memory.tiling_smem"};
    struct lore_place_facts facts = {0};
    struct lore_technique_place at = {.op = "gemm", .facts = &facts, .has = has, .n_has = 1};
    (void)state;

    assert_non_null(lore_technique_lacks("memory.async_copy", &at));
    at.has = tiles;
    assert_null(lore_technique_lacks("memory.async_copy", &at));
    assert_string_equal(lore_technique_asks("memory.async_copy", &at, &arena),
        "rows that are multiples of 16 bytes");
    facts.known[LORE_FACT_SHARED_BYTES] = true; /* no tile, whatever its tag says */
    assert_null(lore_technique_lacks("memory.async_copy", &at));
    at.n_has = 0;
    assert_string_equal(lore_technique_lacks("memory.async_copy", &at), "tiles in shared memory");
}

static void
what_changes_the_result_is_said(void **state)
{
    struct lore_place_facts facts = {0};
    struct lore_technique_place at = {.op = "gemm", .facts = &facts};
    (void)state;

    assert_non_null(lore_technique_changes("compute.sparse_matrix", &at));
    assert_null(lore_technique_changes("memory.tiling_smem", &at));
    assert_null(lore_technique_changes("compute.tensor_core", &at));
    facts.known[LORE_FACT_ELEMENT_BITS] = true;
    facts.v[LORE_FACT_ELEMENT_BITS] = 16;
    assert_null(lore_technique_changes("compute.tensor_core", &at));
    facts.v[LORE_FACT_ELEMENT_BITS] = 32;
    assert_non_null(lore_technique_changes("compute.tensor_core", &at));
}

static void
a_place_may_lack_what_a_technique_needs(void **state)
{
    (void)state;
    assert_string_equal(
        lacks("compute.tensor_core", "softmax", "cuda", "h200"), "a matrix product");
    assert_string_equal(lacks("compute.tensor_core", "gemv", NULL, NULL), "a matrix product");
    assert_null(lacks("compute.tensor_core", "gemm", "cuda", "h200"));
    assert_null(lacks("compute.tensor_core", "nobody_knows_it", "cuda", "h200"));
    assert_non_null(lacks("memory.smem_padding", "gemm", "triton", "h200"));
    assert_null(lacks("memory.smem_padding", "gemm", "cuda", "h200"));
    assert_string_equal(lacks("memory.tma_multicast", "gemm", "cuda", "a100"), "another chip");
    assert_string_equal(lacks("miopen.winograd", "conv2d", NULL, "h200"), "the library MIOpen");
    assert_null(lacks("miopen.winograd", "conv2d", "library", "mi300x"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needs_name_what_the_catalogue_has),
        cmocka_unit_test(a_place_may_lack_what_a_technique_needs),
        cmocka_unit_test(tests_name_techniques_and_have_two_limits),
        cmocka_unit_test(a_fact_removes_a_technique_or_its_words),
        cmocka_unit_test(what_is_there_includes_its_parts),
        cmocka_unit_test(what_changes_the_result_is_said),
        cmocka_unit_test(every_technique_has_a_row_that_says_what_it_needs),
        cmocka_unit_test(the_63_methods_resolve_to_the_catalogue),
        cmocka_unit_test(complements_are_symmetric_and_known),
        cmocka_unit_test(a_pair_is_not_both_complement_and_conflict_unless_listed),
        cmocka_unit_test(pairs_are_unique_and_answered_by_id_or_by_slug),
        cmocka_unit_test(a_chip_has_what_a_technique_needs_or_the_reason_is_named),
        cmocka_unit_test(features_are_not_inferred_from_a_sibling),
        cmocka_unit_test(the_methods_equal_the_registry),
    };

    return cmocka_run_group_tests(tests, NULL, free_arena);
}
