/* Shared by the files of the kernelflow importer. kernelflow.c reads the file, kernelflow_map.c
 * makes records, and kernelflow_doubts.c looks for misleading entries. */
#ifndef LORE_IMPORT_KERNELFLOW_KERNELFLOW_H
#define LORE_IMPORT_KERNELFLOW_KERNELFLOW_H

#include "collectors/import/import.h"

struct lore_kernelflow_entry {
    const struct lore_kernelflow_scope *scope;
    const struct lore_json *node;
    const char *bucket, *fingerprint, *outcome, *reason;
    struct lore_texts tags;
    int64_t iteration, base_iteration; /* -1: not recorded */
    struct lore_f64 before_ms, after_ms;
};
struct lore_kernelflow_scope {
    const char *key;
    const struct lore_json *node;
    const char *op, *source, *chip, *kernel; /* chip NULL: not recorded or not known */
    enum lore_language language;
    struct lore_kvs dims;
    const char *meta; /* verbatim JSON with absolute paths cut to file names */
    bool published;   /* from the strategy memory that KernelFlow publishes */
    struct lore_kernelflow_entry *entries;
    size_t n_entries, cap_entries;
};

/* Add the records of E to in->doc. */
void lore_kernelflow_map(struct lore_import *in, const struct lore_kernelflow_entry *e);
/* Note doubts about a scope in the report: contradictions, placeholder tags, wins over a slow
 * base. */
void lore_kernelflow_doubts(struct lore_import *in, const struct lore_kernelflow_scope *scope);
bool lore_kernelflow_is_baseline(const struct lore_kernelflow_entry *e);

#endif
