/* Chooses the backend of a journal, seals what is appended and checks what is read. */
#include "service/journal/journal.h"

#include <inttypes.h>
#include <string.h>

#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/journal/backend.h"

struct lore_journal {
    const struct lore_journal_backend *backend;
    void *self;
    char *name;
    int64_t lag_ms;
};

/* Copy WHERE without the password of postgresql://user:password@host. */
static char *
without_password(const char *where)
{
    char *name = lore_xstrdup(where), *scheme = strstr(name, "://");
    char *user = scheme ? scheme + 3 : NULL;
    char *at = user ? strchr(user, '@') : NULL, *colon = user ? strchr(user, ':') : NULL;
    char *query = user ? strchr(user, '?') : NULL;

    if (at && colon && colon < at)
        memmove(colon, at, strlen(at) + 1);
    query = user ? strchr(user, '?') : NULL;
    if (query)
        *query = '\0';
    return name;
}

static enum lore_status
choose(const char *where, const struct lore_journal_backend **out, struct lore_err *err)
{
    bool address = lore_starts(where, "postgresql://") || lore_starts(where, "postgres://");

    *out = &lore_journal_directory;
    if (!address)
        return LORE_OK;
#ifdef WARPLORE_POSTGRES
    (void)err;
    *out = &lore_journal_postgres;
    return LORE_OK;
#else
    return lore_fail_at(err, LORE_UNSUPPORTED, "no_postgres", "journal",
        "journal: this program was built without PostgreSQL");
#endif
}

static enum lore_status
open_journal(const char *where, bool begun, struct lore_journal **out, struct lore_err *err)
{
    const struct lore_journal_backend *backend;
    void *self = NULL;
    enum lore_status status;

    *out = NULL;
    if (!where || strcmp(where, "none") == 0)
        return LORE_OK;
    status = choose(where, &backend, err);
    if (status == LORE_OK && begun && backend->check_begun)
        status = backend->check_begun(where, err);
    if (status == LORE_OK)
        status = backend->open(where, &self, err);
    if (status != LORE_OK)
        return status;
    *out = lore_xalloc(sizeof **out);
    **out = (struct lore_journal){backend, self, without_password(where), 0};
    return LORE_OK;
}

enum lore_status
lore_journal_open(const char *where, struct lore_journal **out, struct lore_err *err)
{
    return open_journal(where, false, out, err);
}

enum lore_status
lore_journal_open_begun(const char *where, struct lore_journal **out, struct lore_err *err)
{
    struct lore_journal_head end = {0};
    enum lore_status status = open_journal(where, true, out, err);

    if (status == LORE_OK && *out)
        status = lore_journal_find_head(*out, &end, err);
    if (status == LORE_OK && *out && end.seq == 0)
        status = lore_fail_at(err, LORE_INVALID, "journal_empty", "journal",
            "journal: %.160s is empty", lore_journal_name(*out));
    if (status != LORE_OK) {
        lore_journal_close(*out);
        *out = NULL;
    }
    return status;
}

void
lore_journal_close(struct lore_journal *j)
{
    if (!j)
        return;
    j->backend->close(j->self);
    lore_xfree(j->name);
    lore_xfree(j);
}

const char *
lore_journal_name(const struct lore_journal *j)
{
    return j->name;
}

enum lore_status
lore_journal_find_head(struct lore_journal *j, struct lore_journal_head *out, struct lore_err *err)
{
    return j->backend->head(j->self, out, err);
}

enum lore_status
lore_journal_set_lag(struct lore_journal *j, int64_t ms, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    if (ms == 0)
        return LORE_OK;
    if (!j || !j->backend->set_lag) {
        status = lore_fail_at(err, LORE_INVALID, "no_lag", "journal_lag",
            "journal_lag: only a journal in a directory can have one");
        lore_err_hint(
            err, j ? "PostgreSQL says when an entry is durable, by synchronous_commit and "
                     "its standby; leave journal_lag out"
                   : "give the directory with journal, or leave journal_lag out");
        return status;
    }
    status = j->backend->set_lag(j->self, ms, err);
    if (status == LORE_OK)
        j->lag_ms = ms;
    return status;
}

int64_t
lore_journal_lag_ms(const struct lore_journal *j)
{
    return j->lag_ms;
}

enum lore_status
lore_journal_flush(struct lore_journal *j, struct lore_err *err)
{
    return j->lag_ms > 0 ? j->backend->flush(j->self, err) : LORE_OK;
}

int64_t
lore_journal_synced(struct lore_journal *j, int64_t head)
{
    int64_t seq = j->lag_ms > 0 ? j->backend->synced(j->self) : head;

    return seq < head ? seq : head;
}

/* FIRST 0: each entry has its own. */
static enum lore_status
append(struct lore_journal *j, struct lore_journal_head *head, struct lore_journal_entry *entries,
    size_t n, int64_t first, struct lore_err *err)
{
    struct lore_journal_head last = *head;
    enum lore_status status;

    for (size_t i = 0; i < n; i++) {
        entries[i].seq = last.seq + 1;
        if (first > 0)
            entries[i].first = first;
        memcpy(entries[i].previous, last.hash, sizeof last.hash);
        lore_journal_entry_seal(&entries[i]);
        last.seq++;
        memcpy(last.hash, entries[i].hash, sizeof last.hash);
    }
    status = n > 0 ? j->backend->append(j->self, head, entries, n, err) : LORE_OK;
    if (status == LORE_OK)
        *head = last;
    return status;
}

enum lore_status
lore_journal_append(struct lore_journal *j, struct lore_journal_head *head,
    struct lore_journal_entry *entries, size_t n, struct lore_err *err)
{
    return append(j, head, entries, n, lore_journal_synced(j, head->seq) + 1, err);
}

enum lore_status
lore_journal_append_again(struct lore_journal *j, struct lore_journal_head *head,
    struct lore_journal_entry *entries, size_t n, struct lore_err *err)
{
    return append(j, head, entries, n, 0, err);
}

struct checked {
    struct lore_journal_head last;
    lore_journal_fn *fn;
    void *ctx;
    bool first;
};

static enum lore_status
foreign(int64_t seq, struct lore_err *err)
{
    enum lore_status status = lore_fail_at(err, LORE_CORRUPT, "journal_foreign", "journal",
        "the journal does not hold entry %" PRId64 " that this database was made from", seq);

    lore_err_hint(err, "it is another journal, or an older copy; warplored replay makes a database "
                       "from the journal in an empty directory");
    return status;
}

static enum lore_status
check(void *ctx, const struct lore_journal_entry *e, struct lore_err *err)
{
    struct checked *c = ctx;
    enum lore_status status = lore_journal_entry_follows(e, c->last.seq, c->last.hash, err);

    if (status != LORE_OK && c->first && c->last.seq > 0 && e->seq == c->last.seq + 1 &&
        memcmp(e->previous, c->last.hash, sizeof e->previous) != 0)
        return foreign(c->last.seq, err);
    if (status != LORE_OK)
        return status;
    c->first = false;
    c->last.seq = e->seq;
    memcpy(c->last.hash, e->hash, sizeof e->hash);
    return c->fn(c->ctx, e, err);
}

enum lore_status
lore_journal_read(struct lore_journal *j, const struct lore_journal_part *part, lore_journal_fn *fn,
    void *ctx, struct lore_err *err)
{
    struct checked c = {part->after, fn, ctx, true};
    struct lore_journal_head head;
    enum lore_status status = j->backend->read(j->self, part, check, &c, err);

    if (status == LORE_NOTFOUND && !c.first)
        return LORE_OK;
    if (status != LORE_OK || !c.first)
        return status;
    /* nothing follows: the last entry must be that of the caller */
    status = j->backend->head(j->self, &head, err);
    if (status == LORE_OK &&
        (head.seq < part->after.seq ||
            (head.seq == part->after.seq && memcmp(head.hash, part->after.hash, sizeof head.hash))))
        return foreign(part->after.seq, err);
    return status;
}

enum lore_status
lore_journal_wait(struct lore_journal *j, int64_t seq, int ms, int64_t *head, struct lore_err *err)
{
    return j->backend->wait(j->self, seq, ms, head, err);
}
