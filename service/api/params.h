/* Parsing of request parameters: names are resolved to canonical ones here, and an unknown name is
 * an error with a hint. Also the cursors of lists. */
#ifndef LORE_API_PARAMS_H
#define LORE_API_PARAMS_H

#include "db/store.h"
#include "service/base/jsonw.h"
#include "service/catalogue/catalogue.h"
#include "service/http/http.h"
#include "service/wire/record.h"

#define LORE_PAGE_DEFAULT 50
#define LORE_PAGE_MAX 200

/* The canonical operator of parameter `operator`, or NULL. An unknown operator becomes its slug, so
 * that the answer is empty. */
const char *lore_params_operator(const struct lore_req *req);
/* The slug of parameter `technique`, or NULL. */
const char *lore_params_technique(const struct lore_req *req);
/* Parameter `chip`; NULL when not given. An unknown name fails with code unknown_chip, and the hint
 * lists the nearest names. */
enum lore_status lore_params_chip(
    const struct lore_req *req, const struct lore_chip **out, struct lore_err *err) LORE_MUST;
/* Parameter `dtype`; NULL when not given. A misspelt one fails with code unknown_dtype. */
enum lore_status
lore_params_dtype(const struct lore_req *req, const char **out, struct lore_err *err) LORE_MUST;
/* Parameter `bottleneck` as bits. An unknown label fails with code unknown_label. */
enum lore_status
lore_params_labels(const struct lore_req *req, uint32_t *out, struct lore_err *err) LORE_MUST;
/* Parameter `language`. An unknown name fails with code unknown_language. */
enum lore_status lore_params_language(
    const struct lore_req *req, enum lore_language *out, struct lore_err *err) LORE_MUST;
/* Parameter `evidence`: one of the class names (the route's ENUM checked it); NONE when not given.
 */
enum lore_evidence lore_params_evidence(const struct lore_req *req);
/* Hint for an unknown chip name: "near: a6000, h100-sxm; …", never empty. */
const char *lore_params_chip_hint(struct lore_arena *arena, const char *text);
/* Every chip name that a filter on CHIP must match (lore_chip_covers). */
void lore_params_chip_names(
    struct lore_arena *arena, const struct lore_chip *chip, const char *const **names, size_t *n);

/* The parameters `cursor` and `limit`. A page asks the store for one row more than it shows, so
 * that `next` is null exactly at the end. */
struct lore_paging {
    int64_t at;       /* seq or offset to go on from; 0: the start */
    size_t limit;     /* rows to show */
    const char *sort; /* which its cursors name: "-chip@17"; NULL: they are numbers */
};
/* Read them into OUT, whose sort the caller has set. */
enum lore_status lore_params_paging(
    const struct lore_req *req, struct lore_paging *out, struct lore_err *err) LORE_MUST;
/* Parse TEXT, the time NAME: "2026-11-24", "2026-11-24T08:00:00Z", or how long ago: "36h", "7d".
 * NULL and "" leave *OUT (sorting.c). */
enum lore_status lore_params_time(const struct lore_req *req, const char *name, const char *text,
    int64_t *out, struct lore_err *err) LORE_MUST;
/* Read `cursor`, `limit`, `sort`, `author`, `since` and `until` into PAGING and PAGE (sorting.c). A
 * list can be sorted by the members of its rows that the database has as columns; unknown_sort
 * lists them. */
enum lore_status lore_params_page(const struct lore_req *req, struct lore_paging *paging,
    struct lore_page *page, struct lore_err *err) LORE_MUST;
/* Read PAGING, and fill F from the parameters that have the names of its members (`operator` for
 * op).
 */
enum lore_status lore_params_list(const struct lore_req *req, struct lore_paging *paging,
    struct lore_list_filter *f, struct lore_err *err) LORE_MUST;
/* Define the handlers of a list and of one record. Both write the database's rows unchanged. */
#define LORE_LIST_HANDLER(name, plural, noun, object)                                              \
    enum lore_status name(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)      \
    {                                                                                              \
        struct lore_##noun##_row *rows = NULL;                                                     \
        struct lore_list_filter f;                                                                 \
        struct lore_paging paging;                                                                 \
        size_t n = 0;                                                                              \
        enum lore_status status = lore_params_list(req, &paging, &f, err);                         \
                                                                                                   \
        if (status == LORE_OK)                                                                     \
            status = lore_db_list_##plural(req->db, &f, req->arena, &rows, &n, err);               \
        if (status != LORE_OK)                                                                     \
            return status;                                                                         \
        return lore_reply_rows(resp, &(object), rows, n, &paging, err);                            \
    }
#define LORE_GET_HANDLER(name, noun, object)                                                       \
    enum lore_status name(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)      \
    {                                                                                              \
        struct lore_##noun##_row row = {0};                                                        \
        enum lore_status status =                                                                  \
            lore_db_get_##noun(req->db, req->vars[0], req->arena, &row, err);                      \
                                                                                                   \
        return status == LORE_OK ? lore_reply_object(resp, &(object), &row, err) : status;         \
    }
/* Give ERR the hint "did you mean chip? WHAT: id, chip, …" for NAME, which is none of the N names
 * V.
 */
void lore_params_hint(struct lore_err *err, struct lore_arena *arena, const char *name,
    const char *const *v, size_t n, const char *what);
/* Cut N fetched rows down to the limit: *more says whether any were left. */
size_t lore_paging_rows(const struct lore_paging *paging, size_t n, bool *more);
/* A list reply: `{"rows":[` … rows … `],"next":cursor|null}`. lore_paging_end leaves the object
 * open for further members; lore_paging_done finishes the reply. */
enum { LORE_ROW_LEVEL = 3 }; /* nesting level of the objects in `rows` */
void lore_paging_open(struct lore_jsonw *w, struct lore_resp *resp); /* as far as `"rows":` */
void lore_paging_begin(struct lore_jsonw *w, struct lore_resp *resp);
/* `"next":cursor|null` */
void lore_paging_next(struct lore_jsonw *w, const char *sort, bool more, int64_t at);
void lore_paging_end(struct lore_jsonw *w, bool more, int64_t at);
enum lore_status
lore_paging_done(struct lore_jsonw *w, bool more, int64_t at, struct lore_err *err) LORE_MUST;

/* A parsed JSON object body. */
enum lore_status lore_params_body(
    const struct lore_req *req, struct lore_json **out, struct lore_err *err) LORE_MUST;

/* masked.c: with `unmasked=true`, fail with LORE_NOTFOUND, code masked, when experiment ID is
 * hidden. The message has author and reason. */
enum lore_status
lore_params_require_visible(struct lore_req *req, const char *id, struct lore_err *err) LORE_MUST;
/* The parameter error_type: a stored type, or the word that `try` has for it; NULL: not given. */
const char *lore_params_error_type(const struct lore_req *req);

#endif
