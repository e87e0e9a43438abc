/* Answers wait in a batch, each copied into an arena of its own. The open batch grows until the
 * writer begins to store it; the next answer then opens another one. A batch passes through the
 * writer's queue like a document, so an answer is stored before any later experiment.
 *
 * A repeated answer is recognised by the hash of caller, question and advice. Probabilities are
 * hashed in steps of 0.05; otherwise every commit would make every answer new.
 *
 * Lock order: this lock, then the queue's. The writer takes this lock alone. */
#include "service/ingest/served.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "db/feedback_version.h"
#include "service/base/buf.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/base/log.h"
#include "service/base/xalloc.h"
#include "service/ingest/ingest.h"

#define WAITING_MAX 1024 /* answers of some kilobytes each */
/* New answers per second in the long run. Storing one takes the writer up to a millisecond, and
 * documents must be stored, too. People and agents ask less; a higher rate is a loop. */
#define RATE 100.0
#define REPEAT_US (INT64_C(600) * 1000000)
#define KNOWN 4096     /* cache size for recognising repeated answers */
#define PRUNE_EVERY 64 /* in batches: pruning reads every stored answer */
#define P_STEP 0.05

struct note {
    struct note *next;
    struct lore_arena arena;
    struct lore_advised answer;
};
struct batch {
    struct lore_served *of;
    struct note *head, **tail;
    uint64_t n;
};
struct known {
    unsigned char hash[LORE_HASH_BYTES];
    char id[LORE_ULID_SIZE];
    int64_t until_us; /* ticks; 0: empty */
};
struct lore_served {
    struct lore_ingest *ingest;
    struct lore_served_limits limits;
    pthread_mutex_t lock;
    struct batch *open; /* NULL: the next answer opens a batch */
    uint64_t waiting, batches;
    double room;     /* answers that the rate limit admits now */
    int64_t room_us; /* ticks of the last change of room */
    struct lore_served_stats stats;
    struct known known[KNOWN];
};

struct lore_served *
lore_served_new(struct lore_ingest *ingest, const struct lore_served_limits *limits)
{
    struct lore_served *s = lore_xalloc(sizeof *s);

    s->ingest = ingest;
    s->limits = *limits;
    s->room = WAITING_MAX;
    s->room_us = lore_ticks_us();
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void
lore_served_free(struct lore_served *s)
{
    if (!s)
        return;
    pthread_mutex_destroy(&s->lock);
    lore_xfree(s);
}

static void
free_batch(struct batch *b)
{
    for (struct note *n = b->head, *next; n != NULL; n = next) {
        next = n->next;
        lore_arena_free(&n->arena);
        lore_xfree(n);
    }
    lore_xfree(b);
}

/* ---- the writer's side ---- */

static bool
is_time_to_prune(struct lore_served *s)
{
    bool is;

    pthread_mutex_lock(&s->lock);
    is = s->batches++ % PRUNE_EVERY == 0;
    pthread_mutex_unlock(&s->lock);
    return is;
}

static enum lore_status
store(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err)
{
    struct batch *b = ctx;
    struct lore_served *s = b->of;
    enum lore_status status = LORE_OK;

    pthread_mutex_lock(&s->lock);
    if (s->open == b)
        s->open = NULL;
    pthread_mutex_unlock(&s->lock);
    for (const struct note *n = b->head; n != NULL && status == LORE_OK; n = n->next)
        status = lore_put_advice(db, &n->answer, err);
    if (status == LORE_OK && is_time_to_prune(s))
        status = lore_db_prune_advice(db, s->limits.keep, now_us - s->limits.keep_us, err);
    return status;
}

/* The ids of a batch that was not stored are not given out again. */
static void
stored(void *ctx, bool is)
{
    struct batch *b = ctx;
    struct lore_served *s = b->of;

    pthread_mutex_lock(&s->lock);
    if (s->open == b) /* the writer never began it: the disk was full */
        s->open = NULL;
    s->waiting -= b->n;
    if (is) {
        s->stats.remembered += b->n;
    } else {
        s->stats.lost += b->n;
        memset(s->known, 0, sizeof s->known);
    }
    pthread_mutex_unlock(&s->lock);
    if (!is)
        lore_log(LORE_WARN, "advice_lost", NULL);
    free_batch(b);
}

/* ---- the reader's side ---- */

static void
add_text(struct lore_buf *b, const char *s)
{
    lore_buf_puts(b, s != NULL ? s : "");
    lore_buf_putc(b, '\0');
}

static void
hash_of(const struct lore_advised *a, unsigned char hash[LORE_HASH_BYTES])
{
    const char *const texts[] = {
        a->caller, a->op, a->chip, a->language, a->labels, a->workload, a->version};
    LORE_BUF b = {0};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        add_text(&b, texts[i]);
    for (size_t i = 0; i < a->n_items; i++) {
        add_text(&b, a->items[i].list);
        add_text(&b, a->items[i].technique);
        if (a->items[i].p_win.set)
            lore_buf_printf(&b, "%ld", lround(a->items[i].p_win.v / P_STEP));
        lore_buf_putc(&b, '\0');
    }
    for (size_t i = 0; i < a->n_versions; i++) {
        add_text(&b, a->versions[i].list);
        add_text(&b, a->versions[i].version);
        add_text(&b, a->versions[i].from);
        lore_buf_printf(&b, "%ld", lround(a->versions[i].value / P_STEP));
        lore_buf_putc(&b, '\0');
    }
    lore_hash(b.data, b.len, hash);
}

static struct note *
copy_of(const struct lore_advised *in, const struct lore_served_limits *l)
{
    struct note *n = lore_xalloc(sizeof *n);
    struct lore_arena *a = &n->arena;
    struct lore_advised *to = &n->answer;
    char id[LORE_ULID_SIZE];

    a->kept = true;
    lore_ulid_new(id);
    *to = *in;
    to->id = lore_strdup(a, id);
    to->served_us = lore_now_us();
    to->until_us = to->served_us + l->window_us;
    to->caller = lore_strdup(a, in->caller);
    to->op = lore_strdup(a, in->op);
    to->chip = lore_strdup(a, in->chip);
    to->isa = lore_strdup(a, in->isa);
    to->language = lore_strdup(a, in->language);
    to->workload = lore_strdup(a, in->workload);
    to->version = lore_strdup(a, in->version);
    to->labels = lore_strdup(a, in->labels);
    to->items = lore_memdup(a, in->items, in->n_items * sizeof *to->items);
    for (size_t i = 0; i < to->n_items; i++) {
        to->items[i].list = lore_strdup(a, in->items[i].list);
        to->items[i].technique = lore_strdup(a, in->items[i].technique);
    }
    to->versions = lore_memdup(a, in->versions, in->n_versions * sizeof *to->versions);
    for (size_t i = 0; i < to->n_versions; i++) {
        struct lore_advised_version *v = &to->versions[i];
        const char **texts[] = {
            &v->list, &v->version, &v->from, &v->technique, &v->chip, &v->workload};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            *texts[k] = lore_strdup(a, *texts[k]);
    }
    return n;
}

static bool
has_room(struct lore_served *s)
{
    int64_t now = lore_ticks_us();

    s->room = fmin(WAITING_MAX, s->room + RATE * (double)(now - s->room_us) / 1e6);
    s->room_us = now;
    return s->room >= 1 && s->waiting < WAITING_MAX;
}

/* Add N to the open batch or open one, with the lock held. Returns false when there is no room. */
static bool
put(struct lore_served *s, struct note *n)
{
    if (!has_room(s))
        return false;
    if (!s->open) {
        struct batch *b = lore_xalloc(sizeof *b);

        b->of = s;
        b->tail = &b->head;
        if (!lore_ingest_queue_write(s->ingest, store, stored, b)) {
            lore_xfree(b);
            return false;
        }
        s->open = b;
    }
    *s->open->tail = n;
    s->open->tail = &n->next;
    s->open->n++;
    s->waiting++;
    s->room -= 1;
    return true;
}

bool
lore_served_remember(
    struct lore_served *s, const struct lore_advised *answer, char id[LORE_ULID_SIZE])
{
    unsigned char hash[LORE_HASH_BYTES];
    struct known *slot;
    struct note *n;
    bool kept;

    if (!s || s->limits.keep <= 0)
        return false;
    hash_of(answer, hash);
    slot = &s->known[(hash[0] | hash[1] << 8) % KNOWN];
    n = copy_of(answer, &s->limits);
    pthread_mutex_lock(&s->lock);
    if (slot->until_us > lore_ticks_us() && memcmp(slot->hash, hash, sizeof hash) == 0) {
        memcpy(id, slot->id, sizeof slot->id);
        s->stats.repeated++;
        pthread_mutex_unlock(&s->lock);
        lore_arena_free(&n->arena);
        lore_xfree(n);
        return true;
    }
    kept = put(s, n);
    if (kept) {
        memcpy(slot->hash, hash, sizeof hash);
        memcpy(slot->id, n->answer.id, sizeof slot->id);
        memcpy(id, n->answer.id, sizeof slot->id);
        slot->until_us = lore_ticks_us() + REPEAT_US;
    } else {
        s->stats.dropped++;
    }
    pthread_mutex_unlock(&s->lock);
    if (!kept) {
        lore_arena_free(&n->arena);
        lore_xfree(n);
    }
    return kept;
}

void
lore_served_stats(struct lore_served *s, struct lore_served_stats *out)
{
    *out = (struct lore_served_stats){0};
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    *out = s->stats;
    pthread_mutex_unlock(&s->lock);
}
