/* Check and restore backups. The identity of the database is written first and the files get their
 * names last, so that a directory whose restoration was cut off is refused as one that lost its
 * database, and never taken for a new one. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/backup.h"
#include "db/copy.h"
#include "db/identity.h"
#include "service/base/buf.h"
#include "service/base/file.h"
#include "service/base/text.h"

#define PATH_BYTES 4096
#define COPYING ".restoring"

static enum lore_status
join(const char *dir, const char *name, char out[PATH_BYTES], struct lore_err *err)
{
    if (snprintf(out, PATH_BYTES, "%s/%s", dir, name) >= PATH_BYTES)
        return lore_fail(err, LORE_INVALID, "%.150s: path too long", dir);
    return LORE_OK;
}

static enum lore_status
read_manifest(
    const char *from, struct lore_arena *a, struct lore_manifest *out, struct lore_err *err)
{
    char path[PATH_BYTES];
    LORE_BUF text = {.max = LORE_MANIFEST_BYTES};
    enum lore_status status = join(from, LORE_MANIFEST_NAME, path, err);

    if (status == LORE_OK)
        status = lore_file_read(path, &text, err);
    if (status != LORE_OK)
        return status;
    return lore_manifest_read(
        lore_strndup(a, text.data ? text.data : "", text.len), text.len, a, out, err);
}

/* Read the file of F in FROM, copy it to TO unless that is NULL, and compare it with the manifest.
 */
static enum lore_status
read_file(
    const char *from, const struct lore_manifest_file *f, const char *to, struct lore_err *err)
{
    char path[PATH_BYTES], hash[LORE_HASH_HEX];
    int64_t bytes = 0;
    enum lore_status status = join(from, f->name, path, err);

    if (status == LORE_OK)
        status = lore_copy_file(path, to, &bytes, hash, err);
    if (status != LORE_OK || (bytes == f->bytes && strcmp(hash, f->hash) == 0))
        return status;
    return lore_fail_at(err, LORE_CORRUPT, "backup_damaged", "from",
        "%.150s: differs from the manifest of its backup", path);
}

enum lore_status
lore_backup_check(
    const char *from, struct lore_arena *a, struct lore_manifest *out, struct lore_err *err)
{
    enum lore_status status = read_manifest(from, a, out, err);

    for (size_t i = 0; status == LORE_OK && i < out->n_files; i++)
        status = read_file(from, &out->files[i], NULL, err);
    return status;
}

/* ---- which backup, and where to ---- */

static bool
has(const char *dir, const char *name)
{
    char path[PATH_BYTES];
    struct lore_err ignored;

    return join(dir, name, path, &ignored) == LORE_OK && access(path, F_OK) == 0;
}

/* The newest backup in the folder FROM, or FROM itself. */
static enum lore_status
choose(const char *from, struct lore_arena *a, const char **out, struct lore_err *err)
{
    const char *newest = NULL;
    DIR *d;

    *out = from;
    if (has(from, LORE_MANIFEST_NAME))
        return LORE_OK;
    d = opendir(from);
    if (!d)
        return lore_fail(
            err, errno == ENOENT ? LORE_NOTFOUND : LORE_IO, "%.150s: %s", from, strerror(errno));
    for (struct dirent *e = readdir(d); e; e = readdir(d)) {
        const char *path = lore_format(a, "%s/%s", from, e->d_name);

        if (e->d_name[0] != '.' && has(path, LORE_MANIFEST_NAME) &&
            (!newest || strcmp(path, newest) > 0))
            newest = path;
    }
    closedir(d);
    if (!newest)
        return lore_fail_at(
            err, LORE_NOTFOUND, "no_backup", "from", "%.150s: there is no backup here", from);
    *out = newest;
    return LORE_OK;
}

static enum lore_status
make_empty(const char *data, struct lore_err *err)
{
    enum lore_status status = lore_mkdirs(data, 0700, err);
    bool empty = true;
    DIR *d;

    if (status != LORE_OK)
        return status;
    d = opendir(data);
    if (!d)
        return lore_fail(err, LORE_IO, "%.150s: %s", data, strerror(errno));
    for (struct dirent *e = readdir(d); e; e = readdir(d))
        empty &= strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    closedir(d);
    if (empty)
        return LORE_OK;
    (void)lore_fail_at(
        err, LORE_INVALID, "not_empty", "data", "%.150s: the directory is not empty", data);
    lore_err_hint(err, "restore into an empty or a new directory");
    return LORE_INVALID;
}

/* ---- the copies ---- */

static enum lore_status
copy_file(
    const char *from, const struct lore_manifest_file *f, const char *data, struct lore_err *err)
{
    char name[64], to[PATH_BYTES];
    enum lore_status status;

    snprintf(name, sizeof name, "%s" COPYING, f->name);
    status = join(data, name, to, err);
    return status == LORE_OK ? read_file(from, f, to, err) : status;
}

static enum lore_status
give_name(const char *data, const char *name, struct lore_err *err)
{
    char from[PATH_BYTES], to[PATH_BYTES];
    enum lore_status status = join(data, name, to, err);

    if (status == LORE_OK && snprintf(from, sizeof from, "%s" COPYING, to) >= PATH_BYTES)
        status = lore_fail(err, LORE_INVALID, "%.150s: path too long", data);
    if (status == LORE_OK && rename(from, to) != 0)
        status = lore_fail(err, LORE_IO, "%s: %s", to, strerror(errno));
    return status;
}

/* Leave an empty directory again. */
static void
undo(const char *data, const struct lore_manifest *m)
{
    char path[PATH_BYTES];
    struct lore_err ignored;

    for (size_t i = 0; i < m->n_files; i++)
        for (int copying = 0; copying < 2; copying++) {
            char name[64];

            snprintf(name, sizeof name, "%s%s", m->files[i].name, copying ? COPYING : "");
            if (join(data, name, path, &ignored) == LORE_OK)
                (void)unlink(path);
        }
    if (join(data, "identity", path, &ignored) == LORE_OK)
        (void)unlink(path);
}

static enum lore_status
copy_all(const char *from, const char *data, const struct lore_manifest *m, struct lore_err *err)
{
    enum lore_status status = lore_identity_restored(data, m, err);

    for (size_t i = 0; i < m->n_files && status == LORE_OK; i++)
        status = copy_file(from, &m->files[i], data, err);
    for (size_t i = 0; i < m->n_files && status == LORE_OK; i++)
        status = give_name(data, m->files[i].name, err);
    if (status == LORE_OK)
        status = lore_copy_sync(data, err);
    if (status != LORE_OK)
        undo(data, m);
    return status;
}

enum lore_status
lore_backup_restore(const char *from, const char *data, struct lore_arena *a,
    struct lore_manifest *out, struct lore_err *err)
{
    enum lore_status status = choose(from, a, &from, err);

    if (status == LORE_OK)
        status = read_manifest(from, a, out, err);
    if (status == LORE_OK)
        status = make_empty(data, err);
    return status == LORE_OK ? copy_all(from, data, out, err) : status;
}
