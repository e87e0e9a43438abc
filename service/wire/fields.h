/* Field tables of the submission format: one table per record, one row per field. decode.c,
 * encode.c, schema.c and markdown.c all read them, so a new field is one row in tables.c,
 * tables_run.c or tables_knowledge.c and a member in record.h or knowledge.h. Offsets are into
 * those structs; a list is a pointer with its count and capacity. */
#ifndef LORE_WIRE_FIELDS_H
#define LORE_WIRE_FIELDS_H

#include "service/wire/wire.h"

#define LORE_MAX_NAME 200
#define LORE_MAX_TEXT (64 << 10)
#define LORE_MAX_SOURCE (1 << 20)
#define LORE_MAX_ARTIFACT (4 << 20)
#define LORE_MAX_RECORDS 20000
#define LORE_MAX_SAMPLES 10000
#define LORE_MAX_METRICS 4000
#define LORE_MAX_TECHNIQUES 16
#define LORE_MAX_RUNS 64 /* per side of an experiment: a verdict reads all their samples */
#define LORE_MAX_NS 9007199254740992.0 /* 2^53: every JSON reader keeps such integers exact */
#define LORE_NO_FLAG ((size_t)-1)

enum lore_field_type {
    LORE_F_TEXT,     /* const char *; empty means absent */
    LORE_F_BODY,     /* const char *; empty is a value: file contents */
    LORE_F_BASE64,   /* const char *, checked */
    LORE_F_TIME,     /* const char *, RFC 3339 */
    LORE_F_ID,       /* ULID, the record's own */
    LORE_F_REF,      /* ULID of a record of `kind` */
    LORE_F_REFS,     /* struct lore_texts of such ids */
    LORE_F_ENUM,     /* an enum whose names are in `choices` */
    LORE_F_LANGUAGE, /* enum lore_language, known spellings accepted */
    LORE_F_CHOICE,   /* const char *, one of `choices` */
    LORE_F_I64,      /* struct lore_i64 */
    LORE_F_F64,      /* struct lore_f64 */
    LORE_F_PLAIN,    /* double without a `set` flag: a metric's value */
    LORE_F_BOOL,     /* bool; false is left out */
    LORE_F_FORMAT,   /* int64_t, LORE_WIRE_VERSION */
    LORE_F_SAMPLES,  /* int64_t list */
    LORE_F_TEXTS,    /* struct lore_texts */
    LORE_F_LABELS,   /* struct lore_texts of canonical bottleneck labels */
    LORE_F_KVS,      /* struct lore_kvs: flat object of scalars */
    LORE_F_OBJECT,   /* struct at offset, described by `sub` */
    LORE_F_LIST,     /* list of structs described by `sub` */
    LORE_F_METRICS,  /* struct lore_metrics: object name -> metric */
    LORE_F_RAW,      /* const char *: any JSON object, as text */
    LORE_F_CHIP,     /* const char *: resolved by the catalogue */
    LORE_F_OPERATOR, /* const char *: canonical name or slug */
    LORE_F_TECHNIQUE /* const char *: canonical slug */
};

/* Names that an enum or a text may take. Value i of an enum is names[i], and names[0] is NULL
 * ("none"). */
struct lore_choices {
    const char *const *names;
    size_t n;
};

/* Short forms of an item: one text, a list of texts, or a number instead of an object. */
enum { LORE_SHORT_TEXT = 1, LORE_SHORT_TEXTS = 2, LORE_SHORT_NUMBER = 4 };

struct lore_decoder;
struct lore_record;

/* The range of a number; of those of a flat object, by key. */
struct lore_value_range {
    const char *keys; /* "axis|dim"; NULL: all other keys, the last row */
    double low, high;
};

struct lore_field {
    const char *name;
    enum lore_field_type type;
    bool required;
    size_t offset, n_offset, cap_offset;
    double min,
        max; /* numbers: range, none when equal; text: max bytes; lists, objects: max items */
    const struct lore_choices *choices;
    const struct lore_value_range *bounds; /* KVS, F64; NULL: any number. See lore_wire_possible */
    const struct lore_record *sub;
    enum lore_kind kind;
    const char *help;
};

struct lore_record {
    const char *name, *help;
    const struct lore_field *fields;
    size_t n, size;
    size_t flag; /* offset of the `bool set` of the struct; LORE_NO_FLAG: none */
    unsigned shorthand;
    /* Decode the shorthand forms. May be NULL. */
    enum lore_status (*read_short)(struct lore_decoder *d, const struct lore_json *node, void *out);
    /* Defaults and rules across fields; bit i of GIVEN is set when fields[i] was present. May be
     * NULL. */
    enum lore_status (*finish)(
        struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given);
};

extern const struct lore_record lore_document_record, lore_kernel_record, lore_version_record,
    lore_environment_record, lore_run_record, lore_hypothesis_record, lore_experiment_record,
    lore_attribution_record, lore_insight_record, lore_source_document_record, lore_spec_record,
    lore_technique_def_record, lore_verification_record, lore_campaign_record,
    lore_direction_record, lore_curation_record, lore_sweep_record, lore_profile_record;
/* Records that several others contain. */
extern const struct lore_record lore_provenance_record, lore_workload_record, lore_metric_record,
    lore_diagnosis_record, lore_target_record, lore_source_record, lore_use_record,
    lore_failure_record;
/* The bodies of POST /attempts and POST /sessions, and the hypothesis of an attempt, which has no
 * ids. */
extern const struct lore_record lore_attempt_record, lore_session_record, lore_plan_record;
/* The field of a document that lists the records of KIND, and the table of such a record. The id
 * is the first field of a record. */
const struct lore_field *lore_kind_list(enum lore_kind kind);
const struct lore_record *lore_kind_record(enum lore_kind kind);
/* Write the tables of all records that a document can contain to OUT, at most MOST, in the order of
 * docs/submission.md. Returns their number. */
size_t lore_records(const struct lore_record **out, size_t most);

extern const struct lore_choices lore_language_choices, lore_evidence_choices,
    lore_version_kind_choices, lore_edge_kind_choices, lore_check_choices, lore_missing_choices,
    lore_base_choices, lore_run_role_choices;
extern const struct lore_value_range lore_dims_bounds[], lore_launch_bounds[], lore_not_negative[];
/* Whether ROOT, a document or another record as AS describes it, has only values that can be: no
 * time more than a day after NOW_US, no numbers outside of their bounds. For documents as they
 * arrive. LORE_INVALID with the path of the value. ROOT was decoded before. */
enum lore_status lore_wire_possible(const struct lore_record *as, const struct lore_json *root,
    int64_t now_us, struct lore_err *err) LORE_MUST;

/* Bind a member of a struct to a row. */
#define LORE_AT(S, member) .offset = offsetof(struct S, member)
#define LORE_ITEMS(S, v, n, cap)                                                                   \
    .offset = offsetof(struct S, v), .n_offset = offsetof(struct S, n),                            \
    .cap_offset = offsetof(struct S, cap)

static inline void *
lore_member(void *base, size_t offset)
{
    return (char *)base + offset;
}

static inline const void *
lore_cmember(const void *base, size_t offset)
{
    return (const char *)base + offset;
}

/* kvs.c: a copy of the pairs sorted by key, numbers in one form, so that 1e3 equals 1000.0. */
struct lore_kv *lore_kvs_sorted(struct lore_arena *arena, const struct lore_kvs *kvs);
const char *lore_kvs_scalar_canonical(struct lore_arena *arena, const char *value);

#endif
