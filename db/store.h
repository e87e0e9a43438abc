/* What the rest of the service may ask of the database. No SQL and no sqlite3 outside db/.
 * All results live in the given arena. */
#ifndef LORE_STORE_H
#define LORE_STORE_H

#include "arena.h"
#include "buf.h"
#include "outcome.h"
#include "record.h"

struct lore_db;

/* ---- files (open.c, migrate.c, readers.c) ---- */
/* Open DIR/warplore.db for writing: lock file, pragmas, migrations (with a backup DIR/backup/…
 * before a migration of a non-empty database), catalogue sync. LORE_BUSY when another service holds
 * it. */
enum lore_status
lore_db_open_writer(const char *dir, struct lore_db **out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_open_reader(const char *dir, struct lore_db **out, struct lore_err *err) LORE_MUST;
void lore_db_close(struct lore_db *db);
enum lore_status lore_db_begin(struct lore_db *db, struct lore_err *err) LORE_MUST; /* IMMEDIATE */
enum lore_status lore_db_commit(struct lore_db *db, struct lore_err *err) LORE_MUST;
void lore_db_rollback(struct lore_db *db);
enum lore_status
lore_db_savepoint(struct lore_db *db, struct lore_err *err) LORE_MUST; /* one level */
enum lore_status lore_db_release(struct lore_db *db, struct lore_err *err) LORE_MUST;
void lore_db_undo(struct lore_db *db); /* back to the savepoint */
enum lore_status lore_db_checkpoint(
    struct lore_db *db, bool truncate, int64_t *wal_bytes, struct lore_err *err) LORE_MUST;
/* Bytes in the log after the last commit: what the next checkpoint has to copy. Writer only. */
int64_t lore_db_wal_bytes(const struct lore_db *db);
/* A read transaction for the whole request, so that several reads agree. */
enum lore_status lore_db_snapshot(struct lore_db *db, struct lore_err *err) LORE_MUST;
void lore_db_snapshot_end(struct lore_db *db);
/* Abandon a read after MS milliseconds from now (0: no limit): LORE_BUSY. */
void lore_db_deadline(struct lore_db *db, int ms);
int lore_db_schema_version(void); /* of this binary */
enum lore_status
lore_db_check(struct lore_db *db, struct lore_err *err) LORE_MUST; /* integrity_check */

struct lore_readers;
enum lore_status lore_readers_open(
    const char *dir, int n, struct lore_readers **out, struct lore_err *err) LORE_MUST;
struct lore_db *lore_readers_take(struct lore_readers *r, int wait_ms); /* NULL: none came free */
void lore_readers_give(struct lore_readers *r, struct lore_db *db);
void lore_readers_close(struct lore_readers *r);

/* ---- writing (one file per noun); inside a transaction ----
 * A record is put after everything it refers to: artifacts, kernels, versions (parents first),
 * environments, runs, hypotheses, experiments, attributions, insights. */
/* State of one record after a put. */
enum lore_put { LORE_PUT_STORED = 1, LORE_PUT_DUPLICATE };
struct lore_put_ctx {
    struct lore_db *db;
    int64_t document;
    struct lore_arena *arena;
};
/* Is this exact document (hash of its bytes) here already? *seq 0: no. */
enum lore_status lore_put_document_find(
    struct lore_db *db, const char *hash, int64_t *seq, struct lore_err *err) LORE_MUST;
/* Store the document row. ZSTD are its packed bytes. */
enum lore_status lore_put_document(struct lore_db *db, const struct lore_submission *doc,
    const char *hash, const void *zstd, size_t zstd_len, size_t bytes, const char *actor,
    int64_t now_us, int64_t *seq, struct lore_err *err) LORE_MUST;
/* Each: the same id with the same digest is a duplicate, with another digest LORE_CONFLICT; an
 * unknown reference is LORE_INVALID code unknown_reference with err->path naming the field
 * relative to the record ("version"); the caller prefixes "runs[3].". */
enum lore_status lore_put_artifact(
    const struct lore_put_ctx *c, const struct lore_artifact *r, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_kernel(const struct lore_put_ctx *c, const struct lore_kernel *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_version(const struct lore_put_ctx *c, const struct lore_version *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_put_environment(const struct lore_put_ctx *c, const struct lore_environment *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_run(const struct lore_put_ctx *c, const struct lore_run *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_hypothesis(const struct lore_put_ctx *c, const struct lore_hypothesis *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_experiment(const struct lore_put_ctx *c, const struct lore_experiment *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_put_attribution(const struct lore_put_ctx *c, const struct lore_attribution *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_insight(const struct lore_put_ctx *c, const struct lore_insight *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_put_mask(struct lore_db *db, const char *experiment, bool masked,
    const char *reason, const char *actor, int64_t now_us, struct lore_err *err) LORE_MUST;
/* Append to the hash chain. */
enum lore_status
lore_put_event(struct lore_db *db, const char *actor, const char *kind, const char *subject,
    const unsigned char detail[32], int64_t now_us, struct lore_err *err) LORE_MUST;
/* Walk the chain: LORE_CORRUPT naming the first row that does not follow. *n counts rows. */
enum lore_status
lore_db_verify_events(struct lore_db *db, int64_t *n, struct lore_err *err) LORE_MUST;
/* Supersede the verdict in force (if it differs) and store the new one. An experiment appears in
 * lists from its first verdict on: put one in the transaction that puts the experiment. */
enum lore_status lore_put_outcome(struct lore_db *db, const char *experiment,
    const struct lore_outcome *o, int64_t now_us, struct lore_err *err) LORE_MUST;

/* Make everything derived again from the facts, in a transaction of its own: a rebuild that does
 * not end has changed nothing. Verdicts: how many differ from those in force before. Search: rows
 * of the index. */
struct lore_rebuilt {
    int64_t experiments, verdicts, search;
};
enum lore_status lore_rebuild(
    struct lore_db *db, int64_t now_us, struct lore_rebuilt *out, struct lore_err *err) LORE_MUST;

/* ---- what derivation and the memory need ---- */
/* Inputs of the verdict: samples and summaries of both sides, claim, correctness, rules. */
enum lore_status lore_get_outcome_in(struct lore_db *db, const char *experiment,
    struct lore_arena *arena, struct lore_outcome_in *out, struct lore_err *err) LORE_MUST;
/* Feed the memory: every experiment (with its verdict in force) and every run after the given seqs.
 * Texts are valid only during the call. Return false to stop. */
struct lore_evidence_in;
struct lore_entry;
typedef bool (*lore_evidence_fn)(void *ctx, const struct lore_evidence_in *in);
typedef bool (*lore_entry_fn)(void *ctx, const struct lore_entry *in);
enum lore_status lore_each_evidence(struct lore_db *db, int64_t after_seq, lore_evidence_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
/* Runs (kernel timings), and experiments; a stated time only when there is no after-run. */
enum lore_status lore_each_run_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;
enum lore_status lore_each_claim_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err) LORE_MUST;

/* ---- reading (one file per noun) ---- */
/* Stored rows: the record plus what the service adds. Getters of one record fill its struct
 * completely, so that lore_wire_members says again what was submitted (times as the same instant in
 * UTC, names canonical, a metric without a unit with the catalogue's). Lists fill what has a
 * column. `rest` is JSON object text with the members that no column took, as stored; NULL: none.
 * Its members are also in a getter's struct. */
struct lore_kernel_row {
    struct lore_kernel k;
    int64_t seq, received_us;
    int64_t n_versions, n_experiments;
    const char *family, *rest, *document;
};
struct lore_version_row {
    struct lore_version v;
    int64_t seq, received_us, created_us;
    const char *rest, *document, *op, *kernel_name, *language;
    struct lore_source_row {
        const char *file, *blob;
        int64_t bytes;
    } * files;
    size_t n_files;
};
struct lore_environment_row {
    struct lore_environment e;
    const char *hard_hash, *soft_hash, *rest, *document;
    int64_t seq, received_us, captured_us;
};
struct lore_workload_row {
    const char *id, *op, *canonical, *label, *dims, *dtype, *layout;
};
struct lore_run_row {
    struct lore_run r;
    struct lore_workload_row workload;
    int64_t seq, received_us, measured_us;
    const char *rest, *document, *op, *kernel, *kernel_name, *language, *version_label;
};
struct lore_hypothesis_row {
    struct lore_hypothesis h;
    int64_t seq, received_us, claimed_us;
    const char *rest, *document;
};
struct lore_outcome_row {
    const char *policy, *effect, *correctness, *process, *rules, *basis;
    struct lore_f64 speedup, low, high, before_ns, after_ns;
    bool disagrees;
    int64_t at_us, superseded_us;
};
struct lore_experiment_row {
    struct lore_experiment
        e; /* ids, title, techniques (slug + raw), notes, claim numbers; runs only in get */
    const char *op, *family, *kernel_name, *language;
    struct lore_workload_row workload;
    struct lore_outcome_row outcome; /* in force */
    bool masked;
    int64_t seq, received_us, happened_us;
    const char *rest, *document;
};
struct lore_attribution_row {
    struct lore_attribution a;
    int64_t seq;
    const char *rest;
};
struct lore_insight_row {
    struct lore_insight i;
    int64_t seq, received_us;
    const char *rest, *document;
};
struct lore_document_row {
    int64_t seq, bytes, received_us;
    const char *id, *hash, *actor, *author, *author_kind, *author_model;
};
struct lore_mask_row {
    bool masked;
    const char *reason, *actor;
    int64_t at_us;
};
struct lore_event_row {
    int64_t seq, at_us;
    const char *actor, *kind, *subject;
};

enum lore_status lore_get_kernel(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_kernel_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_get_version(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_version_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_get_environment(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_environment_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_get_workload(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_workload_row *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_get_run(struct lore_db *db, const char *id, struct lore_arena *a, struct lore_run_row *out,
    struct lore_err *err) LORE_MUST; /* samples, metrics, diagnoses included */
enum lore_status lore_get_hypothesis(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_hypothesis_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_get_experiment(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_experiment_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_get_insight(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_insight_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_get_document(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_document_row *out, struct lore_buf *bytes /* may be NULL */,
    struct lore_err *err) LORE_MUST;
enum lore_status lore_get_blob(struct lore_db *db, const char *hash, struct lore_buf *out,
    const char **media_type, struct lore_arena *a, struct lore_err *err) LORE_MUST;
enum lore_status lore_list_artifacts(struct lore_db *db, const char *document_id,
    struct lore_arena *a, struct lore_source_row **out, size_t *n, struct lore_err *err) LORE_MUST;

/* Lists go newest first by seq. `before` is the cursor: rows with seq < before (0: from the
 * newest). At most `limit` rows. */
struct lore_page {
    int64_t before;
    size_t limit;
};
enum lore_status
lore_list_kernels(struct lore_db *db, const char *op, const char *language, struct lore_page page,
    struct lore_arena *a, struct lore_kernel_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_list_versions(struct lore_db *db, const char *kernel, struct lore_page page,
    struct lore_arena *a, struct lore_version_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* chip: that chip, or every product of an ISA when the ISA name is given. */
enum lore_status lore_list_runs(struct lore_db *db, const char *version, const char *workload,
    const char *chip, struct lore_page page, struct lore_arena *a, struct lore_run_row **out,
    size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_list_insights(struct lore_db *db, const char *kind, const char *op,
    const char *technique, struct lore_page page, struct lore_arena *a,
    struct lore_insight_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_list_hypotheses(struct lore_db *db, const char *version,
    struct lore_page page, struct lore_arena *a, struct lore_hypothesis_row **out, size_t *n,
    struct lore_err *err) LORE_MUST;
enum lore_status
lore_list_attributions(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_attribution_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status
lore_list_documents(struct lore_db *db, struct lore_page page, struct lore_arena *a,
    struct lore_document_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_list_masks(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_mask_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_list_outcomes(struct lore_db *db, const char *experiment,
    struct lore_arena *a, struct lore_outcome_row **out, size_t *n,
    struct lore_err *err) LORE_MUST; /* history, newest first */
enum lore_status lore_list_events(struct lore_db *db, struct lore_page page, struct lore_arena *a,
    struct lore_event_row **out, size_t *n, struct lore_err *err) LORE_MUST;

/* Experiments by facets. NULL or 0: any. `text` is matched by full text (words are quoted one by
 * one, never raw MATCH syntax); with text, rows come best match first among the newest 10,000
 * matches and `next` is an offset. chip matches the chip, or every product of an ISA when the ISA
 * name is given. */
struct lore_experiment_filter {
    const char *op, *family, *language, *technique, *effect, *correctness, *process, *evidence,
        *kernel, *version, *workload, *text;
    const char *chip;
    const char *const *chips;
    size_t n_chips;        /* resolved names to match; filled by the caller from the catalogue */
    const char *label;     /* canonical label that must be in the set */
    int disagrees, masked; /* -1: any; 0 or 1 */
    int64_t before;
    size_t offset, limit;
};
enum lore_status lore_list_experiments(struct lore_db *db, const struct lore_experiment_filter *f,
    struct lore_arena *a, struct lore_experiment_row **out, size_t *n,
    struct lore_err *err) LORE_MUST;
struct lore_count {
    const char *name;
    int64_t n;
};
/* Experiments per value of every facet under the same filter, each facet's own restriction left
 * out; most frequent first, values without any left out. The label facet has single labels. total:
 * under the whole filter. */
enum lore_facet {
    LORE_FACET_OPERATOR,
    LORE_FACET_CHIP,
    LORE_FACET_LANGUAGE,
    LORE_FACET_EFFECT,
    LORE_FACET_EVIDENCE,
    LORE_FACET_LABEL,
    LORE_FACET_TECHNIQUE,
    LORE_FACET_COUNT
};
struct lore_facets {
    int64_t total;
    struct lore_counts {
        struct lore_count *v;
        size_t n;
    } of[LORE_FACET_COUNT];
};
enum lore_status lore_count_facets(struct lore_db *db, const struct lore_experiment_filter *f,
    struct lore_arena *a, struct lore_facets *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_count_total(struct lore_db *db, const struct lore_experiment_filter *f,
    int64_t *total, struct lore_err *err) LORE_MUST;

/* Titles of N experiments, in order; NULL where there is none of that id. */
enum lore_status lore_experiment_titles(struct lore_db *db, const char *const *ids, size_t n,
    struct lore_arena *a, const char **titles, struct lore_err *err) LORE_MUST;

struct lore_hit {
    const char *kind, *id, *title, *snippet;
    double rank;
};
/* Full text over everything; kind NULL: any. */
enum lore_status
lore_search(struct lore_db *db, const char *text, const char *kind, size_t offset, size_t limit,
    struct lore_arena *a, struct lore_hit **out, size_t *n, struct lore_err *err) LORE_MUST;

/* Catalogue as used: operators with counts, techniques with counts, chips with counts, metrics. */
struct lore_operator_row {
    const char *name, *family, *summary, *aliases;
    bool known;
    int64_t kernels, experiments;
};
enum lore_status lore_list_operators(struct lore_db *db, struct lore_arena *a,
    struct lore_operator_row **out, size_t *n, struct lore_err *err) LORE_MUST;
struct lore_technique_row {
    const char *slug, *title, *axis, *layer, *summary;
    bool known;
    int64_t experiments, wins, losses;
};
enum lore_status lore_list_techniques(struct lore_db *db, struct lore_arena *a,
    struct lore_technique_row **out, size_t *n, struct lore_err *err) LORE_MUST;
struct lore_chip_row {
    const char *name;
    int64_t runs, experiments;
};
enum lore_status
lore_list_chips(struct lore_db *db, struct lore_arena *a, struct lore_chip_row **out, size_t *n,
    struct lore_err *err) LORE_MUST; /* only chips with facts */
/* Row counts of every fact table, and bytes on disk. */
enum lore_status lore_db_stats(struct lore_db *db, struct lore_arena *a, struct lore_count **out,
    size_t *n, struct lore_err *err) LORE_MUST;

/* ---- credentials: DIR/auth.db, rollback journal, safe beside a running service ---- */
struct lore_auth_db;
struct lore_token_row {
    const char *id, *label, *role;
    int64_t created_us, expires_us /* 0: never */, revoked_us /* 0: not */;
    unsigned char hash[32];
};
enum lore_status lore_auth_open(
    const char *dir, bool write, struct lore_auth_db **out, struct lore_err *err) LORE_MUST;
void lore_auth_close(struct lore_auth_db *db);
enum lore_status lore_auth_add(
    struct lore_auth_db *db, const struct lore_token_row *t, struct lore_err *err) LORE_MUST;
enum lore_status lore_auth_get(struct lore_auth_db *db, const char *id, struct lore_arena *a,
    struct lore_token_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_auth_revoke(
    struct lore_auth_db *db, const char *id, int64_t now_us, struct lore_err *err) LORE_MUST;
enum lore_status lore_auth_list(struct lore_auth_db *db, struct lore_arena *a,
    struct lore_token_row **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif
