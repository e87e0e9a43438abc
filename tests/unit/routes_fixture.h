/* A small route table for the tests of service/http, which need no handlers of the real service. */
#ifndef LORE_TESTS_UNIT_ROUTES_FIXTURE_H
#define LORE_TESTS_UNIT_ROUTES_FIXTURE_H

#include <string.h>

#include "service/http/http.h"

static inline enum lore_status
say_hello(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    (void)err;
    lore_buf_printf(&resp->body, "{\"hello\":\"%s\"}", lore_arg_text(req, "name", "world"));
    return LORE_OK;
}

static inline enum lore_status
say_thing(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    if (strcmp(req->vars[0], "gone") == 0)
        return lore_fail_at(
            err, LORE_NOTFOUND, "not_found", "id", "thing %s: no such thing", req->vars[0]);
    if (strcmp(req->vars[0], "broken") == 0)
        return lore_fail(err, LORE_IO, "/secret/path: disk on fire");
    if (strcmp(req->vars[0], "full") == 0)
        return lore_fail_at(err, LORE_BUSY, "disk_full", "", "/secret/path: disk is full");
    if (strcmp(req->vars[0], "busy") == 0)
        return lore_fail(err, LORE_BUSY, "try again");
    lore_buf_printf(&resp->body, "%s|%s", req->vars[0], req->vars[1] != NULL ? req->vars[1] : "");
    resp->content_type = "text/plain";
    return LORE_OK;
}

static inline enum lore_status
take_thing(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    (void)err;
    resp->status = 201;
    lore_buf_add(&resp->body, req->body, req->body_len);
    return LORE_OK;
}

static inline bool
always(struct lore_req *req)
{
    (void)req;
    return true;
}

static const struct lore_param hello_params[] = {
    {"name", LORE_P_TEXT, 0, 10, NULL, "who"},
    {"limit", LORE_P_INT, 1, 200, NULL, "how many"},
    {"loud", LORE_P_BOOL, 0, 0, NULL, "shout"},
    {"mood", LORE_P_ENUM, 0, 0, "good|bad", "how"},
    {"id", LORE_P_NAME, 0, 0, "kernel", "which"},
    {NULL, 0, 0, 0, NULL, NULL},
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* few rows say .pooled */
const struct lore_route lore_routes[] = {
    {LORE_GET, "/hello", LORE_PUBLIC, 0, hello_params, say_hello, "Say hello", "object"},
    {LORE_GET, "/things/latest", LORE_PUBLIC, 0, NULL, say_hello, "The latest thing", "object"},
    {LORE_GET, "/things/{id}", LORE_PUBLIC, 0, NULL, say_thing, "One thing", "object"},
    {LORE_GET, "/things/{id}/parts/{part}", LORE_PUBLIC, 0, NULL, say_thing, "A part of it",
        "object"},
    {LORE_GET, "/private", LORE_READER, 0, NULL, say_hello, "For readers", "object"},
    {LORE_GET, "/pooled", LORE_READER, 0, NULL, say_hello, "From memory", "object",
        .pooled = always},
    {LORE_POST, "/things", LORE_CONTRIBUTOR, 64, NULL, take_thing, "Take a thing", "object"},
    {LORE_DELETE, "/things/{id}", LORE_CURATOR, 0, NULL, say_hello, "Drop a thing", "object"},
    {0, NULL, 0, 0, NULL, NULL, NULL},
};
#pragma GCC diagnostic pop

#endif
