/* The head of a reply as bytes: status line, security headers, validators, caching. Pure. */
#ifndef LORE_HTTP_REPLY_H
#define LORE_HTTP_REPLY_H

#include "service/http/http.h"

/* Append the head of RESP to OUT, up to and with the blank line. CLOSE: the connection closes after
 * this reply. */
void lore_reply_head(
    const struct lore_resp *resp, const char *request_id, bool close, struct lore_buf *out);

#endif
