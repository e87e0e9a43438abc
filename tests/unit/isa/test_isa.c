// uses: isa
/* Disassembly as evidence, on listings that nvcc, cuobjdump, nvdisasm, clang and llvm-objdump
 * printed for tests/fixtures/isa/kernels.cu and kernels.cl, trimmed to the functions named here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <regex.h>

#include "collectors/isa/check.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/technique_traces.h"

#define FIXTURES SOURCE_DIR "/tests/fixtures/isa/"

static struct lore_arena arena;

static int
free_arena(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static struct lore_isa_listing
listing(const char *file)
{
    struct lore_buf text = {0};
    struct lore_isa_listing out = {0};
    struct lore_err err = {0};

    if (lore_file_read(lore_format(&arena, FIXTURES "%s", file), &text, &err) != LORE_OK ||
        lore_isa_read(text.data, text.len, &arena, &out, &err) != LORE_OK)
        fail_msg("%s: %s", file, err.msg);
    lore_buf_free(&text);
    return out;
}

static const struct lore_isa_function *
function(const struct lore_isa_listing *l, const char *name)
{
    for (size_t i = 0; i < l->n_functions; i++)
        if (strcmp(l->functions[i].name, name) == 0)
            return &l->functions[i];
    fail_msg("no function %s", name);
    return NULL;
}

static size_t
count_of(const struct lore_isa_function *f, const char *form)
{
    for (size_t i = 0; i < f->n_forms; i++)
        if (strcmp(f->forms[i].form, form) == 0)
            return f->forms[i].count;
    return 0;
}

static struct lore_isa_check
ask(const struct lore_isa_listing *l, const char *technique, const char *symbol)
{
    struct lore_isa_request q = {.listing = l, .technique = technique, .symbol = symbol};
    struct lore_isa_check out;

    lore_isa_check_technique(&q, &arena, &out);
    assert_non_null(out.why);
    return out;
}

static void
verdict_is(const struct lore_isa_listing *l, const char *technique, const char *symbol,
    enum lore_isa_verdict want)
{
    struct lore_isa_check c = ask(l, technique, symbol);

    if (c.verdict != want)
        fail_msg("%s in %s: %s (%s), not %s", technique, symbol, lore_isa_verdict_name(c.verdict),
            c.why, lore_isa_verdict_name(want));
}

static void
each_tools_text_is_recognised(void **state)
{
    static const struct {
        const char *file, *format, *target, *isa;
        size_t functions;
    } cases[] = {{"sm_80.cuobjdump.txt", "cuobjdump", "sass", "sm_80", 11},
        {"sm_90a.cuobjdump.txt", "cuobjdump", "sass", "sm_90a", 5},
        {"sm_100a.cuobjdump.txt", "cuobjdump", "sass", "sm_100a", 1},
        {"fat.cuobjdump.txt", "cuobjdump", "sass", "sm_80", 2},
        {"sm_90a.nvdisasm.txt", "nvdisasm", "sass", "sm_90a", 3},
        {"gfx942.objdump.txt", "objdump", "amdgcn", NULL, 12},
        {"gfx90a.objdump.txt", "objdump", "amdgcn", NULL, 5},
        {"gfx942.amdgcn", "assembler", "amdgcn", "gfx942", 3},
        {"gfx90a.amdgcn", "assembler", "amdgcn", "gfx90a", 2}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_isa_listing l = listing(cases[i].file);

        assert_string_equal(lore_isa_format_name(l.format), cases[i].format);
        assert_string_equal(lore_isa_target_name(l.target), cases[i].target);
        assert_int_equal(l.n_functions, cases[i].functions);
        assert_true(lore_streq(l.functions[0].isa, cases[i].isa));
    }
}

static void
what_is_no_listing_is_refused_by_name(void **state)
{
    static const struct {
        const char *text;
        enum lore_status status;
    } cases[] = {{"", LORE_UNSUPPORTED}, {"hello\n", LORE_UNSUPPORTED},
        {".version 8.0\n.target sm_90\n.visible .entry k()\n{ ret; }\n", LORE_UNSUPPORTED},
        {"a.out:     file format elf64-x86-64\n0000000000001000 <main>:\n  1000: ret\n",
            LORE_UNSUPPORTED},
        {"\tcode for sm_90\n\t\tFunction : k\n", LORE_INVALID},
        {"x.o:\tfile format elf64-amdgpu\n\n0000000000000000 <k>:\n", LORE_INVALID}};
    struct lore_isa_listing out = {0};
    struct lore_err err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(lore_isa_read(cases[i].text, strlen(cases[i].text), &arena, &out, &err),
            cases[i].status);
        assert_true(lore_starts(err.msg, "disassembly: "));
        assert_int_equal(out.n_functions, 0);
    }
}

static void
instructions_are_counted_by_form(void **state)
{
    struct lore_isa_listing l = listing("sm_80.cuobjdump.txt");
    const struct lore_isa_function *copy = function(&l, "float4_copy");
    const struct lore_isa_function *mma = function(&l, "mma_f16");
    const struct lore_isa_function *axpy = function(&l, "plain_axpy");

    (void)state;
    assert_int_equal(count_of(copy, "LDG.E.128.CONSTANT"), 1);
    assert_int_equal(count_of(copy, "STG.E.128"), 1);
    assert_int_equal(count_of(mma, "HMMA.16816.F32"), 1);
    assert_int_equal(count_of(mma, "LDGSTS.E.BYPASS.128"), 2);
    assert_int_equal(count_of(mma, "BAR.SYNC.DEFER_BLOCKING"), 1);
    assert_int_equal(count_of(axpy, "FFMA"), 1);
    assert_int_equal(count_of(axpy, "HFMA2.MMA const"), 1);
    assert_int_equal(count_of(axpy, "NOP"), 0);
    assert_int_equal(axpy->instructions, 16); /* 15 and the branch to itself; no padding */
}

static void
the_text_of_both_nvidia_tools_counts_the_same(void **state)
{
    struct lore_isa_listing nv = listing("sm_90a.nvdisasm.txt"),
                            cu = listing("sm_90a.cuobjdump.txt");
    const struct lore_isa_function *a = function(&nv, "dependent_launch");
    const struct lore_isa_function *b = function(&cu, "dependent_launch");
    size_t n;

    (void)state;
    assert_int_equal(a->instructions, b->instructions);
    lore_isa_diff(a, b, &arena, &n);
    assert_int_equal(n, 0);
}

static void
modifiers_of_amd_instructions_belong_to_the_form(void **state)
{
    struct lore_isa_listing l = listing("gfx942.objdump.txt");

    (void)state;
    assert_int_equal(
        count_of(function(&l, "dpp_sum"), "v_add_f32_dpp row_shr row_mask bank_mask bound_ctrl"),
        2);
    assert_int_equal(count_of(function(&l, "buffer_copy"), "buffer_load_dwordx4 offen"), 1);
    assert_int_equal(count_of(function(&l, "priority"), "global_load_dword nt"), 1);
    assert_int_equal(count_of(function(&l, "float4_copy"), "global_load_dwordx4 off"), 1);
    assert_int_equal(count_of(function(&l, "float4_copy"), "s_nop"), 0);
    assert_int_equal(count_of(function(&l, "bpermute_sum"), "ds_bpermute_b32"), 1);
}

static void
assembler_text_brings_the_compilers_own_counts(void **state)
{
    struct lore_isa_listing l = listing("gfx942.amdgcn");
    const struct lore_isa_function *spills = function(&l, "spills");
    const struct lore_isa_function *copy = function(&l, "float4_copy");

    (void)state;
    assert_true(spills->vgpr_spills.set && spills->vgpr_spills.v == 99);
    assert_true(spills->scratch_bytes.set && spills->scratch_bytes.v == 216);
    assert_true(spills->vgprs.set && spills->vgprs.v == 48);
    assert_true(spills->spill_ops > 0);
    assert_true(copy->vgpr_spills.set && copy->vgpr_spills.v == 0);
    assert_int_equal(copy->spill_ops, 0);
    assert_int_equal(count_of(function(&l, "mfma_f16"), ";sched_group_barrier"), 1);
}

static const struct {
    const char *file, *technique, *symbol;
    enum lore_isa_verdict want;
} signature_cases[] = {
    {"sm_80.cuobjdump.txt", "float4", "float4_copy", LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "float4", "plain_axpy", LORE_ISA_MISSING},
    {"sm_80.cuobjdump.txt", "compute.tensor_core", "mma_f16", LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "compute.tensor_core", "mma_tf32_int8", LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "compute.tensor_core", "plain_axpy", LORE_ISA_MISSING},
    {"sm_80.cuobjdump.txt", "compute.mixed_precision", "plain_axpy", LORE_ISA_MISSING},
    {"sm_80.cuobjdump.txt", "memory.async_copy", "mma_f16", LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "memory.multi_stage_pipeline", "mma_f16", LORE_ISA_INCONCLUSIVE},
    {"sm_80.cuobjdump.txt", "memory.ldmatrix_stmatrix", "mma_f16", LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "compute.register_tile", "plain_axpy", LORE_ISA_INCONCLUSIVE},
    {"sm_80.cuobjdump.txt", "compute.fast_exp", "exp_fast", LORE_ISA_INCONCLUSIVE},
    {"sm_80.cuobjdump.txt", "sync.warp_level_reduction", "warp_sum", LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "sync.warp_level_reduction", "block_sum", LORE_ISA_MISSING},
    {"sm_80.cuobjdump.txt", "sync.warp_per_row", "warp_sum", LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "sync.warp_per_row", "block_sum", LORE_ISA_MISSING},
    {"sm_80.cuobjdump.txt", "sync.warp_per_row", "plain_axpy", LORE_ISA_INCONCLUSIVE},
    {"sm_80.cuobjdump.txt", "memory.split_k", "plain_axpy", LORE_ISA_NOT_APPLICABLE},
    {"sm_80.cuobjdump.txt", "memory.tiling_smem", "block_sum", LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "memory.tiling_smem", "warp_sum", LORE_ISA_MISSING},
    {"sm_80.cuobjdump.txt", "latency.warp_aggregated_atomics", "atomic_aggregated",
        LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "memory.cache_hints", "cache_hints", LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "memory.readonly_path", "float4_copy", LORE_ISA_VERIFIED},
    {"sm_80.cuobjdump.txt", "memory.register_pressure", "spills", LORE_ISA_MISSING},
    {"sm_80.cuobjdump.txt", "memory.register_pressure", "plain_axpy", LORE_ISA_VERIFIED},
    {"sm_90a.cuobjdump.txt", "latency.pingpong_warpgroup_schedule", "wgmma_pingpong",
        LORE_ISA_VERIFIED},
    {"sm_90a.cuobjdump.txt", "latency.producer_regdealloc_setmaxnreg", "wgmma_pingpong",
        LORE_ISA_VERIFIED},
    {"sm_90a.cuobjdump.txt", "compute.tensor_core", "wgmma_pingpong", LORE_ISA_VERIFIED},
    {"sm_90a.cuobjdump.txt", "latency.pdl_overlap", "dependent_launch", LORE_ISA_VERIFIED},
    {"sm_90a.cuobjdump.txt", "latency.pdl_overlap", "tma_load", LORE_ISA_MISSING},
    {"sm_90a.cuobjdump.txt", "memory.tma_multicast", "tma_load", LORE_ISA_VERIFIED},
    {"sm_90a.cuobjdump.txt", "memory.tma_multicast", "tma_im2col", LORE_ISA_MISSING},
    {"sm_90a.cuobjdump.txt", "memory.im2col_copy", "tma_im2col", LORE_ISA_VERIFIED},
    {"sm_90a.cuobjdump.txt", "sync.asymmetric_barrier", "tma_load", LORE_ISA_VERIFIED},
    {"sm_90a.cuobjdump.txt", "sync.cluster_sync", "cluster_dsmem", LORE_ISA_VERIFIED},
    {"sm_90a.cuobjdump.txt", "memory.distributed_smem", "cluster_dsmem", LORE_ISA_INCONCLUSIVE},
    {"sm_100a.cuobjdump.txt", "compute.tensor_core", "tcgen05_mma", LORE_ISA_VERIFIED},
    {"sm_100a.cuobjdump.txt", "compute.block_scaled_precision", "tcgen05_mma", LORE_ISA_VERIFIED},
    {"sm_100a.cuobjdump.txt", "latency.cluster_launch_control_scheduler", "tcgen05_mma",
        LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "mfma", "mfma_f16", LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "mfma", "plain_axpy", LORE_ISA_MISSING},
    {"gfx942.objdump.txt", "memory.vectorized_access", "float4_copy", LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "memory.vectorized_access", "mfma_f16", LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "memory.vectorized_access", "plain_axpy", LORE_ISA_MISSING},
    {"gfx942.objdump.txt", "dpp_reduction", "dpp_sum", LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "dpp_reduction", "bpermute_sum", LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "dpp_reduction", "lds_sum", LORE_ISA_MISSING},
    {"gfx942.objdump.txt", "memory.lds_wide_access", "lds_sum", LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "memory.buffer_descriptor", "buffer_copy", LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "memory.async_copy", "load_to_lds", LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "memory.cache_hints", "priority", LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "compute.instruction_scheduling", "priority", LORE_ISA_VERIFIED},
    {"gfx942.objdump.txt", "compute.instruction_scheduling", "mfma_f16", LORE_ISA_INCONCLUSIVE},
    {"gfx942.objdump.txt", "memory.register_pressure", "spills", LORE_ISA_MISSING},
    {"gfx942.objdump.txt", "memory.register_pressure", "plain_axpy", LORE_ISA_VERIFIED},
    {"gfx90a.objdump.txt", "memory.register_pressure", "spills", LORE_ISA_INCONCLUSIVE},
    {"gfx90a.amdgcn", "memory.register_pressure", "spills", LORE_ISA_MISSING},
    {"gfx90a.amdgcn", "memory.register_pressure", "plain_axpy", LORE_ISA_VERIFIED},
    {"gfx942.amdgcn", "compute.instruction_scheduling", "mfma_f16", LORE_ISA_VERIFIED},
};

static void
signatures_are_found_where_they_belong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof signature_cases / sizeof *signature_cases; i++) {
        struct lore_isa_listing l = listing(signature_cases[i].file);

        verdict_is(
            &l, signature_cases[i].technique, signature_cases[i].symbol, signature_cases[i].want);
    }
}

static void
a_kernels_name_is_no_evidence(void **state)
{
    static const char text[] = "\tcode for sm_90\n\t\tFunction : hmma_ldg_128_shfl\n"
                               "        /*0000*/   MOV R1, c[0x0][0x28] ;\n"
                               "        /*0010*/   EXIT ;\n";
    struct lore_isa_listing l;

    (void)state;
    assert_int_equal(lore_isa_read(text, strlen(text), &arena, &l, NULL), LORE_OK);
    verdict_is(&l, "compute.tensor_core", NULL, LORE_ISA_MISSING);
    verdict_is(&l, "sync.warp_level_reduction", NULL, LORE_ISA_MISSING);
}

static void
nothing_to_look_at_is_unavailable_for_every_technique(void **state)
{
    struct lore_isa_listing empty = {.format = LORE_ISA_CUOBJDUMP, .target = LORE_ISA_SASS};
    struct lore_isa_listing sm80 = listing("sm_80.cuobjdump.txt");
    size_t n;
    const struct lore_technique *t = lore_techniques(&n);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        bool known = lore_isa_signature(t[i].slug, LORE_ISA_SASS);
        bool any = known || lore_isa_signature(t[i].slug, LORE_ISA_AMDGCN);

        verdict_is(NULL, t[i].slug, NULL, any ? LORE_ISA_UNAVAILABLE : LORE_ISA_NOT_APPLICABLE);
        verdict_is(&empty, t[i].slug, NULL, any ? LORE_ISA_UNAVAILABLE : LORE_ISA_NOT_APPLICABLE);
        verdict_is(&sm80, t[i].slug, "no_such_kernel",
            known ? LORE_ISA_UNAVAILABLE : LORE_ISA_NOT_APPLICABLE);
    }
    verdict_is(&sm80, "something nobody catalogued", NULL, LORE_ISA_NOT_APPLICABLE);
    verdict_is(&sm80, "memory.kernel_fusion", NULL, LORE_ISA_NOT_APPLICABLE);
}

static void
the_reason_why_there_is_no_disassembly_is_kept(void **state)
{
    struct lore_isa_request q = {
        .technique = "compute.tensor_core", .why_none = "cuobjdump is not installed"};
    struct lore_isa_check c;

    (void)state;
    lore_isa_check_technique(&q, &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_UNAVAILABLE);
    assert_string_equal(c.why, "cuobjdump is not installed");
}

static void
a_check_lists_its_patterns_with_counts(void **state)
{
    struct lore_isa_listing l = listing("sm_80.cuobjdump.txt");
    struct lore_isa_check c = ask(&l, "sync.warp_aggregated_atomics", "atomic_plain");

    (void)state;
    assert_int_equal(c.verdict, LORE_ISA_UNAVAILABLE); /* not in the trimmed listing */
    c = ask(&l, "memory.tiling_smem", "warp_sum");
    assert_int_equal(c.n_found, 2);
    assert_int_equal(c.n_missing, 2);
    assert_int_equal(c.found[0].count, 0);
    c = ask(&l, "memory.tiling_smem", "block_sum");
    assert_int_equal(c.n_missing, 0);
    assert_int_equal(c.found[0].count, count_of(function(&l, "block_sum"), "STS"));
    assert_string_equal(c.symbol, "block_sum");
    assert_string_equal(c.isa, "sm_80");
    assert_true(c.version >= 1);
}

static void
a_fat_binary_needs_the_isa_named(void **state)
{
    struct lore_isa_listing l = listing("fat.cuobjdump.txt");
    struct lore_isa_request q = {.listing = &l, .technique = "memory.vectorized_access"};
    struct lore_isa_check c;

    (void)state;
    lore_isa_check_technique(&q, &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_INCONCLUSIVE);
    q.isa = "sm_90";
    lore_isa_check_technique(&q, &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_VERIFIED);
    assert_string_equal(c.isa, "sm_90");
    q.symbol = "1kP6float4"; /* part of a mangled name */
    lore_isa_check_technique(&q, &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_VERIFIED);
}

static void
the_isa_of_a_chip_fits_its_own_variant(void **state)
{
    struct lore_isa_listing hopper = listing("sm_90a.cuobjdump.txt");
    struct lore_isa_listing amd = listing("gfx942.objdump.txt"), text = listing("gfx942.amdgcn");
    struct lore_isa_function f;

    (void)state;
    assert_int_equal(lore_isa_select(&hopper, "tma_load", "sm_90", &arena, &f, NULL), LORE_OK);
    assert_string_equal(f.isa, "sm_90a");
    assert_int_equal(lore_isa_select(&hopper, "tma_load", "sm_9", &arena, &f, NULL), LORE_NOTFOUND);
    assert_int_equal(
        lore_isa_select(&hopper, "tma_load", "sm_100", &arena, &f, NULL), LORE_NOTFOUND);
    assert_int_equal(lore_isa_select(&amd, "mfma_f16", "gfx942", &arena, &f, NULL), LORE_OK);
    assert_int_equal(lore_isa_select(&text, "mfma_f16", "gfx942", &arena, &f, NULL), LORE_OK);
    assert_int_equal(lore_isa_select(&text, "mfma_f16", "gfx90a", &arena, &f, NULL), LORE_NOTFOUND);
}

static struct lore_isa_listing
barriers(size_t n)
{
    struct lore_buf text = {0};
    struct lore_isa_listing l = {0};

    lore_buf_puts(&text, "\tcode for sm_80\n\t\tFunction : k\n");
    for (size_t i = 0; i < n; i++)
        lore_buf_puts(&text, "        /*0010*/   BAR.SYNC.DEFER_BLOCKING 0x0 ;\n");
    lore_buf_puts(&text, "        /*0020*/   EXIT ;\n");
    assert_int_equal(lore_isa_read(text.data, text.len, &arena, &l, NULL), LORE_OK);
    lore_buf_free(&text);
    return l;
}

static void
fewer_barriers_show_only_beside_the_version_before(void **state)
{
    struct lore_isa_listing two = barriers(2), three = barriers(3), none = barriers(0);
    struct lore_isa_request q = {.listing = &two, .technique = "sync.reduce_barriers"};
    struct lore_isa_check c;

    (void)state;
    lore_isa_check_technique(&q, &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_INCONCLUSIVE);
    q.before = &three;
    lore_isa_check_technique(&q, &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_VERIFIED);
    assert_int_equal(c.found[0].before, 3);
    q.before = &two;
    lore_isa_check_technique(&q, &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_MISSING);
    q.before = &none;
    lore_isa_check_technique(&q, &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_INCONCLUSIVE);
    q.listing = &three;
    q.before = &two; /* unrolling repeats barriers */
    lore_isa_check_technique(&q, &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_INCONCLUSIVE);
}

static void
a_diff_names_the_largest_change_first(void **state)
{
    struct lore_isa_listing l = listing("sm_80.cuobjdump.txt");
    size_t n;
    struct lore_isa_change *c =
        lore_isa_diff(function(&l, "plain_axpy"), function(&l, "spills"), &arena, &n);

    (void)state;
    assert_true(n > 3);
    for (size_t i = 1; i < n; i++) {
        size_t x = c[i - 1].after > c[i - 1].before ? c[i - 1].after - c[i - 1].before
                                                    : c[i - 1].before - c[i - 1].after;
        size_t y = c[i].after > c[i].before ? c[i].after - c[i].before : c[i].before - c[i].after;

        assert_true(x >= y);
    }
}

static void
the_spill_gate_fails_on_more_spills_and_on_nothing_says_unknown(void **state)
{
    struct lore_isa_listing sm = listing("sm_80.cuobjdump.txt"), asm942 = listing("gfx942.amdgcn");
    struct lore_isa_listing obj90a = listing("gfx90a.objdump.txt");
    const struct lore_isa_function *plain = function(&sm, "plain_axpy"),
                                   *bad = function(&sm, "spills");
    const char *why = NULL;

    (void)state;
    assert_int_equal(lore_isa_spill_gate(plain, bad, &why), LORE_ISA_GATE_FAIL);
    assert_non_null(why);
    assert_int_equal(lore_isa_spill_gate(bad, plain, NULL), LORE_ISA_GATE_PASS);
    assert_int_equal(lore_isa_spill_gate(bad, bad, NULL), LORE_ISA_GATE_PASS);
    assert_int_equal(lore_isa_spill_gate(NULL, plain, NULL), LORE_ISA_GATE_UNKNOWN);
    assert_int_equal(
        lore_isa_spill_gate(plain, &(struct lore_isa_function){0}, NULL), LORE_ISA_GATE_UNKNOWN);
    assert_int_equal(
        lore_isa_spill_gate(function(&asm942, "float4_copy"), function(&asm942, "spills"), NULL),
        LORE_ISA_GATE_FAIL);
    assert_int_equal(
        lore_isa_spill_gate(function(&obj90a, "float4_copy"), function(&obj90a, "spills"), NULL),
        LORE_ISA_GATE_UNKNOWN);
}

static void
the_signature_table_is_sorted_and_sound(void **state)
{
    size_t n;
    const struct lore_isa_signature *s = lore_isa_signatures(&n);

    (void)state;
    assert_true(n > 60);
    for (size_t i = 0; i < n; i++) {
        int order = i == 0 ? -1 : strcmp(s[i - 1].technique, s[i].technique);
        const struct lore_technique *t = lore_technique_find(s[i].technique);
        regex_t re;

        assert_true(order < 0 || (order == 0 && s[i - 1].target < s[i].target));
        assert_non_null(t);
        assert_string_equal(t->slug, s[i].technique);
        assert_true(s[i].note[0] != '\0' && s[i].version >= 1);
        assert_true(s[i].patterns[0] || s[i].hints[0] || s[i].need == LORE_ISA_NO_SPILL);
        for (size_t k = 0; k < LORE_ISA_PATTERNS; k++) {
            const char *all[3] = {s[i].patterns[k], s[i].hints[k], k < 2 ? s[i].absent[k] : NULL};

            for (size_t j = 0; j < 3; j++) {
                if (!all[j])
                    continue;
                assert_int_equal(regcomp(&re, all[j], REG_EXTENDED | REG_ICASE | REG_NOSUB), 0);
                regfree(&re);
            }
        }
    }
}

static void
the_service_knows_which_techniques_have_a_signature(void **state)
{
    size_t n;
    const struct lore_technique *all = lore_techniques(&n);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        const char *slug = all[i].slug;
        unsigned want = (lore_isa_signature(slug, LORE_ISA_SASS) ? LORE_TRACE_SASS : 0u) |
                        (lore_isa_signature(slug, LORE_ISA_AMDGCN) ? LORE_TRACE_AMDGCN : 0u);

        if (lore_technique_traces(slug, NULL) != want)
            fail_msg("%s: %u, not %u", slug, lore_technique_traces(slug, NULL), want);
    }
    assert_int_equal(lore_technique_traces("memory.lds_wide_access", "nvidia"), 0);
    assert_int_equal(lore_technique_traces("memory.lds_wide_access", "amd"), LORE_TRACE_AMDGCN);
    assert_int_equal(lore_technique_traces("float4 loads of my own", NULL), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_service_knows_which_techniques_have_a_signature, free_arena),
        cmocka_unit_test(each_tools_text_is_recognised),
        cmocka_unit_test(what_is_no_listing_is_refused_by_name),
        cmocka_unit_test(instructions_are_counted_by_form),
        cmocka_unit_test(the_text_of_both_nvidia_tools_counts_the_same),
        cmocka_unit_test(modifiers_of_amd_instructions_belong_to_the_form),
        cmocka_unit_test(assembler_text_brings_the_compilers_own_counts),
        cmocka_unit_test(signatures_are_found_where_they_belong),
        cmocka_unit_test(a_kernels_name_is_no_evidence),
        cmocka_unit_test(nothing_to_look_at_is_unavailable_for_every_technique),
        cmocka_unit_test(the_reason_why_there_is_no_disassembly_is_kept),
        cmocka_unit_test(a_check_lists_its_patterns_with_counts),
        cmocka_unit_test(a_fat_binary_needs_the_isa_named),
        cmocka_unit_test(the_isa_of_a_chip_fits_its_own_variant),
        cmocka_unit_test(fewer_barriers_show_only_beside_the_version_before),
        cmocka_unit_test(a_diff_names_the_largest_change_first),
        cmocka_unit_test(the_spill_gate_fails_on_more_spills_and_on_nothing_says_unknown),
        cmocka_unit_test(the_signature_table_is_sorted_and_sound),
    };

    return cmocka_run_group_tests(tests, NULL, free_arena);
}
