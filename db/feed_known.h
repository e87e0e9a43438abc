/* What the rows of a walk refer to, looked up once each (feed_known.c). For feed.c. */
#ifndef LORE_DB_FEED_KNOWN_H
#define LORE_DB_FEED_KNOWN_H

#include "db/internal.h"
#include "service/base/intern.h"

struct lore_known_kernel {
    const char *id, *name, *op, *family, *language_name;
    enum lore_language language;
};
struct lore_known_slot {
    int64_t seq; /* 0: free */
    const void *what;
};
struct lore_known_map {
    struct lore_known_slot *slots;
    size_t n, n_slots;
};
/* Zeroed is valid; texts live until it is freed. */
struct lore_known {
    struct lore_db *db;
    struct lore_arena arena;
    struct lore_known_map kernels, environments;
    struct lore_intern workloads, labels, retracted;
    const char **workload_labels; /* by id of workloads */
    uint32_t *label_bits;         /* by id of labels */
    size_t cap_workloads, cap_labels;
    bool all_retracted; /* `retracted` holds every record that is */
};
void lore_known_free(struct lore_known *k);
/* A walk over N rows comes: many rows are worth reading all retractions first. */
enum lore_status lore_known_expect(struct lore_known *k, int64_t n, struct lore_err *err) LORE_MUST;
enum lore_status lore_known_kernel(struct lore_known *k, int64_t seq,
    const struct lore_known_kernel **out, struct lore_err *err) LORE_MUST;
/* The hash of the hard part of environment SEQ; NULL for 0. */
enum lore_status lore_known_environment(
    struct lore_known *k, int64_t seq, const char **out, struct lore_err *err) LORE_MUST;
/* The label of WORKLOAD (id); NULL for NULL. */
enum lore_status lore_known_workload(
    struct lore_known *k, const char *workload, const char **out, struct lore_err *err) LORE_MUST;
/* Is RECORD retracted? NULL is not. */
enum lore_status lore_known_retracted(
    struct lore_known *k, const char *record, bool *out, struct lore_err *err) LORE_MUST;
/* Bits of a text like memory+sync. */
uint32_t lore_known_labels(struct lore_known *k, const char *text);

#endif
