/* Reads the output of `GET /api/v1/export`: one JSON object per line, {"seq", "id", "text"}. The
 * text is a document exactly as it was submitted. It is sent unchanged, so that ids and hashes stay
 * the same. A line without text stands for a document that the exporting service withheld. The
 * importer counts it. The receiving service will refuse records that refer to it. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/tree.h"
#include "collectors/import/wiki/gpu_wiki.h"
#include "collectors/import/window.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

bool
lore_warplore_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    return f && lore_tree_is_export(f->head);
}

/* Set the id of the document in RAW and its number of records of each kind. The parse tree is freed
 * before the return. */
static enum lore_status
count_records(struct lore_import *in, struct lore_import_raw *raw, struct lore_err *err)
{
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;

    enum lore_status status =
        lore_json_parse(raw->text, raw->len, &lore_wire_limits, &arena, &root, err);
    if (status == LORE_OK && !lore_wiki_text(root, "id"))
        status = lore_fail(err, LORE_INVALID, "text: not a Warplore document");
    for (int k = 0; k < LORE_K_COUNT && status == LORE_OK; k++) {
        const struct lore_json *list = lore_json_get(root, lore_kind_plural((enum lore_kind)k));
        raw->records[k] = list && list->type == LORE_J_ARRAY ? list->len : 0;
    }
    if (status == LORE_OK)
        raw->id = lore_strdup(in->arena, lore_wiki_text(root, "id"));
    lore_arena_free(&arena);
    return status;
}

/* Read one row of an export, which is on line LINE of the file. */
static void
read_row(struct lore_import *in, const struct lore_json *row, size_t line)
{
    const struct lore_json *body = lore_json_get(row, "text");
    struct lore_import_raw raw = {0};
    struct lore_err err = {0};

    if (!body || body->type != LORE_J_STRING) {
        lore_import_note(in, LORE_IL_EXTRA, "the exporting service withheld a document");
        in->withheld++;
        return;
    }
    raw.text = body->str;
    raw.len = body->len;
    if (count_records(in, &raw, &err) != LORE_OK)
        lore_import_refuse_line(in, line, "seq %s: %s",
            lore_json_get(row, "seq") ? lore_json_get(row, "seq")->str : "?", err.msg);
    else
        *LORE_PUSH(in->arena, in->raw, in->n_raw, in->cap_raw) = raw;
}

static void
read_line(struct lore_import *in, const char *text, size_t len, size_t line)
{
    struct lore_json *node = NULL;
    struct lore_err err = {0};
    enum lore_status status = lore_json_parse(text, len, &lore_wire_limits, in->arena, &node, &err);
    const struct lore_json *rows = status == LORE_OK ? lore_json_get(node, "rows") : NULL;

    if (rows) { /* a page of the API: {"rows": […]} */
        for (const struct lore_json *r = rows->child; r; r = r->next) {
            in->records++;
            read_row(in, r, line);
        }
        return;
    }
    in->records++;
    if (status == LORE_OK && node->type == LORE_J_OBJECT)
        read_row(in, node, line);
    else
        lore_import_refuse_line(in, line, "%s", err.msg[0] ? err.msg : "expected an object");
}

enum lore_status
lore_warplore_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_feed feed;
    struct lore_window w;
    const char *text;
    size_t n, line;

    enum lore_status status = lore_feed_open(in, &feed, err);
    if (status != LORE_OK)
        return status;
    lore_window_open(&w, &feed);
    w.max = LORE_WINDOW_DOCUMENT;
    while (status == LORE_OK && lore_window_next_line(&w, &text, &n, &line)) {
        if (n == w.max)
            read_line(in, "", 0, line);
        else if (n > 0 && strspn(text, " \t\r") < n)
            read_line(in, text, n, line);
        status = lore_import_flush(in, err);
    }
    if (status == LORE_OK && w.err.status != LORE_OK)
        status = lore_fail(err, w.err.status, "%s", w.err.msg);
    lore_window_close(&w);
    if (status != LORE_OK)
        return status;
    if (in->records == 0)
        return lore_fail(err, LORE_INVALID, "the file holds no line of an export");
    return LORE_OK;
}
