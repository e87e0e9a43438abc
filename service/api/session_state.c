/* Learns the state of sessions from the newest attempts in memory (recommend/session.h). */
#include "service/api/session_state.h"

#include <math.h>

#include "db/attempt.h"
#include "db/cached_number.h"
#include "service/api/attempts.h"

enum {
    NEWEST = 2000,
    PER_GROWTH = 50 /* learned again when the memory grew by a factor of e^(1/50), 2 % */
};

/* The numbers of S, by which the cache stores them. */
enum { NUMBERS = LORE_SESSION_TERMS + 1 };

static const char *
name_of(struct lore_req *req, int64_t newest, size_t i)
{
    return lore_format(
        req->arena, "session.%.0f.%zu", floor(PER_GROWTH * log1p((double)newest)), i);
}

static struct lore_session_attempt
read_attempt(const struct lore_repeats_attempt *a, struct lore_arena *arena)
{
    struct lore_session_attempt out = {.kernel = a->kernel, .gained = a->end == LORE_ATTEMPT_GAIN};
    const char **names = lore_alloc_array(arena, a->idea.n_uses + 1, sizeof *names);

    for (size_t i = 0; i < a->idea.n_uses; i++)
        names[out.n++] = a->idea.uses[i].technique;
    out.techniques = names;
    return out;
}

static enum lore_status
learn(struct lore_req *req, struct lore_session_model *out, struct lore_err *err)
{
    struct lore_attempts all = {0};
    size_t n = 0;
    enum lore_status status = lore_attempts_load(
        req, &(struct lore_attempts_scope){.newest = true, .max = NEWEST}, &all, err);

    if (status != LORE_OK)
        return status;
    struct lore_session_attempt *v = lore_alloc_array(req->arena, all.n + 1, sizeof *v);
    for (size_t i = 0; i < all.n; i++)
        if (all.v[i].end != LORE_ATTEMPT_PENDING && all.v[i].idea.from_version)
            v[n++] = read_attempt(&all.v[i], req->arena);
    lore_session_learn(v, n, req->arena, out);
    return LORE_OK;
}

enum lore_status
lore_session_now(struct lore_req *req, struct lore_session_model *out, struct lore_err *err)
{
    double *number[NUMBERS] = {&out->base};
    int64_t newest = 0;
    bool known = true;
    enum lore_status status = lore_db_newest_experiment(req->db, &newest, err);

    for (size_t i = 0; i < LORE_SESSION_TERMS; i++)
        number[i + 1] = &out->w[i];
    for (size_t i = 0; i < NUMBERS && known; i++)
        known = lore_cached_number(req->db, "", name_of(req, newest, i), req->arena, number[i]);
    if (status != LORE_OK || known)
        return status;
    status = learn(req, out, err);
    for (size_t i = 0; i < NUMBERS && status == LORE_OK; i++)
        lore_cache_number(req->db, "", name_of(req, newest, i), req->arena, *number[i]);
    return status;
}
