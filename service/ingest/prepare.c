/* The caller's part of ingest: hash, parse, decode, digest each record, compress. It is most of the
 * work and runs on the request threads; the writer inserts and judges. */
#include <string.h>

#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/ingest/document.h"
#include "service/stats/level.h"
#include "service/verdicts/verdicts.h"
#include "service/wire/fields.h"

/* A document has at most a few hundred thousand values. A hostile one could have millions, at a
 * hundred bytes of memory each. */
static const struct lore_json_limits limits = {
    .nodes = 1000000, .string_bytes = LORE_WIRE_MAX_BYTES};

static void
digest_kind(struct lore_document *d, const struct lore_json *root, enum lore_kind kind,
    struct lore_arena *arena)
{
    const struct lore_json *list = lore_json_get(root, lore_kind_plural(kind));
    const struct lore_json *node = list != NULL ? list->child : NULL;
    unsigned char(*digests)[32];
    size_t n, size;

    (void)lore_wire_list(&d->doc, kind, &n, &size);
    if (n == 0)
        return;
    digests = lore_alloc_array(arena, n, sizeof *digests);
    for (size_t i = 0; i < n && node; i++, node = node->next)
        lore_wire_digest(node, digests[i]);
    d->digests[kind] = (const unsigned char(*)[32])digests;
    d->n_records += n;
}

/* What the writer stores of the samples and metrics of each run; it has one thread, the callers
 * have many. */
static void
compute_times(struct lore_document *d, struct lore_arena *arena)
{
    LORE_SCRATCH scratch = {0};

    for (size_t i = 0; i < d->doc.n_runs; i++) {
        struct lore_run *r = &d->doc.runs[i];
        struct lore_level_times *times;

        r->shown = lore_verdicts_shown(r, &scratch);
        if (r->n_samples == 0)
            continue;
        times = lore_alloc(arena, sizeof *times);
        lore_level_times(r->samples_ns, r->n_samples, &scratch, times);
        lore_arena_reset(&scratch);
        r->times = times;
    }
}

/* What each version shows; the sources of one document may take long to read. */
static void
read_versions(struct lore_document *d, struct lore_arena *arena)
{
    LORE_SCRATCH scratch = {0};

    for (size_t i = 0; i < d->doc.n_versions; i++) {
        struct lore_version_shown shown, *kept;

        if (lore_verdicts_version(&d->doc.versions[i], &scratch, &shown)) {
            kept = lore_memdup(arena, &shown, sizeof shown);
            kept->source = lore_strdup(arena, shown.source);
            kept->lacks = lore_strdup(arena, shown.lacks);
            kept->moot = lore_strdup(arena, shown.moot);
            kept->params = lore_strdup(arena, shown.params);
            kept->words = lore_strdup(arena, shown.words);
            d->doc.versions[i].shown = kept;
        }
        lore_arena_reset(&scratch);
    }
}

static enum lore_status
prepare(struct lore_document *d, const struct lore_ingest_doc *in, struct lore_arena *arena,
    struct lore_err *err)
{
    struct lore_json *root = NULL;
    enum lore_status status;

    if (in->len > LORE_WIRE_MAX_BYTES)
        return lore_fail_at(err, LORE_TOOBIG, "body_too_big", "",
            "the document has %zu bytes; the limit is %u bytes", in->len, LORE_WIRE_MAX_BYTES);
    lore_hash(in->body, in->len, d->hash);
    lore_hex(d->hash, sizeof d->hash, d->hash_hex);
    d->bytes = in->len;
    d->actor = in->actor;
    d->owner = in->owner;
    d->curator = in->curator;
    if ((status = lore_json_parse(in->body, in->len, &limits, arena, &root, err)) != LORE_OK)
        return status;
    if ((status = lore_wire_decode(root, arena, &d->doc, err)) != LORE_OK)
        return status;
    if (in->arrived_us != 0 &&
        (status = lore_wire_possible(&lore_document_record, root, in->arrived_us, err)) != LORE_OK)
        return status;
    if ((status = lore_document_allowed(d, NULL, err)) != LORE_OK)
        return status;
    d->root = root;
    for (int k = 0; k < LORE_K_COUNT; k++)
        digest_kind(d, root, (enum lore_kind)k, arena);
    if (d->n_records == 0 && d->doc.n_artifacts == 0)
        return lore_fail_at(
            err, LORE_INVALID, "empty_document", "$", "the document holds no record");
    compute_times(d, arena);
    read_versions(d, arena);
    return LORE_OK;
}

enum lore_status
lore_document_prepare(struct lore_document *d, const struct lore_ingest_doc *in,
    struct lore_arena *arena, struct lore_err *err)
{
    enum lore_status status = prepare(d, in, arena, err);

    return status == LORE_OK ? lore_zstd_pack(in->body, in->len, &d->zstd, err) : status;
}

enum lore_status
lore_document_prepare_packed(struct lore_document *d, const struct lore_ingest_doc *in,
    const struct lore_buf *packed, struct lore_arena *arena, struct lore_err *err)
{
    enum lore_status status = prepare(d, in, arena, err);

    if (status != LORE_OK)
        return status;
    lore_buf_add(&d->zstd, packed->data, packed->len);
    return lore_buf_status(&d->zstd, "the packed document", err);
}

void
lore_document_free(struct lore_document *d)
{
    lore_buf_free(&d->zstd);
}
