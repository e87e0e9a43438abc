// uses: catalogue
/* What sources show: versions of the campaign that a person labelled, one line per feature, places
 * that lie, and inputs that would make a careless reader slow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "service/base/buf.h"
#include "service/base/file.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/source.h"

static struct lore_arena arena;

static int
ended(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static bool
lists(const char *const *v, size_t n, const char *slug)
{
    for (size_t i = 0; i < n; i++)
        if (lore_streq(v[i], slug))
            return true;
    return false;
}

static struct lore_source_shown
shown(const char *file, const char *text)
{
    struct lore_source_shown out;

    lore_source_read(&(struct lore_source_file){file, text}, 1, &arena, &out);
    return out;
}

static struct lore_json *
parsed(const char *path)
{
    struct lore_buf text = {.max = 1 << 22};
    struct lore_json *root = NULL;
    struct lore_err err;

    assert_int_equal(lore_file_read(path, &text, &err), LORE_OK);
    assert_int_equal(lore_json_parse(text.data, text.len, NULL, &arena, &root, &err), LORE_OK);
    lore_buf_free(&text);
    return root;
}

static bool
holds(const struct lore_json *list, const char *slug)
{
    for (const struct lore_json *j = list->child; j; j = j->next)
        if (lore_streq(j->str, slug))
            return true;
    return false;
}

static void
the_labelled_versions_are_read_as_labelled(void **state)
{
    const struct lore_json *labels =
        lore_json_get(parsed(SOURCE_DIR "/tests/fixtures/sources/labels.json"), "versions");
    size_t right = 0, wrong = 0, missed = 0, versions = 0;

    (void)state;
    for (const struct lore_json *v = labels->child; v; v = v->next, versions++) {
        const char *file = lore_json_get(v, "file")->str;
        const struct lore_json *has = lore_json_get(v, "has"), *either = lore_json_get(v, "either");
        const struct lore_json *version = lore_json_get(
            parsed(lore_format(&arena, SOURCE_DIR "/tests/fixtures/h200/%s", file)), "versions");
        const struct lore_json *source = lore_json_get(version->child, "sources")->child;
        struct lore_source_shown s =
            shown(lore_json_get(source, "file")->str, lore_json_get(source, "text")->str);

        assert_true(s.kernel);
        for (size_t i = 0; i < s.n_has; i++) {
            bool in = holds(has, s.has[i]);
            right += in;
            wrong += !in && !holds(either, s.has[i]);
            if (!in && !holds(either, s.has[i]))
                print_message("%s: %s is not in it\n", file, s.has[i]);
        }
        for (const struct lore_json *j = has->child; j; j = j->next) {
            missed += !lists(s.has, s.n_has, j->str);
            assert_false(lists(s.lacks, s.n_lacks, j->str));
        }
    }
    assert_int_equal(versions, 12);
    print_message("right %zu, wrong %zu, missed %zu\n", right, wrong, missed);
    assert_true((double)right / (double)(right + wrong) >= .95);
    assert_true((double)right / (double)(right + missed) >= .90);
}

#define KERNEL "__global__ void k(const float *x, float *y, int n)\n"
#define JIT "@triton.jit\ndef k(x, y, n):\n"

/* Each source shows the technique; the same without the part between « and » does not. */
static void
each_feature_is_seen(void **state)
{
    static const struct {
        const char *file, *slug, *text;
    } cases[] = {
        {"a.cu", "memory.vectorized_access",
            KERNEL "{ y[0] = x[0]; «float4 v = ((const float4 *)x)[n];» }"},
        {"a.cu", "memory.vectorized_access",
            KERNEL "{ «float4 v = *reinterpret_cast<const float4 *>(x + n);» y[n] = 0; }"},
        {"a.cu", "memory.vectorized_access",
            KERNEL "{ using V = float«4»; V v = ((const V *)x)[n]; y[n] = v.x; }"},
        {"a.cu", "memory.vectorized_access",
            "typedef float«4» vec;\n" KERNEL
            "{ auto *in = reinterpret_cast<const vec *>(x); y[n] = in[n].x; }"},
        {"a.cu", "memory.smem_padding",
            KERNEL "{ __shared__ float t[32][32« + 1»]; t[0][n] = x[n]; }"},
        {"a.cu", "memory.smem_swizzle",
            KERNEL "{ __shared__ float t[32][32]; t[n][threadIdx.x« ^ n»] = x[n]; }"},
        {"a.cu", "memory.tiling_smem",
            KERNEL "{ __shared__ float t[32][32]; t[n][0] = «x[n]»; y[0] = t[0][n]; }"},
        {"a.cu", "compute.tensor_core",
            KERNEL
            "{ y[n] = 0; «asm volatile(\"mma.sync.aligned.m16n8k16 {%0}, %1;\" : : \"r\"(n));» }"},
        {"a.cu", "memory.async_copy",
            KERNEL "{ __shared__ float t[32]; «__pipeline_memcpy_async(t, x, 4);» }"},
        {"a.cu", "memory.multi_stage_pipeline",
            KERNEL "{ __pipeline_commit(); «__pipeline_wait_prior(2);» }"},
        {"a.cu", "compute.loop_unroll",
            KERNEL "{\n«#pragma unroll»\nfor (int i = 0; i < n; i++) y[i] = x[i]; }"},
        {"a.cu", "compute.warp_shuffle", KERNEL "{ «y[n] = __shfl_xor_sync(~0u, x[n], 1);» }"},
        {"a.cu", "sync.atomic_privatization",
            KERNEL "{ __shared__ int h[256]; «atomicAdd(&h[n], 1);» y[n] = h[n]; }"},
        {"a.cu", "compute.thread_coarsening",
            KERNEL "{ for (int i = 0; i < «4» ; i++) y[n + i] = x[i]; }"},
        {"a.cu", "compute.thread_coarsening",
            KERNEL "{ int k = blockIdx.z, at = k * n;"
                   " for (int end = k + «8»; k < end; k++, at += n) ((float4 *)y)[at] = x[at]; }"},
        {"a.cu", "compute.thread_coarsening",
            KERNEL "{ int t = threadIdx.x; float m[8]; for (int i = 0; i < 8; i++)"
                   " m[i] = x[t + 256 «* i»]; y[n] = m[0]; }"},
        {"a.cu", "compute.thread_coarsening",
            KERNEL "{ float m[8]; for (int i = 0; i < 8; i++)"
                   " m[i] = x[«threadIdx.x + »256 * i]; y[n] = m[0]; }"},
        {"a.cu", "launch.persistent_kernel",
            KERNEL "{ for (int i = blockIdx.x; i < n; i += gridDim.x) y[i] = x[i]; }"
                   "void run(int n) { k<<<«132», 256>>>(0, 0, n); }"},
        {"a.cu", "compute.register_tile",
            KERNEL "{ float s[8][8]; for (int i = 0; i < 8; i++) «s[i][0] += x[i] * x[n];» y[0] = "
                   "s[0][0]; }"},
        {"a.cu", "latency.online_recomputation",
            KERNEL
            "{ float m = 0, s = 0; for (int i = 0; i < n; i++) { float v = x[i], o = fmaxf(m, v);"
            " s = s * expf(m - o) + expf(v - o); «m = o;» } y[0] = s; }"},
        {"a.cu", "memory.register_cache",
            KERNEL "{ float r[8], s = 0; for (int i = 0; i < 8; i++) r[i] = x[i];"
                   " for (int i = 0; i < 8; i++) s += r[i];"
                   " «for (int i = 0; i < 8; i++) y[i] = r[i] / s;» }"},
        {"a.cu", "compute.warp_specialization",
            KERNEL "{ y[0] = 0; «asm(\"setmaxnreg.dec.sync.aligned.u32 40;\");» }"},
        {"a.hip", "compute.tensor_core",
            KERNEL "{ y[n] = 0; «d = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, d, 0, 0, 0);» }"},
        {"a.ptx", "memory.vectorized_access",
            "mov.u32 %r1, 0;\n«ld.global.v4.f32 {%f1, %f2}, [%rd1];»\n"},
        {"a.py", "compute.tensor_core", JIT "    s = tl.load(x)\n    «s = tl.dot(s, s)»\n"},
        {"a.py", "memory.multi_stage_pipeline",
            JIT "    s = tl.dot(x, y)\n\ndef run(x):\n    k[(1,)](x, x, 4, num_stages=«3»)\n"},
        {"a.py", "launch.persistent_kernel",
            JIT "    for i in range(tl.program_id(0), n, «tl.num_programs(0)»):\n        "
                "tl.store(y, i)\n"},
        {"a.py", "memory.cache_hints",
            JIT "    tl.store(y, tl.load(x«, eviction_policy=\"evict_first\"»))\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *t = cases[i].text, *open = strstr(t, "«"), *close = strstr(t, "»");
        const char *with = lore_format(
            &arena, "%.*s%.*s%s", (int)(open - t), t, (int)(close - open - 2), open + 2, close + 2);
        const char *without = lore_format(
            &arena, "%.*s%s%s", (int)(open - t), t, lore_is_digit(open[2]) ? "n" : "", close + 2);
        struct lore_source_shown a = shown(cases[i].file, with), b = shown(cases[i].file, without);

        if (!lists(a.has, a.n_has, cases[i].slug) || lists(b.has, b.n_has, cases[i].slug))
            fail_msg("%s: %s", cases[i].slug, with);
    }
}

/* None of these shows matrix cores. */
static void
places_that_lie_are_not_believed(void **state)
{
    static const struct {
        const char *file, *text;
    } cases[] = {
        {"a.cu", "// wmma::mma_sync(a)\n" KERNEL "{ /* mma_sync(a) */ y[0] = x[0]; }"},
        {"a.cu", "#define MULTIPLY(a) mma_sync(a)\n" KERNEL "{ y[0] = x[0]; }"},
        {"a.cu", "#if 0\n#define T\n#else\n#endif\n#ifdef T\n__device__ void f() {}\n#endif\n"
                 "#if 0\n" KERNEL "{ mma_sync(y); }\n#else\n" KERNEL "{ y[0] = x[0]; }\n#endif\n"},
        {"a.cu", "#define USE_WMMA 0\n" KERNEL "{\n#if USE_WMMA\nmma_sync(y);\n#endif\n}"},
        {"a.cu", KERNEL "{ if (0) { mma_sync(y); } if constexpr (false) mma_sync(y); y[0] = 0; }"},
        {"a.cu", "constexpr int W = 2 - 2;\n" KERNEL "{ if (W) { mma_sync(y); } else y[0] = 0; }"},
        {"a.cu",
            "static __device__ void never(float *y) { mma_sync(y); }\n" KERNEL "{ y[0] = x[0]; }"},
        {"a.cu", "__global__ void old(float *y) { mma_sync(y); }\n" KERNEL "{ y[0] = x[0]; }\n"
                 "void run(int n) { k<<<1, 1>>>(0, 0, n); }"},
        {"a.cu", KERNEL "{ printf(\"mma_sync (a)\"); y[0] = x[0]; }"},
        {"a.py", "# tl.dot(a, b)\n\"\"\"tl.dot(a, b)\"\"\"\n" JIT "    tl.store(y, 0)\n"},
        {"a.py", JIT "    if False:\n        tl.dot(x, y)\n    tl.store(y, 0)\n"},
        {"a.py", "@triton.jit\ndef old(x):\n    tl.dot(x, x)\n\n" JIT
                 "    tl.store(y, 0)\n\ndef run(x):\n    k[(1,)](x, x, 4)\n"},
        {"a.py", "def reference(x):\n    return torch.matmul(x, x)\n" JIT "    tl.store(y, 0)\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_source_shown s = shown(cases[i].file, cases[i].text);
        if (!s.kernel || lists(s.has, s.n_has, "compute.tensor_core"))
            fail_msg("%s", cases[i].text);
    }
}

static void
what_is_lacking_is_certain(void **state)
{
    struct lore_source_shown s = shown("a.cu", KERNEL "{ y[n] = x[n]; }");

    (void)state;
    assert_true(lists(s.lacks, s.n_lacks, "compute.tensor_core"));
    assert_true(lists(s.lacks, s.n_lacks, "memory.tiling_smem"));
    assert_false(lists(s.lacks, s.n_lacks, "memory.multi_stage_pipeline"));
    assert_true(lists(s.moot, s.n_moot, "memory.smem_padding")); /* of no shared memory */
    s = shown("a.cu", KERNEL "{ __shared__ float t[32][32]; t[n][threadIdx.x ^ n] = x[n]; }");
    assert_true(lists(s.lacks, s.n_lacks, "memory.smem_padding")); /* the swizzle took its place */
    s = shown("a.cu", KERNEL "{ asm(\"wgmma.mma_async.sync.aligned.m64n256k16\"); y[n] = 0; }");
    assert_true(lists(s.lacks, s.n_lacks, "compute.register_tile"));
    s = shown("a.cu", KERNEL "{ multiply_tiles(x, y); }"); /* whose source is elsewhere */
    assert_int_equal(s.n_lacks, 0);
    s = shown("run.py", "import torch\nprint(torch.softmax(x, 1))\n");
    assert_false(s.kernel);
    s = shown(
        "load.py", "src = \"\"\"\n" KERNEL "{ y[n] = __shfl_xor_sync(~0u, x[n], 1); }\n\"\"\"\n");
    assert_true(s.kernel && lists(s.has, s.n_has, "compute.warp_shuffle"));
}

static void
the_table_names_known_techniques(void **state)
{
    const char *scope[128];
    size_t n = lore_source_scope(scope, 128);

    (void)state;
    assert_true(n > 50 && n < 128);
    for (size_t i = 0; i < n; i++)
        assert_non_null(lore_technique_find(scope[i]));
}

/* Processor time of this thread for N bytes of FRAGMENT repeated. */
static double
seconds_of(const char *file, const char *head, const char *fragment, size_t n)
{
    size_t len = strlen(fragment), at = strlen(head);
    char *text = lore_alloc(&arena, at + n + 1);
    struct timespec a, b;

    memcpy(text, head, at);
    for (size_t i = 0; i + len <= n; i += len)
        memcpy(text + at + i, fragment, len);
    for (size_t i = n - n % len; i < n; i++)
        text[at + i] = ' ';
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    (void)shown(file, text);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    lore_arena_free(&arena);
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

static void
time_is_linear_in_the_bytes(void **state)
{
    static const char *const fragments[] = {"a = ", "a += ", "for (", "for (;;) ",
        "for (i = 0; i < 4; i++) ", "if (", "if (0) {", "x[", "s[i ^ 1]", "((", "[[", "{{",
        "float4 * ) ", "exp(", "<<<", "enum {A=", "const int q = ", "#if X\n", "#define A A\n",
        "asm(\"", "R\"(", "/*", "\"\"\"", "__global__ void f(float *x) {", "} ", "def f(x):\n",
        "@triton.jit\n", "if 0:\n", "range ( ", "atomicAdd(&", "i += gridDim.x * S, ",
        "m = fmaxf(m, "};
    static const char *const files[] = {"a.cu", "a.py", "a.ptx"};
    static const char head[] =
        "__global__ void k(float *x, float4 *y) { __shared__ float s[64]; float b[4]; ";

    (void)state;
    for (size_t i = 0; i < sizeof fragments / sizeof *fragments; i++)
        for (size_t k = 0; k < 3; k++) {
            double small = seconds_of(files[k], k ? "" : head, fragments[i], 1 << 15);
            double large = seconds_of(files[k], k ? "" : head, fragments[i], 1 << 18);
            /* eight times the bytes; a quadratic reader takes 64 times as long */
            if (large > 0.2 && large > 24 * small)
                fail_msg("%s %s: %.3f s, then %.3f s", files[k], fragments[i], small, large);
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_labelled_versions_are_read_as_labelled, ended),
        cmocka_unit_test_teardown(each_feature_is_seen, ended),
        cmocka_unit_test_teardown(places_that_lie_are_not_believed, ended),
        cmocka_unit_test_teardown(what_is_lacking_is_certain, ended),
        cmocka_unit_test_teardown(the_table_names_known_techniques, ended),
        cmocka_unit_test_teardown(time_is_linear_in_the_bytes, ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
