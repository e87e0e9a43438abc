// uses: import
/* Maps that are proposed for files that no importer reads. */
#include "collectors/import/maps/suggest.h"
#include "tests/unit/import_map.h"

static struct lore_suggestion proposal;

/* The map that is proposed for TEXT, with open questions. */
static const char *
proposed(const char *file, const char *text)
{
    struct lore_import_tree *tree = lore_alloc(&arena, sizeof *tree);
    struct lore_buf yaml = {.max = 1 << 20};
    struct lore_err err = {0};

    tree->above = "/home/x";
    memset(&doc, 0, sizeof doc);
    in = (struct lore_import){.arena = &arena, .unit = file, .tree = tree, .doc = &doc};
    lore_import_open(&in, lore_tree_add(&arena, tree, file, text, strlen(text)));
    if (lore_map_suggest(&in, &proposal, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    lore_suggest_write(&proposal, false, &yaml);
    const char *out = lore_strdup(&arena, yaml.data);
    lore_buf_free(&yaml);
    return out;
}

static void
test_a_map_is_proposed_by_names_and_values(void **state)
{
    (void)state;
    assert_string_equal(
        proposed("bench.csv", "# ours\nop;board;M;N;Time (us);BLOCK_M;ok;hits\n"
                              "matmul;NVIDIA H100 80GB HBM3;16;32;5.1;64;True;71.5\n"
                              "softmax;A100;16;32;6.1;128;False;60\n"),
        "map: bench\nrows: {format: csv, separator: \";\", header: op}\nrecognise:\n  columns: "
        "[op, "
        "board, M, N, \"Time (us)\", BLOCK_M, ok, hits]\nkind: runs\nlanguage: \"?\"\noperator: "
        "op\n"
        "chip: board\ntime: {column: \"Time (us)\", unit: us, statistic: mean}\ncorrect: "
        "ok\ndims:\n"
        "  M: M\n  N: N\nparameters:\n  BLOCK_M: BLOCK_M\nmetrics:\n  hits: hits\n");
}

static void
has(const char *map, const char *part)
{
    if (!strstr(map, part))
        fail_msg("%s is not in %s", part, map);
}

static void
test_a_profile_of_many_kernels_is_told_by_its_values(void **state)
{
    const char *map = proposed("report.csv",
        "Problem,Provider,OperationKind,Operation,Disposition,m,n,k,A,accum,split_k_slices,cta_m,"
        "stages,batch_count,Bytes,Runtime,GFLOPs\n"
        "1,CUTLASS,gemm,cutlass3x_sm90_tensorop_gemm_f16_a,passed,64,64,64,f16:row,f32,1,64,3,1,"
        "100663296,0.2,600\n"
        "1,CUTLASS,gemm,cutlass3x_sm90_tensorop_gemm_f16_b,passed,64,64,64,f16:row,f32,2,128,3,1,"
        "100663296,0.3,500\n"
        "1,CUTLASS,gemm,cutlass3x_sm90_tensorop_gemm_f16_c,incorrect,64,64,64,f16:row,f32,1,128,4,"
        "1,100663296,0.4,400\n"
        "1,CUTLASS,gemm,cutlass3x_sm90_tensorop_gemm_f16_d,not_supported,64,64,64,f16:row,f32,1,"
        "128,5,1,100663296,0.4,400\n"
        "1,CUTLASS,gemm,cutlass3x_sm90_tensorop_gemm_f16_d,passed,64,64,64,f16:row,f32,4,128,5,1,"
        "100663296,0.4,400\n1,CUTLASS,gemm,cutlass3x_e,passed,64,64,64,f16:row,f32,4,64,5,1,9,1,4\n"
        "1,CUTLASS,gemm,cutlass3x_f,passed,64,64,64,f16:row,f32,4,64,6,1,9,1,4\n"
        "1,CUTLASS,gemm,cutlass3x_g,passed,64,64,64,f16:row,f32,4,64,7,1,9,1,4\n");

    (void)state;
    has(map, "kind: sweep\nchip: \"?\"\n"); /* no chip in names of kernels */
    has(map, "language: Provider\n");
    has(map, "dtype: {column: A, match: \"^([^:]*)\"}\n");
    has(map, "correct: {column: Disposition, values: {passed: pass, incorrect: fail}, otherwise: "
             "not_checked}\nerror: {column: Disposition, values: {not_supported: runtime}");
    has(map, "parameters:\n  split_k_slices: split_k_slices\n  cta_m: cta_m\n  stages: stages\n");
    has(map, "metrics:\n  Bytes: Bytes\n  GFLOPs: {column: GFLOPs, unit: GFLOPS}\n");
    assert_null(strstr(map, "Problem:"));
}

static void
test_plain_names_of_dims_and_times_are_told(void **state)
{
    (void)state;
    const char *map =
        proposed("b.csv", "op,gpu,m_size,n_size,k_size,elapsed,time_us\n"
                          "gemm,h100,16,32,64,0.51,510\ngemm,h100,32,32,64,0.9,900\n");
    has(map, "dims:\n  M: m_size\n  N: n_size\n  K: k_size\n");
    has(map, "time: {column: time_us, unit: us");
    map = proposed("c.jsonl",
        "{\"op\":\"gemm\",\"shape\":{\"M\":16,\"N\":32},\"nheads\":8,\"us\":5}\n"
        "{\"op\":\"gemm\",\"shape\":{\"M\":32,\"N\":32},\"nheads\":4,\"us\":9}\n");
    has(map, "  M: shape.M\n  N: shape.N\n  nheads: nheads\n");
}

static void
test_what_did_not_compile_and_words_for_no_value_are_told(void **state)
{
    const char *map = proposed("runs.csv",
        "op,gpu,M,N,K,latency_us,status\ngemm,h100,16,32,64,5,pass\ngemm,h100,32,32,64,N/A,"
        "COMPILE_ERROR\ngemm,h100,32,32,64,-,timed out\ngemm,h100,32,64,64,nan,fail\n");

    (void)state;
    has(map, "time: {column: latency_us, unit: us");
    has(map, "values: {COMPILE_ERROR: compilation, \"timed out\": timeout}");
}

static void
test_types_of_operands_are_no_types_of_sums(void **state)
{
    const char *map = proposed("hipblaslt.csv",
        "compute_type,a_type,m,n,k,us\nf32_r,bf16_r,128,256,512,10\nf32_r,bf16_r,128,256,64,5\n");

    (void)state;
    has(map, "dtype: {column: a_type, match: \"^(.*)_r$\"}\n");
    has(map, "time: {column: us, unit: us, statistic: mean}\n");
}

static void
test_a_column_for_each_implementation_is_one_map_each(void **state)
{
    const char *map = proposed("matmul_perf.csv",
        ",M,N,K,cuBLAS (TFLOPS),Triton "
        "(TFLOPS)\n0,256.0,256.0,256.0,4,4\n1,512.0,512.0,512.0,22,21\n");

    (void)state;
    has(map, "language: {value: triton}\nversion: {value: Triton}\n");
    has(map, "rate: {column: \"Triton (TFLOPS)\", unit: TFLOPS, work: \"2*M*N*K\"}\n");
    has(proposal.remark, "One column for each implementation (cuBLAS (TFLOPS), Triton (TFLOPS))");
    read_by(
        "operator: {value: gemm}\ndims: [M, N, K]\nrate: {column: t, unit: TFLOPS, work: 2*M*N*K}",
        "M,N,K,t\n256.0,256.0,256.0,4\n");
    assert_string_equal(lore_kvs_get(&doc.runs[0].workload.dims, "M"), "256");
    assert_true(doc.runs[0].summary.mean_ns.set);
}

static void
test_seconds_are_told_by_their_inverse(void **state)
{
    const char *map =
        proposed("bench.csv", "name,min,mean,stddev,rounds,ops,iterations\n"
                              "test_softmax[1024],0.00002,0.000025,0.000001,100,40000,1\n"
                              "test_matmul[4096],0.0003,0.0004,0.00001,100,2500,1\n");

    (void)state;
    has(map, "time: {column: mean, unit: s, statistic: mean}\nstd: {column: stddev, unit: s}\n");
    has(map, "operator:\n  column: name\n  search:\n    - softmax: softmax\n    - matmul: gemm\n");
    has(map, "count: rounds\n");
}

static void
test_a_table_of_times_and_rates_asks_for_the_rest(void **state)
{
    const char *map =
        proposed("plain.csv", "M,N,K,ms,tflops\n64,64,64,0.4,335.2\n32,32,32,0.1,242\n");

    (void)state;
    has(map, "operator: \"?\"\nchip: \"?\"\nlanguage: \"?\"\ntime: {column: ms, unit: ms, "
             "statistic: mean}\nrate: {column: tflops, unit: TFLOPS}\ndims:\n  M: M\n");
}

static void
test_the_header_is_found_behind_other_lines(void **state)
{
    (void)state;
    const char *map =
        proposed("t.csv", "==LOG== one, two\n\"Kernel\",\"Start_Timestamp\",\"dur_ns\"\n"
                          "\"f(int, int)\",10,5\n\"g(int, int)\",20,6\n\"h()\",30,7\n");
    assert_non_null(strstr(map, "rows: {format: csv, separator: \",\", header: Kernel}\n"));
    assert_non_null(strstr(map, "metrics:\n  Start_Timestamp: Start_Timestamp\n"));
    map = proposed("t.tsv", "iter\ttflops\tdecision\tidea, in words\n0\t1.5\tKEEP\ta, b\n"
                            "1\t1.6\tDISCARD\tc\n2\t-\tCOMPILE_FAIL\td, e, f\n");
    assert_non_null(strstr(map, "rows: {format: csv, separator: \"\\t\"}\n"));
    assert_non_null(strstr(map, "kept: {column: decision"));
}

static void
test_what_the_file_does_not_say_is_asked(void **state)
{
    (void)state;
    assert_string_equal(
        proposed("tries.jsonl", "{\"step\":0,\"latency\":1.5,\"what\":\"baseline\"}\n"
                                "{\"step\":1,\"latency\":1.25,\"what\":\"vectorized loads\"}\n"),
        "map: tries\nrows: {format: jsonl}\nrecognise:\n  columns: [step, latency, what]\n"
        "kind: attempts\noperator: \"?\"\nchip: \"?\"\nlanguage: \"?\"\nversion: step\n"
        "time: {column: latency, unit: \"?\", statistic: mean}\nidea: what\n");
    assert_int_equal(proposal.n_questions, 4);
    proposal.questions[0].answer = "gemm";
    proposal.questions[1].answer = "h100";
    proposal.questions[3].answer = "ms";
    struct lore_buf yaml = {.max = 1 << 20};
    lore_suggest_write(&proposal, true, &yaml);
    struct lore_map *map = map_of(yaml.data);
    struct lore_err err = {0};
    assert_int_equal(lore_map_import(&in, map, &err), LORE_OK);
    assert_string_equal(doc.runs[1].chip, "h100");
    assert_true(doc.runs[1].summary.mean_ns.v == 1.25e6);
    assert_int_equal(doc.n_experiments, 1);
    lore_map_free(map);
    lore_buf_free(&yaml);
}

static void
test_the_name_of_the_file_and_its_layout_are_used(void **state)
{
    (void)state;
    const char *map = proposed("softmax_mi300x.json",
        "{\"meta\":{\"n\":1},\"data\":{\"results\":[{\"block_size\":64,\"num_warps\":4,\"t\":{"
        "\"median_"
        "ms\":1}},{\"block_size\":128,\"num_warps\":8,\"t\":{\"median_ms\":2}}]}}");
    assert_non_null(strstr(map, "rows: {format: json, path: data.results}\n"));
    assert_non_null(strstr(map, "operator: {value: softmax}\nchip: {value: mi300x}\n"));
    assert_non_null(strstr(map, "time: {column: t.median_ms, unit: ms, statistic: median}\n"));
    assert_non_null(strstr(map, "parameters:\n  block_size: block_size\n  num_warps: num_warps\n"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_map_is_proposed_by_names_and_values, teardown),
        cmocka_unit_test_teardown(test_a_profile_of_many_kernels_is_told_by_its_values, teardown),
        cmocka_unit_test_teardown(test_plain_names_of_dims_and_times_are_told, teardown),
        cmocka_unit_test_teardown(
            test_what_did_not_compile_and_words_for_no_value_are_told, teardown),
        cmocka_unit_test_teardown(test_types_of_operands_are_no_types_of_sums, teardown),
        cmocka_unit_test_teardown(test_a_column_for_each_implementation_is_one_map_each, teardown),
        cmocka_unit_test_teardown(test_seconds_are_told_by_their_inverse, teardown),
        cmocka_unit_test_teardown(test_a_table_of_times_and_rates_asks_for_the_rest, teardown),
        cmocka_unit_test_teardown(test_the_header_is_found_behind_other_lines, teardown),
        cmocka_unit_test_teardown(test_what_the_file_does_not_say_is_asked, teardown),
        cmocka_unit_test_teardown(test_the_name_of_the_file_and_its_layout_are_used, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
