/* The connection: read-only and immutable, the limits of SQLite lowered, an authorizer over every
 * statement (it also sees what a view of the file does), and a progress handler that ends a query
 * whose work is out of proportion. A long file that is packed is unpacked to a temporary file. */
#include "collectors/import/sqlite/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "collectors/import/feed.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* A query may do this many steps of SQLite's machine, and so many for each byte of the file.
 * Reading a row of Nsight's kernels with its names takes one step per byte; rocprofv3's views,
 * which join eight tables, take ten. */
enum { STEPS = 100000000, STEPS_PER_BYTE = 200, STEPS_BETWEEN = 10000 };
/* A view can name another view many times, which names another: their text grows without bound
 * while a statement is prepared, where no step is counted. So all memory has a limit, too. */
enum { HEAP_MAX = 192 << 20 };
enum { VALUE_MAX = 16 << 20, SQL_MAX = 200000, HEADER = 100 };

static const char magic[] = "SQLite format 3";

struct lore_sqlite {
    struct lore_arena *arena;
    sqlite3 *db;
    unsigned char *copy; /* of a short file, which is in memory */
    struct lore_texts names, tables;
    int64_t heap; /* SQLite's limit of memory before */
    uint64_t size;
    int64_t steps, most;   /* in units of STEPS_BETWEEN */
    const char *forbidden; /* what the authorizer refused last; NULL: nothing */
};
struct lore_sqlite_query {
    struct lore_sqlite *file;
    sqlite3_stmt *stmt;
    struct lore_arena arena; /* of one row */
    int code;
};

bool
lore_sqlite_is(const char *text, size_t len)
{
    return len >= HEADER && memcmp(text, magic, sizeof magic) == 0;
}

/* ---- what a statement may do ---- */

static bool
harmless(const char *function)
{
    static const char *const names[] = {"abs", "avg", "coalesce", "count", "ifnull", "json_extract",
        "length", "lower", "max", "min", "nullif", "round", "substr", "sum", "total", "upper"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i], function) == 0)
            return true;
    return false;
}

static int
authorize(void *file, int action, const char *a, const char *b, const char *db, const char *view)
{
    struct lore_sqlite *s = file;

    (void)db, (void)view;
    if (action == SQLITE_SELECT || action == SQLITE_READ)
        return SQLITE_OK;
    if (action == SQLITE_FUNCTION && b && harmless(b))
        return SQLITE_OK;
    s->forbidden = action == SQLITE_FUNCTION ? lore_format(s->arena, "the function %.60s", b)
                   : action == SQLITE_RECURSIVE
                       ? "a recursive query"
                       : lore_format(s->arena, "action %d on %.60s", action, a ? a : "the file");
    return SQLITE_DENY;
}

static int
count_steps(void *file)
{
    struct lore_sqlite *s = file;

    return ++s->steps > s->most;
}

static void
confine(struct lore_sqlite *s, uint64_t bytes)
{
    static const struct {
        int id, value;
    } limits[] = {{SQLITE_LIMIT_LENGTH, VALUE_MAX}, {SQLITE_LIMIT_SQL_LENGTH, SQL_MAX},
        {SQLITE_LIMIT_COLUMN, 500}, {SQLITE_LIMIT_EXPR_DEPTH, 100},
        {SQLITE_LIMIT_COMPOUND_SELECT, 20}, {SQLITE_LIMIT_VDBE_OP, 100000},
        {SQLITE_LIMIT_FUNCTION_ARG, 16}, {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100}, {SQLITE_LIMIT_VARIABLE_NUMBER, 8},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 1}, {SQLITE_LIMIT_WORKER_THREADS, 0}};

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        (void)sqlite3_limit(s->db, limits[i].id, limits[i].value);
    s->most = (STEPS + (int64_t)bytes * STEPS_PER_BYTE) / STEPS_BETWEEN;
    sqlite3_progress_handler(s->db, STEPS_BETWEEN, count_steps, s);
    (void)sqlite3_set_authorizer(s->db, authorize, s);
}

/* ---- opening ---- */

static enum lore_status
failed(struct lore_sqlite *s, int code, struct lore_err *err)
{
    if (s->forbidden)
        return lore_fail(err, LORE_INVALID, "the file asks for %s, which is refused", s->forbidden);
    if (code == SQLITE_INTERRUPT)
        return lore_fail(err, LORE_INVALID,
            "a query took more than %lld million steps; the file is not what it says",
            (long long)(s->most * STEPS_BETWEEN / 1000000));
    return lore_fail(err, LORE_INVALID, "SQLite: %s", sqlite3_errmsg(s->db));
}

/* Give the connection a copy of the file. A file in WAL mode says so in its header; without its
 * -wal file it is complete as it is. */
static int
open_memory(struct lore_sqlite *s, const char *text, size_t len)
{
    int code = sqlite3_open_v2(":memory:", &s->db, SQLITE_OPEN_READWRITE, NULL);

    if (code != SQLITE_OK)
        return code;
    s->copy = sqlite3_malloc64(len);
    if (!s->copy)
        return SQLITE_NOMEM;
    memcpy(s->copy, text, len);
    s->copy[18] = s->copy[19] = 1;
    return sqlite3_deserialize(s->db, "main", s->copy, (sqlite3_int64)len, (sqlite3_int64)len,
        SQLITE_DESERIALIZE_READONLY | SQLITE_DESERIALIZE_FREEONCLOSE);
}

/* Open the SQLite file PATH, in which a URI's own characters are escaped. */
static int
open_path(struct lore_sqlite *s, const char *path)
{
    LORE_BUF uri = {.max = 64 << 10};

    lore_buf_puts(&uri, "file:");
    for (const char *p = path; *p; p++)
        if (strchr("%?#", *p))
            lore_buf_printf(&uri, "%%%02x", (unsigned char)*p);
        else
            lore_buf_putc(&uri, *p);
    lore_buf_puts(&uri, "?mode=ro&immutable=1");
    return sqlite3_open_v2(
        uri.over ? "" : uri.data, &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
}

/* Copy a file that is packed, or part of an archive, to the new file FD. */
static enum lore_status
unpack(struct lore_sqlite *s, struct lore_import *in, int fd, struct lore_err *err)
{
    const char *bytes;
    struct lore_feed feed = {0};
    size_t n = 1;

    enum lore_status status = lore_feed_open(in, &feed, err);
    while (status == LORE_OK && n > 0) {
        status = feed.next(&feed, &bytes, &n, err);
        for (size_t done = 0; status == LORE_OK && done < n;) {
            ssize_t wrote = write(fd, bytes + done, n - done);
            if (wrote < 0 && errno != EINTR)
                status = lore_fail(err, LORE_IO, "a temporary file: %s", strerror(errno));
            done += wrote > 0 ? (size_t)wrote : 0;
        }
        s->size += status == LORE_OK ? n : 0;
    }
    lore_feed_close(&feed);
    return status;
}

/* Open an unpacked copy. SQLite opens files by their names, so the name goes afterwards. */
static enum lore_status
open_packed(struct lore_sqlite *s, struct lore_import *in, int *code, struct lore_err *err)
{
    const char *tmp = getenv("TMPDIR");
    char *path = lore_format(in->arena, "%s/warplore-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    int fd = mkostemp(path, O_CLOEXEC);

    if (fd < 0)
        return lore_fail(err, LORE_IO, "a temporary file: %s", strerror(errno));
    s->size = 0;
    enum lore_status status = unpack(s, in, fd, err);
    if (status == LORE_OK)
        *code = open_path(s, path);
    (void)close(fd);
    (void)unlink(path);
    return status;
}

/* Open the current file where it lies. */
static enum lore_status
open_file(struct lore_sqlite *s, struct lore_import *in, int *code, struct lore_err *err)
{
    const struct lore_import_file *f = in->at;

    s->size = f->whole ? f->len : f->from.size;
    if (f->whole) {
        *code = open_memory(s, f->text, f->len);
    } else if (!f->packed && f->from.disk && f->from.offset == 0) {
        *code = open_path(s, f->from.disk);
    } else {
        return open_packed(s, in, code, err);
    }
    return LORE_OK;
}

/* The names of the file's schema. A virtual table runs code of an extension over what the file
 * says, so a file that has one is refused. */
static enum lore_status
read_names(struct lore_sqlite *s, struct lore_err *err)
{
    struct lore_sqlite_rows r;
    enum lore_status status = lore_sqlite_query(s,
        "SELECT name, type, substr(sql, 1, 40) AS sql FROM sqlite_schema"
        " WHERE type IN ('table', 'view') ORDER BY rowid LIMIT 10000",
        &r, err);
    const char *virtual = NULL;

    while (status == LORE_OK && lore_sqlite_next(&r)) {
        const struct lore_json *name = lore_json_get(r.row, "name"),
                               *sql = lore_json_get(r.row, "sql"),
                               *type = lore_json_get(r.row, "type");
        if (sql && sql->type == LORE_J_STRING && strncasecmp(sql->str, "create virtual", 14) == 0)
            virtual = "it has a virtual table";
        if (name && name->type == LORE_J_STRING)
            lore_build_text(s->arena, &s->names, lore_strdup(s->arena, name->str));
        if (name && name->type == LORE_J_STRING && type && lore_streq(type->str, "table"))
            lore_build_text(s->arena, &s->tables, s->names.v[s->names.n - 1]);
    }
    enum lore_status end = lore_sqlite_end(&r, status == LORE_OK ? err : NULL);
    if (status == LORE_OK && end == LORE_OK && virtual)
        return lore_fail(err, LORE_INVALID, "the SQLite file is refused: %s", virtual);
    return status == LORE_OK ? end : status;
}

enum lore_status
lore_sqlite_open(struct lore_import *in, struct lore_sqlite **out, struct lore_err *err)
{
    static const int off[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_TRUSTED_SCHEMA,
        SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER,
        SQLITE_DBCONFIG_DQS_DML};
    const struct lore_import_file *f = in->at;
    struct lore_sqlite *s = lore_alloc(in->arena, sizeof *s);
    enum lore_status status = LORE_OK;

    int code = SQLITE_OK;

    if (!lore_sqlite_is(f->head, f->head_len))
        return lore_fail(err, LORE_INVALID, "it is not an SQLite file");
    s->arena = in->arena;
    s->heap = sqlite3_hard_heap_limit64(HEAP_MAX);
    *out = s;
    status = open_file(s, in, &code, err);
    for (size_t i = 0; status == LORE_OK && code == SQLITE_OK && i < sizeof off / sizeof *off; i++)
        code = sqlite3_db_config(s->db, off[i], 0, NULL);
    if (status == LORE_OK && code == SQLITE_OK)
        code = sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (status == LORE_OK && code == SQLITE_OK)
        code = sqlite3_exec(s->db,
            "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA query_only=ON", NULL, NULL,
            NULL);
    if (status == LORE_OK && code != SQLITE_OK)
        status = failed(s, code, err);
    if (status == LORE_OK) {
        confine(s, s->size);
        status = read_names(s, err);
    }
    if (status == LORE_OK)
        return LORE_OK;
    lore_sqlite_close(s);
    *out = NULL;
    return status;
}

void
lore_sqlite_close(struct lore_sqlite *s)
{
    if (!s)
        return;
    (void)sqlite3_close(s->db);
    (void)sqlite3_hard_heap_limit64(s->heap);
}

/* ---- names ---- */

const struct lore_texts *
lore_sqlite_names(const struct lore_sqlite *s)
{
    return &s->names;
}

const char *
lore_sqlite_find(const struct lore_sqlite *s, const char *name)
{
    for (size_t i = 0; i < s->names.n; i++)
        if (strcasecmp(s->names.v[i], name) == 0)
            return s->names.v[i];
    return NULL;
}

bool
lore_sqlite_is_table(const struct lore_sqlite *s, const char *name)
{
    for (size_t i = 0; i < s->tables.n; i++)
        if (strcasecmp(s->tables.v[i], name) == 0)
            return true;
    return false;
}

/* A statement that reads all columns of NAME; NULL: it cannot be read. */
static sqlite3_stmt *
all_of(struct lore_sqlite *s, const char *name)
{
    sqlite3_stmt *stmt = NULL;
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\" LIMIT 0", name);

    if (sql && lore_sqlite_find(s, name))
        (void)sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);
    sqlite3_free(sql);
    return stmt;
}

bool
lore_sqlite_has(struct lore_sqlite *s, const char *name, const char *column)
{
    sqlite3_stmt *stmt = all_of(s, name);
    bool has = false;

    for (int i = 0; stmt && !has && i < sqlite3_column_count(stmt); i++)
        has = strcasecmp(sqlite3_column_name(stmt, i), column) == 0;
    (void)sqlite3_finalize(stmt);
    return has;
}

const char *
lore_sqlite_columns(struct lore_sqlite *s, const char *name)
{
    sqlite3_stmt *stmt = all_of(s, name);
    LORE_BUF out = {.max = 16 << 10};

    for (int i = 0; stmt && i < sqlite3_column_count(stmt); i++)
        lore_buf_printf(&out, "%s%s", i > 0 ? ", " : "", sqlite3_column_name(stmt, i));
    (void)sqlite3_finalize(stmt);
    return out.len > 0 && lore_utf8_valid(out.data, out.len)
               ? lore_strndup(s->arena, out.data, out.len)
               : NULL;
}

/* ---- rows ---- */

enum lore_status
lore_sqlite_query(
    struct lore_sqlite *s, const char *sql, struct lore_sqlite_rows *r, struct lore_err *err)
{
    struct lore_sqlite_query *q = lore_alloc(s->arena, sizeof *q);

    *r = (struct lore_sqlite_rows){.query = q};
    q->file = s;
    s->steps = 0;
    s->forbidden = NULL;
    q->code = sqlite3_prepare_v2(s->db, sql, -1, &q->stmt, NULL);
    if (q->code == SQLITE_OK)
        return LORE_OK;
    enum lore_status status = failed(s, q->code, err);
    q->code = SQLITE_OK; /* told */
    return status;
}

/* Column I of the row as a member of OBJECT; a column without a value is left out. */
static struct lore_json *
cell(struct lore_sqlite_query *q, int i)
{
    int type = sqlite3_column_type(q->stmt, i);
    const char *text;
    struct lore_json *node;

    if (type == SQLITE_NULL || type == SQLITE_BLOB ||
        (type == SQLITE_FLOAT && !isfinite(sqlite3_column_double(q->stmt, i))))
        return NULL;
    text = (const char *)sqlite3_column_text(q->stmt, i);
    size_t len = (size_t)sqlite3_column_bytes(q->stmt, i);
    if (!text || !lore_utf8_valid(text, len) || memchr(text, '\0', len))
        return NULL;
    node = lore_alloc(&q->arena, sizeof *node);
    node->type = type == SQLITE_TEXT ? LORE_J_STRING : LORE_J_NUMBER;
    node->str = lore_strndup(&q->arena, text, len);
    node->len = (uint32_t)len;
    if (type == SQLITE_INTEGER) {
        node->is_int = true;
        node->i = sqlite3_column_int64(q->stmt, i);
        node->f = (double)node->i;
    } else if (type == SQLITE_FLOAT) {
        char digits[32];
        node->f = sqlite3_column_double(q->stmt, i);
        node->len = (uint32_t)lore_f64_text(node->f, digits);
        node->str = lore_strdup(&q->arena, digits);
    }
    return node;
}

bool
lore_sqlite_next(struct lore_sqlite_rows *r)
{
    struct lore_sqlite_query *q = r->query;
    struct lore_json *object, *last = NULL;

    lore_arena_reset(&q->arena);
    r->row = NULL;
    if (!q->stmt || (q->code != SQLITE_OK && q->code != SQLITE_ROW) ||
        (q->code = sqlite3_step(q->stmt)) != SQLITE_ROW)
        return false;
    object = lore_alloc(&q->arena, sizeof *object);
    object->type = LORE_J_OBJECT;
    for (int i = 0; i < sqlite3_column_count(q->stmt); i++) {
        struct lore_json *node = cell(q, i);
        if (!node)
            continue;
        node->key = lore_strdup(&q->arena, sqlite3_column_name(q->stmt, i));
        node->key_len = (uint32_t)strlen(node->key);
        node->index = object->len++;
        node->parent = object;
        *(last ? &last->next : &object->child) = node;
        last = node;
    }
    r->n++;
    r->row = object;
    return true;
}

enum lore_status
lore_sqlite_end(struct lore_sqlite_rows *r, struct lore_err *err)
{
    struct lore_sqlite_query *q = r->query;
    enum lore_status status = LORE_OK;

    if (!q)
        return LORE_OK;
    if (q->code != SQLITE_OK && q->code != SQLITE_ROW && q->code != SQLITE_DONE)
        status = failed(q->file, q->code, err);
    (void)sqlite3_finalize(q->stmt);
    lore_arena_free(&q->arena);
    r->query = NULL;
    r->row = NULL;
    return status;
}
