/* The service's own key, DIR/service.key: it signs receipts and what one node checks of another, so
 * all nodes of a journal have the same one. */
#ifndef LORE_AUTH_SERVICE_KEY_H
#define LORE_AUTH_SERVICE_KEY_H

#include "service/base/hash.h"
#include "service/wire/signing.h"

struct lore_service_key {
    unsigned char key[LORE_PUBLIC_KEY], secret[LORE_SECRET_KEY];
};
/* Read DIR/service.key; with MAKE, make it when it does not exist. LORE_NOTFOUND: it does not
 * exist. LORE_CORRUPT: it is no key. LORE_FORBIDDEN: other users may read it. */
enum lore_status lore_service_key_read(
    const char *dir, bool make, struct lore_service_key *out, struct lore_err *err) LORE_MUST;
/* A hash keyed with that key, which tells it from others and nothing about it. Errors of
 * lore_service_key_read. */
enum lore_status lore_service_key_mark(const char *dir, bool make,
    unsigned char mark[LORE_HASH_BYTES], struct lore_err *err) LORE_MUST;

#endif
