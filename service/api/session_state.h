/* How gains come in the sessions of the memory (recommend/session.h). */
#ifndef LORE_API_SESSION_STATE_H
#define LORE_API_SESSION_STATE_H

#include "service/http/http.h"
#include "service/recommend/session.h"

/* Learn it from the newest attempts, or take it from the cache while the memory has grown by less
 * than 2 %. */
enum lore_status lore_session_now(
    struct lore_req *req, struct lore_session_model *out, struct lore_err *err) LORE_MUST;

#endif
