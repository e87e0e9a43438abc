// uses: derive m
/* Canonical quantities from counters: numbers worked out by hand, what happens when inputs are
 * missing, and, where the public profile of vecCopy on an MI300X is at hand (../shared/data or
 * WARPLORE_DATA), its three launches. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/ontology.h"

static struct lore_arena arena;

static int
free_arena(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static struct lore_metric *
add(struct lore_metrics *m, const char *name, double value)
{
    struct lore_metric *x = LORE_PUSH(&arena, m->v, m->n, m->cap);

    x->name = name;
    x->value = value;
    return x;
}

static struct lore_f64
known(double v)
{
    return (struct lore_f64){true, v};
}

/* vecCopy of 1,048,576 doubles: 8 MiB each way. */
static void
copy_counters(struct lore_metrics *m)
{
    add(m, "TCC_EA0_RDREQ_sum", 65786);
    add(m, "TCC_BUBBLE_sum", 65536);
    add(m, "TCC_EA0_RDREQ_32B_sum", 0);
    add(m, "TCC_EA0_WRREQ_sum", 131072);
    add(m, "TCC_EA0_WRREQ_64B_sum", 131072);
    add(m, "TCC_HIT_sum", 66160);
    add(m, "TCC_MISS_sum", 131311);
    add(m, "SQ_WAVES", 16384);
}

static bool
one_value(const struct lore_metrics *m, const char *vendor, const struct lore_device_facts *f,
    const char *canonical, double *value, const char **unknown)
{
    struct lore_ontology_value *v;
    size_t n;

    lore_ontology(m, vendor, f, &arena, &v, &n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(v[i].row->canonical, canonical) != 0)
            continue;
        *value = v[i].set ? v[i].value : *value;
        *unknown = v[i].unknown;
        return v[i].set;
    }
    *unknown = "no formula";
    return false;
}

static double
value(const struct lore_metrics *m, const char *vendor, const struct lore_device_facts *f,
    const char *canonical)
{
    const char *unknown = NULL;
    double v = NAN;

    if (!one_value(m, vendor, f, canonical, &v, &unknown))
        fail_msg("%s: unknown %s", canonical, unknown);
    return v;
}

static void
unknown_is(const struct lore_metrics *m, const char *vendor, const struct lore_device_facts *f,
    const char *canonical, const char *want)
{
    const char *unknown = NULL;
    double v = 12345;

    assert_false(one_value(m, vendor, f, canonical, &v, &unknown));
    assert_string_equal(unknown, want);
    assert_true(v == 12345);
}

static void
near(double have, double want, double within)
{
    if (!(fabs(have - want) <= within))
        fail_msg("%.6g, not %.6g", have, want);
}

static void
a_copy_moves_what_it_moves(void **state)
{
    static const double dt[] = {16119, 13560, 13480}, read[] = {521, 620, 623},
                        write[] = {520, 619, 622};
    struct lore_metrics m = {0};
    struct lore_device_facts f = {.hbm_gb_per_s = known(5300)};

    (void)state;
    copy_counters(&m);
    near(value(&m, "amd", &f, "dram_read_bytes") / (1 << 20), 8.02, 0.005);
    near(value(&m, "amd", &f, "dram_write_bytes") / (1 << 20), 8.00, 0.0001);
    near(value(&m, "amd", &f, "l2_hit_pct"), 33.5, 0.05);
    near(value(&m, "amd", &f, "waves"), 16384, 0);
    for (size_t i = 0; i < 3; i++) {
        f.dur_ns = known(dt[i]);
        near(value(&m, "amd", &f, "dram_read_bytes_per_s") / 1e9, read[i], 1);
        near(value(&m, "amd", &f, "dram_write_bytes_per_s") / 1e9, write[i], 1);
    }
    near(value(&m, "amd", &f, "dram_throughput_pct"), 100 * (8404608. + 8388608) / 13480 / 5300,
        0.001);
}

static void
what_is_missing_is_named_and_never_zero(void **state)
{
    struct lore_metrics m = {0};
    struct lore_device_facts f = {.dur_ns = known(1000)};
    struct lore_metric *hit;

    (void)state;
    unknown_is(&m, "amd", &f, "l2_hit_pct", "TCC_HIT_sum, TCC_MISS_sum");
    unknown_is(&m, "amd", NULL, "duration_ns", "$dt");
    hit = add(&m, "TCC_HIT_sum", 10);
    unknown_is(&m, "amd", &f, "l2_hit_pct", "TCC_MISS_sum");
    add(&m, "TCC_MISS_sum", 30);
    near(value(&m, "amd", &f, "l2_hit_pct"), 25, 0);
    hit->missing = LORE_MISS_COUNTER_UNSUPPORTED;
    unknown_is(&m, "amd", &f, "l2_hit_pct", "TCC_HIT_sum");
    hit->missing = LORE_MISS_NONE;
    hit->value = NAN;
    unknown_is(&m, "amd", &f, "l2_hit_pct", "TCC_HIT_sum");
    copy_counters(&m);
    unknown_is(&m, "amd", &f, "dram_throughput_pct", "$hbm");
    unknown_is(
        &m, "amd", &f, "vector_util_pct", "SQ_ACTIVE_INST_VALU, GRBM_GUI_ACTIVE, $xcds, $units");
    unknown_is(&m, "nvidia", &f, "l2_hit_pct", "lts__t_sector_hit_rate.pct");
    unknown_is(&m, "amd", &f, "warp_speed", "no formula");
}

static void
no_accesses_is_no_hit_rate(void **state)
{
    struct lore_metrics m = {0};

    (void)state;
    add(&m, "TCC_HIT_sum", 0);
    add(&m, "TCC_MISS_sum", 0);
    unknown_is(&m, "amd", NULL, "l2_hit_pct", "division by zero");
    add(&m, "L2CacheHit", 71);
    near(value(&m, "amd", NULL, "l2_hit_pct"), 71, 0); /* the next formula takes over */
}

static void
a_value_in_another_unit_is_not_used(void **state)
{
    struct lore_metrics m = {0};
    struct lore_metric *d = add(&m, "gpu__time_duration.sum", 12.5);

    (void)state;
    d->unit = "us";
    unknown_is(&m, "nvidia", NULL, "duration_ns", "$dt");
    d->unit = "ns";
    near(value(&m, "nvidia", NULL, "duration_ns"), 12.5, 0);
}

static void
each_formula_gives_the_number_of_a_hand_calculation(void **state)
{
    struct lore_metrics m = {0};
    struct lore_device_facts f = {known(1000), known(304), known(8), known(5300), known(32)};

    (void)state;
    add(&m, "GRBM_GUI_ACTIVE", 8 * 2000);
    add(&m, "SQ_VALU_MFMA_BUSY_CYCLES", 2000. * 304 * 4 / 2);
    add(&m, "SQ_ACTIVE_INST_VALU", 2000. * 304 / 4);
    add(&m, "SQ_THREAD_CYCLES_VALU", 2000. * 304 / 4 * 48);
    add(&m, "SQ_WAVE_CYCLES", 2000. * 304 * 32 / 4 / 2);
    add(&m, "SQ_INSTS", 900);
    add(&m, "SQ_BUSY_CU_CYCLES", 600);
    add(&m, "SQ_LDS_IDX_ACTIVE", 110);
    add(&m, "SQ_LDS_BANK_CONFLICT", 10);
    add(&m, "SQ_INSTS_VALU_MFMA_MOPS_BF16", 3);
    add(&m, "TCC_REQ_sum", 50);
    add(&m, "TCC_EA0_RDREQ_LEVEL_sum", 7000);
    add(&m, "TCC_EA0_RDREQ_sum", 10);
    add(&m, "FETCH_SIZE", 2);
    near(value(&m, "amd", &f, "matrix_util_pct"), 50, 1e-9);
    near(value(&m, "amd", &f, "vector_util_pct"), 25, 1e-9);
    near(value(&m, "amd", &f, "lane_efficiency_pct"), 75, 1e-9);
    near(value(&m, "amd", &f, "achieved_occupancy_pct"), 50, 1e-9);
    near(value(&m, "amd", &f, "ipc"), 1.5, 1e-9);
    near(value(&m, "amd", &f, "smem_conflicts_per_access"), 0.1, 1e-9);
    near(value(&m, "amd", &f, "smem_bytes_per_s"), 100. * 128 * 1e6, 1);
    near(value(&m, "amd", &f, "matrix_flops_bf16"), 1536, 0);
    near(value(&m, "amd", &f, "l2_bytes_per_s"), 128. * 50 * 1e6, 1);
    near(value(&m, "amd", &f, "fabric_read_latency_cycles"), 700, 1e-9);
    near(value(&m, "amd", &f, "dram_read_bytes"), 2048, 0); /* TCC_BUBBLE is absent */
    m.n = 0;
    add(&m, "smsp__thread_inst_executed_per_inst_executed.ratio", 24);
    add(&m, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1);
    add(&m, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 10);
    add(&m, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 100);
    near(value(&m, "nvidia", &f, "lane_efficiency_pct"), 75, 1e-9);
    near(value(&m, "nvidia", &f, "vector_flops"), 211, 1e-9);
}

/* Every name in FORMULA that is no fact and no number is a metric of the vendor. */
static void
names_exist(const struct lore_ontology_row *row)
{
    for (const char *s = row->formula; *s != '\0';) {
        size_t n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$");
        char *name = lore_strndup(&arena, s, n);

        if (n > 0 && name[0] != '$' && strspn(name, "0123456789") != n) {
            const struct lore_metric_def *def = lore_metric_find(name);

            if (!def || strcmp(def->name, name) != 0 || strcmp(def->vendor, row->vendor) != 0)
                fail_msg("%s: %s is no metric of %s", row->canonical, name, row->vendor);
        }
        s += n > 0 ? n : 1;
    }
}

static void
the_table_is_sorted_sound_and_speaks_the_catalogues_names(void **state)
{
    static const char *const both[] = {"duration_ns", "dram_read_bytes", "dram_write_bytes",
        "dram_throughput_pct", "l2_hit_pct", "l1_hit_pct", "l2_bytes_per_s", "matrix_util_pct",
        "vector_flops", "vector_util_pct", "scalar_util_pct", "achieved_occupancy_pct", "ipc",
        "lane_efficiency_pct", "smem_conflicts_per_access", "smem_bytes_per_s",
        "registers_per_thread", "smem_bytes"};
    struct lore_metrics none = {0};
    struct lore_ontology_value *v;
    size_t n, k;
    const struct lore_ontology_row *r = lore_ontology_rows(&n);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        int order = i == 0 ? -1 : strcmp(r[i - 1].canonical, r[i].canonical);

        assert_true(order < 0 || (order == 0 && strcmp(r[i - 1].vendor, r[i].vendor) <= 0));
        assert_true(order != 0 || strcmp(r[i - 1].unit, r[i].unit) == 0);
        assert_true(strcmp(r[i].fidelity, "same") == 0 || r[i].note);
        names_exist(&r[i]);
    }
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        for (int nvidia = 0; nvidia < 2; nvidia++) {
            const char *unknown = NULL;
            double d;

            assert_false(one_value(&none, nvidia ? "nvidia" : "amd", NULL, both[i], &d, &unknown));
            assert_string_not_equal(unknown, "no formula");
            assert_null(strstr(unknown, "cannot be read"));
        }
    lore_ontology(&none, "amd", NULL, &arena, &v, &k);
    assert_true(k > 20);
    for (size_t i = 0; i < k; i++) {
        assert_false(v[i].set);
        assert_null(strstr(v[i].unknown, "cannot be read"));
    }
}

/* Splits a CSV line in place; quotes hide commas. */
static size_t
cells(char *line, const char **out, size_t max)
{
    size_t n = 0;
    bool quoted = false;

    out[n++] = line;
    for (char *s = line; *s != '\0' && n < max; s++) {
        quoted = quoted != (*s == '"');
        if (*s == ',' && !quoted) {
            *s = '\0';
            out[n++] = s + 1;
        }
    }
    return n;
}

static void
a_real_copy_on_an_mi300x_moves_8_mib_each_way(void **state)
{
    enum { MAX = 4096 };
    static const char *heads[MAX], *values[MAX];
    const char *data = getenv("WARPLORE_DATA");
    const char *root = data != NULL ? data : SOURCE_DIR "/../shared/data";
    struct lore_buf text = {0};
    char *rest, *line;
    size_t n, launches = 0;

    (void)state;
    if (lore_file_read(lore_format(&arena, "%s/rocprof/vcopy_MI300X_A1/pmc_perf.csv", root), &text,
            NULL) != LORE_OK) {
        skip();
    }
    rest = text.data;
    line = strsep(&rest, "\n");
    n = cells(line, heads, MAX);
    while ((line = strsep(&rest, "\n")) && *line != '\0') {
        struct lore_metrics m = {0};

        assert_int_equal(cells(line, values, MAX), n);
        for (size_t i = 0; i < n; i++)
            if (lore_metric_find(heads[i]))
                add(&m, heads[i], strtod(values[i], NULL));
        near(value(&m, "amd", NULL, "dram_read_bytes") / (1 << 20), 8.01, 0.01);
        near(value(&m, "amd", NULL, "dram_write_bytes") / (1 << 20), 8.00, 0.0001);
        near(value(&m, "amd", NULL, "l2_hit_pct"), 33.4, 0.15);
        near(value(&m, "amd", NULL, "waves"), 16384, 0);
        near(value(&m, "amd", NULL, "lane_efficiency_pct"), 100, 1e-9);
        near(value(&m, "amd", NULL, "vector_flops"), 0, 0); /* a copy computes nothing */
        unknown_is(&m, "amd", NULL, "dram_read_bytes_per_s", "$dt");
        launches++;
    }
    assert_int_equal(launches, 3);
    lore_buf_free(&text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_moves_what_it_moves),
        cmocka_unit_test(what_is_missing_is_named_and_never_zero),
        cmocka_unit_test(no_accesses_is_no_hit_rate),
        cmocka_unit_test(a_value_in_another_unit_is_not_used),
        cmocka_unit_test(each_formula_gives_the_number_of_a_hand_calculation),
        cmocka_unit_test(the_table_is_sorted_sound_and_speaks_the_catalogues_names),
        cmocka_unit_test(a_real_copy_on_an_mi300x_moves_8_mib_each_way),
    };

    return cmocka_run_group_tests(tests, NULL, free_arena);
}
