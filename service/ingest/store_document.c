/* The writer's part of ingest: insert rows in dependency order, judge new experiments, log one
 * event for the document and one per decision. Records of one kind are stored in document order, so
 * a version's parents must stand before it or be stored already. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store.h"
#include "db/verify.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/ingest/document.h"
#include "service/verdicts/verdicts.h"

/* The state of storing one document. */
struct storing {
    const struct lore_document *d;
    struct lore_put_ctx ctx;
    struct lore_receipt *receipt;
    struct lore_effects effects;
    struct lore_arena scratch; /* samples of one experiment, reset for the next */
    size_t n_new;              /* records */
    bool new_bytes;            /* an artifact that was not stored before */
    bool *decided;             /* per curation of the document: it is new */
    struct lore_rates *rates;
    int64_t now_us;
};

/* Extend the path of a record, `version: …`, to that of the document, `runs[3].version: …`. */
static enum lore_status
in_document(enum lore_kind kind, size_t i, enum lore_status status, struct lore_err *err)
{
    struct lore_err why;
    char path[sizeof err->path];
    bool names_path;

    if (!err || status == LORE_IO || status == LORE_CORRUPT || status == LORE_BUSY)
        return status;
    why = *err;
    names_path = why.path[0] != '\0' && strncmp(why.msg, why.path, strlen(why.path)) == 0;
    snprintf(path, sizeof path, "%s[%zu]%s%.100s", lore_kind_plural(kind), i,
        why.path[0] != '\0' ? "." : "", why.path);
    (void)lore_fail_at(err, status, why.code, path, "%s[%zu]%s%s", lore_kind_plural(kind), i,
        names_path ? "." : ": ", why.msg);
    if (why.hint[0] != '\0')
        lore_err_hint(err, "%s", why.hint);
    return status;
}

/* Records start with their id (service/wire/record.h). */
static const char *
id_of(const void *record)
{
    return *(const char *const *)record;
}

static void
note(struct lore_receipt *r, enum lore_kind kind, const char *id, enum lore_put state)
{
    r->items[r->n_items++] = (struct lore_receipt_item){.kind = (int)kind,
        .id = id,
        .state = state == LORE_PUT_STORED ? LORE_STORED : LORE_DUPLICATE};
}

static enum lore_status
judge(struct storing *s, const char *experiment, struct lore_err *err)
{
    enum lore_status status =
        lore_verdicts_judge(s->ctx.db, experiment, &s->scratch, s->now_us, err);

    lore_arena_reset(&s->scratch);
    return status;
}

/* Derive what follows from one stored record. */
static enum lore_status
derive(struct storing *s, enum lore_kind kind, const void *record, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    if (lore_db_has_facts_only(s->ctx.db))
        return LORE_OK;
    if (kind == LORE_K_RUN)
        return lore_verdicts_run(&s->ctx, record, err);
    if (kind == LORE_K_SWEEP)
        return lore_verdicts_sweep(&s->ctx, record, err);
    if (kind != LORE_K_EXPERIMENT)
        return LORE_OK;
    status = lore_verdicts_statement(&s->ctx, record, err);
    return status == LORE_OK ? judge(s, id_of(record), err) : status;
}

/* Log one event per decision with its action and record, beside the event of the submission. */
static enum lore_status
log_curations(const struct storing *s, struct lore_err *err)
{
    const struct lore_document *d = s->d;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < d->doc.n_curations && status == LORE_OK; i++)
        if (s->decided[i])
            status = lore_put_event(s->ctx.db,
                &(struct lore_event){d->actor, d->doc.curations[i].action,
                    d->doc.curations[i].subjects.v[0], d->digests[LORE_K_CURATION][i], s->now_us},
                err);
    return status;
}

static enum lore_status
put_list(struct storing *s, enum lore_kind kind, struct lore_err *err)
{
    size_t n, size;
    const char *record = lore_wire_list(&s->d->doc, kind, &n, &size);

    for (size_t i = 0; i < n; i++, record += size) {
        enum lore_put state = LORE_PUT_STORED;
        enum lore_status status =
            lore_put_record(&s->ctx, kind, record, s->d->digests[kind][i], &state, err);
        if (status == LORE_OK && state == LORE_PUT_STORED)
            status = derive(s, kind, record, err);
        if (status != LORE_OK)
            return in_document(kind, i, status, err);
        s->n_new += state == LORE_PUT_STORED;
        if (kind == LORE_K_CURATION)
            s->decided[i] = state == LORE_PUT_STORED;
        note(s->receipt, kind, id_of(record), state);
    }
    return LORE_OK;
}

/* Judge again, once each, the experiments that a later record affects. */
static enum lore_status
judge_again(struct storing *s, struct lore_err *err)
{
    struct lore_texts *t = &s->effects.judged;
    enum lore_status status = LORE_OK;

    if (t->n > 1)
        qsort(t->v, t->n, sizeof *t->v, lore_by_text);
    for (size_t i = 0; i < t->n && status == LORE_OK; i++)
        if (i == 0 || strcmp(t->v[i], t->v[i - 1]) != 0)
            status = judge(s, t->v[i], err);
    return status;
}

static enum lore_status
put_records(struct storing *s, struct lore_err *err)
{
    bool changed;
    enum lore_status status = lore_document_allowed(s->d, s->ctx.db, err);

    for (size_t i = 0; status == LORE_OK && i < LORE_K_COUNT; i++)
        status = put_list(s, lore_put_order(i), err);
    if (lore_db_has_facts_only(s->ctx.db))
        return status;
    if (status == LORE_OK && s->effects.specs)
        status = lore_verdicts_limits(&s->ctx, false, &changed, err);
    return status == LORE_OK ? judge_again(s, err) : status;
}

static enum lore_status
put_all(struct storing *s, struct lore_err *err)
{
    const struct lore_document *d = s->d;
    unsigned char detail[32];
    enum lore_status status = lore_put_document(s->ctx.db,
        &(struct lore_arrived){&d->doc, d->hash_hex, d->actor, &d->zstd, d->bytes, s->now_us},
        &s->ctx.document, err);

    if (status == LORE_OK && d->owner)
        status = lore_put_owner(s->ctx.db, s->ctx.document, d->owner, err);
    for (size_t i = 0; status == LORE_OK && i < d->doc.n_artifacts; i++) {
        bool is_new = false;

        status = lore_put_artifact(&s->ctx, &d->doc.artifacts[i], &is_new, err);
        s->new_bytes |= is_new;
    }
    if (status == LORE_OK)
        status = put_records(s, err);
    if (status == LORE_OK)
        status = lore_put_withheld(s->ctx.db, s->ctx.document, &d->doc, d->root, err);
    lore_submission_detail(d->hash, d->owner, detail);
    if (status == LORE_OK)
        status = lore_put_event(s->ctx.db,
            &(struct lore_event){d->actor, "submission", d->doc.id, detail, s->now_us}, err);
    return status == LORE_OK ? log_curations(s, err) : status;
}

/* A known document id with other bytes. It is a duplicate when every record is already stored
 * (another writer may format its JSON differently). It is a conflict when it has a new record, any
 * artifact, or no record. */
static enum lore_status
put_again(struct storing *s, struct lore_err *err)
{
    const struct lore_document *d = s->d;
    enum lore_status status = put_records(s, err);

    if (status == LORE_OK && (s->n_new > 0 || d->doc.n_artifacts > 0 || d->n_records == 0))
        status = lore_fail_at(err, LORE_CONFLICT, "conflict", "id",
            "id: document %s is stored with other content", d->doc.id);
    return status;
}

/* The receipt of a document that is already stored. */
static void
all_duplicates(const struct lore_document *d, struct lore_receipt *r)
{
    r->n_items = 0;
    r->duplicate = true;
    r->seq = 0;
    for (size_t k = 0; k < LORE_K_COUNT; k++) {
        enum lore_kind kind = lore_put_order(k);
        size_t n, size;
        const char *record = lore_wire_list(&d->doc, kind, &n, &size);
        for (size_t i = 0; i < n; i++, record += size)
            note(r, kind, id_of(record), LORE_PUT_DUPLICATE);
    }
}

static void
free_storing(struct storing *s)
{
    lore_arena_free(&s->scratch);
}

enum lore_status
lore_document_store(const struct lore_document *d, struct lore_db *db, int64_t now_us,
    struct lore_arena *arena, struct lore_stored *out, struct lore_err *err)
{
    struct lore_receipt receipt = {.id = d->doc.id};
    __attribute__((cleanup(free_storing))) struct storing s = {
        .d = d,
        .ctx = {.db = db, .arena = arena, .actor = d->actor, .now_us = now_us},
        .receipt = &receipt,
        .now_us = now_us,
    };
    bool same = false, keep;
    enum lore_status status;

    s.ctx.effects = lore_db_has_facts_only(db) ? NULL : &s.effects;
    s.ctx.rates = &s.rates;
    s.decided = lore_alloc_array(arena, d->doc.n_curations + 1, sizeof *s.decided);
    receipt.items = lore_alloc_array(arena, d->n_records + 1, sizeof *receipt.items);
    status = lore_put_document_find(db, d->doc.id, d->hash_hex, &s.ctx.document, &same, err);
    bool here = s.ctx.document != 0;
    if (status == LORE_OK && !same)
        status = here ? put_again(&s, err) : put_all(&s, err);
    if (status != LORE_OK)
        return status;
    keep = here || s.n_new > 0 || s.new_bytes || d->n_records == 0;
    if (here || !keep)
        all_duplicates(d, &receipt);
    else
        receipt.seq = s.ctx.document;
    if (keep && !here) {
        receipt.names = s.effects.named;
        receipt.n_names = s.effects.n_named;
    }
    *out = (struct lore_stored){.receipt = receipt, .keep = keep};
    if (keep && !here)
        out->effects = s.effects;
    return LORE_OK;
}
