/* Extends the chain of receipts. When a reply was lost, the next receipt does not fit. The missing
 * receipts are then fetched and checked like any other, so that the service cannot hide a record in
 * a gap. */
#include <inttypes.h>
#include <string.h>

#include "collectors/upload/outbox.h"
#include "service/base/clock.h"

enum { PAGES_MAX = 10000, COMPARE_S = 300 };
/* A receipt takes about 90 bytes per record, so KEEP bytes hold about 20,000 records. Checking FULL
 * bytes before shortening takes about a second. */
enum { SHORTEN_EVERY = 64, FULL = 8 << 20, KEEP = 2 << 20 };

static bool
follows(const struct lore_upload_receipt *last, const struct lore_upload_receipt *r)
{
    return r->number == last->number + 1 && memcmp(r->previous, last->hash, sizeof last->hash) == 0;
}

/* Ask for the receipts after AFTER, at most MOST (0: a page). */
static enum lore_status
get_receipts(struct lore_sender *s, struct lore_arena *arena, uint64_t after, int most,
    struct lore_json **root, struct lore_err *err)
{
    const char *headers[LORE_SIGNED_HEADERS + 1], *code;
    const char *path = lore_format(arena, "/api/v1/agents/%s/receipts", s->o->who.id);
    const char *limit = most > 0 ? lore_format(arena, "&limit=%d", most) : "";
    struct lore_http_reply reply = {.body = {.max = 64u << 20}};
    char batch[LORE_ULID_SIZE];

    lore_ulid_new(batch);
    lore_signed_headers(s, batch, "GET", path, NULL, headers);
    headers[LORE_SIGNED_HEADERS] = "Accept: application/json";
    struct lore_http_call call = {.method = "GET",
        .url = lore_format(arena, "%s%s?after=%" PRIu64 "%s", s->o->who.url, path, after, limit),
        .headers = headers,
        .n_headers = LORE_SIGNED_HEADERS + 1};
    enum lore_status status = lore_sender_call(s, &call, &reply, err);
    if (status == LORE_OK && lore_answer_action(reply.status) != LORE_SENT)
        status = lore_answer_fail(s, &reply, &code, err);
    if (status == LORE_OK)
        status = lore_json_parse(
            reply.body.data ? reply.body.data : "", reply.body.len, NULL, arena, root, err);
    lore_buf_free(&reply.body);
    return status;
}

/* Ask for the receipt after AFTER. *FOUND: the service has one, whose number and hash are in *OUT.
 */
static enum lore_status
ask_one(struct lore_sender *s, uint64_t after, struct lore_rewind_point *out, bool *found,
    struct lore_err *err)
{
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;
    struct lore_upload_receipt r;
    enum lore_status status = get_receipts(s, &arena, after, 1, &root, err);
    const struct lore_json *rows = lore_json_get(root, "rows"), *row = rows ? rows->child : NULL;

    *found = row != NULL;
    if (status == LORE_OK && row)
        status = lore_receipt_read(row, lore_json_get(row, "records"), &arena, &r, err);
    if (status == LORE_OK && row)
        status = lore_receipt_check(&r, &s->o->who, err);
    if (status == LORE_OK && row) {
        out->number = r.number;
        memcpy(out->hash, r.hash, sizeof out->hash);
    }
    lore_arena_free(&arena);
    return status;
}

/* The last receipt that the service has, which is before number MOST: by halves. */
static enum lore_status
find_end(struct lore_sender *s, uint64_t most, struct lore_rewind_point *end, struct lore_err *err)
{
    uint64_t has = 0, lacks = most;
    enum lore_status status = LORE_OK;
    bool found;

    while (lacks - has > 1 && status == LORE_OK) {
        uint64_t mid = has + (lacks - has) / 2;
        struct lore_rewind_point p = {0};

        status = ask_one(s, mid - 1, &p, &found, err);
        if (status == LORE_OK && found && p.number == mid)
            *end = p;
        if (found)
            has = mid;
        else
            lacks = mid;
    }
    return status;
}

enum lore_status
lore_chain_compare(struct lore_sender *s, struct lore_err *err)
{
    struct lore_outbox *o = s->o;
    struct lore_rewind_point end = {0}, p = {0};
    struct lore_upload_receipt last;
    int64_t now = lore_ticks_us();
    bool found = false;

    if (o->asked_us != 0 && now - o->asked_us < COMPARE_S * INT64_C(1000000))
        return LORE_OK;
    enum lore_status status = lore_receipts_last(o->state, &last, err);
    if (status != LORE_OK || last.number == 0 || strcmp(last.agent, o->who.id) != 0)
        return status;
    /* a service that cannot be reached is nothing new to say while nothing waits */
    if (ask_one(s, last.number - 1, &p, &found, NULL) != LORE_OK)
        return LORE_OK;
    o->asked_us = now;
    if (found)
        return memcmp(p.hash, last.hash, sizeof p.hash) == 0 ? LORE_OK
                                                             : lore_chain_rewind(s, &p, err);
    if (find_end(s, last.number, &end, NULL) != LORE_OK)
        return LORE_OK;
    return lore_chain_rewind(s, &end, err);
}

static enum lore_status
broken(struct lore_sender *s, const struct lore_upload_receipt *last,
    const struct lore_upload_receipt *r, struct lore_err *err)
{
    s->result->alarm = true;
    enum lore_status status = lore_fail_at(err, LORE_CORRUPT, "chain_broken", "receipt.previous",
        "the service's receipt %" PRIu64 " does not follow receipt %" PRIu64 " stored on this host",
        r->number, last->number);
    lore_err_hint(err, "was this host's state copied from another one? `warplore agent enroll "
                       "--new-key` begins a new chain");
    return status;
}

/* Append R after *LAST and copy it to *LAST. */
static enum lore_status
append_receipt(struct lore_sender *s, struct lore_upload_receipt *last,
    const struct lore_upload_receipt *r, struct lore_err *err)
{
    if (!follows(last, r))
        return broken(s, last, r, err);
    enum lore_status status = lore_receipts_append(s->o->state, r, err);
    if (status == LORE_OK) {
        struct lore_err ignored; /* `agent verify` reports an invalid file; it is left unchanged */
        *last = *r;
        if (r->number % SHORTEN_EVERY == 0)
            (void)!lore_receipts_compact(s->o->state, &s->o->who, FULL, KEEP, &ignored);
    }
    return status;
}

static enum lore_status
append_rows(struct lore_sender *s, const struct lore_json *rows, struct lore_arena *arena,
    const struct lore_upload_receipt *until, struct lore_upload_receipt *last, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (const struct lore_json *row = rows ? rows->child : NULL; row && status == LORE_OK;
         row = row->next) {
        struct lore_upload_receipt r;
        if (last->number == until->number)
            break;
        status = lore_receipt_read(row, lore_json_get(row, "records"), arena, &r, err);
        if (status == LORE_OK)
            status = lore_receipt_check(&r, &s->o->who, err);
        if (status == LORE_OK)
            status = append_receipt(s, last, &r, err);
        else
            s->result->alarm = true;
    }
    return status;
}

static enum lore_status
fetch_page(struct lore_sender *s, struct lore_arena *arena, const struct lore_upload_receipt *until,
    struct lore_upload_receipt *last, struct lore_err *err)
{
    struct lore_json *root = NULL;
    enum lore_status status = get_receipts(s, arena, last->number, 0, &root, err);

    return status == LORE_OK ? append_rows(s, lore_json_get(root, "rows"), arena, until, last, err)
                             : status;
}

enum lore_status
lore_chain_extend(struct lore_sender *s, const struct lore_upload_receipt *r, struct lore_err *err)
{
    struct lore_upload_receipt last;
    enum lore_status status = lore_receipts_last(s->o->state, &last, err);

    if (status != LORE_OK)
        return status;
    if (last.number > 0 && strcmp(last.agent, s->o->who.id) != 0)
        return broken(s, &last, r, err);
    if (r->number <= last.number && r->number > 0) {
        struct lore_rewind_point to = {.number = r->number - 1};

        memcpy(to.hash, r->previous, sizeof to.hash);
        status = lore_chain_rewind(s, &to, err);
        if (status == LORE_OK)
            status = lore_receipts_last(s->o->state, &last, err);
        if (status != LORE_OK)
            return status;
    }
    if (r->number <= last.number + 1)
        return append_receipt(s, &last, r, err);
    for (int page = 0; page < PAGES_MAX && last.number < r->number && status == LORE_OK; page++) {
        struct lore_arena arena = {0};
        uint64_t before = last.number;
        status = fetch_page(s, &arena, r, &last, err);
        lore_arena_free(&arena);
        if (status == LORE_OK && last.number == before)
            return broken(s, &last, r, err); /* the service did not send the missing receipts */
    }
    if (status == LORE_OK && memcmp(last.hash, r->hash, sizeof r->hash) != 0)
        return broken(s, &last, r, err);
    return status;
}
