/* Enrolling agents and checking their signatures. Rows of auth.db are cached for less than a
 * second, like those of tokens: a busy agent costs one lookup per second, and a revoked agent is
 * refused within one. Unknown ids are not cached, so a new agent works at once. */
#include "service/auth/agents.h"

#include <inttypes.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "db/auth_change.h"
#include "service/auth/agents_limits.h"
#include "service/auth/labels.h"
#include "service/auth/service_key.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/base/xalloc.h"

#define CACHE_SLOTS 1024
/* Less than the promised second, which leaves time for a slow lookup. */
#define CACHE_US 800000
#define CODE_BYTES 24

struct cached {
    char id[LORE_ULID_SIZE], label[LORE_LABEL_MAX + 8];
    unsigned char key[LORE_PUBLIC_KEY];
    int64_t enrolled_us, revoked_us;
    int64_t read_ticks; /* when the row was read; 0: the slot is empty */
};

struct lore_agents {
    pthread_mutex_t lock; /* guards the cache */
    struct lore_auth_db *db;
    struct lore_agents_limits *limits;
    char *dir;
    struct lore_service_key key;
    struct cached cache[CACHE_SLOTS];
};

enum lore_status
lore_agents_open(const char *dir, struct lore_agents **out, struct lore_err *err)
{
    struct lore_agents *g = lore_xalloc(sizeof *g);
    struct lore_auth_db *db = NULL;
    enum lore_status status;

    pthread_mutex_init(&g->lock, NULL);
    g->dir = lore_xstrdup(dir);
    g->limits = lore_agents_limits_new();
    /* A read-only connection cannot create the file, so a writing one does. */
    status = lore_auth_open(dir, true, &db, err);
    lore_auth_close(db);
    if (status == LORE_OK)
        status = lore_auth_open(dir, false, &g->db, err);
    if (status == LORE_OK)
        status = lore_service_key_read(dir, true, &g->key, err);
    if (status == LORE_OK)
        *out = g;
    else
        lore_agents_close(g);
    return status;
}

void
lore_agents_close(struct lore_agents *g)
{
    if (!g)
        return;
    lore_auth_close(g->db);
    lore_agents_limits_free(g->limits);
    pthread_mutex_destroy(&g->lock);
    lore_xfree(g->dir);
    sodium_memzero(g, sizeof *g);
    lore_xfree(g);
}

const unsigned char *
lore_agents_key(const struct lore_agents *g)
{
    return g->key.key;
}

const unsigned char *
lore_agents_secret(const struct lore_agents *g)
{
    return g->key.secret;
}

/* ---- checking a signature ---- */

static struct cached *
slot_of(struct lore_agents *g, const char *id)
{
    unsigned h = 0;

    for (const char *p = id; *p != '\0'; p++)
        h = h * 31 + (unsigned char)*p;
    return &g->cache[h % CACHE_SLOTS];
}

static void
fill_slot(struct cached *c, const struct lore_agent_row *row, int64_t ticks)
{
    memset(c, 0, sizeof *c);
    strncat(c->id, row->id, sizeof c->id - 1);
    strncat(c->label, row->label, sizeof c->label - 1);
    memcpy(c->key, row->key, sizeof c->key);
    c->enrolled_us = row->enrolled_us;
    c->revoked_us = row->revoked_us;
    c->read_ticks = ticks;
}

enum lore_status
lore_agents_get(struct lore_agents *g, const char *id, struct lore_arena *arena,
    struct lore_agent_row *out, struct lore_err *err)
{
    struct cached *c = slot_of(g, id);
    /* Read the clock before the lookup, so that a slow lookup cannot make the cached row last
     * longer. */
    int64_t now = lore_ticks_us();
    enum lore_status status;
    struct cached known;

    pthread_mutex_lock(&g->lock);
    known = *c;
    pthread_mutex_unlock(&g->lock);
    if (known.read_ticks != 0 && strcmp(known.id, id) == 0 && now - known.read_ticks <= CACHE_US) {
        *out = (struct lore_agent_row){.id = lore_strdup(arena, known.id),
            .label = lore_strdup(arena, known.label),
            .enrolled_us = known.enrolled_us,
            .revoked_us = known.revoked_us};
        memcpy(out->key, known.key, sizeof out->key);
        return LORE_OK;
    }
    if ((status = lore_db_auth_agent(g->db, id, arena, out, err)) != LORE_OK)
        return status;
    pthread_mutex_lock(&g->lock);
    fill_slot(c, out, now);
    pthread_mutex_unlock(&g->lock);
    return LORE_OK;
}

static enum lore_status
refuse(struct lore_agents *g, const char *agent, const char *code, const char *msg,
    const char *hint, struct lore_err *err)
{
    (void)lore_fail_at(err, LORE_UNAUTHENTICATED, code, "", "%s", msg);
    lore_err_hint(err, "%s", hint);
    if (g)
        lore_agents_limits_refused(g->limits, agent, code);
    return LORE_UNAUTHENTICATED;
}

static bool
is_skewed(int64_t created)
{
    int64_t off = lore_now_us() / 1000000 - created;

    return off > LORE_BATCH_SKEW_S || off < -LORE_BATCH_SKEW_S;
}

/* Seconds since 1970, as digits without a leading zero: each time has one spelling, so that a
 * signature covers one text only. */
static bool
read_created(const char *text, int64_t *out)
{
    long long v = 0;

    if (text[0] < '1' || text[0] > '9' || strlen(text) > 12 ||
        strspn(text, "0123456789") != strlen(text) ||
        lore_parse_i64(text, "created", &v, NULL) != LORE_OK)
        return false;
    *out = v;
    return true;
}

enum lore_status
lore_agents_check(struct lore_agents *g, const struct lore_sign_headers *h,
    struct lore_arena *arena, struct lore_agent_row *out, struct lore_err *err)
{
    static const char wrong[] = "the signature is not accepted";
    static const char enroll[] =
        "check that the agent is enrolled with this service and signs with its own key";
    struct lore_sign_request r = {.agent = h->agent,
        .batch = h->batch,
        .method = h->method,
        .path = h->path,
        .digest = h->digest};
    unsigned char signature[LORE_SIGNATURE];
    struct lore_agent_row who = {0};
    enum lore_status status;

    if (!h->agent || !h->batch || !h->created || !h->digest || !h->signature)
        return refuse(NULL, NULL, "no_signature", "this address needs a signed request",
            "send Warplore-Agent, -Batch, -Created, -Digest and -Signature", err);
    if (!lore_ulid_valid(h->agent) || !read_created(h->created, &r.created) ||
        !lore_signing_bytes(h->signature, signature, sizeof signature))
        return refuse(g, NULL, "bad_signature", wrong, enroll, err);
    status = lore_agents_get(g, h->agent, arena, &who, err);
    if (status != LORE_OK && status != LORE_NOTFOUND)
        return status;
    if (status == LORE_NOTFOUND || !lore_signing_batch_ok(who.key, &r, signature))
        return refuse(g, status == LORE_OK ? who.id : NULL, "bad_signature", wrong, enroll, err);
    if (who.revoked_us != 0)
        return refuse(g, who.id, "agent_revoked", "this agent was revoked",
            "enroll it again with a new code", err);
    if (is_skewed(r.created))
        return refuse(g, who.id, "clock_skew",
            "Warplore-Created: more than 300 seconds off the service's clock",
            "set the agent's clock; the header Date of this answer is the service's time", err);
    *out = who;
    return LORE_OK;
}

/* ---- enrolling ---- */

enum lore_status
lore_agents_code(struct lore_auth_db *db, const char *label, int minutes, char text[LORE_CODE_SIZE],
    struct lore_err *err)
{
    unsigned char secret[CODE_BYTES], hash[32];
    int64_t now = lore_now_us();
    enum lore_status status = label != NULL ? lore_label_check(label, err) : LORE_OK;

    if (status != LORE_OK)
        return status;
    randombytes_buf(secret, sizeof secret);
    memcpy(text, "wle_", 4);
    sodium_bin2base64(text + 4, LORE_CODE_SIZE - 4, secret, sizeof secret,
        sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(secret, sizeof secret);
    lore_hash(text, LORE_CODE_SIZE - 1, hash);
    return lore_auth_apply(db,
        &(struct lore_auth_change){.kind = LORE_AUTH_CODE_MADE,
            .at_us = now,
            .code = hash,
            .label = label,
            .expires_us = now + (int64_t)minutes * 60 * 1000000},
        err);
}

static void
close_auth(struct lore_auth_db **db)
{
    lore_auth_close(*db);
}

static enum lore_status
use_code(struct lore_agents *g, const char *code, struct lore_agent_row *agent,
    struct lore_arena *arena, struct lore_err *err)
{
    __attribute__((cleanup(close_auth))) struct lore_auth_db *db = NULL;
    unsigned char hash[32];
    char id[LORE_ULID_SIZE];
    enum lore_status status = lore_auth_open(g->dir, true, &db, err);

    if (status != LORE_OK)
        return status;
    lore_hash(code, strlen(code), hash);
    lore_ulid_new(id);
    agent->id = lore_strdup(arena, id);
    agent->enrolled_us = lore_now_us();
    agent->revoked_us = 0;
    return lore_db_auth_enroll(db, hash, agent, arena, &agent->label, err);
}

enum lore_status
lore_agents_enroll(struct lore_agents *g, const struct lore_guess *guess,
    struct lore_agent_row *agent, struct lore_arena *arena, int *wait_s, struct lore_err *err)
{
    enum lore_status status = lore_agents_may_guess(g->limits, guess->address, wait_s, err);

    if (status != LORE_OK)
        return status;
    status = use_code(g, guess->code, agent, arena, err);
    if (status != LORE_FORBIDDEN)
        lore_agents_guessed(g->limits, guess->address);
    return status;
}

enum lore_status
lore_agents_drop(struct lore_agents *g, const char *id, struct lore_err *err)
{
    __attribute__((cleanup(close_auth))) struct lore_auth_db *db = NULL;
    enum lore_status status = lore_auth_open(g->dir, true, &db, err);

    return status == LORE_OK
               ? lore_auth_apply(
                     db, &(struct lore_auth_change){.kind = LORE_AUTH_AGENT_DROPPED, .id = id}, err)
               : status;
}

enum lore_status
lore_agents_has(struct lore_agents *g, const char *id, bool *has, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_agent_row row;
    enum lore_status status = lore_db_auth_agent(g->db, id, &a, &row, err);

    *has = status == LORE_OK;
    return status == LORE_NOTFOUND ? LORE_OK : status;
}

enum lore_status
lore_agents_list(struct lore_agents *g, struct lore_arena *arena, struct lore_agent_row **out,
    size_t *n, struct lore_err *err)
{
    return lore_db_auth_agents(g->db, arena, out, n, err);
}

struct lore_agents_limits *
lore_agents_limits(struct lore_agents *g)
{
    return g->limits;
}
