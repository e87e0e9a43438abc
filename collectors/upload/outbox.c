/* Puts documents into the spool and signs them together with their sequence number. So a host that
 * was offline for days delivers the original signatures. A document spooled before enrolment, or by
 * a replaced identity, is signed when it is sent; until then the spool's checksum protects it. */
#include "collectors/upload/outbox.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "service/base/file.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/wire/wire.h"

const char *
lore_outbox_dir(struct lore_arena *arena)
{
    const char *own = getenv("WARPLORE_STATE");
    const char *xdg = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");

    if (own && *own)
        return lore_strdup(arena, own);
    if (xdg && *xdg)
        return lore_format(arena, "%s/warplore", xdg);
    if (home && *home)
        return lore_format(arena, "%s/.local/state/warplore", home);
    return "/var/lib/warplore-agent";
}

enum lore_status
lore_outbox_reload_identity(struct lore_outbox *o, struct lore_err *err)
{
    struct lore_upload_identity who = {0};
    struct lore_err why = {0};

    lore_arena_reset(&o->arena);
    enum lore_status status = lore_identity_load(o->state, &o->arena, &who, &why);
    o->enrolled = status == LORE_OK;
    o->who = who;
    sodium_memzero(&who, sizeof who);
    if (status == LORE_OK || status == LORE_NOTFOUND)
        return LORE_OK;
    if (err)
        *err = why;
    return status;
}

enum lore_status
lore_outbox_open(const char *state, const struct lore_spool_limits *limits,
    struct lore_outbox **out, struct lore_err *err)
{
    struct lore_outbox *o = lore_xalloc(sizeof *o);
    enum lore_status status = LORE_OK;
    char spool[sizeof o->state + 8];

    if ((size_t)snprintf(o->state, sizeof o->state, "%s", state) >= sizeof o->state)
        status =
            lore_fail(err, LORE_INVALID, "%.60s…: the state directory's name is too long", state);
    if (status == LORE_OK)
        status = lore_mkdirs(state, 0700, err);
    snprintf(spool, sizeof spool, "%s/spool", o->state);
    if (status == LORE_OK)
        status = lore_spool_open(spool, limits, &o->spool, err);
    if (status != LORE_OK) {
        lore_outbox_close(o);
        return status;
    }
    /* without a usable key documents wait unsigned; draining reports the error */
    if (lore_outbox_reload_identity(o, NULL) != LORE_OK)
        o->enrolled = false;
    *out = o;
    return LORE_OK;
}

void
lore_outbox_close(struct lore_outbox *o)
{
    if (!o)
        return;
    lore_spool_close(o->spool);
    sodium_memzero(&o->who, sizeof o->who);
    lore_arena_free(&o->arena);
    lore_xfree(o);
}

struct lore_spool *
lore_outbox_spool(struct lore_outbox *o)
{
    return o->spool;
}

struct adding {
    const struct lore_outbox *o;
    const void *document;
    size_t n;
};

static enum lore_status
fill(void *ctx, uint64_t seq, struct lore_buf *payload, struct lore_err *err)
{
    const struct adding *a = ctx;
    unsigned char signature[LORE_SIGNATURE];
    char text[LORE_SIGNATURE_TEXT];

    (void)err;
    if (a->o->enrolled) {
        lore_signing_record(a->o->who.secret_key, a->o->who.id, seq, a->document, a->n, signature);
        lore_signing_text(signature, sizeof signature, text);
        lore_buf_printf(payload, "{\"agent\":\"%s\",\"signature\":\"%s\"}\n", a->o->who.id, text);
    } else {
        lore_buf_puts(payload, "{}\n");
    }
    lore_buf_add(payload, a->document, a->n);
    return LORE_OK;
}

enum lore_status
lore_outbox_add(
    struct lore_outbox *o, const void *document, size_t n, uint64_t *seq, struct lore_err *err)
{
    struct adding a = {o, document, n};

    if (n == 0)
        return lore_fail(err, LORE_INVALID, "an empty document is not sent");
    if (n > LORE_WIRE_SENT)
        return lore_fail_at(err, LORE_TOOBIG, "document_too_big", "",
            "the document has %zu bytes; an agent sends at most %zu", n, (size_t)LORE_WIRE_SENT);
    return lore_spool_add_built(o->spool, fill, &a, seq, err);
}

bool
lore_envelope_read(const struct lore_outbox *o, const struct lore_spool_item *item,
    struct lore_arena *arena, struct lore_envelope *out)
{
    const char *payload = (const char *)item->payload;
    const char *end = memchr(payload, '\n', item->n < 256 ? item->n : 256);
    const char *agent = NULL, *signature = NULL;
    struct lore_envelope e = {.seq = item->seq};
    struct lore_json *root = NULL;

    if (!end ||
        lore_json_parse(payload, (size_t)(end - payload), NULL, arena, &root, NULL) != LORE_OK)
        return false;
    if (root->type != LORE_J_OBJECT || lore_json_text(root, "agent", &agent, NULL) != LORE_OK ||
        lore_json_text(root, "signature", &signature, NULL) != LORE_OK)
        return false;
    e.document = end + 1;
    e.n = item->n - (size_t)(e.document - payload);
    e.is_signed =
        o->enrolled && lore_streq(agent, o->who.id) &&
        lore_signing_bytes(signature, e.signature, sizeof e.signature) &&
        lore_signing_record_ok(o->who.public_key, o->who.id, e.seq, e.document, e.n, e.signature);
    if (e.n == 0)
        return false;
    *out = e;
    return true;
}
