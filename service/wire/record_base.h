/* Parts of records: optional numbers, lists of texts, open objects, provenance, workload. Text is
 * NUL-terminated and borrowed from the submission's arena; NULL means absent. */
#ifndef LORE_WIRE_RECORD_BASE_H
#define LORE_WIRE_RECORD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lore_f64 {
    bool set;
    double v;
};
struct lore_i64 {
    bool set;
    int64_t v;
};
/* A list of texts. */
struct lore_texts {
    const char **v;
    size_t n, cap;
};
/* One member of an open, flat object (dims, method, build facts): value is JSON scalar text. */
struct lore_kv {
    const char *key, *value;
};
struct lore_kvs {
    struct lore_kv *v;
    size_t n, cap;
};

/* Evidence classes, strongest first. */
enum lore_evidence {
    LORE_EV_NONE,
    LORE_EV_CONFIRMED,
    LORE_EV_MEASURED,
    LORE_EV_IMPORTED,
    LORE_EV_CLAIMED,
    LORE_EV_COUNT
};
struct lore_provenance {
    const char *system;      /* "kernelflow" */
    const char *external_id; /* the record's id there */
    const char *url;         /* or repository */
    const char *path, *commit, *licence, *quote;
    const char *redistribution; /* "allowed" (default) | "forbidden" */
};

/* Identity of a workload = operator + sorted dims + dtype + layout; the service hashes it. */
struct lore_workload {
    const char *op;       /* JSON "operator"; default: the kernel's */
    struct lore_kvs dims; /* name -> integer (JSON number) or short text */
    const char *dtype, *layout;
    bool set; /* the object was present */
};

enum lore_missing {
    LORE_MISS_NONE,
    LORE_MISS_NOT_COLLECTED,
    LORE_MISS_TOOL_UNAVAILABLE,
    LORE_MISS_PERMISSION_DENIED,
    LORE_MISS_COUNTER_UNSUPPORTED,
    LORE_MISS_NOT_APPLICABLE,
    LORE_MISS_NO_SOURCE,
    LORE_MISS_LOST,
    LORE_MISS_COUNT
};

#endif
