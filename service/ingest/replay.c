/* A document is taken as it was then: whoever brought it was allowed to. */
#include "service/ingest/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store.h"
#include "db/verify.h"
#include "service/base/text.h"
#include "service/ingest/document.h"

static enum lore_status
store(struct lore_db *to, const struct lore_verified_document *in, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    LORE_DOCUMENT d = {0};
    const struct lore_ingest_doc doc = {in->text, in->len, in->actor, true, in->owner};
    struct lore_stored stored = {0};
    enum lore_status status = lore_document_prepare(&d, &doc, &a, err);

    if (status == LORE_OK)
        status = lore_db_begin(to, err);
    if (status != LORE_OK)
        return status;
    status = lore_document_store(&d, to, in->received_us, &a, &stored, err);
    if (status == LORE_OK)
        status = lore_db_commit(to, err);
    if (status != LORE_OK)
        lore_db_rollback(to);
    return status;
}

static enum lore_status
replay(void *ctx, const struct lore_verified_document *in, struct lore_err *err)
{
    struct lore_err why = {0};
    enum lore_status status = store(ctx, in, &why);

    if (status == LORE_OK)
        return LORE_OK;
    if (status == LORE_IO || status == LORE_BUSY) { /* of the scratch database */
        *err = why;
        return status;
    }
    return lore_fail_at(err, LORE_CORRUPT, "document_refused", "",
        "document %s: its records cannot be derived again: %.120s", in->id, why.msg);
}

static enum lore_status
verify_in(struct lore_db *from, const char *folder, bool deep, struct lore_replayed *out,
    struct lore_err *err)
{
    struct lore_db *to = NULL;
    enum lore_status status = lore_db_open_writer(folder, &to, err);

    if (status == LORE_OK)
        status = lore_db_make_scratch(to, err);
    if (status == LORE_OK)
        status = lore_db_verify_documents(from, replay, to, &out->documents, err);
    if (status == LORE_OK)
        status = lore_db_verify_blobs(from, &out->blobs, err);
    if (status == LORE_OK)
        status = lore_db_compare(from, to, deep, &out->rows, err);
    lore_db_close(to);
    return status;
}

static void
remove_scratch(const char *folder, struct lore_arena *a)
{
    static const char *const names[] = {
        "warplore.db", "warplore.db-wal", "warplore.db-shm", "identity", "lock"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(lore_format(a, "%s/%s", folder, names[i]));
    (void)rmdir(folder);
}

enum lore_status
lore_replay_verify(struct lore_db *from, const char *scratch, bool deep, struct lore_replayed *out,
    struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    char *folder = lore_format(&a, "%s/warplore-verify-XXXXXX", scratch);
    enum lore_status status;

    *out = (struct lore_replayed){0};
    if (!mkdtemp(folder))
        return lore_fail(err, LORE_IO, "%.150s: %s", scratch, strerror(errno));
    status = verify_in(from, folder, deep, out, err);
    remove_scratch(folder, &a);
    return status;
}
