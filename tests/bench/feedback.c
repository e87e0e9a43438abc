/* What remembering advice costs: the reader per answer, the writer per answer and per experiment
 * that may be an outcome, and the statistics over all that is kept by default. Prints microseconds,
 * and as ratios what each is of a recommendation's budget of 10 ms, or of an experiment stored
 * alone. bench_feedback DIR [ANSWERS]     DIR is made, and removed by the caller */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "db/feedback_version.h"
#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/derive/feedback_sum.h"
#include "service/ingest/ingest.h"
#include "service/ingest/served.h"

enum { ITEMS = 20, VERSIONS = 10, TECHNIQUES = 60, EXPERIMENTS = 400 };
static const struct lore_served_limits limits = {
    INT64_C(2592000000000), 1000000, INT64_C(31536000000000)};

static void
must(enum lore_status status, const struct lore_err *err)
{
    if (status == LORE_OK)
        return;
    fprintf(stderr, "%s: %s\n", err->path, err->msg);
    exit(1);
}

/* Answer N of its kind: one of 16 operators and 4 chips; techniques in an order of its own. */
static void
make(size_t n, struct lore_arena *a, struct lore_advised *out)
{
    static const char *const chips[] = {"sm_80", "sm_86", "sm_90", "gfx942"};

    *out = (struct lore_advised){.caller = "bench",
        .op = lore_format(a, "operator_%zu", n % 16),
        .chip = chips[n / 16 % 4],
        .isa = chips[n / 16 % 4],
        .language = "cuda",
        .workload = n / 64 % 2 ? NULL : lore_format(a, "%032zx", n / 64),
        .labels = "memory",
        .items = lore_alloc_array(a, ITEMS, sizeof *out->items),
        .n_items = ITEMS,
        .versions = lore_alloc_array(a, VERSIONS, sizeof *out->versions),
        .n_versions = VERSIONS};
    for (size_t i = 0; i < ITEMS; i++)
        out->items[i] = (struct lore_advised_item){.list = i < 10 ? "advice" : "avoid",
            .rank = (int64_t)(i % 10) + 1,
            .technique = lore_format(a, "bench.technique_%zu", (n + 3 * i) % TECHNIQUES),
            .p_win = {true, 0.9 - 0.04 * (double)i},
            .low = {true, 0.01},
            .high = {true, 0.99},
            .gain = {true, 1.2}};
    for (size_t i = 0; i < VERSIONS; i++)
        out->versions[i] = (struct lore_advised_version){.list = i < 5 ? "start" : "next",
            .rank = (int64_t)(i % 5) + 1,
            .version = lore_format(a, "%026zu", (n + 7 * i) % TECHNIQUES),
            .chip = out->chip,
            .workload = out->workload,
            .value = 0.9,
            .low = 0.8,
            .high = 1};
}

static double
remember(struct lore_served *s, size_t from, size_t n, size_t *kept)
{
    int64_t spent = 0;
    char id[LORE_ULID_SIZE];

    for (size_t i = 0; i < n; i++) {
        struct lore_arena a = {0};
        struct lore_advised answer;
        int64_t start;

        make(from + i, &a, &answer);
        start = lore_ticks_us();
        *kept += lore_served_remember(s, &answer, id);
        spent += lore_ticks_us() - start;
        lore_arena_free(&a);
    }
    return (double)spent / (double)n;
}

/* Microseconds for each of ANSWERS answers, stored in transactions of 500. */
static double
fill(struct lore_db *db, size_t answers, struct lore_err *err)
{
    int64_t start = lore_ticks_us();

    for (size_t i = 0; i < answers; i++) {
        struct lore_arena a = {0};
        struct lore_advised answer;
        char id[LORE_ULID_SIZE];

        make(i, &a, &answer);
        lore_ulid_new(id);
        answer.id = id;
        answer.served_us = lore_now_us();
        answer.until_us = answer.served_us + limits.window_us;
        if (i % 500 == 0)
            must(lore_db_begin(db, err), err);
        must(lore_put_advice(db, &answer, err), err);
        if (i % 500 == 499 || i + 1 == answers)
            must(lore_db_commit(db, err), err);
        lore_arena_free(&a);
    }
    return (double)(lore_ticks_us() - start) / (double)answers;
}

/* Store the document B; microseconds for each of its N records. */
static double
store(struct lore_db *db, struct lore_buf *b, int n, struct lore_err *err)
{
    struct lore_arena a = {0};
    struct lore_receipt receipt;
    int64_t start = lore_ticks_us();

    must(
        lore_ingest_now(db, &(struct lore_ingest_parts){.indexes = NULL},
            &(struct lore_ingest_doc){b->data, b->len, "bench", false, NULL, 0}, &a, &receipt, err),
        err);
    start = lore_ticks_us() - start;
    lore_buf_free(b);
    lore_arena_free(&a);
    return (double)start / n;
}

/* The beginning of a document of WHAT, with a kernel of its own called NAME (NULL: like no other).
 */
static void
begin_document(struct lore_buf *b, const char *name, const char *what, char kernel[LORE_ULID_SIZE])
{
    char id[LORE_ULID_SIZE];

    lore_ulid_new(id);
    lore_ulid_new(kernel);
    lore_buf_printf(b,
        "{\"warplore\":1,\"id\":\"%s\",\"kernels\":[{\"id\":\"%s\",\"operator\":\"operator_1\","
        "\"name\":\"%s\",\"language\":\"cuda\"}],\"%s\":[",
        id, kernel, name != NULL ? name : id, what);
}

/* Microseconds per experiment, in one document of EXPERIMENTS. */
static double
experiments(struct lore_db *db, const char *technique, struct lore_err *err)
{
    struct lore_buf b = {0};
    char id[LORE_ULID_SIZE], kernel[LORE_ULID_SIZE];

    begin_document(&b, NULL, "experiments", kernel);
    for (int i = 0; i < EXPERIMENTS; i++) {
        lore_ulid_new(id);
        lore_buf_printf(&b,
            "%s{\"id\":\"%s\",\"kernel\":\"%s\",\"title\":\"t\",\"techniques\":[\"%s_%d\"],"
            "\"chip\":"
            "\"sm_80\",\"claim\":{\"latency_before_ns\":2000,\"latency_after_ns\":1000}}",
            i > 0 ? "," : "", id, kernel, technique, i % TECHNIQUES);
    }
    lore_buf_puts(&b, "]}");
    return store(db, &b, EXPERIMENTS, err);
}

/* EXPERIMENTS versions of a kernel of its own, with numbers from FIRST on. Those of one SERIES are
 * set the same, one by one. */
static double
versions(struct lore_db *db, int first, int series, struct lore_err *err)
{
    struct lore_buf b = {0};
    char kernel[LORE_ULID_SIZE];

    begin_document(&b, "searched", "versions", kernel);
    for (int i = 0; i < EXPERIMENTS; i++)
        lore_buf_printf(&b,
            "%s{\"id\":\"%026d\",\"kernel\":\"%s\",\"kind\":\"candidate\",\"params\":{"
            "\"block_x\":%d,\"tile_y\":4,\"unroll\":true,\"order\":\"row\"}}",
            i > 0 ? "," : "", first + i, kernel, 1000 * series + i);
    lore_buf_puts(&b, "]}");
    return store(db, &b, EXPERIMENTS, err);
}

/* EXPERIMENTS runs of the first versions of those from FIRST on: what is proposed is among them. */
static double
runs(struct lore_db *db, int first, struct lore_err *err)
{
    struct lore_buf b = {0};
    char id[LORE_ULID_SIZE];

    lore_ulid_new(id);
    lore_buf_printf(&b, "{\"warplore\":1,\"id\":\"%s\",\"runs\":[", id);
    for (int i = 0; i < EXPERIMENTS; i++) {
        lore_ulid_new(id);
        lore_buf_printf(&b,
            "%s{\"id\":\"%s\",\"version\":\"%026d\",\"chip\":\"a100\",\"workload\":{\"dims\":{"
            "\"M\":64},\"dtype\":\"f32\"},\"samples_ns\":[200,201,202]}",
            i > 0 ? "," : "", id, first + i % TECHNIQUES);
    }
    lore_buf_puts(&b, "]}");
    return store(db, &b, EXPERIMENTS, err);
}

static double
statistics(struct lore_db *db, size_t *n_results, struct lore_err *err)
{
    struct lore_arena a = {0};
    struct lore_advice_filter all = {.limit = 20000};
    struct lore_advice_count *counts;
    struct lore_advice_result *results;
    struct lore_advice_sum sum;
    size_t n_counts;
    int64_t start = lore_ticks_us();

    must(lore_count_advice(db, &all, &a, &counts, &n_counts, err), err);
    must(lore_db_list_advice_outcomes(db, &all, &a, &results, n_results, err), err);
    must(lore_advice_sum(
             &(struct lore_advice_served){counts, n_counts, results, *n_results}, &a, &sum, err),
        err);
    start = lore_ticks_us() - start;
    lore_arena_free(&a);
    return (double)start / 1000;
}

int
main(int argc, char **argv)
{
    size_t answers = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 20000, kept = 0, results = 0;
    struct lore_err err = {0};
    struct lore_db *db = NULL;
    struct lore_ingest *in = NULL;
    struct lore_served *s;
    double fresh, again, stored, alone, linked, searched, before, followed, same;

    if (argc < 2)
        return fputs("bench_feedback DIR [ANSWERS]\n", stderr), 2;
    lore_hash_init();
    (void)mkdir(argv[1], 0700);
    must(lore_db_open_writer(argv[1], &db, &err), &err);
    alone = experiments(db, "bench.unadvised", &err);
    searched = versions(db, 0, 0, &err);
    (void)versions(db, 1000, 1, &err);
    before = runs(db, 1000, &err);
    stored = fill(db, answers, &err);
    alone = (alone + experiments(db, "bench.unadvised", &err)) / 2;
    linked = experiments(db, "bench.technique", &err);
    printf(
        "writer: %.0f us per answer of %d techniques; an experiment %.0f us, one with an outcome "
        "to find among %zu answers %.0f us: %.2f times\n",
        stored, ITEMS, alone, answers, linked, linked / alone);
    searched = (searched + versions(db, 2000, 0, &err)) / 2;
    before = (before + runs(db, 1000, &err)) / 2;
    followed = runs(db, 0, &err);
    same = runs(db, 2000, &err);
    printf("writer: a version with settings %.0f us; a run %.0f us, one of a version that was "
           "proposed %.0f us, of one with its settings %.0f us: %.2f and %.2f times\n",
        searched, before, followed, same, followed / before, same / before);
    printf("statistics over %zu answers: %.0f ms", answers, statistics(db, &results, &err));
    printf(", %zu outcomes\n", results);
    must(lore_ingest_start(db, &(struct lore_ingest_parts){NULL, NULL, 2000, NULL}, &in, &err),
        &err);
    s = lore_served_new(in, &limits);
    fresh = remember(s, answers, 1000, &kept);
    again = remember(s, answers, 1000, &kept);
    printf("reader: a new answer %.1f us, the same again %.1f us, of 10 ms: %.5f and %.5f; %zu of "
           "2000 remembered\n",
        fresh, again, fresh / 10000, again / 10000, kept);
    lore_ingest_stop(in);
    lore_served_free(s);
    return 0;
}
