/* A scan of rows for the in-memory indexes, and a cache of the records that they refer to
 * (feed_known.c). For feed.c and feed_moves.c. */
#ifndef LORE_DB_FEED_KNOWN_H
#define LORE_DB_FEED_KNOWN_H

#include "db/internal.h"
#include "service/base/intern.h"

struct lore_known_kernel {
    const char *id, *name, *project, *op, *family, *language_name;
    enum lore_language language;
};
struct lore_known_slot {
    int64_t seq; /* 0: empty slot */
    const void *what;
};
struct lore_known_map {
    struct lore_known_slot *slots;
    size_t n, n_slots;
};
struct lore_known_workload {
    bool read;
    const char *label, *kind; /* kind: data type and layout; NULL: not known */
    double size;              /* log2 of the product of its dims; 0: not known */
};
struct lore_known_aside {
    bool retracted;
    const char *beyond; /* why its time is impossible; NULL: it is not */
};
/* Zeroed is valid. Strings live until the struct is freed. */
struct lore_known {
    struct lore_db *db;
    struct lore_arena arena;
    struct lore_known_map kernels, environments;
    struct lore_intern workloads, labels, aside; /* aside: records that do not count */
    const struct lore_known_aside **why;         /* indexed by their ids */
    size_t cap_aside;
    struct lore_known_workload *workload; /* indexed by workload id */
    uint32_t *label_bits;                 /* indexed by label id */
    size_t cap_workloads, cap_labels;
    bool all_aside; /* `aside` holds every such record */
    int64_t rows;   /* of the scan */
};
void lore_known_free(struct lore_known *k);
/* The cache of the snapshot of DB, made at the first call. lore_db_snapshot_end frees it. */
struct lore_known *lore_known_of_snapshot(struct lore_db *db);
void lore_known_end_snapshot(struct lore_db *db);
enum lore_status lore_known_kernel(struct lore_known *k, int64_t seq,
    const struct lore_known_kernel **out, struct lore_err *err) LORE_MUST;
/* Set *out to the hash of the hard fields of environment SEQ; for 0 it stays as it is. */
enum lore_status lore_known_environment(
    struct lore_known *k, int64_t seq, const char **out, struct lore_err *err) LORE_MUST;
/* Set *out to the stored facts of WORKLOAD (id). WORKLOAD NULL leaves *out unchanged. */
enum lore_status lore_known_workload(struct lore_known *k, const char *workload,
    struct lore_known_workload *out, struct lore_err *err) LORE_MUST;
/* Why RECORD (may be NULL) does not count; zero when it does. */
enum lore_status lore_known_aside(struct lore_known *k, const char *record,
    struct lore_known_aside *out, struct lore_err *err) LORE_MUST;
/* Parse labels such as memory+sync into bits. */
uint32_t lore_known_labels(struct lore_known *k, const char *text);

struct lore_feed_scan {
    struct lore_db *db;
    int64_t after, newest;    /* the rows with after < seq <= newest */
    int64_t *last;            /* NULL, or set to the last seq read; to the newest when all were */
    bool stopped;             /* by the row */
    struct lore_known *known; /* of the snapshot, which several scans share, or the scan's own */
    struct lore_arena arena;  /* of the row */
};
typedef enum lore_status (*lore_feed_row)(
    struct lore_stmt *q, struct lore_feed_scan *s, void *to, struct lore_err *err);
/* Call ROW for the rows of Q, which begin with the seq; its parameters are `after` and `newest`.
 * END selects the newest seq; NULL: S has it. */
enum lore_status lore_feed_scan(struct lore_feed_scan *s, struct lore_stmt *end,
    struct lore_stmt *q, lore_feed_row row, void *to, struct lore_err *err) LORE_MUST;

/* NAME_row, which fills a row of TYPE by NAME_columns and passes it on to a CALLBACK in a struct
 * NAME_to. */
#define LORE_FEED_ROW(name, type, callback)                                                        \
    struct name##_to {                                                                             \
        callback fn;                                                                               \
        void *ctx;                                                                                 \
    };                                                                                             \
    static enum lore_status name##_row(                                                            \
        struct lore_stmt *q, struct lore_feed_scan *s, void *to, struct lore_err *err)             \
    {                                                                                              \
        struct name##_to *t = to;                                                                  \
        struct type row = {0};                                                                     \
        enum lore_status status = name##_columns(q, s, &row, err);                                 \
                                                                                                   \
        s->stopped = status == LORE_OK && !t->fn(t->ctx, &row);                                    \
        return status;                                                                             \
    }

#endif
