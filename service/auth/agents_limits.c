/* Rate limits of agents, in memory only. A restart resets them, which allows ten more guesses at a
 * code of 192 random bits. Times are ticks, so that setting the clock does not lift a limit. */
#include "service/auth/agents_limits.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "service/base/buckets.h"
#include "service/base/clock.h"
#include "service/base/ulid.h"
#include "service/base/xalloc.h"

#define MINUTE_US (60 * INT64_C(1000000))
#define GUESSES 10    /* wrong codes a minute */
#define IN_FLIGHT 16  /* batches; each may hold 32 MiB, without its parsed form */
#define REPORTS 10    /* refusals reported within a minute, of all agents */
#define REMEMBERED 64 /* reports, so that the same one is not repeated within a minute */

struct report {
    char agent[LORE_ULID_SIZE], code[32];
    int64_t ticks; /* 0: empty */
};

struct lore_agents_limits {
    struct lore_buckets *guesses; /* wrong codes, by address */
    pthread_mutex_t lock;         /* guards the rest */
    char in_flight[IN_FLIGHT][LORE_ULID_SIZE];
    struct report reports[REMEMBERED]; /* a ring */
    size_t next_report;
    int64_t minute_start, minute_reports; /* of the current minute: its start, reports in it */
    lore_agents_refusal *fn;
    void *ctx;
    struct lore_agents_stats stats; /* in_flight is computed on request */
};

struct lore_agents_limits *
lore_agents_limits_new(void)
{
    struct lore_agents_limits *l = lore_xalloc(sizeof *l);

    l->guesses = lore_buckets_new(GUESSES);
    pthread_mutex_init(&l->lock, NULL);
    return l;
}

void
lore_agents_limits_free(struct lore_agents_limits *l)
{
    if (!l)
        return;
    lore_buckets_free(l->guesses);
    pthread_mutex_destroy(&l->lock);
    lore_xfree(l);
}

enum lore_status
lore_agents_may_guess(
    struct lore_agents_limits *l, const char *address, int *wait_s, struct lore_err *err)
{
    int64_t wait_us = lore_buckets_take(l->guesses, address);

    if (wait_us == 0)
        return LORE_OK;
    *wait_s = (int)(wait_us / 1000000) + 1;
    return lore_fail_at(err, LORE_LIMITED, "too_many_codes", "code",
        "code: %d wrong codes were tried from this address; try again in %d s", GUESSES, *wait_s);
}

void
lore_agents_guessed(struct lore_agents_limits *l, const char *address)
{
    lore_buckets_give(l->guesses, address);
}

enum lore_status
lore_agents_limits_enter(struct lore_agents_limits *l, const char *agent, struct lore_err *err)
{
    char *free_slot = NULL;
    bool in_flight = false;

    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < IN_FLIGHT; i++) {
        in_flight |= strcmp(l->in_flight[i], agent) == 0;
        if (l->in_flight[i][0] == '\0')
            free_slot = l->in_flight[i];
    }
    if (!in_flight && free_slot)
        snprintf(free_slot, LORE_ULID_SIZE, "%s", agent);
    pthread_mutex_unlock(&l->lock);
    if (in_flight)
        return lore_fail_at(err, LORE_BUSY, "batch_in_flight", "",
            "another batch of this agent is being stored; send one at a time");
    if (!free_slot)
        return lore_fail_at(err, LORE_BUSY, "too_many_batches", "",
            "%d batches of other agents are being stored; try again", IN_FLIGHT);
    return LORE_OK;
}

void
lore_agents_limits_leave(struct lore_agents_limits *l, const char *agent)
{
    pthread_mutex_lock(&l->lock);
    for (size_t i = 0; i < IN_FLIGHT; i++)
        if (strcmp(l->in_flight[i], agent) == 0)
            l->in_flight[i][0] = '\0';
    pthread_mutex_unlock(&l->lock);
}

void
lore_agents_limits_refusals(struct lore_agents_limits *l, lore_agents_refusal *fn, void *ctx)
{
    pthread_mutex_lock(&l->lock);
    l->fn = fn;
    l->ctx = ctx;
    pthread_mutex_unlock(&l->lock);
}

/* Is this refusal within the limits? Then it counts as reported. Called with the lock held. */
static bool
may_report(struct lore_agents_limits *l, const char *agent, const char *code)
{
    int64_t now = lore_ticks_us();
    struct report *t;

    for (size_t i = 0; i < REMEMBERED; i++) {
        t = &l->reports[i];
        if (t->ticks != 0 && now - t->ticks < MINUTE_US && strcmp(t->agent, agent) == 0 &&
            strcmp(t->code, code) == 0)
            return false;
    }
    if (l->minute_start == 0 || now - l->minute_start >= MINUTE_US) {
        l->minute_start = now;
        l->minute_reports = 0;
    }
    if (l->minute_reports >= REPORTS)
        return false;
    l->minute_reports++;
    t = &l->reports[l->next_report];
    l->next_report = (l->next_report + 1) % REMEMBERED;
    snprintf(t->agent, sizeof t->agent, "%s", agent);
    snprintf(t->code, sizeof t->code, "%s", code);
    t->ticks = now;
    return true;
}

void
lore_agents_limits_refused(struct lore_agents_limits *l, const char *agent, const char *code)
{
    lore_agents_refusal *fn;
    void *ctx;
    bool report;

    pthread_mutex_lock(&l->lock);
    l->stats.requests_refused++;
    fn = l->fn;
    ctx = l->ctx;
    report = fn != NULL && may_report(l, agent != NULL ? agent : "", code);
    pthread_mutex_unlock(&l->lock);
    if (report)
        fn(ctx, agent, code);
}

void
lore_agents_limits_add_batch(struct lore_agents_limits *l, const struct lore_agents_stats *batch)
{
    pthread_mutex_lock(&l->lock);
    l->stats.batches++;
    l->stats.stored += batch->stored;
    l->stats.duplicates += batch->duplicates;
    l->stats.refused += batch->refused;
    pthread_mutex_unlock(&l->lock);
}

void
lore_agents_limits_stats(struct lore_agents_limits *l, struct lore_agents_stats *out)
{
    pthread_mutex_lock(&l->lock);
    *out = l->stats;
    for (size_t i = 0; i < IN_FLIGHT; i++)
        out->in_flight += l->in_flight[i][0] != '\0';
    pthread_mutex_unlock(&l->lock);
}
