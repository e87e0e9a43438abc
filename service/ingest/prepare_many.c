#include "service/ingest/prepare_many.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "service/base/file.h"
#include "service/base/guard.h"
#include "service/wire/wire.h"

#define THREADS 4
#define FEW 16 /* documents that are not worth a thread */

struct many {
    struct lore_prepared *v;
    size_t n;
    atomic_size_t next;
};

static enum lore_status
prepare(void *ctx, struct lore_err *err)
{
    struct lore_prepared *p = ctx;
    enum lore_status status;

    p->body.max = LORE_WIRE_MAX_BYTES;
    status = lore_zstd_unpack(p->packed, p->len, &p->body, err);
    p->in.body = p->body.data ? p->body.data : "";
    p->in.len = p->body.len;
    if (status != LORE_OK)
        return status;
    return lore_document_prepare_packed(&p->document, &p->in,
        &(struct lore_buf){.data = (char *)p->packed, .len = p->len}, &p->arena, err);
}

static void *
prepare_some(void *arg)
{
    struct many *m = arg;

    for (size_t i; (i = atomic_fetch_add(&m->next, 1)) < m->n;)
        if (m->v[i].packed)
            m->v[i].status = lore_guarded(LORE_DOCUMENT_MEMORY, prepare, &m->v[i], &m->v[i].err);
    return NULL;
}

void
lore_prepare_many(struct lore_prepared *v, size_t n)
{
    struct many m = {.v = v, .n = n};
    pthread_t threads[THREADS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int started = 0;

    while (started < THREADS && started + 1 < processors && n > FEW &&
           pthread_create(&threads[started], NULL, prepare_some, &m) == 0)
        started++;
    (void)prepare_some(&m);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

void
lore_prepared_free(struct lore_prepared *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        lore_document_free(&v[i].document);
        lore_buf_free(&v[i].body);
        lore_arena_free(&v[i].arena);
    }
}

bool
lore_prepared_fits(const void *packed, size_t len, size_t n, size_t *bytes)
{
    size_t size = lore_zstd_size(packed, len);

    if (n > 0 && (n == LORE_MANY || *bytes + size > LORE_MANY_BYTES))
        return false;
    *bytes += size;
    return true;
}
