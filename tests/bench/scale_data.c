/* The benchmarks' large memory; see scale_data.h. One version in four experiments, times with
 * noise, one result in five wrong or without a win. Experiments come in campaigns of 48 on one
 * kernel and chip, that try six techniques on two shapes and know one or two bottlenecks: what
 * bench recommend_scale assumes, too. */
#include "tests/bench/scale_data.h"

#include <math.h>
#include <string.h>

#include "service/catalogue/catalogue.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const operators[] = {"gemm", "softmax", "layernorm", "rmsnorm", "mha", "conv2d",
    "reduction", "transpose", "histogram", "topk", "topk_softmax", "gelu", "gemv", "grouped_gemm",
    "rope", "silu_and_mul"};
static const char *const languages[] = {"cuda", "triton", "hip", "cutlass", "ck"};
/* Of each vendor in turn: the even ones AMD's. */
static const char *const chips[] = {
    "mi300x", "h100-sxm", "mi250x", "h200", "mi308x", "a100", "gfx942", "a6000", "mi300a", "sm_90"};
static const char *const labels[] = {
    "memory", "compute", "latency", "sync", "occupancy", "memory+latency", "register_pressure"};
static const char *const dtypes[] = {"f16", "bf16", "f32", "fp8_e4m3"};
static const char *const tools[] = {"warplore run", "kernel_tuner", "ncu"};
static const char *const common[] = {"kernel", "memory", "shared", "the", "block", "warp", "load",
    "store", "register", "tile", "barrier", "occupancy", "bank", "conflict", "vector", "unroll",
    "latency", "bandwidth", "cache", "prefetch", "faster", "slower", "spill", "pipeline"};

/* A well-mixed 64-bit function of N (splitmix64). */
static uint64_t
mix(uint64_t n)
{
    n += 0x9e3779b97f4a7c15u;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return n ^ (n >> 31);
}

/* In [0, 1). */
static double
unit(uint64_t n)
{
    return (double)(mix(n) >> 11) * 0x1p-53;
}

/* One of COUNT, the first ones more often, as names are used. */
static size_t
skewed(uint64_t n, size_t count)
{
    return (size_t)(pow((double)count + 1, unit(n)) - 1) % count;
}

void
scale_id(enum scale_kind kind, uint64_t n, char out[LORE_ULID_SIZE])
{
    uint64_t seed[2] = {(uint64_t)kind, n};

    lore_ulid_derive(1750000000000 + (int64_t)n * 7, seed, sizeof seed, out);
}

enum { CAMPAIGN = 48, TRIED = 6 }; /* experiments, techniques */

/* Of experiment N. The first ones are of the kernel that was tuned. */
static uint64_t
kernel_of(uint64_t n)
{
    return n < SCALE_TUNED ? 0 : 1 + mix(n / CAMPAIGN) % (SCALE_KERNELS - 1);
}

/* The number of the version that experiment N ends in: its own, or that of the one before. */
static uint64_t
version_of(uint64_t n)
{
    return n < SCALE_TUNED || n / 4 * 4 < SCALE_TUNED ? n : n / 4 * 4;
}

const char *
scale_operator(uint64_t n)
{
    return operators[skewed(n, COUNT(operators))];
}

static const char *
operator_of(uint64_t kernel)
{
    return scale_operator(kernel + 100);
}

static const char *
language_of(uint64_t kernel)
{
    return languages[skewed(kernel + 1000, COUNT(languages))];
}

/* The number of a campaign's chip: one that its kernel's language runs on, of the few that its
 * operator is worked on. */
static size_t
chip_number(uint64_t n)
{
    uint64_t kernel = kernel_of(n);
    const char *language = language_of(kernel);
    size_t operator_number = skewed(kernel + 100, COUNT(operators));
    bool amd = *language == 'h' || strcmp(language, "ck") == 0;
    size_t two = skewed(mix(operator_number) + n / CAMPAIGN % 2, COUNT(chips) / 2);

    if (strcmp(language, "triton") == 0)
        amd = mix(n / CAMPAIGN) % 2 == 0;
    return 2 * two + !amd;
}

static const char *
chip_of(uint64_t n)
{
    return chips[chip_number(n)];
}

static const char *
label_of(uint64_t n)
{
    return labels[skewed(n / CAMPAIGN * 2 + (mix(n + 2) % 4 == 0), COUNT(labels))];
}

static const char *
technique_of(uint64_t n, int i)
{
    size_t count;
    const struct lore_technique *all = lore_techniques(&count);

    return all[skewed(n / CAMPAIGN * TRIED + mix(n * 5 + (uint64_t)i) % TRIED, count)].slug;
}

void
scale_word(uint64_t rank, struct lore_buf *out)
{
    static const char *const parts[] = {"ba", "cor", "di", "fen", "gu", "ha", "lim", "mo", "nar",
        "pel", "qui", "ros", "sta", "tre", "vu", "zon"};

    if (rank < COUNT(common)) {
        lore_buf_puts(out, common[rank]);
        return;
    }
    for (uint64_t left = rank * 7 + 3; left > 0; left /= COUNT(parts))
        lore_buf_puts(out, parts[left % COUNT(parts)]);
}

/* Zipf: a word of rank r is about 1/r as frequent as the first. */
static void
notes_of(uint64_t n, struct lore_buf *out)
{
    int words = 12 + (int)(mix(n + 9) % 20);

    for (int i = 0; i < words; i++) {
        lore_buf_puts(out, i ? " " : "");
        scale_word(skewed(n * 41 + (uint64_t)i, SCALE_VOCABULARY), out);
    }
}

static void
put_workload(uint64_t experiment, struct lore_buf *out)
{
    uint64_t n = 16 * (experiment / CAMPAIGN * 2 + experiment % 2); /* two shapes a campaign */

    lore_buf_printf(out, "\"workload\":{\"dims\":{\"M\":%d,\"N\":%d,\"K\":%d},\"dtype\":\"%s\"}",
        256 << skewed(n + 3, 7), 1024 << (mix(n + 4) % 4), 1024 << (mix(n + 6) % 3),
        dtypes[skewed(n + 5, COUNT(dtypes))]);
}

void
scale_setup(uint64_t first, struct lore_buf *out)
{
    char id[LORE_ULID_SIZE], kernel[LORE_ULID_SIZE];

    scale_id(SCALE_SETUP_DOCUMENT, first, id);
    lore_buf_printf(out, "{\"warplore\":1,\"id\":\"%s\",", id);
    for (uint64_t i = 0; first == 0 && i < COUNT(chips); i++) {
        scale_id(SCALE_ENVIRONMENT, i, id);
        lore_buf_printf(out, "%s{\"id\":\"%s\",\"chip\":\"%s\",\"hard\":{\"driver\":\"580.%d\"}}%s",
            i ? "," : "\"environments\":[", id, chips[i], (int)i, i + 1 < COUNT(chips) ? "" : "],");
    }
    for (uint64_t k = first; k < first + SCALE_SETUP; k++) {
        scale_id(SCALE_KERNEL, k, kernel);
        lore_buf_printf(out,
            "%s{\"id\":\"%s\",\"operator\":\"%s\",\"name\":\"%s number %d\",\"language\":\"%s\"}",
            k > first ? "," : "\"kernels\":[", kernel, operator_of(k), operator_of(k), (int)k,
            language_of(k));
    }
    for (uint64_t k = first; k < first + SCALE_SETUP; k++) {
        scale_id(SCALE_KERNEL, k, kernel);
        scale_id(SCALE_FIRST, k, id);
        lore_buf_printf(out,
            "%s{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":\"baseline\",\"label\":\"v0\"}",
            k > first ? "," : "],\"versions\":[", id, kernel);
    }
    lore_buf_puts(out, "]}");
}

static void
put_version(uint64_t n, struct lore_buf *out)
{
    char id[LORE_ULID_SIZE], kernel[LORE_ULID_SIZE], parent[LORE_ULID_SIZE];

    scale_id(SCALE_VERSION, n, id);
    scale_id(SCALE_KERNEL, kernel_of(n), kernel);
    scale_id(SCALE_FIRST, kernel_of(n), parent);
    lore_buf_printf(out,
        "{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":\"candidate\",\"label\":\"v%llu\",\"parents\":["
        "\"%s\"],\"params\":{\"block\":%d,\"unroll\":%d,\"stages\":%d}}",
        id, kernel, (unsigned long long)n, parent, 32 << (mix(n) % 6), 1 << (mix(n + 1) % 4),
        1 + (int)(mix(n + 2) % 5));
}

/* Half of the runs have samples, half their summary. */
static void
put_run(uint64_t n, struct lore_buf *out)
{
    char id[LORE_ULID_SIZE], version[LORE_ULID_SIZE], environment[LORE_ULID_SIZE];
    double base = 20000 + (double)(mix(n / 4) % 400000), time = base * (0.8 + 0.4 * unit(n + 7));
    const char *check = mix(n + 8) % 20 == 0 ? "fail" : "pass";

    scale_id(SCALE_RUN, n, id);
    scale_id(SCALE_VERSION, version_of(n), version);
    scale_id(SCALE_ENVIRONMENT, chip_number(n), environment);
    lore_buf_printf(out,
        "{\"id\":\"%s\",\"version\":\"%s\",\"role\":\"candidate\",\"chip\":\"%s\",\"environment\":"
        "\"%s\",\"tool\":\"%s\",\"correctness\":{\"status\":\"%s\"},",
        id, version, chip_of(n), environment, tools[mix(n / 4) % COUNT(tools)], check);
    put_workload(n, out);
    if (mix(n + 13) % 50 == 0) {
        lore_buf_puts(
            out, ",\"error\":{\"type\":\"runtime\",\"message\":\"an illegal memory access\"}");
    } else if (n % 2 == 0) {
        lore_buf_puts(out, ",\"samples_ns\":[");
        for (uint64_t i = 0; i < 10; i++)
            lore_buf_printf(out, "%s%.0f", i ? "," : "", time * (1 + 0.02 * unit(n * 11 + i)));
        lore_buf_puts(out, "]");
    } else {
        lore_buf_printf(out, ",\"summary\":{\"median_ns\":%.1f,\"n\":30}", time);
    }
    lore_buf_puts(out, "}");
}

static void
put_experiment(uint64_t n, struct lore_buf *out)
{
    char id[LORE_ULID_SIZE], kernel[LORE_ULID_SIZE], before[LORE_ULID_SIZE], after[LORE_ULID_SIZE],
        run[LORE_ULID_SIZE];
    double time = 100000 + (double)(mix(n + 4) % 100000), gain = exp(0.6 * (unit(n + 5) - 0.4));

    scale_id(SCALE_EXPERIMENT, n, id);
    scale_id(SCALE_KERNEL, kernel_of(n), kernel);
    scale_id(SCALE_FIRST, kernel_of(n), before);
    scale_id(SCALE_VERSION, version_of(n), after);
    scale_id(SCALE_RUN, n, run);
    lore_buf_printf(out,
        "{\"id\":\"%s\",\"kernel\":\"%s\",\"from_version\":\"%s\",\"to_version\":\"%s\","
        "\"runs_after\":[\"%s\"],\"title\":\"change %llu\",\"techniques\":[\"%s\"",
        id, kernel, before, after, run, (unsigned long long)n, technique_of(n, 0));
    const char *first = technique_of(n, 0), *second = technique_of(n, 1);
    if (mix(n + 6) % 4 == 0 && strcmp(first, second) != 0)
        lore_buf_printf(out, ",\"%s\"", second);
    lore_buf_printf(out,
        "],\"bottleneck\":\"%s\",\"chip\":\"%s\",\"claim\":{\"latency_before_ns\":%.0f,"
        "\"latency_after_ns\":%.1f,\"outcome\":\"%s\"},",
        label_of(n), chip_of(n), time, time / gain, gain > 1.05 ? "success" : "failure");
    put_workload(n, out);
    lore_buf_puts(out, ",\"notes\":\"");
    notes_of(n, out);
    lore_buf_puts(out, "\"}");
}

void
scale_document(uint64_t n, int count, struct lore_buf *out)
{
    char id[LORE_ULID_SIZE];
    bool any = false;

    scale_id(SCALE_DOCUMENT, n, id);
    lore_buf_printf(out, "{\"warplore\":1,\"id\":\"%s\",\"versions\":[", id);
    for (uint64_t i = n; i < n + (uint64_t)count; i++) {
        if (version_of(i) != i)
            continue;
        lore_buf_puts(out, any ? "," : "");
        put_version(i, out);
        any = true;
    }
    lore_buf_puts(out, "],\"runs\":[");
    for (uint64_t i = n; i < n + (uint64_t)count; i++) {
        lore_buf_puts(out, i > n ? "," : "");
        put_run(i, out);
    }
    lore_buf_puts(out, "],\"experiments\":[");
    for (uint64_t i = n; i < n + (uint64_t)count; i++) {
        lore_buf_puts(out, i > n ? "," : "");
        put_experiment(i, out);
    }
    lore_buf_puts(out, "]}");
}

void
scale_question(uint64_t n, struct lore_buf *out)
{
    uint64_t like = mix(n) % (1000 * CAMPAIGN); /* a campaign's chip and language */

    lore_buf_printf(out, "operator=%s&language=%s&chip=%s&bottleneck=%s", scale_operator(mix(n)),
        language_of(kernel_of(like)), chip_of(like), labels[mix(n + 3) % 5]);
}
