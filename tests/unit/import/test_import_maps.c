// uses: import
/* Maps: their language, and what becomes of rows read by them. */
#include "service/catalogue/catalogue.h"
#include "service/wire/work.h"
#include "tests/unit/import_map.h"

static void
error_of(const char *yaml, const char *expected)
{
    struct lore_map *map = NULL;
    struct lore_err err = {0};

    assert_int_equal(lore_map_read(yaml, strlen(yaml), "m.yaml", &arena, &map, &err), LORE_INVALID);
    assert_string_equal(err.msg, expected);
}

static void
test_errors_of_a_map_name_the_member(void **state)
{
    (void)state;
    error_of("operater: x", "m.yaml: operater: no such member of a map; did you mean operator?");
    error_of("kind: sweeps", "m.yaml: kind: expected runs, versions, attempts, metrics or sweep");
    error_of("time: {column: t, unit: '?'}", "m.yaml: time: unit: fill in the unit");
    error_of("chip: '?'", "m.yaml: chip: fill it in, or take the line out");
    error_of("chip: {unit: ms}", "m.yaml: chip: expected column, template, value or default");
    error_of("chip: {column: a, match: '('}", "m.yaml: chip.match: no regular expression");
    error_of("parameters: {BM: {column: a, technique: magic}}",
        "m.yaml: parameters.BM.technique: expected none, or a technique of `warplore list "
        "techniques`");
    error_of("dims: 3", "m.yaml: dims: expected NAME: COLUMN, or a list of columns");
    error_of("rows: xml", "m.yaml: rows: expected csv, tsv, jsonl, json, object or markdown");
    error_of("rows: {format: markdown, table: 0}", "m.yaml: rows: table: expected 1 to 9");
    error_of("[a]", "m.yaml: expected the members of a map");
    error_of("parameters: [a, {column: b}]", "m.yaml: parameters[1]: expected the name of a "
                                             "column; write {NAME: {column: …}, …} instead "
                                             "of a list for more than names");
}

static void
test_a_map_that_no_row_could_satisfy_is_refused(void **state)
{
    (void)state;
    error_of("time: {column: t, unit: parsec}",
        "m.yaml: time.unit: \"parsec\": no unit of time; expected ns, us, ms or s");
    error_of("samples: [a, {column: t, unit: TFLOPS}]",
        "m.yaml: samples.unit: \"TFLOPS\": no unit of time; expected ns, us, ms or s");
    error_of("time: {column: t, unit: ms, statistic: mode}",
        "m.yaml: time.statistic: \"mode\": expected mean, median or min");
    error_of("correct: {column: c, values: {OK: fine}}",
        "m.yaml: correct.values: \"fine\": expected pass, fail, timeout or not_checked");
    error_of("role: {value: champion}",
        "m.yaml: role.value: \"champion\": expected candidate, baseline or reference");
    error_of("correct: {column: c, values: {}, otherwise: pass}",
        "m.yaml: correct: otherwise: it needs values or search with at least one entry; a constant "
        "is value");
    error_of("dims: {M: {column: m, off: 1}}", "m.yaml: dims.M: off: only parameters have it");
    error_of("parameters: {a: {column: a, technique: memory.split_k}}",
        "m.yaml: parameters.a: technique: only parameters with kind: sweep have it");
}

static void
test_members_that_a_kind_does_not_read_are_refused(void **state)
{
    static const char *const unread[] = {"tool", "rate", "count", "message"};

    (void)state;
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
        error_of(lore_format(&arena, "%s: x\nkind: sweep", unread[i]),
            lore_format(&arena,
                "m.yaml: %s: kind sweep does not read it, only runs, attempts, metrics; without "
                "the "
                "line, the column is kept with the record",
                unread[i]));
    error_of("kind: sweep\nrole: x", "m.yaml: role: kind sweep does not read it, only runs, "
                                     "versions, attempts, metrics; without "
                                     "the line, the column is kept with the record");
    error_of("kind: sweep\nmethod: [a]",
        "m.yaml: method: kind sweep does not read it, only runs, attempts, metrics; without the "
        "line, the column is kept with the record");
    error_of("idea: x",
        "m.yaml: idea: kind runs does not read it, only attempts; without the line, "
        "the column is kept with the record");
}

static void
test_built_in_maps_are_right_and_documented(void **state)
{
    struct lore_buf page = {.max = 1 << 20};
    const char *name;
    size_t n;

    (void)state;
    assert_int_equal(lore_file_read(SOURCE_DIR "/docs/reference/maps.md", &page, NULL), LORE_OK);
    for (int f = 0; f < LORE_MF_COUNT; f++) {
        const struct lore_map_field_info *info = lore_map_field_info((enum lore_map_field)f);
        assert_non_null(info->name);
        if (!strstr(page.data, lore_format(&arena, "| `%s` |", info->name)))
            fail_msg("maps.md does not describe %s", info->name);
    }
    for (int l = 0; l < LORE_ML_COUNT; l++)
        assert_non_null(strstr(
            page.data, lore_format(&arena, "`%s`", lore_map_list_name((enum lore_map_lists)l))));
    const struct lore_operator *operators = lore_operators(&n);
    for (size_t i = 0; i < n; i++) {
        const char *dims = lore_work_dims(operators[i].name);
        if (dims && !strstr(page.data, lore_format(&arena, "`%s`", operators[i].name)))
            fail_msg("maps.md lacks the dims of %s", operators[i].name);
        assert_true(!dims || strstr(page.data, dims));
    }
    for (size_t i = 0; (name = lore_maps_builtin[i].name) != NULL; i++) {
        struct lore_map *map = NULL;
        struct lore_err err = {0};
        if (lore_map_read(lore_maps_builtin[i].text, lore_maps_builtin[i].len, name, &arena, &map,
                &err) != LORE_OK)
            fail_msg("%s", err.msg);
        if (map->columns.n + map->texts.n == 0 || !map->about)
            fail_msg("%s: recognises nothing, or says nothing of itself", name);
        lore_map_free(map);
    }
    lore_buf_free(&page);
}

#define BENCH                                                                                      \
    "map: bench\noperator: op\nlanguage: {value: triton}\n"                                        \
    "chip: {column: gpu, default: h100}\ndims: {M: m, N: n}\nversion: name\n"

static void
test_rows_become_runs(void **state)
{
    (void)state;
    read_by(BENCH "time: {column: t, unit: us, statistic: median}\nstd: {column: sd, unit: us}\n"
                  "correct: {column: ok, values: {GOOD: pass, BAD: fail}}\nmetrics: [occupancy]\n"
                  "parameters: [BM]\n",
        "op,gpu,m,n,name,t,sd,ok,occupancy,BM,who\n"
        "matmul,NVIDIA H100 80GB HBM3,16,32,v1,5.1,0.1,GOOD,77.5,64,me\n"
        "matmul,,16,32,v1,4.9,,BAD,,64,\n"
        "matmul,Voodoo 2,16,32,v2,1.5 ms,,odd,x,32,\n");
    assert_int_equal(doc.n_runs, 3);
    assert_int_equal(doc.n_versions, 2);
    assert_int_equal(doc.n_kernels, 1);
    assert_string_equal(doc.kernels[0].op, "gemm");
    assert_int_equal(doc.kernels[0].language, LORE_LANG_TRITON);
    assert_string_equal(doc.versions[0].label, "v1");
    assert_string_equal(doc.versions[0].params.v[0].value, "64");
    const struct lore_run *r = doc.runs;
    assert_string_equal(r[0].chip, "h100-sxm");
    assert_string_equal(r[0].workload.dims.v[1].key, "N");
    assert_string_equal(r[0].workload.dims.v[1].value, "32");
    assert_true(r[0].summary.median_ns.v == 5100 && r[0].summary.std_ns.v == 100);
    assert_int_equal(r[0].correctness.status, LORE_C_PASS);
    assert_string_equal(r[0].metrics.v[0].name, "occupancy");
    assert_string_equal(r[0].extra, "{\"ok\":\"GOOD\",\"who\":\"me\"}"); /* as written */
    assert_string_equal(r[1].chip, "h100");
    assert_int_equal(r[1].correctness.status, LORE_C_FAIL);
    assert_false(r[1].summary.std_ns.set);
    assert_int_equal(r[1].metrics.n, 0);
    assert_true(r[2].summary.median_ns.v == 1.5e6); /* the unit behind the number counts */
    assert_null(r[2].chip);
    assert_int_equal(r[2].correctness.status, LORE_C_NOT_CHECKED);
    assert_string_equal(r[2].extra, "{\"occupancy\":\"x\"}");
}

static void
test_a_time_without_a_unit_is_not_read(void **state)
{
    (void)state;
    read_by(BENCH "time: t\n", "op,m,n,name,t\nmatmul,1,2,v1,5\n");
    assert_false(doc.runs[0].summary.mean_ns.set);
    assert_string_equal(in.lists[LORE_IL_DOUBTS].v[0],
        "operator gemm with the dims M, N: its operations are not computed; they need exactly M, "
        "N, "
        "K");
    assert_string_equal(in.lists[LORE_IL_DOUBTS].v[2],
        "runs/rows.txt line 2: t: \"\" is no unit of time; it is not read, but kept in extra");
}

static void
test_a_time_of_0_is_no_time(void **state)
{
    (void)state;
    read_by(
        BENCH "time: {column: t, unit: us}\n", "op,m,n,name,t\nmatmul,1,2,v1,5\nmatmul,1,2,v2,0\n");
    assert_int_equal(doc.n_runs, 2);
    assert_true(doc.runs[0].summary.mean_ns.set);
    assert_false(doc.runs[1].summary.set);
    assert_string_equal(doc.runs[1].extra, "{\"t\":0}");
    assert_string_equal(in.lists[LORE_IL_DOUBTS].v[in.lists[LORE_IL_DOUBTS].n - 1],
        "runs/rows.txt line 3: t: a time of 0 is no time; it is not read, but kept in extra");
}

static void
test_a_wrong_separator_is_refused_with_the_right_one(void **state)
{
    (void)state;
    assert_string_equal(
        try_by(BENCH "rows: {format: csv, separator: \",\"}\n", "op;m;n;name\nmatmul;1;2;v1\n"),
        "the map says that \",\" separates the columns, and the header is one column; \";\" would "
        "separate it. Write rows: {format: csv, separator: \";\"}, or leave the separator out");
    assert_string_equal(
        try_by(BENCH "rows: {format: csv, separator: \";\"}\n", "op;m;n;name\nmatmul;1;2;v1\n"),
        "");
    assert_non_null(strstr(
        try_by(BENCH "rows: tsv\n", "op,m,n,name\nmatmul,1,2,v1\n"), "says that a tab separates"));
}

static void
test_values_are_worked_in_order(void **state)
{
    (void)state;
    read_by("operator: {column: name, match: '^([a-z]+)_', values: {mm: matmul}}\n"
            "dims_from: {column: name, match: '_([0-9x]+)$', names: [M, N, K]}\n"
            "dtype: {column: name, search: [{fp16|half: f16}, {bf16: bf16}], otherwise: f32}\n"
            "kernel: {template: '{name} of {team.lead}'}\nversion: {column: [label, alt]}\n"
            "language: [lang, {value: cuda}]\nchip: ^machine.gpu\n"
            "samples: {column: t, unit: us}\nrows: {format: json, path: data.rows}\n",
        "{\"data\":{\"rows\":[{\"name\":\"mm_half_16x32x64\",\"team\":{\"lead\":\"Ann\"},"
        "\"alt\":\"a\",\"t\":[1,2.5,3]}]},\"machine\":{\"gpu\":\"A100\"}}");
    assert_string_equal(doc.kernels[0].op, "gemm");
    assert_string_equal(doc.kernels[0].name, "mm_half_16x32x64 of Ann");
    assert_string_equal(doc.versions[0].label, "a");
    assert_int_equal(doc.kernels[0].language, LORE_LANG_CUDA);
    const struct lore_run *r = doc.runs;
    assert_string_equal(r->workload.dtype, "f16");
    assert_int_equal(r->workload.dims.n, 3);
    assert_string_equal(r->workload.dims.v[2].value, "64");
    assert_int_equal(r->n_samples, 3);
    assert_int_equal(r->samples_ns[1], 2500);
    assert_null(r->extra);
}

static void
test_a_rate_with_the_work_of_a_launch_is_a_time(void **state)
{
    (void)state;
    read_by(BENCH "rate: {column: s, unit: TFLOPS, work: 2*M*N}\n",
        "op,m,n,name,s\nmatmul,1000,500,v1,2\nmatmul,,500,v1,2\n");
    assert_true(doc.runs[0].summary.mean_ns.v == 500);
    assert_true(doc.runs[0].metrics.v[0].value == 2);
    assert_false(doc.runs[1].summary.set);
}

#define TRIES                                                                                      \
    "map: tries\nkind: attempts\noperator: {value: gemm}\nchip: {value: h100}\nversion: iter\n"    \
    "time: {column: us, unit: us, statistic: mean}\nidea: idea\nsession: who\n"                    \
    "error: {column: state, values: {ok: null, KEEP: null, CRASH: runtime, NOCOMPILE: "            \
    "compilation}}\n"

static const struct lore_experiment *
experiment_to(const char *label)
{
    for (size_t i = 0; i < doc.n_experiments; i++)
        for (size_t v = 0; v < doc.n_versions; v++)
            if (strcmp(doc.versions[v].label, label) == 0 &&
                strcmp(doc.versions[v].id, doc.experiments[i].to_version) == 0)
                return &doc.experiments[i];
    fail_msg("no experiment to %s", label);
    return NULL;
}

static const char *
label_of(const char *version)
{
    for (size_t v = 0; v < doc.n_versions; v++)
        if (lore_streq(doc.versions[v].id, version))
            return doc.versions[v].label;
    return "none";
}

static void
test_attempts_start_from_the_last_kept_version(void **state)
{
    (void)state;
    read_by(TRIES, "iter\tus\tstate\tidea\twho\n"
                   "i0\t100\tok\tbaseline\tann\ni1\t90\tok\tuse shared memory tiling\tann\n"
                   "i2\t95\tok\tunroll the loop\tann\ni3\t\tCRASH\tsplit k\tann\n"
                   "i4\t80\tok\tvectorized loads\tann\nj0\t70\tok\tother\tbob\n");
    assert_int_equal(doc.n_versions, 6);
    assert_int_equal(doc.n_experiments, 4); /* two of six are where a session begins */
    assert_int_equal(doc.n_campaigns, 2);
    assert_int_equal(doc.runs[0].role, LORE_ROLE_BASELINE);
    assert_string_equal(label_of(experiment_to("i1")->from_version), "i0");
    assert_string_equal(label_of(experiment_to("i2")->from_version), "i1");
    assert_string_equal(label_of(experiment_to("i3")->from_version), "i1");
    assert_string_equal(label_of(experiment_to("i4")->from_version), "i1");
    assert_string_equal(experiment_to("i2")->title, "unroll the loop");
    assert_true(experiment_to("i1")->n_techniques > 0);
    assert_null(experiment_to("i2")->decision);
    assert_string_equal(doc.runs[3].error.type, "runtime");
    assert_string_equal(doc.hypotheses[0].claim, "use shared memory tiling");
}

static void
test_attempts_may_name_what_they_start_from(void **state)
{
    (void)state;
    read_by(TRIES
        "parent: from\nkept: {column: keep, values: {KEEP: yes, DISCARD: no}}\n"
        "speedup: {column: x, base: first}\noutcome: {column: keep, values: {KEEP: win}}\n",
        "iter,us,state,idea,who,from,keep,x\ni0,100,ok,a,,,KEEP,\ni1,90,ok,b,,i0,DISCARD,1.11\n"
        "i2,95,ok,c,,i1,KEEP,1.05\ni3,80,ok,d,,nowhere,KEEP,1.2\n");
    assert_string_equal(label_of(experiment_to("i2")->from_version), "i1");
    assert_string_equal(label_of(experiment_to("i3")->from_version), "i2");
    assert_string_equal(experiment_to("i1")->decision, "revert");
    assert_string_equal(experiment_to("i2")->decision, "adopt");
    assert_true(experiment_to("i2")->claim.speedup.v == 1.05);
    assert_int_equal(experiment_to("i2")->claim.base, LORE_BASE_FIRST);
    assert_string_equal(experiment_to("i2")->claim.outcome, "win");
}

static void
test_equal_rows_are_records_of_their_own(void **state)
{
    const char *text = "op,m,n,name,t\nmatmul,1,2,v1,5\nmatmul,1,2,v1,5\n";
    char id[2][27];

    (void)state;
    for (int i = 0; i < 2; i++) {
        read_by(BENCH "time: {column: t, unit: us}\n", text);
        assert_int_equal(doc.n_runs, 2);
        assert_string_not_equal(doc.runs[0].id, doc.runs[1].id);
        memcpy(id[i], doc.runs[1].id, sizeof id[i]);
    }
    assert_string_equal(id[0], id[1]); /* importing again stores nothing */
}

static void
test_rows_with_one_metric_each_are_one_run(void **state)
{
    (void)state;
    read_by(BENCH
        "kind: metrics\nmetric: metric\nmetric_value: {column: value, unit_column: unit}\n",
        "op,m,n,name,metric,unit,value\nmatmul,1,2,v1,l2_hit,%,80\nmatmul,1,2,v1,dram,Gbyte/"
        "s,\"1,200\"\n"
        "matmul,1,2,v2,l2_hit,%,70\nmatmul,1,2,v2,odd,,n/a\n");
    assert_int_equal(doc.n_runs, 2);
    assert_int_equal(doc.runs[0].metrics.n, 2);
    assert_true(doc.runs[0].metrics.v[1].value == 1200);
    assert_string_equal(doc.runs[0].metrics.v[1].unit, "Gbyte/s");
    assert_int_equal(in.refused, 1);
    assert_string_equal(in.lists[LORE_IL_ERRORS].v[0], "runs/rows.txt line 5: odd: no number");
}

static void
test_configurations_are_one_sweep_for_each_place(void **state)
{
    (void)state;
    read_by(BENCH "kind: sweep\ntime: {column: t, unit: us, statistic: median}\n"
                  "parameters: [BM, BN]\nerror: err\n",
        "op,gpu,m,n,name,t,BM,BN,err,GBs\nmatmul,a100,16,32,k,9,16,16,,100\n"
        "matmul,a100,16,32,k,7,16,32,,120\nmatmul,a100,16,32,k,,32,32,compile error,\n"
        "matmul,a100,64,32,k,20,16,16,,50\n");
    assert_int_equal(doc.n_sweeps, 2);
    const struct lore_sweep *s = &doc.sweeps[0];
    assert_int_equal(s->configurations.count.v, 3);
    assert_string_equal(s->statistic, "median");
    assert_string_equal(s->configurations.times_ns, "9000 7000 -");
    assert_int_equal(s->configurations.n_parameters, 2);
    assert_string_equal(s->configurations.parameters[0].values, "16 16 32");
    assert_string_equal(s->configurations.failures[0].type, "compilation");
    assert_int_equal(s->n_best, 1);
    assert_int_equal(in.refused, 0);
}

static void
test_a_map_names_the_technique_of_a_parameter(void **state)
{
    (void)state;
    read_by(BENCH "kind: sweep\ntime: {column: t, unit: us, statistic: mean}\nparameters:\n"
                  "  swz: {column: BM, technique: smem_swizzle}\n"
                  "  cta_m: {column: BN, technique: none}\n",
        "op,gpu,m,n,name,t,BM,BN\nmatmul,a100,16,32,k,9,16,16\n");
    assert_int_equal(doc.n_sweeps, 1);
    assert_string_equal(
        doc.sweeps[0].configurations.parameters[0].technique, "memory.smem_swizzle");
    assert_null(doc.sweeps[0].configurations.parameters[1].technique);
}

static void
test_the_time_of_a_wrong_configuration_is_a_sample(void **state)
{
    (void)state;
    read_by(BENCH "kind: sweep\ntime: {column: t, unit: us, statistic: mean}\n"
                  "parameters: [BM]\ncorrect: {column: ok, values: {yes: pass, no: fail}}\n",
        "op,gpu,m,n,name,t,BM,ok\nmatmul,a100,16,32,k,9,16,yes\nmatmul,a100,16,32,k,7,32,no\n");
    const struct lore_sweep *s = &doc.sweeps[0];
    assert_string_equal(s->configurations.times_ns, "9000 -");
    assert_string_equal(s->configurations.samples_ns, ";7000");
    assert_string_equal(s->configurations.failures[0].type, "accuracy");
    assert_int_equal(doc.n_runs, 1);
}

static void
test_versions_of_a_sweep_have_short_labels(void **state)
{
    const char *header = "op,gpu,m,n,name,t,Operation,split_k_slices,stages,inst_m,label\n"
                         "matmul,a100,16,32,k,9,"
                         "cutlass_tensorop_s1688tf32gemm_256x128_16x3_nn_align4,1,3,16,a\n"
                         "matmul,a100,16,32,k,7,"
                         "cutlass_tensorop_s1688tf32gemm_256x128_16x3_nn_align4,8,4,16,b\n";
    static const char map[] =
        "kind: sweep\noperator: op\nchip: gpu\ndims: {M: m, N: n}\nignore: [name, label]\n"
        "time: {column: t, unit: us, statistic: mean}\n"
        "parameters: [Operation, split_k_slices, stages, inst_m]\n";

    (void)state;
    read_by(map, header);
    assert_int_equal(doc.n_versions, 1);
    assert_string_equal(doc.versions[0].label, "split_k_slices=8 stages=4");
    assert_int_equal(doc.versions[0].params.n, 4);
    read_by(lore_format(&arena, "%sversion: label\n", map), header);
    assert_string_equal(doc.versions[0].label, "b");
}

static void
test_a_parameter_may_name_its_technique_and_the_value_that_is_off(void **state)
{
    (void)state;
    read_by(BENCH "kind: sweep\ntime: {column: t, unit: us, statistic: mean}\nparameters:\n"
                  "  zig: {column: zig, technique: memory.l2_grouped_ordering, off: 7}\n"
                  "  split_k: {column: zag, off: 1}\n",
        "op,gpu,m,n,name,t,zig,zag\nmatmul,a100,16,32,k,9,3,1\nmatmul,a100,16,32,k,6,7,1\n");
    const struct lore_configurations *c = &doc.sweeps[0].configurations;
    assert_string_equal(c->parameters[0].technique, "memory.l2_grouped_ordering");
    assert_string_equal(c->parameters[0].values, "3 false");
    assert_string_equal(c->parameters[1].values, "1 1"); /* known to be off */
}

static void
test_what_a_tool_says_of_failures_and_checks_is_told_rightly(void **state)
{
    (void)state;
    read_by(BENCH "kind: sweep\ntime: {column: t, unit: us, statistic: mean}\n"
                  "parameters: [BM]\nerror: err\ncorrect: ok\n",
        "op,gpu,m,n,name,t,BM,err,ok\nmatmul,a100,16,32,k,9,16,,not_verified\n"
        "matmul,a100,16,32,k,,32,not_supported,\nmatmul,a100,16,32,k,,64,accuracy,\n");
    const struct lore_configurations *c = &doc.sweeps[0].configurations;
    assert_string_equal(c->failures[0].type, "runtime");
    assert_string_equal(c->failures[0].said, "not_supported");
    assert_string_equal(c->failures[1].type, "accuracy");
    bool told = false;
    for (size_t i = 0; i < in.lists[LORE_IL_DOUBTS].n; i++)
        told |= strstr(in.lists[LORE_IL_DOUBTS].v[i],
                    "the results of 1 configuration were not verified") != NULL;
    assert_true(told);
}

static void
test_a_value_that_the_map_calls_none_was_read(void **state)
{
    (void)state;
    read_by(BENCH "time: {column: t, unit: us, statistic: mean}\n"
                  "parameters: {alpha: {column: alpha, values: {\"1\": null}}}\n",
        "op,gpu,m,n,name,t,alpha\nmatmul,a100,16,32,k,9,1\nmatmul,a100,16,32,k,9,2\n");
    assert_int_equal(doc.n_runs, 2);
    assert_null(doc.runs[0].extra);
    assert_int_equal(in.lists[LORE_IL_EXTRA].n, 0);
    read_by(BENCH "time: {column: t, unit: us, statistic: mean}\n"
                  "correct: {column: st, values: {OK: pass}}\n",
        "op,gpu,m,n,name,t,st,odd\nmatmul,a100,16,32,k,9,OK,1\n");
    assert_string_equal(doc.runs[0].extra, "{\"st\":\"OK\",\"odd\":1}");
    assert_string_equal(in.lists[LORE_IL_EXTRA].v[0],
        "rows.txt: st: read by the map, its own words; kept in extra");
    assert_string_equal(
        in.lists[LORE_IL_EXTRA].v[1], "rows.txt: odd: no such field; kept in extra");
}

static void
add_file(struct lore_import_tree *tree, const char *path, const char *text)
{
    (void)lore_tree_add(&arena, tree, path, text, strlen(text));
}

static void
test_a_map_joins_documents_of_the_folder(void **state)
{
    struct lore_import_tree *tree = lore_alloc(&arena, sizeof *tree);
    struct lore_map *map = map_of(
        "map: m\nrows: jsonl\nrequire: [t]\njoin: {task: {on: task, by: name, has: [op, axes]}}\n"
        "operator: +task.op\ndims_from: [axes, +task.axes]\ndtype: +task.inputs.0.dtype\n"
        "source: +task.files\nversion: v\ntime: {column: t, unit: ms, statistic: min}\n");
    struct lore_err err = {0};

    (void)state;
    add_file(tree, "a.json",
        "{\"name\":\"g\",\"op\":\"gemm\",\"axes\":{\"M\":{\"type\":\"var\"},\"N\":{\"value\":64}},"
        "\"inputs\":"
        "{\"A\":{\"dtype\":\"f16\"}},\"files\":[{\"path\":\"k.cu\",\"content\":\"int x;\"},"
        "{\"path\":\"/home/ann/k.h\",\"content\":\"int y;\"}]}");
    add_file(tree, "b.json", "{\"name\":\"g\",\"op\":\"softmax\"}"); /* has no axes */
    add_file(tree, "r.jsonl",
        "{\"task\":\"g\",\"axes\":{\"M\":16},\"v\":\"v1\",\"t\":1}\n"
        "{\"task\":\"g\",\"axes\":{\"M\":32},\"v\":\"v1\",\"t\":null}\n"
        "{\"task\":\"other\",\"axes\":{\"M\":32},\"v\":\"v2\",\"t\":2}\n");
    lore_tree_sort(tree);
    memset(&doc, 0, sizeof doc);
    in = (struct lore_import){.arena = &arena, .unit = "r.jsonl", .tree = tree, .doc = &doc};
    lore_import_open(&in, lore_tree_file(tree, "", "r.jsonl"));
    assert_int_equal(lore_map_import(&in, map, &err), LORE_OK);
    lore_map_free(map);
    assert_int_equal(doc.n_runs, 2); /* the second row has no time */
    assert_string_equal(doc.runs[0].workload.op, "gemm");
    assert_int_equal(doc.runs[0].workload.dims.n, 2);
    assert_string_equal(lore_kvs_get(&doc.runs[0].workload.dims, "M"), "16");
    assert_string_equal(lore_kvs_get(&doc.runs[0].workload.dims, "N"), "64");
    assert_string_equal(doc.runs[0].workload.dtype, "f16");
    assert_int_equal(doc.versions[0].n_sources, 2);
    assert_string_equal(doc.versions[0].sources[1].file, "k.h");
    assert_string_equal(doc.runs[1].workload.op, "unclassified");
    assert_int_equal(doc.versions[1].n_sources, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_errors_of_a_map_name_the_member, teardown),
        cmocka_unit_test_teardown(test_built_in_maps_are_right_and_documented, teardown),
        cmocka_unit_test_teardown(test_rows_become_runs, teardown),
        cmocka_unit_test_teardown(test_a_time_without_a_unit_is_not_read, teardown),
        cmocka_unit_test_teardown(test_a_time_of_0_is_no_time, teardown),
        cmocka_unit_test_teardown(test_a_wrong_separator_is_refused_with_the_right_one, teardown),
        cmocka_unit_test_teardown(test_values_are_worked_in_order, teardown),
        cmocka_unit_test_teardown(test_a_rate_with_the_work_of_a_launch_is_a_time, teardown),
        cmocka_unit_test_teardown(test_attempts_start_from_the_last_kept_version, teardown),
        cmocka_unit_test_teardown(test_attempts_may_name_what_they_start_from, teardown),
        cmocka_unit_test_teardown(test_equal_rows_are_records_of_their_own, teardown),
        cmocka_unit_test_teardown(test_rows_with_one_metric_each_are_one_run, teardown),
        cmocka_unit_test_teardown(test_configurations_are_one_sweep_for_each_place, teardown),
        cmocka_unit_test_teardown(test_a_map_names_the_technique_of_a_parameter, teardown),
        cmocka_unit_test_teardown(test_the_time_of_a_wrong_configuration_is_a_sample, teardown),
        cmocka_unit_test_teardown(test_a_map_that_no_row_could_satisfy_is_refused, teardown),
        cmocka_unit_test_teardown(test_members_that_a_kind_does_not_read_are_refused, teardown),
        cmocka_unit_test_teardown(test_versions_of_a_sweep_have_short_labels, teardown),
        cmocka_unit_test_teardown(
            test_a_parameter_may_name_its_technique_and_the_value_that_is_off, teardown),
        cmocka_unit_test_teardown(
            test_what_a_tool_says_of_failures_and_checks_is_told_rightly, teardown),
        cmocka_unit_test_teardown(test_a_value_that_the_map_calls_none_was_read, teardown),
        cmocka_unit_test_teardown(test_a_map_joins_documents_of_the_folder, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
