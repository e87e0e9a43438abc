/* A cache of the records that the rows of one scan refer to (feed_known.c). For feed.c. */
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
    const char **workload_labels; /* indexed by workload id */
    uint32_t *label_bits;         /* indexed by label id */
    size_t cap_workloads, cap_labels;
    bool all_aside; /* `aside` holds every such record */
};
void lore_known_free(struct lore_known *k);
/* The cache of the snapshot of DB, made at the first call. lore_db_snapshot_end frees it. */
struct lore_known *lore_known_of_snapshot(struct lore_db *db);
void lore_known_end_snapshot(struct lore_db *db);
/* Announce a scan of N rows; for a large N all records that do not count are read first. */
enum lore_status lore_known_expect(struct lore_known *k, int64_t n, struct lore_err *err) LORE_MUST;
enum lore_status lore_known_kernel(struct lore_known *k, int64_t seq,
    const struct lore_known_kernel **out, struct lore_err *err) LORE_MUST;
/* Set *out to the hash of the hard fields of environment SEQ; for 0 it stays as it is. */
enum lore_status lore_known_environment(
    struct lore_known *k, int64_t seq, const char **out, struct lore_err *err) LORE_MUST;
/* Set *out to the label of WORKLOAD (id); for NULL it stays as it is. */
enum lore_status lore_known_workload(
    struct lore_known *k, const char *workload, const char **out, struct lore_err *err) LORE_MUST;
/* Why RECORD (may be NULL) does not count; zero when it does. */
enum lore_status lore_known_aside(struct lore_known *k, const char *record,
    struct lore_known_aside *out, struct lore_err *err) LORE_MUST;
/* Parse labels such as memory+sync into bits. */
uint32_t lore_known_labels(struct lore_known *k, const char *text);

#endif
