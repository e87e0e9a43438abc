/* The provider's keys, and its people (oidc.h). Keys are read by a thread of its own, because the
 * stacks of the threads that answer are too small for TLS, and so that a slow provider delays
 * nobody whose key is known. */
#include "service/auth/oidc.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "service/auth/jwt.h"
#include "service/auth/labels.h"
#include "service/base/buf.h"
#include "service/base/clock.h"
#include "service/base/guard.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"

#define BODY_MAX (256u << 10)
#define FETCH_MS 5000L
#define HOUR_S 3600
#define AGAIN_S 60
#define WAIT_S 3 /* how long a request waits for new keys */

struct lore_oidc {
    struct lore_oidc_config config;
    int (*role_rank)(const char *);
    pthread_t thread;
    bool running;
    pthread_mutex_t lock;        /* guards the rest */
    pthread_cond_t wanted, read; /* a request wants new keys; they were read, or could not be */
    struct lore_jwt_keys *keys;  /* NULL: none yet */
    int64_t asked_us;            /* when the last attempt to read them began; 0: none yet */
    bool reading, wants, stop;
};

/* ---- reading the keys ---- */

static size_t
take(char *p, size_t size, size_t n, void *to)
{
    struct lore_buf *out = to;

    lore_buf_add(out, p, size * n);
    return lore_buf_status(out, "the answer", NULL) == LORE_OK ? size * n : 0;
}

static bool
is_local(const char *url)
{
    return lore_starts(url, "http://127.0.0.1:") || lore_starts(url, "http://localhost:");
}

static enum lore_status
get(const char *url, struct lore_buf *out, struct lore_err *err)
{
    CURL *h = curl_easy_init();
    CURLcode rc = CURLE_FAILED_INIT;
    long http = 0;

    lore_buf_reset(out);
    if (h) {
        curl_easy_setopt(h, CURLOPT_URL, url);
        curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, is_local(url) ? "http" : "https");
        curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);
        curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(h, CURLOPT_TIMEOUT_MS, FETCH_MS);
        curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, take);
        curl_easy_setopt(h, CURLOPT_WRITEDATA, out);
        rc = curl_easy_perform(h);
        curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &http);
        curl_easy_cleanup(h);
    }
    if (rc != CURLE_OK)
        return lore_fail(err, LORE_IO, "%.120s: %s", url, curl_easy_strerror(rc));
    if (http != 200)
        return lore_fail(err, LORE_IO, "%.120s: HTTP %ld", url, http);
    return LORE_OK;
}

/* The address of the keys, from the provider's description of itself. */
static enum lore_status
discover(const struct lore_oidc *o, struct lore_buf *body, struct lore_arena *arena,
    const char **uri, struct lore_err *err)
{
    const char *issuer = o->config.issuer, *said = NULL;
    size_t n = strlen(issuer);
    struct lore_json *root = NULL;
    enum lore_status status = get(lore_format(arena, "%.*s/.well-known/openid-configuration",
                                      (int)(n - (issuer[n - 1] == '/')), issuer),
        body, err);

    if (status == LORE_OK)
        status = lore_json_parse(body->data ? body->data : "", body->len, NULL, arena, &root, err);
    if (status == LORE_OK)
        status = lore_json_text(root, "issuer", &said, err);
    if (status == LORE_OK)
        status = lore_json_text(root, "jwks_uri", uri, err);
    if (status != LORE_OK)
        return status;
    if (!lore_streq(said, issuer))
        return lore_fail(err, LORE_INVALID, "%.120s calls itself %.80s", issuer, said ? said : "-");
    if (!*uri || !(lore_starts(*uri, "https://") || (is_local(issuer) && is_local(*uri))))
        return lore_fail(err, LORE_INVALID, "%.120s: its jwks_uri is not https", issuer);
    return LORE_OK;
}

static enum lore_status
read_keys(struct lore_oidc *o, struct lore_jwt_keys **out, struct lore_err *err)
{
    LORE_SCRATCH arena = {0};
    LORE_BUF body = {.max = BODY_MAX};
    const char *uri = NULL;
    enum lore_status status = discover(o, &body, &arena, &uri, err);

    if (status == LORE_OK)
        status = get(uri, &body, err);
    return status == LORE_OK ? lore_jwt_keys_read(body.data ? body.data : "", body.len, out, err)
                             : status;
}

/* Wait until keys are due: hourly, or a minute after the last attempt when they are wanted or there
 * are none. Called with the lock held. False: stop. */
static bool
wait_until_due(struct lore_oidc *o)
{
    while (!o->stop) {
        bool soon = o->wants || !o->keys;
        int64_t due_us = o->asked_us + (soon ? AGAIN_S : HOUR_S) * INT64_C(1000000);
        int64_t left_us = o->asked_us == 0 ? 0 : due_us - lore_ticks_us();
        struct timespec until;

        if (left_us <= 0)
            return true;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += left_us / 1000000 + 1;
        pthread_cond_timedwait(&o->wanted, &o->lock, &until);
    }
    return false;
}

static void *
keep_keys(void *ctx)
{
    struct lore_oidc *o = ctx;

    pthread_mutex_lock(&o->lock);
    while (wait_until_due(o)) {
        struct lore_jwt_keys *keys = NULL, *old = NULL;
        struct lore_err err = {0};
        enum lore_status status;

        o->asked_us = lore_ticks_us();
        o->reading = true;
        o->wants = false;
        pthread_mutex_unlock(&o->lock);
        status = read_keys(o, &keys, &err);
        if (status != LORE_OK)
            lore_log(LORE_WARN, "oidc_keys", "error", err.msg, NULL);
        pthread_mutex_lock(&o->lock);
        if (status == LORE_OK) {
            old = o->keys;
            o->keys = keys;
        }
        lore_jwt_keys_free(old);
        o->reading = false;
        pthread_cond_broadcast(&o->read);
    }
    pthread_mutex_unlock(&o->lock);
    return NULL;
}

/* ---- groups ---- */

/* The role that GROUP has: N bytes in *LEN of the configured text; NULL: none. */
static const char *
role_of(const struct lore_oidc *o, const char *group, size_t *len)
{
    size_t n = strlen(group);

    for (const char *p = o->config.groups; *p != '\0';) {
        size_t part = strcspn(p, ",");

        p += strspn(p, " ,");
        part = strcspn(p, ",");
        if (part > n && p[n] == '=' && strncmp(p, group, n) == 0) {
            *len = part - n - 1;
            return p + n + 1;
        }
        p += part;
    }
    return NULL;
}

static const char *
higher(const struct lore_oidc *o, const char *role, const char *group, struct lore_arena *arena)
{
    size_t n = 0;
    const char *text = role_of(o, group, &n);
    const char *other = text ? lore_strndup(arena, text, n) : NULL;

    if (!other)
        return role;
    if (role && o->role_rank(role) == LORE_OIDC_BOUND && o->role_rank(other) == LORE_OIDC_BOUND)
        return lore_format(arena, "%s,%s", role, other);
    return !role || o->role_rank(other) > o->role_rank(role) ? other : role;
}

static const char *
find_role(const struct lore_oidc *o, const struct lore_json *claims, struct lore_arena *arena)
{
    const struct lore_json *groups = lore_json_get(claims, o->config.claim);
    const char *role = NULL;

    if (groups && groups->type == LORE_J_STRING)
        return higher(o, NULL, groups->str, arena);
    for (const struct lore_json *g = groups && groups->type == LORE_J_ARRAY ? groups->child : NULL;
         g; g = g->next)
        if (g->type == LORE_J_STRING)
            role = higher(o, role, g->str, arena);
    return role;
}

static enum lore_status
check_groups(const struct lore_oidc *o, struct lore_err *err)
{
    LORE_SCRATCH arena = {0};

    for (const char *p = o->config.groups; *p != '\0';) {
        size_t part;
        const char *eq;

        p += strspn(p, " ,");
        part = strcspn(p, ",");
        eq = memchr(p, '=', part);
        if (part > 0 &&
            (!eq || eq == p ||
                o->role_rank(lore_strndup(&arena, eq + 1, part - (size_t)(eq - p) - 1)) == 0))
            return lore_fail_at(err, LORE_INVALID, "invalid_option", "oidc_groups",
                "oidc_groups: expected group=role, got %.*s", (int)(part < 60 ? part : 60), p);
        p += part;
    }
    return LORE_OK;
}

/* ---- people ---- */

bool
lore_oidc_looks(const char *authorization)
{
    return authorization && strncasecmp(authorization, "Bearer ", 7) == 0 &&
           strncmp(authorization + 7, "wl_", 3) != 0 && lore_jwt_looks(authorization + 7);
}

/* Have the keys read again and wait for them, unless that was done a moment ago. Called with the
 * lock held. */
static void
renew(struct lore_oidc *o)
{
    struct timespec until;

    if (!o->reading && lore_ticks_us() - o->asked_us < AGAIN_S * INT64_C(1000000))
        return;
    o->wants = o->reading = true;
    pthread_cond_signal(&o->wanted);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += WAIT_S;
    while (o->reading && !o->stop && pthread_cond_timedwait(&o->read, &o->lock, &until) == 0)
        continue;
}

/* Check the signature, with new keys when its key is unknown. */
static enum lore_status
verify(struct lore_oidc *o, const struct lore_jwt *t, struct lore_err *err)
{
    LORE_LOCKED(&o->lock);
    enum lore_status status = LORE_NOTFOUND;

    if (o->keys && (status = lore_jwt_verify(t, o->keys, err)) != LORE_NOTFOUND)
        return status;
    renew(o);
    if (!o->keys)
        return lore_fail_at(err, LORE_BUSY, "no_keys", "",
            "the identity provider's keys could not be read yet; try again");
    status = lore_jwt_verify(t, o->keys, err);
    return status != LORE_NOTFOUND ? status
                                   : lore_fail_at(err, LORE_UNAUTHENTICATED, "bad_token", "",
                                         "the token is signed with an unknown key");
}

static const char *
label_of(const struct lore_json *claims, const char *role, const char *otherwise)
{
    static const char *const names[] = {"preferred_username", "email", NULL};

    for (const char *const *name = names; *name; name++) {
        const char *text = NULL;

        if (lore_json_text(claims, *name, &text, NULL) == LORE_OK && text &&
            lore_label_check_role(text, role, NULL) == LORE_OK)
            return text;
    }
    return otherwise;
}

enum lore_status
lore_oidc_check(struct lore_oidc *o, const char *authorization, struct lore_arena *arena,
    struct lore_identity *out, struct lore_err *err)
{
    const struct lore_jwt_wanted wanted = {
        o->config.issuer, o->config.audience, lore_now_us() / 1000000};
    const char *sub = NULL;
    struct lore_jwt t;
    enum lore_status status = lore_jwt_read(authorization + 7, arena, &t, err);

    if (status == LORE_OK)
        status = verify(o, &t, err);
    if (status == LORE_OK)
        status = lore_jwt_check(&t, &wanted, err);
    if (status != LORE_OK)
        return status;
    if (lore_json_text(t.claims, "sub", &sub, NULL) != LORE_OK || !sub || *sub == '\0' ||
        lore_label_check(sub, NULL) != LORE_OK)
        return lore_fail_at(err, LORE_UNAUTHENTICATED, "bad_token", "",
            "the token names no subject that can own records");
    out->role = find_role(o, t.claims, arena);
    if (!out->role) {
        status = lore_fail_at(
            err, LORE_FORBIDDEN, "forbidden", "", "none of the token's groups has a role here");
        lore_err_hint(err, "an administrator lists groups under `oidc_groups`");
        return status;
    }
    out->id = lore_format(arena, "%s|%s", o->config.issuer, sub);
    out->label = label_of(t.claims, out->role, out->id);
    return LORE_OK;
}

/* ---- start and stop ---- */

static enum lore_status
check_config(const struct lore_oidc *o, struct lore_err *err)
{
    const struct lore_oidc_config *c = &o->config;

    if (!lore_starts(c->issuer, "https://") && !is_local(c->issuer))
        return lore_fail_at(err, LORE_INVALID, "invalid_option", "oidc_issuer",
            "oidc_issuer: expected an https address");
    if (!c->audience || *c->audience == '\0')
        return lore_fail_at(err, LORE_INVALID, "missing_option", "oidc_audience",
            "oidc_audience: needed with oidc_issuer");
    return check_groups(o, err);
}

enum lore_status
lore_oidc_start(const struct lore_oidc_config *c, int (*role_rank)(const char *),
    struct lore_oidc **out, struct lore_err *err)
{
    struct lore_oidc *o = lore_xalloc(sizeof *o);
    enum lore_status status;

    o->config = *c;
    o->config.groups = c->groups ? c->groups : "";
    o->role_rank = role_rank;
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->wanted, NULL);
    pthread_cond_init(&o->read, NULL);
    status = check_config(o, err);
    if (status == LORE_OK && curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        status = lore_fail(err, LORE_IO, "libcurl does not start");
    if (status == LORE_OK && pthread_create(&o->thread, NULL, keep_keys, o) != 0)
        status = lore_fail(err, LORE_IO, "cannot start a thread");
    o->running = status == LORE_OK;
    if (status == LORE_OK)
        *out = o;
    else
        lore_oidc_stop(o);
    return status;
}

void
lore_oidc_stop(struct lore_oidc *o)
{
    if (!o)
        return;
    pthread_mutex_lock(&o->lock);
    o->stop = true;
    pthread_cond_broadcast(&o->wanted);
    pthread_cond_broadcast(&o->read);
    pthread_mutex_unlock(&o->lock);
    if (o->running)
        pthread_join(o->thread, NULL);
    lore_jwt_keys_free(o->keys);
    pthread_cond_destroy(&o->wanted);
    pthread_cond_destroy(&o->read);
    pthread_mutex_destroy(&o->lock);
    lore_xfree(o);
}
