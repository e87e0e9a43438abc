/* Makes the data directory of the large benchmark through the service's own writer, as documents of
 * SCALE_PAIRS experiments: prepared by two threads, stored by one.
 *   bench_scale DIRECTORY EXPERIMENTS
 * An experiment that is there already is not made again, so a directory may grow. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/ingest/ingest.h"
#include "tests/bench/scale_data.h"

enum { THREADS = 2 };

struct filling {
    struct lore_ingest *in;
    uint64_t total;
    atomic_uint_fast64_t next;
    atomic_bool failed;
};

static void
put(struct filling *f, const struct lore_buf *body)
{
    struct lore_arena arena = {0};
    struct lore_receipt receipt;
    struct lore_err err = {0};
    const struct lore_ingest_doc doc = {body->data, body->len, "bench", false, NULL, 0};

    if (lore_ingest_submit(f->in, &doc, &arena, &receipt, &err) != LORE_OK) {
        fprintf(stderr, "%s: %s\n", err.path, err.msg);
        atomic_store(&f->failed, true);
    }
    lore_arena_free(&arena);
}

static void *
fill(void *arg)
{
    struct filling *f = arg;
    struct lore_buf body = {0};

    while (!atomic_load(&f->failed)) {
        uint64_t n = atomic_fetch_add(&f->next, SCALE_PAIRS);
        if (n >= f->total)
            break;
        lore_buf_reset(&body);
        scale_document(n, (int)(f->total - n < SCALE_PAIRS ? f->total - n : SCALE_PAIRS), &body);
        put(f, &body);
    }
    lore_buf_free(&body);
    return NULL;
}

static void
set_up(struct filling *f)
{
    struct lore_buf body = {0};

    for (uint64_t k = 0; k < SCALE_KERNELS; k += SCALE_SETUP) {
        lore_buf_reset(&body);
        scale_setup(k, &body);
        put(f, &body);
    }
    lore_buf_free(&body);
}

int
main(int argc, char **argv)
{
    struct filling f = {0};
    struct lore_db *db = NULL;
    struct lore_err err = {0};
    pthread_t threads[THREADS];

    if (argc != 3 || (f.total = strtoull(argv[2], NULL, 10)) == 0) {
        fprintf(stderr, "usage: %s DIRECTORY EXPERIMENTS\n", argv[0]);
        return 2;
    }
    lore_hash_init();
    if (lore_db_open_writer(argv[1], &db, &err) != LORE_OK ||
        lore_ingest_start(db, &(struct lore_ingest_parts){NULL, NULL, 64, NULL}, &f.in, &err) !=
            LORE_OK) {
        fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    int64_t start = lore_ticks_us();
    set_up(&f);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, fill, &f);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    lore_ingest_stop(f.in);
    double seconds = (double)(lore_ticks_us() - start) / 1e6;
    printf("filled experiments=%llu seconds=%.1f per_second=%.0f\n", (unsigned long long)f.total,
        seconds, (double)f.total / seconds);
    return atomic_load(&f.failed);
}
