/* Makes the headers of a signed request, dated by the service's clock. */
#include <inttypes.h>

#include "collectors/upload/outbox.h"
#include "service/base/clock.h"
#include "service/base/hash.h"

void
lore_signed_headers(struct lore_sender *s, const char *batch, const char *method, const char *path,
    const struct lore_buf *body, const char *headers[LORE_SIGNED_HEADERS])
{
    unsigned char signature[LORE_SIGNATURE];
    char digest[LORE_HASH_HEX], text[LORE_SIGNATURE_TEXT];
    struct lore_sign_request r = {.agent = s->o->who.id,
        .batch = batch,
        .created = lore_now_us() / 1000000 + s->o->offset_s,
        .method = method,
        .path = path,
        .digest = digest};

    lore_hash_hex(body ? body->data : "", body ? body->len : 0, digest);
    lore_signing_batch(s->o->who.secret_key, &r, signature);
    lore_signing_text(signature, sizeof signature, text);
    headers[0] = lore_format(&s->arena, "Warplore-Agent: %s", r.agent);
    headers[1] = lore_format(&s->arena, "Warplore-Batch: %s", r.batch);
    headers[2] = lore_format(&s->arena, "Warplore-Created: %" PRId64, r.created);
    headers[3] = lore_format(&s->arena, "Warplore-Digest: %s", digest);
    headers[4] = lore_format(&s->arena, "Warplore-Signature: %s", text);
}
