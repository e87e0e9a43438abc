/* Shared by the readers of rows: rows_source.c calls the reader of the format for each record. */
#ifndef LORE_IMPORT_ROWS_SOURCE_H
#define LORE_IMPORT_ROWS_SOURCE_H

#include "collectors/import/rows.h"
#include "collectors/import/window.h"

/* Most cells of a row. */
#define LORE_ROWS_COLUMNS 100000

enum lore_rows_step { LORE_ROWS_END, LORE_ROWS_READ, LORE_ROWS_REFUSED };

struct lore_rows_source {
    /* Set r->row and r->line, or refuse the record with lore_rows_refuse, and return which. */
    enum lore_rows_step (*step)(struct lore_rows *r);
    struct lore_window window;
    struct lore_arena arena; /* of the current record */
    void *state;             /* of the reader; in in->arena */
    bool items;              /* records are JSON items in in->arena (lore_rows_items) */
};

/* Start R over the current file of IN with STEP. */
enum lore_status
lore_rows_begin(struct lore_import *in, enum lore_rows_step (*step)(struct lore_rows *),
    struct lore_rows *r, struct lore_err *err) LORE_MUST;
/* Refuse the record that begins in LINE. */
enum lore_rows_step
lore_rows_refuse(struct lore_rows *r, size_t line, const char *fmt, ...) LORE_PRINTF(3, 4);
/* Parse the LEN bytes at TEXT, a record that begins in LINE, into *out. */
bool lore_rows_parse(
    struct lore_rows *r, const char *text, size_t len, size_t line, struct lore_json **out);
/* {"key": KEY, "value": VALUE}; without KEY (NULL) VALUE, as {"value": VALUE} when it is no object.
 */
const struct lore_json *
lore_rows_wrap(struct lore_rows *r, const struct lore_json *key, struct lore_json *value);
/* An object for up to CELLS cells; ITS nodes follow it in one array. */
struct lore_json *lore_rows_object(struct lore_rows *r, size_t cells);
/* Add the cell TEXT of LEN bytes as member KEY, of which KEY_LEN bytes long; nothing for an empty
 * cell. OBJECT was made by lore_rows_object. */
void lore_rows_cell(
    struct lore_rows *r, struct lore_json *object, const char *key, const char *text, size_t len);
/* Set the columns from the N names; equal and empty ones get a number. */
void lore_rows_name(struct lore_rows *r, const char *const *names, size_t n);
/* The name of column AT, also behind the last one. */
const char *lore_rows_column(struct lore_rows *r, size_t at);

#endif
