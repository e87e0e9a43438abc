/* Decoder state, error helpers and the hooks of the field tables. Private to this folder. */
#ifndef LORE_WIRE_DECODER_H
#define LORE_WIRE_DECODER_H

#include "service/wire/fields.h"

/* The state of one decoding. `ids` is a hash table of the record ids read so far, `refs` the
 * references to check at the end. */
struct lore_id_slot {
    const char *id; /* NULL: free */
    enum lore_kind kind;
};
struct lore_ref {
    const char *id;
    enum lore_kind kind;
    const struct lore_json *node;
};
struct lore_decoder {
    struct lore_arena *arena;
    struct lore_err *err;
    struct lore_id_slot *ids;
    size_t n_slots; /* a power of two */
    struct lore_ref *refs;
    size_t n_refs, cap_refs;
};

/* Fail at NODE (or at its member KEY when KEY is not NULL). The message starts with the path. */
enum lore_status lore_decode_fail(struct lore_decoder *d, const struct lore_json *node,
    const char *key, const char *code, const char *fmt, ...) LORE_PRINTF(5, 6);
void lore_decode_hint(struct lore_decoder *d, const char *fmt, ...) LORE_PRINTF(2, 3);
/* Read NODE, a text or a list of texts, into canonical labels in OUT. *raw (may be NULL) gets the
 * original texts joined by '+' when they differ from the labels. */
enum lore_status lore_value_labels(struct lore_decoder *d, const struct lore_json *node,
    struct lore_texts *out, const char **raw) LORE_MUST;
/* values.c: decode one value into the member that F describes. */
enum lore_status lore_value_decode(struct lore_decoder *d, const struct lore_field *f,
    const struct lore_json *node, void *out) LORE_MUST;
enum lore_status
lore_value_id(struct lore_decoder *d, const struct lore_json *node, const char **out) LORE_MUST;
/* Remember that NODE names record ID of KIND, to check it against the document at the end. */
void lore_decode_ref(
    struct lore_decoder *d, const struct lore_json *node, enum lore_kind kind, const char *id);
/* Decode the members of NODE into OUT, which R describes, and go on after a wrong one: all errors
 * go to ERRS. R has no required fields and no function `finish`. */
struct lore_errs;
void lore_decode_all(const struct lore_record *r, const struct lore_json *node,
    struct lore_arena *arena, void *out, struct lore_errs *errs);
/* If S is not valid UTF-8, replace every non-ASCII byte with '?', in place. */
void lore_decode_tidy_utf8(char *s);

/* The hooks that the tables name (rules.c, tables_knowledge.c); fields.h says when they run. */
typedef enum lore_status
lore_read_short(struct lore_decoder *d, const struct lore_json *node, void *out);
typedef enum lore_status
lore_finish(struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given);
extern lore_read_short lore_rules_short_use, lore_rules_short_metric, lore_rules_short_diagnosis,
    lore_rules_short_parent, lore_rules_short_plan;
extern lore_finish lore_rules_finish_artifact, lore_rules_finish_kernel, lore_rules_finish_parent,
    lore_rules_finish_version, lore_rules_finish_run, lore_rules_finish_metric,
    lore_rules_finish_diagnosis, lore_rules_finish_use, lore_rules_finish_claim,
    lore_rules_finish_experiment, lore_rules_finish_provenance, lore_tables_finish_source_document,
    lore_tables_finish_spec, lore_tables_finish_curation, lore_tables_finish_configurations,
    lore_tables_finish_sweep;

#endif
