/* Decisions as curation records: handlers submit them like any other document, so that they are
 * stored, exported and undone in the same way. */
#ifndef LORE_API_CURATE_H
#define LORE_API_CURATE_H

#include "service/api/object.h"
#include "service/base/json.h"
#include "service/http/http.h"
#include "service/wire/wire.h"

/* Submit the N curations at C as one document of the request's actor; those without an id get one
 * here. Returns after the commit. CURATOR: accept them with a curator's rights whatever the
 * caller's role, for decisions that the service computed. *again (may be NULL): all were stored
 * before under these ids. */
enum lore_status lore_curate_submit(struct lore_req *req, struct lore_curation *c, size_t n,
    bool curator, bool *again, struct lore_err *err) LORE_MUST;
/* Store one decision about the record that the path names, and answer with the curation's id: 201,
 * or 200 when it was stored before. LORE_NOTFOUND unless the record is there and of KIND
 * (LORE_K_COUNT: of any). */
enum lore_status lore_curate_one(struct lore_req *req, struct lore_resp *resp,
    struct lore_curation *c, enum lore_kind kind, struct lore_err *err) LORE_MUST;
/* Read the request's body by the table TAKES, whose rows are struct lore_curation. The reason, 1 to
 * 2000 bytes of text, is required. A caller that gives an id can retry without deciding twice.
 * *body is for members that the table does not read. */
enum lore_status lore_curate_body(const struct lore_req *req, const struct lore_object *takes,
    struct lore_json **body, struct lore_curation *c, struct lore_err *err) LORE_MUST;

#endif
