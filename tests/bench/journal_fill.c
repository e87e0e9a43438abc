/* Fills a journal with the documents of the large benchmark, without a service: what a new node
 * applies.
 *   bench_journal_fill JOURNAL DATA EXPERIMENTS PAIRS
 * PAIRS: experiments of one document. JOURNAL is what a service gets as its option. DATA gets the
 * service.key for it, when it has none. */
#include <stdio.h>
#include <stdlib.h>

#include "service/auth/service_key.h"
#include "service/base/arena.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/journal/journal.h"
#include "tests/bench/scale_data.h"

enum { GROUP = 64 };

struct filling {
    struct lore_journal *journal;
    struct lore_journal_head head;
    struct lore_journal_entry entries[GROUP];
    struct lore_buf packed[GROUP];
    size_t n;
    int64_t documents;
};

static enum lore_status
append(struct filling *f, struct lore_err *err)
{
    enum lore_status status = lore_journal_append(f->journal, &f->head, f->entries, f->n, err);

    f->documents += (int64_t)f->n;
    f->n = 0;
    return status;
}

static enum lore_status
put(struct filling *f, const struct lore_buf *body, struct lore_err *err)
{
    struct lore_buf *packed = &f->packed[f->n];
    enum lore_status status;

    lore_buf_reset(packed);
    status = lore_zstd_pack(body->data, body->len, packed, err);
    f->entries[f->n] = (struct lore_journal_entry){.at_us = lore_now_us(),
        .kind = "document",
        .actor = "bench",
        .owner = "",
        .node = "bench",
        .body = packed->data,
        .len = packed->len};
    return status == LORE_OK && ++f->n == GROUP ? append(f, err) : status;
}

static enum lore_status
begin(struct filling *f, const char *data, struct lore_err *err)
{
    unsigned char mark[LORE_HASH_BYTES];
    struct lore_journal_entry e = {
        .at_us = lore_now_us(), .kind = "key", .node = "bench", .body = mark, .len = sizeof mark};
    enum lore_status status = lore_mkdirs(data, 0700, err);

    if (status == LORE_OK)
        status = lore_service_key_mark(data, true, mark, err);
    return status == LORE_OK ? lore_journal_append(f->journal, &f->head, &e, 1, err) : status;
}

static enum lore_status
fill(struct filling *f, uint64_t total, int pairs, struct lore_err *err)
{
    LORE_BUF body = {0};
    enum lore_status status = LORE_OK;

    for (uint64_t k = 0; k < SCALE_KERNELS && status == LORE_OK; k += SCALE_SETUP) {
        lore_buf_reset(&body);
        scale_setup(k, &body);
        status = put(f, &body, err);
    }
    for (uint64_t n = 0; n < total && status == LORE_OK; n += (uint64_t)pairs) {
        lore_buf_reset(&body);
        scale_document(n, total - n < (uint64_t)pairs ? (int)(total - n) : pairs, &body);
        status = put(f, &body, err);
    }
    return status == LORE_OK ? append(f, err) : status;
}

int
main(int argc, char **argv)
{
    struct filling f = {0};
    struct lore_err err = {0};
    uint64_t total = argc == 5 ? strtoull(argv[3], NULL, 10) : 0;
    int pairs = argc == 5 ? atoi(argv[4]) : 0;
    enum lore_status status;

    if (total == 0 || pairs <= 0) {
        fprintf(stderr, "usage: %s JOURNAL DATA EXPERIMENTS PAIRS\n", argv[0]);
        return 2;
    }
    lore_hash_init();
    status = lore_journal_open(argv[1], &f.journal, &err);
    if (status == LORE_OK)
        status = lore_journal_find_head(f.journal, &f.head, &err);
    if (status == LORE_OK)
        status = begin(&f, argv[2], &err);
    if (status == LORE_OK)
        status = fill(&f, total, pairs, &err);
    if (status != LORE_OK)
        fprintf(stderr, "%s\n", err.msg);
    else
        printf("filled documents=%lld experiments=%llu\n", (long long)f.documents,
            (unsigned long long)total);
    lore_journal_close(f.journal);
    for (size_t i = 0; i < GROUP; i++)
        lore_buf_free(&f.packed[i]);
    return status != LORE_OK;
}
