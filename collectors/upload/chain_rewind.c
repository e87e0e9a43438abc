/* A service that was restored from an older backup lacks receipts that this host has, and the
 * records of those receipts. The stored chain then goes back to the last receipt that both have,
 * and all records after it that are still here are sent again. The longer chain is kept aside: it
 * proves what the service once acknowledged. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/upload/outbox.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/text.h"

struct rewinding {
    struct lore_sender *s;
    const struct lore_rewind_point *to;
    struct lore_buf kept; /* the lines up to that receipt */
    uint64_t *seqs;       /* of records that are not sent again */
    size_t n, cap;
    struct lore_arena all; /* holds seqs */
    bool differs;          /* the receipt at that point is another one */
};

static void
take_receipt(struct rewinding *w, const struct lore_upload_receipt *r, const char *line, size_t n)
{
    bool both = r->number <= w->to->number;

    if (both)
        lore_buf_add(&w->kept, line, n);
    if (r->number == w->to->number)
        w->differs = memcmp(r->hash, w->to->hash, sizeof r->hash) != 0;
    /* what was refused is set aside already */
    for (size_t i = 0; i < r->n; i++)
        if (both || r->lines[i].state == 'r')
            *LORE_PUSH(&w->all, w->seqs, w->n, w->cap) = r->lines[i].seq;
}

/* A line of receipts.jsonl. The summary of removed receipts stays when it is about receipts that
 * both have. */
static void
take_line(struct rewinding *w, const char *line, size_t n)
{
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;
    struct lore_upload_receipt r;
    int64_t receipts = 0;

    if (lore_json_parse(line, n, NULL, &arena, &root, NULL) == LORE_OK) {
        const struct lore_json *summary = lore_json_get(root, "left_out");

        if (summary && lore_json_i64(summary, "receipts", &receipts, NULL) == LORE_OK &&
            receipts >= 0 && (uint64_t)receipts <= w->to->number)
            lore_buf_add(&w->kept, line, n);
        else if (!summary && lore_receipt_read(
                                 root, lore_json_get(root, "records"), &arena, &r, NULL) == LORE_OK)
            take_receipt(w, &r, line, n);
    }
    lore_arena_free(&arena);
}

static int
by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Records wait before the chain is shorter: a crash in between repeats the whole. */
static enum lore_status
go_back(struct rewinding *w, const char *path, struct lore_err *err)
{
    const char *aside =
        lore_format(&w->all, "%s/receipts-before-%" PRId64 ".jsonl", w->s->o->state, lore_now_us());
    uint64_t again = 0;
    enum lore_status status = lore_buf_status(&w->kept, "the receipts", err);

    if (w->n > 0)
        qsort(w->seqs, w->n, sizeof *w->seqs, by_value);
    if (status == LORE_OK)
        status = lore_spool_again(w->s->o->spool, w->seqs, w->n, &again, err);
    if (status == LORE_OK && link(path, aside) != 0)
        status = lore_fail(err, LORE_IO, "%s: cannot keep the old receipts", aside);
    if (status == LORE_OK)
        status = lore_file_write(path, w->kept.data ? w->kept.data : "", w->kept.len, 0600, err);
    if (status == LORE_OK)
        w->s->result->again += again;
    return status;
}

enum lore_status
lore_chain_rewind(struct lore_sender *s, const struct lore_rewind_point *to, struct lore_err *err)
{
    struct rewinding w = {.s = s, .to = to, .kept = {.max = 64u << 20}};
    struct lore_buf text = {.max = 64u << 20};
    const char *path = lore_format(&w.all, "%s/receipts.jsonl", s->o->state);
    enum lore_status status = lore_file_read(path, &text, err);

    for (size_t at = 0, n; status == LORE_OK && at < text.len; at += n) {
        const char *end = memchr(text.data + at, '\n', text.len - at);

        n = end ? (size_t)(end - (text.data + at)) + 1 : text.len - at;
        if (end)
            take_line(&w, text.data + at, n);
    }
    if (status == LORE_OK && w.differs) {
        s->result->alarm = true;
        status = lore_fail_at(err, LORE_CORRUPT, "chain_broken", "receipt.previous",
            "the service's receipt %" PRIu64 " is not the one stored on this host", to->number);
        lore_err_hint(err,
            "another copy of this host's state may be in use; `warplore agent enroll "
            "--new-key` begins a new chain");
    }
    if (status == LORE_OK)
        status = go_back(&w, path, err);
    lore_buf_free(&text);
    lore_buf_free(&w.kept);
    lore_arena_free(&w.all);
    return status;
}
