/* `warplore export --all`: every document that the service may give away, in the order of
 * arrival. `warplore import` into an empty service then stores the same facts. Pages are freed
 * once written. The output goes to a temporary file that is renamed at the end, so that half an
 * export is never mistaken for a whole one. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/client/ask/fetch.h"
#include "collectors/client/commands/export.h"
#include "collectors/client/screen/print.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

struct exporting {
    struct lore_cli *cli;
    FILE *file; /* NULL: cli->out */
    int64_t after;
    bool more;
    unsigned long long documents, withheld;
};

static int
put_line(struct exporting *e, const struct lore_json *row)
{
    struct lore_buf line = {.max = 64u << 20};
    struct lore_err err = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &line, false);
    lore_w_node(&w, row);
    if (lore_jsonw_end(&w, &err) != LORE_OK) {
        lore_buf_free(&line);
        return lore_cli_error(e->cli, LORE_EXIT_SERVICE, &err);
    }
    lore_buf_putc(&line, '\n');
    bool good = true;
    if (e->file)
        good = fwrite(line.data, 1, line.len, e->file) == line.len;
    else
        lore_buf_add(&e->cli->out, line.data, line.len);
    lore_buf_free(&line);
    return good ? LORE_EXIT_OK
                : lore_cli_say(e->cli, LORE_EXIT_USAGE, "the export: %s", strerror(errno));
}

static int
put_rows(struct exporting *e, const struct lore_json *root)
{
    int code = LORE_EXIT_OK;
    const char *next = lore_fetch_text(root, "next");
    long long after = 0;

    for (const struct lore_json *r = lore_fetch_first(root, "rows"); r && code == LORE_EXIT_OK;
         r = r->next) {
        if (lore_fetch_bool(r, "withheld")) {
            const char *id = lore_fetch_text(r, "id");
            e->withheld++;
            lore_buf_printf(&e->cli->err,
                "warplore: %s: withheld, its licence forbids redistribution\n",
                id ? id : "a document");
        } else {
            e->documents++;
        }
        code = put_line(e, r);
    }
    e->more = next != NULL;
    if (code != LORE_EXIT_OK || !next)
        return code;
    if (lore_parse_i64(next, "next", &after, NULL) != LORE_OK || after <= e->after)
        return lore_cli_say(e->cli, LORE_EXIT_SERVICE, "the service repeats a page");
    e->after = after;
    return code;
}

/* Fetch and write one page, in an arena of its own. */
static int
put_page(struct exporting *e)
{
    struct lore_cli *cli = e->cli;
    struct lore_arena page = {.limit = (size_t)1 << 30}, *outer = cli->arena;
    struct lore_json *root = NULL;
    struct lore_query q;
    char after[24];

    (void)snprintf(after, sizeof after, "%" PRId64, e->after);
    lore_query_start(&q, "/api/v1/export");
    lore_query_add(&q, "after", e->after > 0 ? after : NULL);
    cli->arena = &page;
    int code = lore_cli_fetch(cli, &q, false, &root);
    if (code == LORE_EXIT_OK)
        code = put_rows(e, root);
    cli->arena = outer;
    lore_arena_free(&page);
    return code;
}

static int
put_pages(struct exporting *e)
{
    int code;

    do
        code = put_page(e);
    while (code == LORE_EXIT_OK && e->more);
    return code;
}

/* Move the file into place: afterwards it is complete and on the disk, or not there. */
static int
finish(struct exporting *e, const char *part, const char *path, int code)
{
    bool good = fflush(e->file) == 0 && fsync(fileno(e->file)) == 0;

    good = fclose(e->file) == 0 && good;
    if (code == LORE_EXIT_OK && (!good || rename(part, path) != 0))
        code = lore_cli_say(e->cli, LORE_EXIT_USAGE, "%s: %s", path, strerror(errno));
    if (code != LORE_EXIT_OK)
        (void)unlink(part);
    return code;
}

int
lore_export_all(struct lore_cli *cli, const char *path)
{
    struct exporting e = {.cli = cli};
    const char *part = path ? lore_format(cli->arena, "%s.part", path) : NULL;

    if (path && strcmp(path, "-") != 0) {
        e.file = fopen(part, "w");
        if (!e.file)
            return lore_cli_say(cli, LORE_EXIT_USAGE, "%s: %s", part, strerror(errno));
    }
    int code = put_pages(&e);
    if (e.file)
        code = finish(&e, part, path, code);
    if (code == LORE_EXIT_OK)
        lore_buf_printf(&cli->err, "warplore: %s, %llu withheld\n",
            lore_answer_show_count(cli, (long long)e.documents, "document", "documents"),
            e.withheld);
    return code;
}
