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

#endif
