/* Drains the outbox once: sends batches until it is empty, the time limit is reached or a batch
 * fails. STATE/status.json holds the last outcome for `warplore agent status`. */
#include <string.h>

#include "collectors/upload/outbox.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/jsonw.h"

enum { BATCH_BYTES = 512 << 10 };

static enum lore_status
drain(struct lore_sender *s, struct lore_err *err)
{
    struct lore_outbox *o = s->o;
    enum lore_status status = lore_outbox_reload_identity(o, err);

    s->result->alarm = status != LORE_OK;
    if (status == LORE_OK && o->enrolled && s->options->compare)
        status = lore_chain_compare(s, err);
    if (status == LORE_OK && s->options->compare)
        lore_spool_prune(o->spool, s->options->keep_days);
    while (status == LORE_OK && !lore_sender_finished(s)) {
        struct lore_spool_item *items = NULL;
        size_t n = 0;

        lore_arena_reset(&s->arena);
        status = lore_spool_peek(o->spool, (struct lore_spool_limit){s->max_records, BATCH_BYTES},
            &s->arena, &items, &n, err);
        s->result->empty = status == LORE_OK && n == 0;
        if (status != LORE_OK || n == 0)
            break;
        status =
            o->enrolled ? lore_batch_send(s, items, n, err) : lore_single_send(s, items, n, err);
    }
    return status;
}

/* Write status.json. Delivery does not depend on it. */
static void
write_status(const struct lore_outbox *o, enum lore_status status,
    const struct lore_upload_result *r, const struct lore_err *err)
{
    struct lore_arena arena = {0};
    const char *path = lore_format(&arena, "%s/status.json", o->state);
    struct lore_buf text = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &text, true);
    lore_w_obj(&w);
    lore_w_ktime(&w, "at", lore_now_us());
    lore_w_kbool(&w, "ok", status == LORE_OK);
    lore_w_kbool(&w, "alarm", r->alarm);
    if (status != LORE_OK) {
        lore_w_kstr(&w, "error", err->msg);
        lore_w_kstr_opt(&w, "hint", err->hint);
    }
    lore_w_kstr_opt(&w, "refusal", r->refusal);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK &&
        lore_file_write(path, text.data, text.len, 0600, NULL) != LORE_OK)
        lore_buf_reset(&text); /* the disk may be full; the next drain writes the file again */
    lore_buf_free(&text);
    lore_arena_free(&arena);
}

enum lore_status
lore_upload_drain(struct lore_outbox *o, const struct lore_upload_options *options,
    struct lore_upload_result *out, struct lore_err *err)
{
    struct lore_err why = {0};
    struct lore_sender s = {.o = o,
        .options = options,
        .result = out,
        .send = options->send ? options->send : lore_http_send,
        .send_ctx = options->send ? options->send_ctx : lore_http_open(),
        .max_records = LORE_BATCH_RECORDS};

    memset(out, 0, sizeof *out);
    if (options->limit_ms > 0)
        s.end_us = lore_ticks_us() + options->limit_ms * 1000;
    enum lore_status status = lore_spool_lock_drain(o->spool, &why);
    if (status == LORE_OK) {
        status = drain(&s, &why);
        if (status != LORE_OK || out->stored + out->duplicates + out->refused > 0)
            write_status(o, status, out, &why);
    }
    if (!options->send)
        lore_http_close(s.send_ctx);
    lore_arena_free(&s.arena);
    if (status != LORE_OK && err)
        *err = why;
    return status;
}
