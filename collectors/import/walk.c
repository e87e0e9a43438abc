/* Finds the files below a path. Symbolic links are followed while they stay inside the tree. An
 * archive is a folder. Its members are unpacked to a temporary file without a name, so an archive
 * cannot choose where anything is written, and the file is gone when the process ends. Every file
 * that is left out is listed with the reason. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/import/tree.h"
#include "collectors/import/unpack.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define MAX_DEPTH 24
#define MAX_NESTING 2                  /* an archive in an archive, and not deeper */
#define MAX_PARENTS 4                  /* how many folders above the path may hold the LICENSE */
#define MAX_SPOOL ((uint64_t)32 << 30) /* unpacked bytes of all members */

struct folder { /* a folder that the walk is in */
    const struct folder *above;
    dev_t dev;
    ino_t ino;
};
struct walk {
    struct lore_arena *arena;
    struct lore_import_tree *tree;
    const char *root; /* as given */
    const char *real; /* absolute, without links; of a folder */
    int spool;        /* holds the members of archives; -1: none yet */
    uint64_t spooled;
};

static void
skip(struct walk *w, const char *path, const char *why)
{
    lore_build_text(w->arena, &w->tree->skipped, lore_format(w->arena, "%s: %s", path, why));
}

static enum lore_status take_bytes(struct walk *w, const char *path, const struct lore_bytes *from,
    int nesting, struct lore_err *err);

/* ---- archives ---- */

/* A file without a name; -1 with the reason in ERR. */
static int
open_spool(struct lore_arena *arena, struct lore_err *err)
{
    const char *dir = getenv("TMPDIR");

    if (!dir || !*dir)
        dir = "/tmp";
    int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) { /* a file system without such files */
        char *name = lore_format(arena, "%s/warplore-import-XXXXXX", dir);
        fd = mkostemp(name, O_CLOEXEC);
        if (fd >= 0)
            (void)unlink(name);
    }
    if (fd < 0)
        (void)lore_fail(err, LORE_IO, "%s: %s", dir, strerror(errno));
    return fd;
}

/* Append the current member of U to the spool. */
static enum lore_status
spool_member(struct walk *w, struct lore_unpacking *u, struct lore_bytes *out, struct lore_err *err)
{
    char block[16 << 10];
    size_t got = 0;

    if (w->spool < 0) {
        w->spool = open_spool(w->arena, err);
        if (w->spool < 0)
            return LORE_IO;
        lore_tree_own(w->arena, w->tree, w->spool);
    }
    *out = (struct lore_bytes){.fd = w->spool, .offset = w->spooled};
    for (;;) {
        if (w->spooled > MAX_SPOOL)
            return lore_fail(err, LORE_TOOBIG, "its members have more than %u GiB; unpack it first",
                (unsigned)(MAX_SPOOL >> 30));
        enum lore_status status = lore_unpack_read(u, block, sizeof block, &got, err);
        if (status != LORE_OK || got == 0)
            return status;
        for (size_t done = 0; done < got;) {
            ssize_t n = pwrite(w->spool, block + done, got - done, (off_t)(w->spooled + done));
            if (n < 0 && errno != EINTR)
                return lore_fail(err, LORE_IO, "temporary file: %s", strerror(errno));
            done += n > 0 ? (size_t)n : 0;
        }
        w->spooled += got;
        out->size += got;
    }
}

/* Whether PATH of an archive stays in the folder of its archive. */
static bool
stays_inside(const char *path)
{
    if (*path == '/')
        return false;
    for (const char *p = path; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL) {
        size_t n = strcspn(p, "/");
        if (n == 2 && strncmp(p, "..", 2) == 0)
            return false;
    }
    return true;
}

static bool
has_hidden_part(const char *path)
{
    for (const char *p = path; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL) {
        if (*p == '.' && p[1] != '/' && p[1] != '\0')
            return true;
    }
    return false;
}

static enum lore_status
take_member(struct walk *w, struct lore_unpacking *u, const struct lore_archive_member *m,
    const char *archive, int nesting, struct lore_err *err)
{
    const char *name = m->path ? m->path : "";
    struct lore_err inner = {0};
    struct lore_bytes bytes;

    while (lore_starts(name, "./"))
        name += 2;
    const char *path = lore_format(w->arena, "%s/%s", archive, name);
    if (m->folder)
        return LORE_OK;
    if (!m->path || lore_tree_bad_name(name) || strlen(path) >= PATH_MAX)
        skip(w, archive, "contains a file whose name is not UTF-8 or holds a control character");
    else if (!stays_inside(name))
        skip(w, path, "its name leads out of the archive");
    else if (!m->file)
        skip(w, path, "not a regular file");
    else if (has_hidden_part(name))
        skip(w, path, "hidden");
    else if (spool_member(w, u, &bytes, &inner) == LORE_OK)
        return take_bytes(w, path, &bytes, nesting, err);
    else {
        skip(w, path, inner.msg);
        if (inner.status == LORE_TOOBIG) /* the rest of it is of the same kind */
            return lore_fail(err, LORE_TOOBIG, "%s: %s", archive, inner.msg);
    }
    return LORE_OK;
}

/* Take the members of the archive U, which is at its first member. An archive that is damaged keeps
 * the members before the damage. */
static enum lore_status
take_members(
    struct walk *w, struct lore_unpacking *u, const char *path, int nesting, struct lore_err *err)
{
    struct lore_archive_member m = {0};
    struct lore_err inner = {0};
    enum lore_status status = LORE_OK, next = LORE_OK;
    size_t n = 0;

    while (status == LORE_OK && (next = lore_unpack_next(u, &m, &inner)) == LORE_OK) {
        if (n++ >= LORE_TREE_MAX_FILES)
            return lore_fail(
                err, LORE_TOOBIG, "%s: more than %d members", path, LORE_TREE_MAX_FILES);
        status = take_member(w, u, &m, path, nesting, err);
    }
    if (status == LORE_OK && next != LORE_NOTFOUND)
        skip(w, path, inner.msg);
    return status;
}

/* Whether FROM is an archive of members. Damaged ones count as files, whose text cannot be read. */
static bool
has_members(const struct lore_bytes *from)
{
    struct lore_unpacking *u = NULL;
    bool members = false;

    if (lore_unpack_open(from, true, &u, NULL) == LORE_OK) {
        members = lore_unpack_next(u, NULL, NULL) == LORE_OK && lore_unpack_has_members(u);
        lore_unpack_close(u);
    }
    return members;
}

static enum lore_status
take_archive(struct walk *w, const char *path, const struct lore_bytes *from, int nesting,
    struct lore_err *err)
{
    struct lore_unpacking *u = NULL;

    if (nesting >= MAX_NESTING) {
        skip(w, path, "an archive in an archive in an archive; unpack it first");
        return LORE_OK;
    }
    enum lore_status status = lore_unpack_open(from, true, &u, err);
    if (status == LORE_OK)
        status = take_members(w, u, path, nesting + 1, err);
    lore_unpack_close(u);
    return status;
}

/* ---- files and folders ---- */

/* Take the file at PATH, whose bytes are FROM; in NESTING archives. */
static enum lore_status
take_bytes(struct walk *w, const char *path, const struct lore_bytes *from, int nesting,
    struct lore_err *err)
{
    char head[LORE_UNPACK_HEAD];
    struct lore_err inner = {0};
    size_t n = 0;

    if (w->tree->n >= LORE_TREE_MAX_FILES)
        return lore_fail(
            err, LORE_TOOBIG, "%s: more than %d files; split it", w->root, LORE_TREE_MAX_FILES);
    const char *secret = lore_tree_secret(path, "", 0);
    if (secret) {
        skip(w, path, lore_format(w->arena, "looks like %s", secret));
        return LORE_OK;
    }
    if (lore_bytes_read(from, 0, head, sizeof head, &n, &inner) != LORE_OK) {
        skip(w, path, inner.msg);
        return LORE_OK;
    }
    bool packed = lore_unpack_is(head, n);
    if (packed && has_members(from))
        return take_archive(w, path, from, nesting, err);
    (void)lore_tree_add_bytes(w->arena, w->tree, path, from, packed);
    return LORE_OK;
}

static enum lore_status walk_directory(struct walk *w, const char *full, const char *path,
    int depth, const struct folder *above, struct lore_err *err);

/* The folder is one that the walk is in already. */
static bool
is_above(const struct folder *above, const struct stat *sb)
{
    for (; above; above = above->above) {
        if (above->dev == sb->st_dev && above->ino == sb->st_ino)
            return true;
    }
    return false;
}

/* Why the symbolic link FULL is not followed; NULL: it is, and SB is about its target. */
static const char *
link_problem(const struct walk *w, const char *full, const struct folder *above, struct stat *sb)
{
    char real[PATH_MAX];
    size_t n = w->real ? strlen(w->real) : 0;

    if (!realpath(full, real) || stat(full, sb) != 0)
        return "a symbolic link that leads nowhere";
    if (n == 0 || strncmp(real, w->real, n) != 0 || (real[n] != '/' && real[n] != '\0' && n > 1))
        return "a symbolic link that leads out of the folder";
    return S_ISDIR(sb->st_mode) && is_above(above, sb) ? "a symbolic link to a folder above it"
                                                       : NULL;
}

static enum lore_status
take_entry(struct walk *w, const char *full, const char *path, int depth,
    const struct folder *above, struct lore_err *err)
{
    const char *problem = NULL;
    struct stat sb;

    if (lore_tree_bad_name(path))
        skip(w, path, "its name holds a control character or is not UTF-8");
    else if (lore_build_basename(path)[0] == '.')
        skip(w, path, "hidden");
    else if (lstat(full, &sb) != 0)
        skip(w, path, strerror(errno));
    else if (S_ISLNK(sb.st_mode) && (problem = link_problem(w, full, above, &sb)))
        skip(w, path, problem);
    else if (S_ISDIR(sb.st_mode) && depth >= MAX_DEPTH)
        skip(w, path, "too many folders deep");
    else if (S_ISDIR(sb.st_mode))
        return walk_directory(w, full, path, depth + 1, above, err);
    else if (S_ISREG(sb.st_mode))
        return take_bytes(w, path,
            &(struct lore_bytes){.disk = full, .fd = -1, .size = (uint64_t)sb.st_size}, 0, err);
    else
        skip(w, path, "not a regular file");
    return LORE_OK;
}

static enum lore_status
walk_directory(struct walk *w, const char *full, const char *path, int depth,
    const struct folder *above, struct lore_err *err)
{
    struct folder here = {.above = above};
    DIR *dir = opendir(full);
    enum lore_status status = LORE_OK;
    const struct dirent *e;
    struct stat sb;

    if (!dir || fstat(dirfd(dir), &sb) != 0) {
        skip(w, *path ? path : ".", strerror(errno));
        if (dir)
            (void)closedir(dir);
        return LORE_OK;
    }
    here.dev = sb.st_dev;
    here.ino = sb.st_ino;
    while (status == LORE_OK && (e = readdir(dir))) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        const char *below = *path ? lore_format(w->arena, "%s/%s", path, e->d_name)
                                  : lore_strdup(w->arena, e->d_name);
        if (!lore_utf8_valid(e->d_name, strlen(e->d_name)))
            skip(w, *path ? path : ".", "contains a file whose name is not UTF-8");
        else
            status = take_entry(
                w, lore_format(w->arena, "%s/%s", full, e->d_name), below, depth, &here, err);
    }
    (void)closedir(dir);
    return status;
}

/* ---- licences above the path ---- */

static bool
exists(struct lore_arena *arena, const char *dir, const char *name)
{
    struct stat sb;
    return lstat(lore_format(arena, "%s/%s", dir, name), &sb) == 0;
}

/* Load the licence files of DIR; true when there is one. */
static bool
load_licences(struct walk *w, const char *dir)
{
    static const char *const names[] = {
        "LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING", "LICENCE", "NOTICE"};
    struct lore_import_tree found = {0};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lore_buf text = {.max = LORE_IMPORT_MAX};
        const char *path = lore_format(w->arena, "%s/%s", dir, names[i]);
        struct stat sb;
        if (stat(path, &sb) == 0 && S_ISREG(sb.st_mode) && /* opening a pipe would block */
            lore_file_read(path, &text, NULL) == LORE_OK && !text.over && text.data)
            (void)lore_tree_add(w->arena, &found, names[i], text.data, text.len);
        lore_buf_free(&text);
    }
    w->tree->outer = found.files;
    w->tree->n_outer = found.n;
    return found.n > 0;
}

/* Load the nearest licence files above PATH, at most up to the root of its repository. */
static void
find_licences_above(struct walk *w, const char *path, bool directory)
{
    char dir[PATH_MAX];

    if (!realpath(path, dir))
        return;
    for (int i = 0; i < MAX_PARENTS; i++) {
        char *slash = strrchr(dir, '/');
        bool at_repository = (directory || i > 0) && exists(w->arena, dir, ".git");
        if (!slash || slash == dir || at_repository)
            break;
        *slash = '\0';
        if (load_licences(w, dir))
            break;
    }
}

/* ---- the tree ---- */

/* The name of the imported file or folder: "runs" for "x/runs/", the real name of the folder for
 * "." and "..". */
static const char *
name_of(struct lore_arena *arena, const char *path)
{
    char real[PATH_MAX];
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    const char *name = lore_build_basename(lore_strndup(arena, path, n));
    bool dots = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    return dots && realpath(path, real) ? lore_strdup(arena, lore_build_basename(real)) : name;
}

/* The absolute path of the folder PATH, or of the folder that holds the file PATH. */
static const char *
folder_of(struct lore_arena *arena, const char *path, bool directory)
{
    char real[PATH_MAX];

    if (!realpath(path, real))
        return NULL;
    char *slash = directory ? NULL : strrchr(real, '/');
    if (slash)
        *slash = '\0';
    return lore_strdup(arena, real);
}

/* An archive may have two files of one name. The first one counts. */
static void
drop_repeated(struct walk *w)
{
    struct lore_import_tree *t = w->tree;
    size_t kept = 0;

    for (size_t i = 0; i < t->n; i++) {
        if (kept > 0 && strcmp(t->files[kept - 1].path, t->files[i].path) == 0)
            skip(w, t->files[i].path, "the archive has two files of this name; the first is read");
        else
            t->files[kept++] = t->files[i];
    }
    t->n = kept;
}

enum lore_status
lore_tree_load(
    const char *path, struct lore_arena *arena, struct lore_import_tree *out, struct lore_err *err)
{
    struct walk w = {.arena = arena, .tree = out, .root = path, .spool = -1};
    enum lore_status status;
    struct stat sb;

    memset(out, 0, sizeof *out);
    out->name = name_of(arena, path);
    if (stat(path, &sb) != 0)
        return lore_fail(
            err, errno == ENOENT ? LORE_NOTFOUND : LORE_IO, "%s: %s", path, strerror(errno));
    out->above = folder_of(arena, path, S_ISDIR(sb.st_mode));
    w.real = S_ISDIR(sb.st_mode) ? out->above : NULL;
    if (S_ISDIR(sb.st_mode)) {
        status = walk_directory(&w, path, "", 0, NULL, err);
    } else {
        struct lore_bytes bytes = {
            .disk = lore_strdup(arena, path), .fd = -1, .size = (uint64_t)sb.st_size};
        status = S_ISREG(sb.st_mode) ? take_bytes(&w, out->name, &bytes, 0, err)
                                     : lore_fail(err, LORE_INVALID, "%s: not a regular file", path);
    }
    if (status != LORE_OK) {
        lore_tree_close(out);
        return status;
    }
    lore_tree_sort(out);
    drop_repeated(&w);
    find_licences_above(&w, path, S_ISDIR(sb.st_mode));
    return LORE_OK;
}
