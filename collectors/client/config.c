/* Reads the settings from three sources in a fixed order. Each setting remembers its source, so
 * that `warplore doctor` can print it. */
#include "collectors/client/config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/client/args.h"
#include "collectors/import/yamlfile.h"
#include "collectors/upload/http.h"
#include "service/base/buf.h"
#include "service/base/file.h"
#include "service/base/text.h"

#define CONFIG_MAX (8u << 10)
#define TOKEN_MAX 4096u

static const char *
config_path(struct lore_arena *arena)
{
    const char *xdg = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");

    if (xdg && *xdg)
        return lore_format(arena, "%s/warplore/config.yaml", xdg);
    if (home && *home)
        return lore_format(arena, "%s/.config/warplore/config.yaml", home);
    return NULL;
}

static enum lore_status
take_key(struct lore_client_config *out, const struct lore_json *member, struct lore_err *err)
{
    static const char *const names[] = {"url", "token", "author", "project"};
    enum { N = sizeof names / sizeof *names };
    const char **fields[N] = {&out->url, &out->token, &out->author, &out->project};
    const char **from[N] = {&out->url_from, &out->token_from};

    for (size_t i = 0; i < N; i++) {
        if (strcmp(member->key, names[i]) != 0)
            continue;
        if (from[i])
            *from[i] = "the configuration file";
        return lore_json_text(member->parent, member->key, fields[i], err);
    }
    enum lore_status status = lore_fail_at(
        err, LORE_INVALID, "unknown_key", member->key, "%s: unknown setting", member->key);
    int near = lore_nearest(member->key, names, N);
    if (near >= 0)
        lore_err_hint(err, "did you mean %s?", names[near]);
    else
        lore_err_hint(err, "settings are url, token, author, project");
    return status;
}

static enum lore_status
load_file(struct lore_client_config *out, struct lore_arena *arena, struct lore_err *err)
{
    struct lore_buf text = {.max = CONFIG_MAX};
    struct lore_json *root = NULL;
    struct stat sb;

    if (!out->file || stat(out->file, &sb) != 0)
        return LORE_OK;
    out->file_found = true;
    out->file_readable_by_others = (sb.st_mode & (S_IRGRP | S_IROTH)) != 0;
    enum lore_status status = lore_file_read(out->file, &text, err);
    if (status == LORE_OK)
        status = lore_buf_status(&text, out->file, err);
    if (status == LORE_OK)
        status =
            lore_yamlfile_parse(text.data ? text.data : "", text.len, out->file, arena, &root, err);
    lore_buf_free(&text);
    if (status != LORE_OK || root->type == LORE_J_NULL)
        return status;
    if (root->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "%s: expected settings like `url: …`", out->file);
    for (const struct lore_json *m = root->child; m && status == LORE_OK; m = m->next)
        status = take_key(out, m, err);
    if (status != LORE_OK)
        lore_args_err_in(err, out->file);
    return status;
}

static enum lore_status
load_token_file(const char *path, struct lore_arena *arena, struct lore_client_config *out,
    struct lore_err *err)
{
    struct lore_buf text = {.max = TOKEN_MAX};
    enum lore_status status = lore_file_read(path, &text, err);

    if (status == LORE_OK)
        status = lore_buf_status(&text, path, err);
    if (status != LORE_OK)
        lore_args_err_in(err, "--token-file");
    if (status == LORE_OK) {
        size_t len = strcspn(text.data ? text.data : "", " \t\r\n");
        if (len == 0)
            status = lore_fail(err, LORE_INVALID, "--token-file: %s holds no token", path);
        else
            out->token = lore_strndup(arena, text.data, len);
        out->token_from = "--token-file";
    }
    lore_buf_free(&text);
    return status;
}

static const char *
without_slash(struct lore_arena *arena, const char *url)
{
    size_t n = strlen(url);
    while (n > 0 && url[n - 1] == '/')
        n--;
    return lore_strndup(arena, url, n);
}

enum lore_status
lore_config_load(const struct lore_args *args, struct lore_arena *arena,
    struct lore_client_config *out, struct lore_err *err)
{
    memset(out, 0, sizeof *out);
    out->url = "http://127.0.0.1:8787";
    out->url_from = "the default";
    out->file = config_path(arena);
    enum lore_status status = load_file(out, arena, err);
    if (status != LORE_OK)
        return status;
    const char *url = getenv("WARPLORE_URL");
    const char *token = getenv("WARPLORE_TOKEN");
    if (url && *url) {
        out->url = url;
        out->url_from = "WARPLORE_URL";
    }
    if (token && *token) {
        out->token = token;
        out->token_from = "WARPLORE_TOKEN";
    }
    if (lore_args_get(args, "url")) {
        out->url = lore_args_get(args, "url");
        out->url_from = "--url";
    }
    if (lore_args_get(args, "token-file"))
        status = load_token_file(lore_args_get(args, "token-file"), arena, out, err);
    if (status != LORE_OK)
        return status;
    if (!lore_starts(out->url, "http://") && !lore_starts(out->url, "https://")) {
        status = lore_fail_at(err, LORE_INVALID, "usage", "url",
            "%s: the service's address must begin with http:// or https://", out->url);
        if (!strstr(out->url, "://"))
            lore_err_hint(err, "did you mean http://%s?", out->url);
        return status;
    }
    out->url = without_slash(arena, out->url);
    return LORE_OK;
}

enum lore_status
lore_config_may_send(const char *url, struct lore_err *err)
{
    return lore_http_may_send(url, err);
}
