/* The submission format, version 1, as code: one table of fields per record drives decoding,
 * encoding, the JSON Schema and docs/submission.md. Strict: an unknown field, a wrong type, a value
 * out of range, a malformed ULID, a chip that is not in the catalogue fail with the JSON path of
 * the field. References between records of one document are checked here; references to stored
 * records are checked by the service. */
#ifndef LORE_WIRE_WIRE_H
#define LORE_WIRE_WIRE_H

#include "service/base/arena.h"
#include "service/base/json.h"
#include "service/base/jsonw.h"
#include "service/wire/record.h"

#define LORE_WIRE_VERSION 1
#define LORE_WIRE_MAX_BYTES                                                                        \
    (48u << 20)                   /* one document: a sweep of 100,000 x 32 samples has 40 MB */
#define LORE_WIRE_SENT (8u << 20) /* one document that an agent sends */

/* Limits for lore_json_parse that let every legal document through. */
extern const struct lore_json_limits lore_wire_limits;

/* Decode a whole document. Names are resolved to canonical ones (operator, chip, labels, technique
 * slugs); raw spellings stay in the raw fields. New values live in ARENA, text is borrowed from
 * ROOT's arena: keep both (they are usually the same). *err's message starts with the path of the
 * faulty value. */
enum lore_status lore_wire_decode(const struct lore_json *root, struct lore_arena *arena,
    struct lore_submission *out, struct lore_err *err) LORE_MUST;
/* Write DOC as a document that lore_wire_decode reads back equal. */
void lore_wire_encode(struct lore_jsonw *w, const struct lore_submission *doc);
/* The project of DOC: what it states, else that of all its kernels. NULL: none, or several. */
const char *lore_wire_project(const struct lore_submission *doc);

/* The kinds of records, for tables and for writing one record. */
enum lore_kind {
    LORE_K_KERNEL,
    LORE_K_VERSION,
    LORE_K_ENVIRONMENT,
    LORE_K_RUN,
    LORE_K_HYPOTHESIS,
    LORE_K_EXPERIMENT,
    LORE_K_ATTRIBUTION,
    LORE_K_INSIGHT,
    LORE_K_SOURCE_DOCUMENT,
    LORE_K_SPEC,
    LORE_K_TECHNIQUE,
    LORE_K_VERIFICATION,
    LORE_K_CAMPAIGN,
    LORE_K_DIRECTION,
    LORE_K_CURATION,
    LORE_K_SWEEP,
    LORE_K_PROFILE,
    LORE_K_COUNT
};
const char *lore_kind_name(enum lore_kind kind);   /* "kernel" */
const char *lore_kind_plural(enum lore_kind kind); /* "kernels": the key in a document */
/* The records of KIND in DOC: the first, how many and how large each; NULL with none. */
const void *
lore_wire_list(const struct lore_submission *doc, enum lore_kind kind, size_t *n, size_t *size);
const char *lore_wire_id(enum lore_kind kind, const void *record); /* borrowed */
/* The provenance of RECORD, of KIND; NULL: the kind has none. */
const struct lore_provenance *lore_wire_provenance(enum lore_kind kind, const void *record);
/* JSON name of the I-th field of records of KIND, and whether it is required. NULL past the last.
 */
const char *lore_kind_field(enum lore_kind kind, size_t i, bool *required);
/* Write the members of one record without braces, so that handlers can add more. Absent members are
 * left out. */
void lore_wire_members(struct lore_jsonw *w, enum lore_kind kind, const void *record);
/* BLAKE2b-256 of a record's content, to tell a duplicate from a conflict under one id. RECORD is
 * the JSON as submitted. */
void lore_wire_digest(const struct lore_json *record, unsigned char out[32]);
/* JSON Schema (draft 2020-12) of a submission. */
void lore_wire_schema(struct lore_jsonw *w);
/* The field tables as Markdown: docs/submission.md embeds it. */
void lore_wire_markdown(struct lore_buf *out);

/* Static names of enum values; NULL for none. */
const char *lore_language_name(enum lore_language v);
/* The only vendor whose toolchain builds V, static text as in lore_chip; NULL: not tied to a
 * vendor. */
const char *lore_language_vendor(enum lore_language v);
enum lore_language
lore_language_find(const char *s); /* also "cuda_cpp", "cutedsl"…; LORE_LANG_NONE: unknown */
const char *lore_evidence_name(enum lore_evidence v);
const char *lore_version_kind_name(enum lore_version_kind v);
const char *lore_edge_kind_name(enum lore_edge_kind v);
const char *lore_check_name(enum lore_check v);
/* Whether a check that failed or timed out shows it: it names its reference and gives a tolerance,
 * an error, mismatches or tensors; or it states the time limit; or a sanitizer found the fault.
 * Only such a check fails the version of somebody else. A bare one disputes it, and two bare ones
 * are still none. */
bool lore_check_is_shown(const struct lore_correctness *c);
const char *lore_missing_name(enum lore_missing v);
const char *lore_base_name(enum lore_base v);
const char *lore_run_role_name(enum lore_run_role v);

/* Workload identity: canonical text `gemm|K=4096,M=4096,N=4096|f32|row` (dims sorted by name) and
 * its id, 32 hex digits of BLAKE2b. OUT text lives in ARENA. */
const char *
lore_workload_text(struct lore_arena *arena, const char *op, const struct lore_workload *w);
void lore_workload_id(const char *canonical_text, char out[33]);
/* Human-readable shape: "M=4096 N=4096 K=4096 f32" in the order given. */
const char *lore_workload_label(struct lore_arena *arena, const struct lore_workload *w);
/* The known element type that the unknown one S may be a misspelling of; NULL: none, or S is known.
 */
const char *lore_workload_near_dtype(const char *s);
/* Whether S is a known name of an element type. */
bool lore_workload_is_dtype(const char *s);
/* Data type and layout as one key: "f32|row", in ARENA; NULL when neither is known. */
/* The canonical name of a number format: bf16 for bfloat16. An unknown one is itself; S may be
 * NULL. */
const char *lore_workload_dtype(const char *s);
const char *lore_workload_kind(struct lore_arena *arena, const char *dtype, const char *layout);
/* Parse dims in any known notation: "M=1,N=2", "{'M': 1}", "--M=1 --N=2", {"M":1}. */
enum lore_status lore_dims_parse(const char *text, struct lore_arena *arena, struct lore_kvs *out,
    struct lore_err *err) LORE_MUST;
/* BLAKE2b hex of sorted key=value pairs: hard and soft hash of an environment. */
void lore_kvs_hash(const struct lore_kvs *kvs, char out[33]);
/* Set or add a pair. VALUE is JSON scalar text. */
void
lore_kvs_set(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *value);
const char *lore_kvs_get(const struct lore_kvs *kvs, const char *key);
/* TEXT as JSON scalar text ("a b" with its quotes), and the text of VALUE without quotes and
 * escapes. */
const char *lore_kvs_quote(struct lore_arena *arena, const char *text);
const char *lore_kvs_plain(struct lore_arena *arena, const char *value);

#endif
