/* Proposes a map for a file that no importer reads: what each column seems to be, by its name and
 * by its values, and what the file cannot say. */
#ifndef LORE_IMPORT_MAPS_SUGGEST_H
#define LORE_IMPORT_MAPS_SUGGEST_H

#include "collectors/import/maps/map.h"
#include "service/base/buf.h"

enum { LORE_SUGGEST_DISTINCT = 12 };

/* One column, and what is known of its values in the first rows. */
struct lore_suggest_column {
    const char *name, *slug; /* "Time (ms)", "time_ms" */
    size_t n;                /* values */
    size_t numbers, integers, lists, booleans, dates, long_texts;
    double least, most;
    const char *distinct[LORE_SUGGEST_DISTINCT]; /* the first different ones */
    size_t n_distinct;
    bool many; /* more different ones than that */
    /* proposed */
    const char *field; /* "time", "dims", "metrics" …; NULL: extra */
    const char *as;    /* its name in a list of fields; NULL: its own */
    const char *unit, *why;
    const char *match; /* regular expression of the part that counts; NULL: all */
};
struct lore_suggest_question {
    const char *field, *ask; /* "chip", "Which chip …?" */
    const char *answer;      /* NULL: not answered */
};
struct lore_suggestion {
    struct lore_arena *arena;
    const char *file, *name, *format, *path, *header; /* path, header: NULL: none */
    char separator;
    enum lore_map_kind kind;
    const char *kind_why;
    struct lore_suggest_column *columns;
    size_t n, cap, rows;
    struct lore_suggest_question questions[4];
    size_t n_questions;
    const char *op, *op_why, *chip, *chip_why; /* constants; NULL: none */
    const char *version, *language;            /* constants; NULL: none */
    const struct lore_suggest_column *named;   /* its texts name operators; NULL: none */
    const char *remark;                        /* what a map cannot say; NULL: nothing */
};
/* Look at the current file of IN. LORE_INVALID: it has no rows. Texts live in in->arena. */
enum lore_status lore_map_suggest(
    struct lore_import *in, struct lore_suggestion *out, struct lore_err *err) LORE_MUST;
/* Append the map as YAML. Questions without an answer are `?`, or with COMPLETE left out. */
void lore_suggest_write(const struct lore_suggestion *s, bool complete, struct lore_buf *out);
/* Append what each column became and why, as comments. */
void lore_suggest_explain(const struct lore_suggestion *s, struct lore_buf *out);

/* suggest_roles.c: propose what the columns are. */
void lore_suggest_roles(struct lore_suggestion *s);

/* suggest_values.c: what values tell. Whether three quarters of the values of C satisfy IS. */
bool lore_suggest_all(const struct lore_suggest_column *c, bool (*is)(const char *text));
bool lore_suggest_numeric(const struct lore_suggest_column *c);
/* Whether the values name chips and little else; "cutlass3x_sm90_…" does not. */
bool lore_suggest_chips(const struct lore_suggest_column *c);
/* Whether the values begin with element types: "f16:column", "bf16_r". C->match gets the part. */
bool lore_suggest_dtypes(struct lore_suggest_column *c);
/* The operator that TEXT has among its words: "test_softmax[1024]"; NULL: none. */
const char *lore_suggest_operator_in(struct lore_arena *arena, const char *text);
const char *lore_suggest_word_of(struct lore_arena *arena, const char *text); /* as written */
/* Columns of numbers whose names are implementations ("Triton", "cuBLAS (TFLOPS)"): one of them
 * is what the map reads, and S->remark says so. */
void lore_suggest_providers(struct lore_suggestion *s);
/* The unit that another column gives away: of seconds, "ops" is the inverse. NULL: none. */
const char *
lore_suggest_unit(const struct lore_suggestion *s, const struct lore_suggest_column *time);

#endif
