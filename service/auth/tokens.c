/* Making, parsing and checking tokens. The id in the text of a token finds its row. The hash of the
 * secret decides and is compared in constant time. A fast hash is safe because the secret has 256
 * random bits.
 *
 * Rows are cached for less than a second: a busy client costs one lookup per second, and a revoked
 * token is refused within one. Unknown ids are not cached, so a new token works at once. */
#include "service/auth/tokens.h"

#include <pthread.h>
#include <sodium.h>
#include <string.h>
#include <strings.h>

#include "db/auth_change.h"
#include "db/store.h"
#include "service/auth/labels.h"
#include "service/auth/rights.h"
#include "service/base/clock.h"
#include "service/base/guard.h"
#include "service/base/hash.h"
#include "service/base/xalloc.h"

#define SECRET_BYTES 32
#define CACHE_SLOTS 256
/* Less than the promised second, which leaves time for a slow lookup. */
#define CACHE_US 800000

struct cached {
    char id[LORE_TOKEN_ID + 1];
    char label[LORE_LABEL_MAX + 1], role[LORE_RIGHTS_MAX + 1];
    unsigned char hash[32];
    int64_t expires_us, revoked_us;
    int64_t read_ticks; /* when the row was read; 0: the slot is empty */
};

struct lore_tokens {
    pthread_mutex_t lock; /* guards the connection and the cache */
    struct lore_auth_db *db;
    struct cached cache[CACHE_SLOTS];
};

enum lore_status
lore_tokens_open(const char *dir, struct lore_tokens **out, struct lore_err *err)
{
    struct lore_auth_db *db = NULL;
    struct lore_tokens *t;
    enum lore_status status;

    /* A read-only connection cannot create the file, so a writing one does. */
    if ((status = lore_auth_open(dir, true, &db, err)) != LORE_OK)
        return status;
    lore_auth_close(db);
    if ((status = lore_auth_open(dir, false, &db, err)) != LORE_OK)
        return status;
    t = lore_xalloc(sizeof *t);
    pthread_mutex_init(&t->lock, NULL);
    t->db = db;
    *out = t;
    return LORE_OK;
}

void
lore_tokens_close(struct lore_tokens *t)
{
    if (!t)
        return;
    lore_auth_close(t->db);
    pthread_mutex_destroy(&t->lock);
    sodium_memzero(t, sizeof *t);
    lore_xfree(t);
}

enum lore_status
lore_token_split(
    const char *text, char id[LORE_TOKEN_ID + 1], unsigned char hash[32], struct lore_err *err)
{
    unsigned char secret[SECRET_BYTES];
    size_t n = 0;
    const char *end = NULL;

    if (strlen(text) != LORE_TOKEN_SIZE - 1 || strncmp(text, "wl_", 3) != 0 ||
        strspn(text + 3, "0123456789abcdef") < LORE_TOKEN_ID || text[3 + LORE_TOKEN_ID] != '_')
        return lore_fail_at(err, LORE_INVALID, "bad_token", "", "not shaped like a token");
    if (sodium_base642bin(secret, sizeof secret, text + 4 + LORE_TOKEN_ID, 43, NULL, &n, &end,
            sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
        n != SECRET_BYTES || *end != '\0')
        return lore_fail_at(err, LORE_INVALID, "bad_token", "", "not shaped like a token");
    memcpy(id, text + 3, LORE_TOKEN_ID);
    id[LORE_TOKEN_ID] = '\0';
    lore_hash(secret, sizeof secret, hash);
    sodium_memzero(secret, sizeof secret);
    return LORE_OK;
}

enum lore_status
lore_token_make(struct lore_auth_db *db, const char *role, const char *label, int days,
    char text[LORE_TOKEN_SIZE], struct lore_err *err)
{
    unsigned char raw[LORE_TOKEN_ID / 2], secret[SECRET_BYTES];
    char id[LORE_TOKEN_ID + 1];
    struct lore_token_row row = {.id = id, .label = label, .role = role};
    enum lore_status status = label[0] != '\0' ? lore_label_check_role(label, role, err) : LORE_OK;

    if (status != LORE_OK)
        return status;
    randombytes_buf(raw, sizeof raw);
    randombytes_buf(secret, sizeof secret);
    lore_hex(raw, sizeof raw, id);
    lore_hash(secret, sizeof secret, row.hash);
    row.created_us = lore_now_us();
    if (days > 0)
        row.expires_us = row.created_us + (int64_t)days * 86400 * 1000000;
    status = lore_auth_apply(db,
        &(struct lore_auth_change){
            .kind = LORE_AUTH_TOKEN_MADE, .at_us = row.created_us, .token = &row},
        err);
    if (status == LORE_OK) {
        memcpy(text, "wl_", 3);
        memcpy(text + 3, id, LORE_TOKEN_ID);
        text[3 + LORE_TOKEN_ID] = '_';
        sodium_bin2base64(text + 4 + LORE_TOKEN_ID, 44, secret, sizeof secret,
            sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    }
    sodium_memzero(secret, sizeof secret);
    return status;
}

static struct cached *
slot_of(struct lore_tokens *t, const char *id)
{
    unsigned h = 0;

    /* The id is random, so eight of its digits fill the slots evenly. */
    for (int i = 0; i < 8; i++)
        h = h * 31 + (unsigned char)id[i];
    return &t->cache[h % CACHE_SLOTS];
}

static void
fill_slot(struct cached *c, const struct lore_token_row *row, int64_t ticks)
{
    memset(c, 0, sizeof *c);
    strncat(c->id, row->id, sizeof c->id - 1);
    strncat(c->label, row->label != NULL ? row->label : "", sizeof c->label - 1);
    strncat(c->role, row->role, sizeof c->role - 1);
    memcpy(c->hash, row->hash, sizeof c->hash);
    c->expires_us = row->expires_us;
    c->revoked_us = row->revoked_us;
    c->read_ticks = ticks;
}

/* The row of ID, from the cache or the file. */
static enum lore_status
look_up(struct lore_tokens *t, const char *id, struct lore_arena *arena, struct cached *out,
    struct lore_err *err)
{
    LORE_LOCKED(&t->lock);
    struct cached *c = slot_of(t, id);
    struct lore_token_row row = {0};
    /* Read the clock before the lookup, so that a slow lookup cannot make the cached row last
     * longer. */
    int64_t now = lore_ticks_us();
    enum lore_status status;

    if (c->read_ticks == 0 || strcmp(c->id, id) != 0 || now - c->read_ticks > CACHE_US) {
        status = lore_auth_get(t->db, id, arena, &row, err);
        if (status != LORE_OK)
            return status;
        fill_slot(c, &row, now);
    }
    *out = *c;
    return LORE_OK;
}

static enum lore_status
refuse(struct lore_err *err)
{
    enum lore_status status =
        lore_fail_at(err, LORE_UNAUTHENTICATED, "bad_token", "", "the token is not accepted");

    lore_err_hint(
        err, "it may be mistyped, expired or revoked; ask an administrator for a new one");
    return status;
}

enum lore_status
lore_tokens_check(struct lore_tokens *t, const char *authorization, struct lore_arena *arena,
    struct lore_identity *out, struct lore_err *err)
{
    char id[LORE_TOKEN_ID + 1];
    unsigned char hash[32];
    struct cached c = {0};
    struct lore_err why = {0};
    enum lore_status status;

    if (!authorization) {
        status =
            lore_fail_at(err, LORE_UNAUTHENTICATED, "no_token", "", "this address needs a token");
        lore_err_hint(err, "send the header Authorization: Bearer wl_…");
        return status;
    }
    if (strncasecmp(authorization, "Bearer ", 7) != 0 ||
        lore_token_split(authorization + 7, id, hash, &why) != LORE_OK)
        return refuse(err);
    status = look_up(t, id, arena, &c, &why);
    if (status != LORE_OK && status != LORE_NOTFOUND) {
        if (err != NULL)
            *err = why;
        return status;
    }
    /* An unknown id is compared with zeroes, so that its refusal takes as long as that of a wrong
     * secret. */
    if (sodium_memcmp(hash, c.hash, sizeof hash) != 0 || status == LORE_NOTFOUND ||
        c.revoked_us != 0 || (c.expires_us != 0 && lore_now_us() >= c.expires_us))
        return refuse(err);
    out->id = lore_strdup(arena, c.id);
    out->label = lore_strdup(arena, c.label);
    out->role = lore_strdup(arena, c.role);
    return LORE_OK;
}
