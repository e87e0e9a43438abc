/* Make backups. The copy of a running service's directory needs no word with the service: the file
 * that its tokens are in is held still for a moment, and both databases are read as they are then.
 *
 * A backup is written under a name that starts with a dot, read again, and renamed when it is
 * whole. What a crash leaves is removed by the next backup. */
#include "db/backup.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "db/application_id.h"
#include "db/copy.h"
#include "db/files.h"
#include "db/internal.h"
#include "db/last_backup.h"
#include "db/put.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/text.h"

#define PREFIX "warplore-"
#define UNFINISHED ".unfinished-"
#define ABANDONED_S 86400 /* an unfinished backup of this age is nobody's */
#define PATH_BYTES 4096
/* Low, but not the lowest: the log grows until the database is copied, and the lowest gets nothing
 * on a busy machine. */
#define NICE 10

struct making {
    const struct lore_backup_plan *plan;
    const char *data, *folder; /* the folder is the unfinished one */
    struct lore_db *db, *auth;
    struct lore_manifest m;
};

/* Linux gives each thread its own priority. The second call is the one of ionice. */
static void
be_modest(void)
{
    const int whoprocess = 1, idle = 3 << 13;

    (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE);
    (void)syscall(SYS_ioprio_set, whoprocess, 0, idle);
}

static enum lore_status
join(const char *dir, const char *name, char out[PATH_BYTES], struct lore_err *err)
{
    if (snprintf(out, PATH_BYTES, "%s/%s", dir, name) >= PATH_BYTES)
        return lore_fail(err, LORE_INVALID, "%.150s: path too long", dir);
    return LORE_OK;
}

static bool
is_there(const char *dir, const char *name)
{
    char path[PATH_BYTES];
    struct lore_err ignored;

    return join(dir, name, path, &ignored) == LORE_OK && access(path, F_OK) == 0;
}

/* ---- the copies ---- */

/* Hold both databases at one moment: a shared lock on auth.db keeps other processes from changing
 * it, until it is copied. */
static enum lore_status
hold(struct making *b, struct lore_err *err)
{
    char path[PATH_BYTES];
    struct lore_chain_head head;
    int version = 0;
    enum lore_status status = join(b->data, "auth.db", path, err);

    if (status == LORE_OK && access(path, F_OK) == 0) {
        status = lore_db_open_file(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, &b->auth, err);
        if (status == LORE_OK)
            status = lore_db_exec(b->auth, "BEGIN; SELECT count(*) FROM sqlite_schema", err);
    }
    if (status == LORE_OK)
        status = lore_db_open_reader(b->data, &b->db, err);
    if (status == LORE_OK)
        lore_db_stop_with(b->db, b->plan->stop);
    if (status == LORE_OK)
        status = lore_db_snapshot(b->db, err);
    b->m.made_us = lore_now_us();
    if (status == LORE_OK)
        status = lore_db_head(b->db, INT64_MAX, &head, err);
    if (status == LORE_OK)
        status = lore_identity_of(b->db, &b->m.identity, err);
    if (status != LORE_OK)
        return status;
    version = lore_db_schema_version();
    b->m.schema = version;
    b->m.events = head.seq;
    lore_hex(head.hash, sizeof head.hash, b->m.head);
    return LORE_OK;
}

static void
release(struct lore_db **db)
{
    lore_db_close(*db);
    *db = NULL;
}

static enum lore_status
copy_into(struct making *b, struct lore_db *db, const char *name, struct lore_err *err)
{
    char path[PATH_BYTES];
    enum lore_status status = join(b->folder, name, path, err);

    return status == LORE_OK ? lore_copy_database(db, path, db == b->db, err) : status;
}

static enum lore_status
copy_key(struct making *b, struct lore_err *err)
{
    char from[PATH_BYTES], to[PATH_BYTES], hash[LORE_HASH_HEX];
    int64_t bytes;
    enum lore_status status = join(b->data, "service.key", from, err);

    if (status == LORE_OK)
        status = join(b->folder, "service.key", to, err);
    if (status != LORE_OK || access(from, F_OK) != 0)
        return status;
    return lore_copy_file(from, to, &bytes, hash, err);
}

static enum lore_status
copy_all(struct making *b, struct lore_err *err)
{
    enum lore_status status = hold(b, err);

    if (status == LORE_OK && b->auth)
        status = copy_into(b, b->auth, "auth.db", err);
    release(&b->auth);
    if (status == LORE_OK)
        status = copy_key(b, err);
    if (status == LORE_OK)
        status = copy_into(b, b->db, "warplore.db", err);
    release(&b->db);
    return status;
}

/* ---- the check ---- */

/* Open the copy and read all of it: pages, indexes, and the chain of events up to the head. */
static enum lore_status
check_copy(const struct making *b, struct lore_err *err)
{
    struct lore_db *copy = NULL;
    struct lore_chain_head head;
    char hex[LORE_HASH_HEX];
    int64_t events = 0;
    enum lore_status status = lore_db_open_reader(b->folder, &copy, err);

    if (status == LORE_OK)
        lore_db_stop_with(copy, b->plan->stop);
    if (status == LORE_OK)
        status = lore_db_quick_check(copy, err);
    if (status == LORE_OK)
        status = lore_db_verify_events(copy, &events, err);
    if (status == LORE_OK)
        status = lore_db_head(copy, INT64_MAX, &head, err);
    if (status == LORE_OK) {
        lore_hex(head.hash, sizeof head.hash, hex);
        if (events != b->m.events || strcmp(hex, b->m.head) != 0)
            status = lore_fail(err, LORE_CORRUPT, "%s: the copy ends at another event", b->folder);
    }
    lore_db_close(copy);
    return status;
}

static enum lore_status
list_files(struct making *b, int64_t *total, struct lore_err *err)
{
    char path[PATH_BYTES];
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < LORE_MANIFEST_FILES && status == LORE_OK; i++) {
        struct lore_manifest_file *f = &b->m.files[b->m.n_files];

        if (!is_there(b->folder, lore_manifest_names[i]))
            continue;
        status = join(b->folder, lore_manifest_names[i], path, err);
        if (status == LORE_OK)
            status = lore_copy_file(path, NULL, &f->bytes, f->hash, err);
        f->name = lore_manifest_names[i];
        *total += f->bytes;
        b->m.n_files++;
    }
    return status;
}

static enum lore_status
write_manifest(const struct making *b, struct lore_err *err)
{
    char path[PATH_BYTES];
    LORE_BUF text = {0};
    enum lore_status status = lore_manifest_write(&b->m, &text, err);

    if (status == LORE_OK)
        status = join(b->folder, LORE_MANIFEST_NAME, path, err);
    return status == LORE_OK ? lore_file_write(path, text.data, text.len, 0600, err) : status;
}

/* ---- the folder ---- */

static bool
is_ours(const char *name)
{
    bool ours = lore_starts(name, LORE_MANIFEST_NAME);

    for (size_t i = 0; i < LORE_MANIFEST_FILES; i++)
        ours |= lore_starts(name, lore_manifest_names[i]);
    return ours;
}

/* Remove the files of a backup, and its folder unless somebody put others there. */
static void
remove_folder(const char *path)
{
    DIR *d = opendir(path);
    char name[PATH_BYTES];
    struct lore_err ignored;

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        if (is_ours(e->d_name) && join(path, e->d_name, name, &ignored) == LORE_OK)
            (void)unlink(name);
    if (d)
        closedir(d);
    (void)rmdir(path);
}

static enum lore_status
make_folder(const char *to, char out[PATH_BYTES], struct lore_err *err)
{
    enum lore_status status = lore_mkdirs(to, 0700, err);

    if (status == LORE_OK)
        status = join(to, UNFINISHED "XXXXXX", out, err);
    if (status == LORE_OK && !mkdtemp(out))
        status = lore_fail(err, LORE_IO, "%s: %s", to, strerror(errno));
    return status;
}

/* Give the folder its name, which sorts by time. */
static enum lore_status
finish(const struct making *b, const char *to, struct lore_backup *out, struct lore_err *err)
{
    char at[LORE_TIME_SIZE], name[64] = PREFIX;
    size_t n = strlen(name);
    enum lore_status status = lore_copy_sync(b->folder, err);

    lore_time_format(b->m.made_us, at);
    for (const char *p = at; *p != '\0'; p++)
        if (*p != ':' && *p != '-')
            name[n++] = *p;
    name[n] = '\0';
    if (status == LORE_OK)
        status = join(to, name, out->path, err);
    if (status == LORE_OK && rename(b->folder, out->path) != 0)
        status = lore_fail(err, LORE_IO, "%s: %s", out->path, strerror(errno));
    return status == LORE_OK ? lore_copy_sync(to, err) : status;
}

static enum lore_status
make(struct making *b, const char *to, struct lore_backup *out, struct lore_err *err)
{
    enum lore_status status = copy_all(b, err);

    if (status == LORE_OK)
        status = check_copy(b, err);
    if (status == LORE_OK)
        status = list_files(b, &out->bytes, err);
    if (status == LORE_OK)
        status = write_manifest(b, err);
    return status == LORE_OK ? finish(b, to, out, err) : status;
}

enum lore_status
lore_backup_make(const struct lore_backup_plan *p, struct lore_backup *out, struct lore_err *err)
{
    char folder[PATH_BYTES], *whole;
    struct making b = {.plan = p, .data = p->data, .folder = folder, .m = {.version = p->version}};
    int64_t begun = lore_ticks_us();
    enum lore_status status = make_folder(p->to, folder, err);

    *out = (struct lore_backup){0};
    if (status != LORE_OK)
        return status;
    be_modest();
    whole = realpath(p->to, NULL);
    status = make(&b, whole ? whole : p->to, out, err);
    free(whole);
    if (status != LORE_OK) {
        remove_folder(folder);
        return status;
    }
    out->made_us = b.m.made_us;
    out->took_us = lore_ticks_us() - begun;
    lore_backup_remember(p->data, out);
    return LORE_OK;
}

/* ---- old ones ---- */

static int
by_name_downwards(const void *a, const void *b)
{
    return strcmp(*(const char *const *)b, *(const char *const *)a);
}

/* Whether PATH is a backup of database IDENTITY. */
static bool
is_of(const char *path, int64_t identity)
{
    LORE_SCRATCH a = {0};
    char name[PATH_BYTES];
    LORE_BUF text = {.max = LORE_MANIFEST_BYTES};
    struct lore_manifest m;
    struct lore_err ignored;

    return join(path, LORE_MANIFEST_NAME, name, &ignored) == LORE_OK &&
           lore_file_read(name, &text, &ignored) == LORE_OK &&
           lore_manifest_read(text.data ? text.data : "", text.len, &a, &m, &ignored) == LORE_OK &&
           m.identity == identity;
}

static bool
is_abandoned(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && lore_now_us() / 1000000 - s.st_mtime > ABANDONED_S;
}

static enum lore_status
prune(int64_t identity, const char *to, int keep, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    const char **names = NULL;
    size_t n = 0, cap = 0;
    int kept = 0;
    DIR *d = opendir(to);

    if (!d)
        return lore_fail(err, LORE_IO, "%s: %s", to, strerror(errno));
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        const char *path = lore_format(&a, "%s/%s", to, e->d_name);

        if (lore_starts(e->d_name, PREFIX))
            *LORE_PUSH(&a, names, n, cap) = path;
        else if (lore_starts(e->d_name, UNFINISHED) && is_abandoned(path))
            remove_folder(path);
    }
    closedir(d);
    if (n > 1)
        qsort(names, n, sizeof *names, by_name_downwards);
    for (size_t i = 0; i < n; i++)
        if (is_of(names[i], identity) && ++kept > keep)
            remove_folder(names[i]);
    return LORE_OK;
}

enum lore_status
lore_backup_prune(const char *data, const char *to, int keep, struct lore_err *err)
{
    struct lore_db *db = NULL;
    int64_t identity = 0;
    enum lore_status status = lore_db_open_reader(data, &db, err);

    if (status == LORE_OK)
        status = lore_identity_of(db, &identity, err);
    lore_db_close(db);
    return status == LORE_OK ? prune(identity, to, keep, err) : status;
}
