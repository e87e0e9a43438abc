#ifdef WARPLORE_POSTGRES
/* The journal as a table of PostgreSQL, which several nodes share. A group of entries is one
 * transaction, and seq is the primary key: when two nodes append at once, one of them gets a
 * violation of the key and has to read first. PostgreSQL decides what is durable and who is the
 * primary; the address may name several hosts.
 *
 * A COMMIT is never cancelled: PostgreSQL would report a cancelled wait for its standby as a
 * success. When no answer comes in time, the connection is closed and the outcome is unknown. The
 * next append finds out, because the entries are there or not.
 *
 * The writer's thread has one connection; the thread that waits has another one. */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "service/base/buf.h"
#include "service/base/clock.h"
#include "service/base/guard.h"
#include "service/base/xalloc.h"
#include "service/journal/backend.h"

/* An answer, with the wait for a synchronous standby. */
#define ANSWER_MS 10000
#define CONNECT_S "3"
/* A dead peer is noticed after idle + 3 * interval seconds. */
#define KEEPALIVE_S "5"
#define CHANNEL "warplore_journal"

struct postgres {
    char *where;
    PGconn *writer;
    PGconn *waiter;
    bool warned; /* the server sent a warning since this was cleared */
};

static enum lore_status
unavailable(PGconn *c, const char *what, struct lore_err *err)
{
    const char *said = c ? PQerrorMessage(c) : "";
    int n = (int)strcspn(said, "\n");

    return lore_fail_at(err, LORE_BUSY, "journal_unavailable", "",
        "the journal does not answer (%s): %.*s", what, n > 120 ? 120 : n, said);
}

/* ---- connections ---- */

/* The I-th item of a list with commas; the last one when it is shorter. */
static char *
item(const char *list, int i)
{
    const char *comma;

    while (i-- > 0 && (comma = strchr(list, ',')) != NULL)
        list = comma + 1;
    return lore_xstrndup(list, strcspn(list, ","));
}

static int
count_items(const char *list)
{
    int n = 1;

    for (; *list != '\0'; list++)
        n += *list == ',';
    return n;
}

static const char *
part_of(const PQconninfoOption *o, const char *name)
{
    for (; o && o->keyword; o++)
        if (strcmp(o->keyword, name) == 0)
            return o->val ? o->val : "";
    return "";
}

/* The address WHERE with the host and port of one of its hosts. */
static PGconn *
dial_one(const char *where, const char *host, const char *port)
{
    /* a later keyword counts more than an earlier one */
    const char *const keys[] = {"target_session_attrs", "connect_timeout", "keepalives_idle",
        "keepalives_interval", "keepalives_count", "tcp_user_timeout", "application_name", "dbname",
        host[0] != '\0'   ? "host"
        : port[0] != '\0' ? "port"
                          : NULL,
        port[0] != '\0' ? "port" : NULL, NULL};
    const char *const values[] = {"read-write", CONNECT_S, KEEPALIVE_S, KEEPALIVE_S, "3", "10000",
        "warplored", where, host[0] != '\0' ? host : port, port, NULL};

    return PQconnectdbParams(keys, values, 1);
}

/* Try the hosts of WHERE in order. libpq does not go on to the next host when one closes the
 * connection before it answers, as a proxy in front of a dead server does. */
static PGconn *
dial(const char *where)
{
    PQconninfoOption *parts = PQconninfoParse(where, NULL);
    const char *hosts = part_of(parts, "host"), *ports = part_of(parts, "port");
    int n = count_items(hosts);
    PGconn *c = NULL;

    for (int i = 0; i < n && PQstatus(c) != CONNECTION_OK; i++) {
        char *host = item(hosts, i), *port = item(ports, i);

        PQfinish(c);
        c = dial_one(where, host, port);
        lore_xfree(host);
        lore_xfree(port);
    }
    PQconninfoFree(parts);
    return c;
}

static void
drop(PGconn **c)
{
    PQfinish(*c);
    *c = NULL;
}

/* Wait until C can be read. */
static bool
wait_readable(PGconn *c, int64_t until_us)
{
    struct pollfd fd = {.fd = PQsocket(c), .events = POLLIN};
    int64_t left;

    while ((left = until_us - lore_ticks_us()) > 0) {
        int n = poll(&fd, 1, (int)(left / 1000) + 1);

        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
    }
    return false;
}

/* Send what is buffered. */
static bool
flush(PGconn *c, int64_t until_us)
{
    int left;

    while ((left = PQflush(c)) > 0) {
        struct pollfd fd = {.fd = PQsocket(c), .events = POLLIN | POLLOUT};

        if (lore_ticks_us() >= until_us || poll(&fd, 1, 100) < 0)
            return false;
        if ((fd.revents & POLLIN) && !PQconsumeInput(c))
            return false;
    }
    return left == 0;
}

/* The next result of C; NULL when no more comes. *late: none came in time. */
static PGresult *
next_result(PGconn *c, int64_t until_us, bool *late)
{
    *late = false;
    while (PQisBusy(c))
        if (!wait_readable(c, until_us) || !PQconsumeInput(c)) {
            *late = true;
            return NULL;
        }
    return PQgetResult(c);
}

static void
clear(PGresult **r)
{
    PQclear(*r);
}
#define RESULT __attribute__((cleanup(clear))) PGresult *

/* Read the results of a text of statements to the end. LORE_CONFLICT: a key is taken. */
static enum lore_status
finish(PGconn **c, const char *what, int64_t until_us, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (;;) {
        bool late;
        RESULT r = next_result(*c, until_us, &late);

        if (late) {
            status = unavailable(NULL, what, err);
            drop(c);
            return status;
        }
        if (!r)
            return status;
        ExecStatusType got = PQresultStatus(r);
        if (got == PGRES_COPY_IN || got == PGRES_COMMAND_OK || got == PGRES_TUPLES_OK ||
            got == PGRES_SINGLE_TUPLE) {
            if (got == PGRES_COPY_IN)
                return status;
            continue;
        }
        const char *code = PQresultErrorField(r, PG_DIAG_SQLSTATE);
        if (code && (strcmp(code, "23505") == 0 || strcmp(code, "40001") == 0))
            status = lore_fail_at(
                err, LORE_CONFLICT, "journal_moved", "", "another node was first with this entry");
        else
            status = unavailable(*c, what, err);
    }
}

static enum lore_status
run(PGconn **c, const char *sql, struct lore_err *err)
{
    int64_t until = lore_ticks_us() + INT64_C(1000) * ANSWER_MS;

    if (!PQsendQuery(*c, sql) || !flush(*c, until)) {
        enum lore_status status = unavailable(*c, "sending", err);
        drop(c);
        return status;
    }
    return finish(c, "waiting", until, err);
}

/* A COMMIT that stops waiting for its standby is reported as a success with a warning. */
static void
note_warning(void *ctx, const PGresult *r)
{
    struct postgres *p = ctx;
    const char *severity = PQresultErrorField(r, PG_DIAG_SEVERITY_NONLOCALIZED);

    p->warned |= severity && strcmp(severity, "WARNING") == 0;
}

static enum lore_status
connect_to(struct postgres *p, PGconn **c, struct lore_err *err)
{
    if (*c && PQstatus(*c) == CONNECTION_OK)
        return LORE_OK;
    PQfinish(*c);
    *c = dial(p->where);
    if (PQstatus(*c) != CONNECTION_OK)
        return unavailable(*c, "connecting", err);
    PQsetNoticeReceiver(*c, note_warning, p);
    PQsetnonblocking(*c, 1);
    /* a server that acknowledges before its disk has the commit would break the promise */
    return run(c,
        "SELECT set_config('synchronous_commit', 'on', false)"
        " WHERE current_setting('synchronous_commit') = 'off'",
        err);
}

/* ---- opening ---- */

static enum lore_status
create(struct postgres *p, struct lore_err *err)
{
    /* two nodes may start at once: the lock lets one of them create the table */
    return run(&p->writer,
        "BEGIN; SELECT pg_advisory_xact_lock(hashtext('" CHANNEL "'));"
        "CREATE TABLE IF NOT EXISTS journal (seq bigint PRIMARY KEY, first bigint NOT NULL,"
        " prev bytea NOT NULL, hash bytea NOT NULL, kind text NOT NULL, at bigint NOT NULL,"
        " actor text NOT NULL, owner text NOT NULL, node text NOT NULL, curator boolean NOT NULL,"
        " body bytea NOT NULL);"
        /* bodies are compressed already */
        "ALTER TABLE journal ALTER COLUMN body SET STORAGE EXTERNAL; COMMIT",
        err);
}

static void
close_postgres(void *self)
{
    struct postgres *p = self;

    PQfinish(p->writer);
    PQfinish(p->waiter);
    lore_xfree(p->where);
    lore_xfree(p);
}

/* Whether the table is there; creating it again would wait for writers. */
static bool
has_table(struct postgres *p)
{
    RESULT r = PQexec(p->writer, "SELECT to_regclass('journal') IS NOT NULL");

    return PQresultStatus(r) == PGRES_TUPLES_OK && PQgetvalue(r, 0, 0)[0] == 't';
}

static enum lore_status
open_postgres(const char *where, void **out, struct lore_err *err)
{
    struct postgres *p = lore_xalloc(sizeof *p);
    enum lore_status status;

    p->where = lore_xstrdup(where);
    status = connect_to(p, &p->writer, err);
    if (status == LORE_OK && !has_table(p))
        status = create(p, err);
    if (status == LORE_OK)
        *out = p;
    else
        close_postgres(p);
    return status;
}

/* ---- reading ---- */

/* Take the numbers and hashes of a binary row: false when it is malformed. */
static int64_t
get_number(const PGresult *r, int row, int column)
{
    uint64_t v = 0;

    if (PQgetlength(r, row, column) == 8)
        memcpy(&v, PQgetvalue(r, row, column), 8);
    return (int64_t)be64toh(v);
}

static bool
get_hash(const PGresult *r, int column, unsigned char out[LORE_HASH_BYTES])
{
    if (PQgetlength(r, 0, column) != LORE_HASH_BYTES)
        return false;
    memcpy(out, PQgetvalue(r, 0, column), LORE_HASH_BYTES);
    return true;
}

static enum lore_status
query(PGconn **c, const char *sql, int64_t after, int64_t most, struct lore_err *err)
{
    const uint64_t numbers[] = {htobe64((uint64_t)after), htobe64((uint64_t)most)};
    const char *const values[] = {(const char *)&numbers[0], (const char *)&numbers[1]};
    const int lengths[] = {8, 8}, formats[] = {1, 1};
    const Oid types[] = {20, 20}; /* bigint */
    enum lore_status status;

    if (PQsendQueryParams(*c, sql, 2, types, values, lengths, formats, 1) &&
        flush(*c, lore_ticks_us() + INT64_C(1000) * ANSWER_MS))
        return LORE_OK;
    status = unavailable(*c, "reading", err);
    drop(c);
    return status;
}

static enum lore_status
read_head(void *self, struct lore_journal_head *out, struct lore_err *err)
{
    struct postgres *p = self;
    int64_t until = lore_ticks_us() + INT64_C(1000) * ANSWER_MS;
    bool late, ok = true;
    enum lore_status status = connect_to(p, &p->writer, err);

    *out = (struct lore_journal_head){.seq = 0};
    if (status == LORE_OK)
        status = query(&p->writer,
            "SELECT seq, hash FROM journal WHERE seq > $1 ORDER BY seq DESC LIMIT $2", -1, 1, err);
    if (status != LORE_OK)
        return status;
    RESULT r = next_result(p->writer, until, &late);
    if (late || PQresultStatus(r) != PGRES_TUPLES_OK) {
        status = unavailable(p->writer, "reading", err);
        drop(&p->writer);
        return status;
    }
    if (PQntuples(r) > 0) {
        out->seq = get_number(r, 0, 0);
        ok = get_hash(r, 1, out->hash);
    }
    status = finish(&p->writer, "reading", until, err);
    return status == LORE_OK && !ok
               ? lore_fail(err, LORE_CORRUPT, "the last journal entry has no hash")
               : status;
}

static bool
get_entry(const PGresult *r, struct lore_journal_entry *e)
{
    *e = (struct lore_journal_entry){.seq = get_number(r, 0, 0),
        .first = get_number(r, 0, 1),
        .kind = PQgetvalue(r, 0, 4),
        .at_us = get_number(r, 0, 5),
        .actor = PQgetvalue(r, 0, 6),
        .owner = PQgetvalue(r, 0, 7),
        .node = PQgetvalue(r, 0, 8),
        .curator = PQgetlength(r, 0, 9) == 1 && PQgetvalue(r, 0, 9)[0] == 1,
        .body = PQgetvalue(r, 0, 10),
        .len = (size_t)PQgetlength(r, 0, 10)};
    return get_hash(r, 2, e->previous) && get_hash(r, 3, e->hash);
}

/* Rows come one at a time, so memory does not grow with their number. */
static enum lore_status
read_rows(struct postgres *p, lore_journal_fn *fn, void *ctx, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (;;) {
        struct lore_journal_entry e;
        bool late;
        RESULT r = next_result(p->writer, lore_ticks_us() + INT64_C(1000) * ANSWER_MS, &late);

        if (late) {
            status = unavailable(NULL, "reading", err);
            drop(&p->writer);
            return status;
        }
        if (!r)
            return status;
        if (PQresultStatus(r) == PGRES_SINGLE_TUPLE && status == LORE_OK) {
            status = get_entry(r, &e) ? fn(ctx, &e, err)
                                      : lore_fail(err, LORE_CORRUPT,
                                            "journal entry %" PRId64 " has no hash", e.seq);
        } else if (PQresultStatus(r) == PGRES_FATAL_ERROR && status == LORE_OK) {
            status = unavailable(p->writer, "reading", err);
        }
    }
}

static enum lore_status
read_postgres(void *self, const struct lore_journal_part *part, lore_journal_fn *fn, void *ctx,
    struct lore_err *err)
{
    struct postgres *p = self;
    enum lore_status status = connect_to(p, &p->writer, err);

    if (status == LORE_OK)
        status = query(&p->writer,
            "SELECT seq, first, prev, hash, kind, at, actor, owner, node, curator, body"
            " FROM journal WHERE seq > $1 ORDER BY seq LIMIT $2",
            part->after.seq, part->most > 0 ? (int64_t)part->most : INT64_MAX, err);
    if (status != LORE_OK)
        return status;
    PQsetSingleRowMode(p->writer);
    return read_rows(p, fn, ctx, err);
}

/* ---- appending ---- */

static void
add_bytes(struct lore_buf *out, const void *p, size_t n)
{
    uint32_t len = htonl((uint32_t)n);

    lore_buf_add(out, &len, 4);
    lore_buf_add(out, p, n);
}

static void
add_number(struct lore_buf *out, int64_t v)
{
    uint64_t n = htobe64((uint64_t)v);

    add_bytes(out, &n, 8);
}

static void
add_text(struct lore_buf *out, const char *s)
{
    add_bytes(out, s ? s : "", s ? strlen(s) : 0);
}

/* The rows in the binary form of COPY. */
static void
add_rows(struct lore_buf *out, const struct lore_journal_entry *entries, size_t n)
{
    const uint16_t columns = htons(11), end = 0xffff;

    lore_buf_add(out, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
    for (size_t i = 0; i < n; i++) {
        const struct lore_journal_entry *e = &entries[i];

        lore_buf_add(out, &columns, 2);
        add_number(out, e->seq);
        add_number(out, e->first);
        add_bytes(out, e->previous, sizeof e->previous);
        add_bytes(out, e->hash, sizeof e->hash);
        add_text(out, e->kind);
        add_number(out, e->at_us);
        add_text(out, e->actor);
        add_text(out, e->owner);
        add_text(out, e->node);
        add_bytes(out, e->curator ? "\1" : "\0", 1);
        add_bytes(out, e->body, e->len);
    }
    lore_buf_add(out, &end, 2);
}

/* Begin the transaction; LORE_CONFLICT unless the journal ends with HEAD. */
static enum lore_status
begin(struct postgres *p, const struct lore_journal_head *head, struct lore_err *err)
{
    int64_t until = lore_ticks_us() + INT64_C(1000) * ANSWER_MS;
    char sql[400], hex[LORE_HASH_HEX];
    bool late, same = false, asked = false;

    lore_hex(head->hash, sizeof head->hash, hex);
    snprintf(sql, sizeof sql,
        "BEGIN; SELECT coalesce((SELECT seq = %" PRId64 " AND hash = '\\x%s' FROM journal"
        " ORDER BY seq DESC LIMIT 1), %" PRId64 " = 0);"
        "COPY journal (seq, first, prev, hash, kind, at, actor, owner, node, curator, body)"
        " FROM STDIN (FORMAT binary)",
        head->seq, hex, head->seq);
    if (!PQsendQuery(p->writer, sql) || !flush(p->writer, until))
        return unavailable(p->writer, "sending", err);
    for (;;) {
        RESULT r = next_result(p->writer, until, &late);

        if (late || !r)
            return unavailable(p->writer, "beginning", err);
        if (PQresultStatus(r) == PGRES_TUPLES_OK) {
            asked = true;
            same = PQgetvalue(r, 0, 0)[0] == 't';
        } else if (PQresultStatus(r) == PGRES_COPY_IN) {
            break;
        } else if (PQresultStatus(r) != PGRES_COMMAND_OK) {
            return unavailable(p->writer, "beginning", err);
        }
    }
    return asked && same ? LORE_OK
                         : lore_fail_at(err, LORE_CONFLICT, "journal_moved", "",
                               "the journal does not end with entry %" PRId64, head->seq);
}

/* End the transaction that failed; the connection can be used again. */
static enum lore_status
give_up(struct postgres *p, enum lore_status status, bool copying)
{
    struct lore_err ignored;

    if (status != LORE_CONFLICT || !p->writer) {
        drop(&p->writer);
        return status;
    }
    if (copying) {
        int64_t until = lore_ticks_us() + INT64_C(1000) * ANSWER_MS;

        if (PQputCopyEnd(p->writer, "moved") != 1 || !flush(p->writer, until) ||
            finish(&p->writer, "ending", until, &ignored) == LORE_OK) {
            drop(&p->writer);
            return status;
        }
    }
    if (p->writer && run(&p->writer, "ROLLBACK", &ignored) != LORE_OK)
        drop(&p->writer);
    return status;
}

static enum lore_status
append(void *self, const struct lore_journal_head *head, const struct lore_journal_entry *entries,
    size_t n, struct lore_err *err)
{
    struct postgres *p = self;
    LORE_BUF rows = {.max = (size_t)1 << 30};
    int64_t until;
    enum lore_status status = connect_to(p, &p->writer, err);

    if (status != LORE_OK)
        return status;
    if ((status = begin(p, head, err)) != LORE_OK)
        return give_up(p, status, true);
    add_rows(&rows, entries, n);
    if ((status = lore_buf_status(&rows, "the group of journal entries", err)) != LORE_OK)
        return give_up(p, status, true);
    until = lore_ticks_us() + INT64_C(1000) * ANSWER_MS;
    if (PQputCopyData(p->writer, rows.data, (int)rows.len) != 1 ||
        PQputCopyEnd(p->writer, NULL) != 1 || !flush(p->writer, until))
        return give_up(p, unavailable(p->writer, "sending", err), false);
    if ((status = finish(&p->writer, "storing", until, err)) != LORE_OK)
        return give_up(p, status, false);
    p->warned = false;
    status = run(&p->writer, "NOTIFY " CHANNEL "; COMMIT", err);
    if (status == LORE_OK && p->warned)
        status = unavailable(NULL, "it did not wait for its standby", err);
    return status == LORE_OK ? LORE_OK : give_up(p, status, false);
}

/* ---- waiting ---- */

/* Ask the waiting connection for the last seq. */
static enum lore_status
last_seq(struct postgres *p, int64_t *out, struct lore_err *err)
{
    int64_t until = lore_ticks_us() + INT64_C(1000) * ANSWER_MS;
    bool late;
    enum lore_status status = query(&p->waiter,
        "SELECT seq FROM journal WHERE seq > $1 ORDER BY seq DESC LIMIT $2", -1, 1, err);

    if (status != LORE_OK)
        return status;
    RESULT r = next_result(p->waiter, until, &late);
    if (late || PQresultStatus(r) != PGRES_TUPLES_OK) {
        status = unavailable(p->waiter, "reading", err);
        drop(&p->waiter);
        return status;
    }
    *out = PQntuples(r) > 0 ? get_number(r, 0, 0) : 0;
    return finish(&p->waiter, "reading", until, err);
}

static enum lore_status
listen_for_news(struct postgres *p, struct lore_err *err)
{
    bool fresh = !p->waiter || PQstatus(p->waiter) != CONNECTION_OK;
    enum lore_status status = connect_to(p, &p->waiter, err);

    return status == LORE_OK && fresh ? run(&p->waiter, "LISTEN " CHANNEL, err) : status;
}

static enum lore_status
wait_postgres(void *self, int64_t seq, int ms, int64_t *head, struct lore_err *err)
{
    struct postgres *p = self;
    int64_t until = lore_ticks_us() + INT64_C(1000) * ms;
    enum lore_status status = listen_for_news(p, err);

    *head = seq;
    if (status == LORE_OK)
        status = last_seq(p, head, err);
    if (status != LORE_OK || *head > seq)
        return status;
    if (wait_readable(p->waiter, until) && !PQconsumeInput(p->waiter)) {
        status = unavailable(p->waiter, "listening", err);
        drop(&p->waiter);
        return status;
    }
    for (PGnotify *n; (n = PQnotifies(p->waiter)) != NULL;)
        PQfreemem(n);
    return last_seq(p, head, err);
}

const struct lore_journal_backend lore_journal_postgres = {.open = open_postgres,
    .close = close_postgres,
    .head = read_head,
    .append = append,
    .read = read_postgres,
    .wait = wait_postgres};
#endif
