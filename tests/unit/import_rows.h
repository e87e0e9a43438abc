/* Reads a text through a reader of rows, in one piece or in pieces of a few bytes, and writes each
 * row as a line: "3 {"a":1}". For the unit tests and the fuzz targets. */
#ifndef LORE_TESTS_UNIT_IMPORT_ROWS_H
#define LORE_TESTS_UNIT_IMPORT_ROWS_H

#include <string.h>

#include "collectors/import/feed.h"
#include "collectors/import/rows.h"
#include "service/base/buf.h"
#include "service/wire/build.h"

struct rows_case {
    const char *reader; /* "csv", "jsonl", "json", "markdown" */
    char separator;
    const char *header, *path;
    size_t nth;
    size_t piece; /* bytes of a piece; 0: the reader's choice */
};

static enum lore_status
rows_piece(struct lore_feed *f, const char **bytes, size_t *n, struct lore_err *err)
{
    const size_t *piece = f->source;

    (void)err;
    *bytes = f->text + f->at;
    *n = f->len - f->at < *piece ? f->len - f->at : *piece;
    f->at += *n;
    return LORE_OK;
}

static enum lore_status
rows_rewind(struct lore_feed *f, struct lore_err *err)
{
    (void)err;
    f->at = 0;
    return LORE_OK;
}

static inline enum lore_status
rows_open(
    struct lore_import *in, const struct rows_case *c, struct lore_rows *r, struct lore_err *err)
{
    if (strcmp(c->reader, "csv") == 0)
        return lore_rows_csv(in, c->separator, c->header, r, err);
    if (strcmp(c->reader, "jsonl") == 0)
        return lore_rows_jsonl(in, r, err);
    if (strcmp(c->reader, "json") == 0)
        return lore_rows_json(in, c->path, r, err);
    return lore_rows_markdown(in, c->nth, r, err);
}

/* Append the rows of TEXT to OUT, then the head and what was refused. IN gets the counts. */
static inline enum lore_status
rows_read(struct lore_arena *arena, const struct rows_case *c, const char *text, size_t len,
    struct lore_import *in, struct lore_buf *out, struct lore_err *err)
{
    struct lore_import_file *file = lore_alloc(arena, sizeof *file);
    struct lore_feed feed = {
        .next = rows_piece, .rewind = rows_rewind, .source = (void *)&c->piece, .text = text};
    LORE_ROWS r = {.in = NULL};

    *file = (struct lore_import_file){.path = "rows", .text = text, .len = len};
    *in = (struct lore_import){.arena = arena, .unit = "rows"};
    lore_import_open(in, file);
    feed.len = len;
    if (c->piece > 0)
        in->feed = &feed;
    enum lore_status status = rows_open(in, c, &r, err);
    while (status == LORE_OK && lore_rows_next(&r)) {
        const char *json = lore_build_verbatim(arena, r.row, NULL, NULL);
        lore_buf_printf(out, "%zu %s\n", r.line, json ? json : "too long");
    }
    if (status == LORE_OK && r.head)
        lore_buf_printf(out, "head %s%s\n", lore_build_verbatim(arena, r.head, NULL, NULL),
            r.unfinished ? " unfinished" : "");
    for (size_t i = 0; i < in->lists[LORE_IL_ERRORS].n; i++)
        lore_buf_printf(out, "refused %s\n", in->lists[LORE_IL_ERRORS].v[i]);
    in->feed = NULL;
    return status;
}

#endif
