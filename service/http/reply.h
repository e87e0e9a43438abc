/* The head of a reply as bytes: status line, security headers, validators, caching. Pure. */
#ifndef LORE_HTTP_REPLY_H
#define LORE_HTTP_REPLY_H

#include "service/http/http.h"

/* Append the head, blank line included, for RESP with its body. CLOSE: the connection ends here. */
void lore_reply_head(
    const struct lore_resp *resp, const char *request_id, bool close, struct lore_buf *out);

#endif
