/* Turns the report library's paths into requests. */
#include "collectors/client/commands/fetching.h"

#include <string.h>

#include "service/base/file.h"
#include "service/base/text.h"

static enum lore_status
get(void *ctx, const char *path, const struct lore_json **out, struct lore_err *err)
{
    struct lore_fetching *fetching = ctx;
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, path);
    int code = lore_cli_fetch(fetching->cli, &q, true, &root);
    if (code == LORE_EXIT_NO)
        return lore_fail(err, LORE_NOTFOUND, "%s: not there", path);
    if (code != LORE_EXIT_OK) {
        fetching->code = code;
        return lore_fail(err, LORE_IO, "%s: no answer", path);
    }
    *out = root;
    return LORE_OK;
}

void
lore_fetching_begin(struct lore_fetching *fetching, struct lore_cli *cli)
{
    *fetching = (struct lore_fetching){.cli = cli,
        .fetch = {.get = get, .ctx = fetching, .arena = cli->arena, .notes = &cli->err}};
}

int
lore_fetching_end(
    struct lore_fetching *fetching, enum lore_status status, const struct lore_err *err)
{
    if (status == LORE_OK)
        return LORE_EXIT_OK;
    if (fetching->code != LORE_EXIT_OK)
        return fetching->code;
    return lore_cli_error(fetching->cli,
        status == LORE_NOTFOUND  ? LORE_EXIT_NO
        : status == LORE_CORRUPT ? LORE_EXIT_SERVICE
                                 : LORE_EXIT_USAGE,
        err);
}

int
lore_cli_put(struct lore_cli *cli, const char *path, struct lore_buf *text, const char *what)
{
    struct lore_err err = {0};
    enum lore_status status = lore_buf_status(text, what, &err);

    if (status == LORE_OK && (!path || strcmp(path, "-") == 0))
        lore_buf_add(&cli->out, text->data ? text->data : "", text->len);
    else if (status == LORE_OK)
        status = lore_file_write(path, text->data ? text->data : "", text->len, 0644, &err);
    lore_buf_free(text);
    return status == LORE_OK ? LORE_EXIT_OK : lore_cli_error(cli, LORE_EXIT_USAGE, &err);
}
