/* The web page: files compiled in, found by exact path; any other address of the page itself gets
 * index.html, because the page routes within the browser. Nothing here touches the disk. */
#include "service/api/api.h"

#include <string.h>

#include "service/api/assets.h"
#include "service/base/text.h"

static const char no_page[] =
    "<!doctype html><meta charset=\"utf-8\"><title>Warplore</title>"
    "<p>This build carries no web page. The interface is at <code>/openapi.json</code>.</p>\n";

static const struct lore_asset *
find_asset(const char *path)
{
    for (const struct lore_asset *a = lore_assets; a->path != NULL; a++) {
        if (strcmp(a->path, path) == 0)
            return a;
    }
    return NULL;
}

static const char *
media_type(const char *path)
{
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"}, {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"}, {".json", "application/json"}, {".map", "application/json"},
        {".woff2", "font/woff2"}, {".png", "image/png"}, {".ico", "image/x-icon"},
        {".txt", "text/plain; charset=utf-8"}};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    }
    return "application/octet-stream";
}

enum lore_status
lore_api_page(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    /* slugs of techniques have dots: memory.vectorized_access */
    bool dot = strchr(req->path, '.') && !lore_starts(req->path, "/technique/");
    bool file = dot || lore_starts(req->path, "/assets/");
    bool api = lore_streq(req->path, "/api") || lore_starts(req->path, "/api/");
    const struct lore_asset *a = find_asset(req->path);

    if (!a && (file || api))
        return lore_fail(err, LORE_NOTFOUND, "%s: nothing here", req->path);
    resp->immutable = a != NULL && lore_starts(req->path, "/assets/"); /* named by content */
    if (!a)
        a = find_asset("/index.html");
    resp->content_type = media_type(!a ? ".html" : a->path);
    if (!a)
        lore_buf_puts(&resp->body, no_page);
    else
        lore_buf_add(&resp->body, a->bytes, a->size);
    return lore_buf_status(&resp->body, "page", err);
}
