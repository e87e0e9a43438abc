/* Parsing of request parameters (params.h). Errors name the parameter as `path`; the hint lists
 * valid values. */
#include "service/api/params.h"

#include <stdio.h>
#include <string.h>

#include "service/base/text.h"
#include "service/wire/attempt.h"
#include "service/wire/wire.h"

const char *
lore_params_operator(const struct lore_req *req)
{
    const char *text = lore_arg_text(req, "operator", NULL);

    return !text || *text == '\0' ? NULL : lore_operator_name(req->arena, text);
}

const char *
lore_params_technique(const struct lore_req *req)
{
    const char *text = lore_arg_text(req, "technique", NULL);

    return !text || *text == '\0' ? NULL : lore_technique_slug(req->arena, text);
}

const char *
lore_params_chip_hint(struct lore_arena *arena, const char *text)
{
    const char *near = lore_chip_hint(arena, text);

    if (!near || *near == '\0')
        return "GET /api/v1/chips?all=true lists them";
    return lore_format(arena, "near: %s; GET /api/v1/chips?all=true lists them", near);
}

enum lore_status
lore_params_chip(const struct lore_req *req, const struct lore_chip **out, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "chip", NULL);
    const struct lore_chip *chip;
    enum lore_status status;

    if (!text || *text == '\0') {
        *out = NULL;
        return LORE_OK;
    }
    chip = lore_chip_find(text);
    if (chip) {
        *out = chip;
        return LORE_OK;
    }
    status = lore_fail_at(
        err, LORE_INVALID, "unknown_chip", "chip", "chip: no chip called \"%s\"", text);
    lore_err_hint(err, "%s", lore_params_chip_hint(req->arena, text));
    return status;
}

enum lore_status
lore_params_dtype(const struct lore_req *req, const char **out, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "dtype", NULL), *near = lore_workload_near_dtype(text);

    if (near) {
        enum lore_status status = lore_fail_at(err, LORE_INVALID, "unknown_dtype", "dtype",
            "dtype: no element type is called \"%s\"", text);
        lore_err_hint(err, "did you mean %s?", near);
        return status;
    }
    *out = text;
    return LORE_OK;
}

enum lore_status
lore_params_labels(const struct lore_req *req, uint32_t *out, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "bottleneck", NULL);
    bool unknown = false;
    uint32_t labels;
    enum lore_status status;

    if (!text || *text == '\0') {
        *out = 0;
        return LORE_OK;
    }
    labels = lore_labels_parse(text, &unknown);
    if (!unknown) {
        *out = labels;
        return LORE_OK;
    }
    status = lore_fail_at(
        err, LORE_INVALID, "unknown_label", "bottleneck", "bottleneck: \"%s\" is no label", text);
    lore_err_hint(err, "labels, one or joined by +: %s",
        lore_labels_text(req->arena, (UINT32_C(1) << LORE_L_COUNT) - 1));
    return status;
}

enum lore_status
lore_params_language(const struct lore_req *req, enum lore_language *out, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "language", NULL);
    LORE_BUF names = {.max = 200};
    enum lore_language language;
    enum lore_status status;

    if (!text || *text == '\0') {
        *out = LORE_LANG_NONE;
        return LORE_OK;
    }
    language = lore_language_find(text);
    if (language != LORE_LANG_NONE) {
        *out = language;
        return LORE_OK;
    }
    status = lore_fail_at(err, LORE_INVALID, "unknown_language", "language",
        "language: no language called \"%s\"", text);
    const char *known[LORE_LANG_COUNT];
    size_t n = 0;
    for (int i = LORE_LANG_NONE + 1; i < LORE_LANG_COUNT; i++) {
        known[n++] = lore_language_name(i);
        lore_buf_printf(&names, "%s%s", n == 1 ? "" : ", ", known[n - 1]);
    }
    int near = lore_nearest(text, known, n);
    if (near >= 0)
        lore_err_hint(err, "did you mean %s? languages: %s", known[near], names.data);
    else
        lore_err_hint(err, "languages: %s", names.data);
    return status;
}

enum lore_evidence
lore_params_evidence(const struct lore_req *req)
{
    const char *text = lore_arg_text(req, "evidence", NULL);

    for (int i = LORE_EV_NONE + 1; text != NULL && i < LORE_EV_COUNT; i++) {
        if (lore_streq(text, lore_evidence_name(i)))
            return i;
    }
    return LORE_EV_NONE;
}

void
lore_params_chip_names(
    struct lore_arena *arena, const struct lore_chip *chip, const char *const **names, size_t *n)
{
    size_t n_all, n_found = 0;
    const struct lore_chip *all = lore_chips(&n_all);
    const char **found = lore_alloc_array(arena, n_all, sizeof *found);

    for (size_t i = 0; i < n_all; i++) {
        if (lore_chip_covers(chip, &all[i]))
            found[n_found++] = all[i].name;
    }
    *names = found;
    *n = n_found;
}

enum lore_status
lore_params_paging(const struct lore_req *req, struct lore_paging *out, struct lore_err *err)
{
    const char *cursor = lore_arg_text(req, "cursor", NULL), *number = cursor;
    struct lore_err ignored;
    long long at = 0;

    if (cursor && out->sort && lore_starts(cursor, lore_format(req->arena, "%s@", out->sort)))
        number = strrchr(cursor, '@') + 1;
    else if (cursor && *cursor && out->sort)
        number = "0"; /* of another order */
    if (cursor && *cursor != '\0' &&
        (lore_parse_i64(number, "cursor", &at, &ignored) != LORE_OK || at <= 0)) {
        enum lore_status status = lore_fail_at(
            err, LORE_INVALID, "bad_cursor", "cursor", "cursor: not a cursor of this service");
        lore_err_hint(err, "pass the `next` of the previous answer, with the same `sort`");
        return status;
    }
    out->at = at;
    out->limit = (size_t)lore_arg_i64(req, "limit", LORE_PAGE_DEFAULT);
    return LORE_OK;
}

enum lore_status
lore_params_list(const struct lore_req *req, struct lore_paging *paging, struct lore_list_filter *f,
    struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_language language = LORE_LANG_NONE;
    struct lore_page page = {0};
    enum lore_status status = lore_params_page(req, paging, &page, err);

    if (status == LORE_OK)
        status = lore_params_chip(req, &chip, err);
    if (status == LORE_OK)
        status = lore_params_language(req, &language, err);
    if (status != LORE_OK)
        return status;
    *f = (struct lore_list_filter){.op = lore_params_operator(req),
        .language = language != LORE_LANG_NONE ? lore_language_name(language) : NULL,
        .project = lore_arg_text(req, "project", NULL),
        .kind = lore_arg_text(req, "kind", NULL),
        .kernel = lore_arg_text(req, "kernel", NULL),
        .version = lore_arg_text(req, "version", NULL),
        .workload = lore_arg_text(req, "workload", NULL),
        .technique = lore_params_technique(req),
        .chip = chip ? chip->name : NULL,
        .error_type = lore_params_error_type(req),
        .path = lore_arg_text(req, "path", NULL),
        .metric = lore_arg_text(req, "metric", NULL),
        .subject = lore_arg_text(req, "subject", NULL),
        .action = lore_arg_text(req, "action", NULL),
        .verdict = lore_arg_text(req, "verdict", NULL),
        .state = lore_arg_text(req, "state", NULL),
        .page = page};
    return LORE_OK;
}

size_t
lore_paging_rows(const struct lore_paging *paging, size_t n, bool *more)
{
    *more = n > paging->limit;
    return *more ? paging->limit : n;
}

void
lore_paging_open(struct lore_jsonw *w, struct lore_resp *resp)
{
    lore_jsonw_begin(w, &resp->body, false);
    lore_jsonw_only(w, LORE_ROW_LEVEL, resp->only, resp->n_only);
    lore_w_obj(w);
    lore_w_key(w, "rows");
}

void
lore_paging_begin(struct lore_jsonw *w, struct lore_resp *resp)
{
    lore_paging_open(w, resp);
    lore_w_arr(w);
}

void
lore_paging_next(struct lore_jsonw *w, const char *sort, bool more, int64_t at)
{
    char text[240]; /* a parameter has 200 bytes at most */

    snprintf(text, sizeof text, "%s%s%lld", sort ? sort : "", sort ? "@" : "", (long long)at);
    lore_w_kstr(w, "next", more ? text : NULL);
}

void
lore_paging_end(struct lore_jsonw *w, bool more, int64_t at)
{
    lore_w_arr_end(w);
    lore_paging_next(w, NULL, more, at);
}

enum lore_status
lore_paging_done(struct lore_jsonw *w, bool more, int64_t at, struct lore_err *err)
{
    lore_paging_end(w, more, at);
    lore_w_obj_end(w);
    return lore_jsonw_end(w, err);
}

enum lore_status
lore_params_body(const struct lore_req *req, struct lore_json **out, struct lore_err *err)
{
    struct lore_json *root = NULL;
    enum lore_status status =
        lore_json_parse(!req->body ? "" : req->body, req->body_len, NULL, req->arena, &root, err);

    if (status != LORE_OK)
        return status;
    if (root->type != LORE_J_OBJECT)
        return lore_fail_at(err, LORE_INVALID, "wrong_type", "$", "$: expected object, got %s",
            lore_json_type_name(root->type));
    *out = root;
    return LORE_OK;
}

const char *
lore_params_error_type(const struct lore_req *req)
{
    const char *text = lore_arg_text(req, "error_type", NULL);
    const struct lore_attempt_error *e = lore_attempt_error_find(text);

    return e ? e->type : text;
}
