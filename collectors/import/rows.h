/* Records of files that hold rows: CSV, TSV, JSON lines, the items of one list or object of a JSON
 * document, a table in Markdown. Whatever the file is, each record is a JSON object whose members
 * are the columns, so the functions of take.h read it and what they do not read goes to `extra`.
 * Only the current record is in memory; a file may have any size. Use:
 *
 *     LORE_ROWS rows;
 *     if (lore_rows_csv(in, 0, "kernel", &rows, err) != LORE_OK)
 *         return err->status;
 *     struct lore_take take = {.in = in, .cells = rows.cells};
 *     for (; lore_rows_next(&rows); lore_take_clear(&take))
 *         … lore_take_text(&take, rows.row, "kernel", …) …
 */
#ifndef LORE_IMPORT_ROWS_H
#define LORE_IMPORT_ROWS_H

#include "collectors/import/import.h"

struct lore_rows {
    struct lore_import *in;
    /* The current record, valid until the next call. Cells of text formats that are JSON numbers
     * are NUMBER nodes (`str` has the digits as written), empty cells are absent, all others are
     * STRING nodes. A cell behind the last column is named "column_12". */
    const struct lore_json *row;
    size_t line; /* where the record begins, from 1 */
    size_t n;    /* records so far, refused ones included */
    /* JSON documents: the document with the list or object of the items empty, complete before the
     * first record. NULL elsewhere. */
    const struct lore_json *head;
    bool unfinished; /* a JSON document that ends before it is complete: `head` is what there is */
    bool cells;      /* a text format: set it in struct lore_take, too */
    const char *const *columns; /* names in file order; NULL: the format has no header */
    size_t n_columns;
    struct lore_rows_source *source; /* private */
};
/* Rows that are closed when the block ends. */
#define LORE_ROWS __attribute__((cleanup(lore_rows_close))) struct lore_rows

/* The next record. False at the end. A record that cannot be read is refused in the report with its
 * line, counted in in->records and in->refused, and passed over. */
bool lore_rows_next(struct lore_rows *r);
void lore_rows_close(struct lore_rows *r);

/* Each opens the current file of IN. LORE_INVALID: the file has no such rows. R is to be closed
 * also after a failure.
 * CSV: RFC 4180, with quotes, line breaks in quotes, BOM, CRLF; a quote that nothing closes is
 * text. SEPARATOR ',' '\t' ';' '|', 0: the one that splits the header best. Lines before the header
 * are passed over and listed as not read: HEADER is a column that the header must have (NULL: the
 * first line that is not empty is the header). A repeated header is passed over. A name that stands
 * twice gets "_1", "_2", one that is empty "column_3". */
enum lore_status lore_rows_csv(struct lore_import *in, char separator, const char *header,
    struct lore_rows *r, struct lore_err *err) LORE_MUST;
enum lore_status
lore_rows_jsonl(struct lore_import *in, struct lore_rows *r, struct lore_err *err) LORE_MUST;
/* The items of the list or object at PATH ("cache", "data.results"; "": the root). An item of an
 * object is {"key": NAME, "value": ITEM}; one of a list that is no object is {"value": ITEM}. */
enum lore_status lore_rows_json(
    struct lore_import *in, const char *path, struct lore_rows *r, struct lore_err *err) LORE_MUST;
/* The same for importers that need whole items: `row` is the item, its `key` the name, and it lives
 * until the next lore_import_flush. The items of a file that is `whole` come from its JSON, with
 * which they live; `head` is then all of it, and `line` is 0, because a refusal finds its node. */
enum lore_status lore_rows_items(
    struct lore_import *in, const char *path, struct lore_rows *r, struct lore_err *err) LORE_MUST;
/* Table NTH (from 0) of a Markdown text of at most 16 MiB; columns are cleared of `*` and
 * backticks. */
enum lore_status lore_rows_markdown(
    struct lore_import *in, size_t nth, struct lore_rows *r, struct lore_err *err) LORE_MUST;

#endif
