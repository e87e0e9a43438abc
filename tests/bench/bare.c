/* The peer of the ingest benchmark: the rows that warplored stores for an experiment + run pair,
 * inserted straight into SQLite by one loop with the same schema and durability (WAL,
 * synchronous=FULL), and nothing else: no HTTP, no JSON, no checks, no verdicts. It is the ceiling
 * that the service is measured against.
 *   bench_bare DATABASE DOCUMENTS PAIRS DOCUMENTS_PER_COMMIT
 * prints documents and pairs per second. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "tests/bench/workload.h"

static sqlite3 *db;
static struct bench_ids ids;

static void
must(int rc, const char *what)
{
    if (rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW) {
        fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db));
        exit(1);
    }
}

static void
run_sql(const char *sql)
{
    must(sqlite3_exec(db, sql, NULL, NULL, NULL), sql);
}

static sqlite3_stmt *
prepare(const char *sql)
{
    sqlite3_stmt *s = NULL;

    must(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL), sql);
    return s;
}

static void
text(sqlite3_stmt *s, int n, const char *v)
{
    must(sqlite3_bind_text(s, n, v, -1, SQLITE_STATIC), "bind");
}

static void
blob(sqlite3_stmt *s, int n, const void *p, size_t len)
{
    must(sqlite3_bind_blob(s, n, p, (int)len, SQLITE_STATIC), "bind");
}

static void
step(sqlite3_stmt *s)
{
    must(sqlite3_step(s), "step");
    sqlite3_reset(s);
}

/* What a pair and a document consist of; the bytes are made once, since packing is not measured. */
struct rows {
    sqlite3_stmt *document, *run, *experiment, *technique, *pair, *outcome, *facts, *search, *event;
    unsigned char digest[32], samples[BENCH_SAMPLES * 8], metrics[BENCH_METRICS * 14];
    struct lore_buf body;
    long long document_seq;
};

static void
prepare_rows(struct rows *r)
{
    r->document = prepare("INSERT INTO fact_document (id, hash, zstd, bytes, received_us, actor) "
                          "VALUES ($1, $2, $3, $4, $5, 'bench')");
    r->run = prepare(
        "INSERT INTO fact_run (id, digest, document, version, workload, chip, environment, role, "
        "evidence, tool, n_samples, samples_ns, metrics, correctness) VALUES ($1, $2, $3, $4, $5, "
        "$6, $7, 'candidate', 'measured', 'bench', 30, $8, $9, 'pass')");
    r->experiment = prepare(
        "INSERT INTO fact_experiment (id, digest, document, kernel, from_version, to_version, "
        "chip, title, labels, raw_label, evidence, claimed_before_ns, claimed_after_ns, base, "
        "typed_outcome, correctness, violations, notes) VALUES ($1, $2, $3, $4, $5, $6, $7, "
        "'change', $8, $8, 'claimed', 1e5, 9e4, 'parent', 'success', 'not_checked', '', "
        "'measured by the benchmark')");
    r->technique = prepare("INSERT INTO fact_experiment_technique (experiment, position, "
                           "technique, raw) VALUES ($1, 0, $2, $2)");
    r->pair = prepare("INSERT INTO fact_experiment_run (experiment, side, position, run) "
                      "VALUES ($1, 1, 0, $2)");
    r->outcome = prepare("INSERT INTO drv_outcome (experiment, policy, effect, correctness, "
                         "process, rules, speedup, basis, before_ns, after_ns, disagrees, at_us) "
                         "VALUES ($1, 'claim-5-2@2', 'win', 'pass', 'clean', '', 1.1, 'claim', "
                         "1e5, 9e4, 0, $2)");
    r->facts = prepare("INSERT INTO drv_experiment (seq, operator, language, chip, labels, "
                       "evidence, effect, correctness, process, speedup, disagrees, masked) "
                       "VALUES ($1, 'o', 'cuda', $2, $3, 'claimed', 'win', 'pass', 'clean', 1.1, "
                       "0, 0)");
    r->search = prepare("INSERT INTO drv_search (title, body, kind, ref) VALUES ('change', "
                        "'measured by the benchmark gemm mi300x memory float4_loads', "
                        "'experiment', $1)");
    r->event = prepare("INSERT INTO fact_event (at_us, actor, kind, subject, detail, hash) "
                       "VALUES ($1, 'bench', 'submission', $2, $3, $3)");
}

/* The rows in other tables that belong to experiment SEQ. */
static void
insert_parts(struct rows *r, uint64_t n, long long seq, const char *run)
{
    sqlite3_bind_int64(r->technique, 1, seq);
    text(r->technique, 2, bench_technique(n));
    step(r->technique);
    sqlite3_bind_int64(r->pair, 1, seq);
    text(r->pair, 2, run);
    step(r->pair);
    sqlite3_bind_int64(r->outcome, 1, seq);
    sqlite3_bind_int64(r->outcome, 2, lore_now_us());
    step(r->outcome);
    sqlite3_bind_int64(r->facts, 1, seq);
    text(r->facts, 2, bench_chip(n));
    text(r->facts, 3, bench_label(n));
    step(r->facts);
}

static void
insert_pair(struct rows *r, uint64_t n)
{
    char run[LORE_ULID_SIZE], experiment[LORE_ULID_SIZE];
    size_t k = n % BENCH_KERNELS;

    lore_ulid_new(run);
    lore_ulid_new(experiment);
    text(r->run, 1, run);
    blob(r->run, 2, r->digest, sizeof r->digest);
    sqlite3_bind_int64(r->run, 3, r->document_seq);
    text(r->run, 4, ids.after[k]);
    text(r->run, 5, "w");
    text(r->run, 6, bench_chip(n));
    text(r->run, 7, ids.environment);
    blob(r->run, 8, r->samples, sizeof r->samples);
    blob(r->run, 9, r->metrics, sizeof r->metrics);
    step(r->run);
    text(r->experiment, 1, experiment);
    blob(r->experiment, 2, r->digest, sizeof r->digest);
    sqlite3_bind_int64(r->experiment, 3, r->document_seq);
    text(r->experiment, 4, ids.kernel[k]);
    text(r->experiment, 5, ids.before[k]);
    text(r->experiment, 6, ids.after[k]);
    text(r->experiment, 7, bench_chip(n));
    text(r->experiment, 8, bench_label(n));
    step(r->experiment);
    insert_parts(r, n, sqlite3_last_insert_rowid(db), run);
    text(r->search, 1, experiment);
    step(r->search);
}

static void
insert_document(struct rows *r, uint64_t n, int pairs)
{
    char id[LORE_ULID_SIZE];

    lore_ulid_new(id);
    text(r->document, 1, id);
    text(r->document, 2, id);
    blob(r->document, 3, r->body.data, r->body.len);
    sqlite3_bind_int64(r->document, 4, (long long)r->body.len);
    sqlite3_bind_int64(r->document, 5, lore_now_us());
    step(r->document);
    r->document_seq = sqlite3_last_insert_rowid(db);
    for (int i = 0; i < pairs; i++)
        insert_pair(r, n + (uint64_t)i);
    sqlite3_bind_int64(r->event, 1, lore_now_us());
    text(r->event, 2, id);
    blob(r->event, 3, r->digest, sizeof r->digest);
    step(r->event);
}

/* The schema of the service, and the few rows that the pairs refer to. */
static void
fill_catalogue(struct rows *r)
{
    struct lore_buf schema = {0}, setup = {0};
    struct lore_err err;

    if (lore_file_read(SOURCE_DIR "/migrations/0001_init.sql", &schema, &err) != LORE_OK) {
        fprintf(stderr, "%s\n", err.msg);
        exit(1);
    }
    run_sql(schema.data);
    lore_buf_free(&schema);
    bench_setup(&ids, &setup);
    lore_buf_free(&setup);
    run_sql("BEGIN; INSERT INTO cat_operator VALUES ('o', 'f', '', 1);"
            "INSERT INTO fact_document (seq, id, hash, zstd, bytes, received_us, actor)"
            " VALUES (1, 'd', 'd', x'', 0, 0, 'bench');"
            "INSERT INTO fact_workload VALUES ('w', 'o', 'w', 'w', '{}', 'f16', NULL);");
    for (uint64_t n = 0; n < 64; n++) {
        char *sql = sqlite3_mprintf(
            "INSERT INTO cat_chip VALUES (%Q, '', '', '', '', '', 1) ON CONFLICT DO NOTHING;"
            "INSERT INTO cat_technique VALUES (%Q, '', '', '', '', 1) ON CONFLICT DO NOTHING",
            bench_chip(n), bench_technique(n));
        run_sql(sql);
        sqlite3_free(sql);
    }
    for (int k = 0; k < BENCH_KERNELS; k++) {
        char *sql = sqlite3_mprintf("INSERT INTO fact_kernel (id, digest, document, operator, "
                                    "name, language, rest) VALUES (%Q, "
                                    "x'', 1, 'o', 'k', 'cuda', ''); INSERT INTO fact_version (id, "
                                    "digest, document, kernel, "
                                    "kind, rest) VALUES (%Q, x'', 1, %Q, 'baseline', ''), (%Q, "
                                    "x'', 1, %Q, 'candidate', '')",
            ids.kernel[k], ids.before[k], ids.kernel[k], ids.after[k], ids.kernel[k]);
        run_sql(sql);
        sqlite3_free(sql);
    }
    char *sql = sqlite3_mprintf("INSERT INTO fact_environment (id, digest, document, hard_hash, "
                                "soft_hash, rest) VALUES (%Q, x'', 1, '', '', ''); COMMIT",
        ids.environment);
    run_sql(sql);
    sqlite3_free(sql);
    prepare_rows(r);
}

int
main(int argc, char **argv)
{
    static struct rows r;
    struct lore_buf body = {0};
    struct lore_err err;

    if (argc != 5) {
        fprintf(stderr, "usage: %s DATABASE DOCUMENTS PAIRS DOCUMENTS_PER_COMMIT\n", argv[0]);
        return 2;
    }
    lore_hash_init();
    long documents = strtol(argv[2], NULL, 10);
    int pairs = (int)strtol(argv[3], NULL, 10), group = (int)strtol(argv[4], NULL, 10);
    must(sqlite3_open(argv[1], &db), argv[1]);
    run_sql("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
            "PRAGMA wal_autocheckpoint=4000");
    fill_catalogue(&r);
    bench_document(&ids, 0, pairs, &body);
    if (lore_zstd_pack(body.data, body.len, &r.body, &err) != LORE_OK)
        return 1;
    lore_buf_free(&body);
    int64_t start = lore_ticks_us();
    for (long d = 0; d < documents; d++) {
        if (d % group == 0)
            run_sql("BEGIN IMMEDIATE");
        insert_document(&r, (uint64_t)d * (uint64_t)pairs, pairs);
        if (d % group == group - 1 || d == documents - 1)
            run_sql("COMMIT");
    }
    double seconds = (double)(lore_ticks_us() - start) / 1e6;
    printf("bare documents=%ld pairs=%d per_second=%.0f pairs_per_second=%.0f\n", documents, pairs,
        (double)documents / seconds, (double)documents * pairs / seconds);
    return 0;
}
