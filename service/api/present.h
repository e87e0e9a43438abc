/* Pieces of JSON that many answers share. What was not recorded is left out. */
#ifndef LORE_API_PRESENT_H
#define LORE_API_PRESENT_H

#include "db/store.h"
#include "service/base/jsonw.h"
#include "service/wire/wire.h"
#include "service/wire/work.h"

/* `"record"`: the record in the submission format. REST is the JSON stored as submitted; it takes
 * precedence over members rebuilt from columns. */
void lore_present_record(
    struct lore_jsonw *w, enum lore_kind kind, const void *record, const char *rest);
/* `KEY: ["memory", …]` from bits; empty array for none. */
void lore_present_labels(struct lore_jsonw *w, const char *key, uint32_t labels);
/* The labels that any of these texts name, as bits. */
uint32_t lore_present_label_bits(const struct lore_texts *labels);
/* "not_checked" where nothing is recorded. */
const char *lore_present_check(enum lore_check c);
/* Members of one flat object: `KEY: {"M": 4096}`. */
void lore_present_kvs(struct lore_jsonw *w, const char *key, const struct lore_kvs *kvs);

/* A field that differs between two objects; NULL where one has no value. */
struct lore_difference {
    const char *name, *a, *b; /* JSON */
};
struct lore_differences {
    struct lore_difference *v;
    size_t n;
};
/* The fields that differ: those of A in its order, then those that only B has. */
struct lore_differences lore_present_differences(
    struct lore_arena *arena, const struct lore_kvs *a, const struct lore_kvs *b);

/* runs.c: least operations and bytes for the workload's shape; false: unknown. */
bool lore_run_work(const struct lore_run_row *r, struct lore_work *out);

#endif
