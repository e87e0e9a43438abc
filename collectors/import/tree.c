/* Loads files into a sorted list with their bytes. Files that look like JSON are parsed. The loader
 * limits the size of a file, the total size, the number of files and the depth before it reads a
 * file. Files left out are listed, because an import must report everything it drops. */
#include "collectors/import/tree.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collectors/import/bzip2.h"
#include "collectors/import/gzip.h"
#include "collectors/import/importers.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define MAX_DEPTH 24
#define MAX_PARENTS 4 /* how many folders above the path may hold the LICENSE */

struct walk {
    struct lore_arena *arena;
    struct lore_import_tree *tree;
    const char *root;
    size_t bytes;
};

bool
lore_tree_is_export(const char *text)
{
    return lore_starts(text, "{\"seq\":") || lore_starts(text, "{\"rows\":[{\"seq\":");
}

/* A tuning file of 100,000 configurations with 32 samples has five million values. */
static const struct lore_json_limits limits = {
    .string_bytes = LORE_IMPORT_UNPACKED, .array_items = 1000000, .nodes = 16000000};

/* Parse only text that begins like a JSON document: a log that holds "12" is not JSON. */
static void
parse(struct lore_arena *arena, struct lore_import_file *f)
{
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    const char *p = f->text + strspn(f->text, " \t\r\n");

    if (!f->utf8 || (*p != '{' && *p != '[') || lore_tree_is_export(f->text))
        return;
    if (lore_json_parse(f->text, f->len, &limits, arena, &root, &err) == LORE_OK)
        f->root = root;
    else
        f->problem = lore_strdup(arena, err.msg);
}

static bool
has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcmp(path + n - m, suffix) == 0;
}

/* Replace the bytes of a compressed file by its unpacked text. A file that cannot be unpacked keeps
 * its bytes, and f->problem says why. */
static void
unpack(struct lore_arena *arena, struct lore_import_file *f)
{
    struct lore_buf text = {.max = LORE_IMPORT_UNPACKED};
    struct lore_err err = {0};

    bool gzip = has_suffix(f->path, ".gz") && !has_suffix(f->path, ".tar.gz") &&
                lore_gzip_is(f->text, f->len);
    bool bzip2 = has_suffix(f->path, ".bz2") && !has_suffix(f->path, ".tar.bz2") &&
                 lore_bzip2_is(f->text, f->len);
    if (!gzip && !bzip2)
        return;
    enum lore_status status = gzip ? lore_gzip_unpack(f->text, f->len, &text, &err)
                                   : lore_bzip2_unpack(f->text, f->len, &text, &err);
    if (status == LORE_OK) {
        f->packed = f->text;
        f->packed_len = f->len;
        f->text = lore_strndup(arena, text.len > 0 ? text.data : "", text.len);
        f->len = text.len;
    } else {
        f->problem = lore_strdup(arena, err.msg);
    }
    lore_buf_free(&text);
}

/* Formats that compress well, so their files may exceed LORE_IMPORT_MAX and are stored
 * compressed. */
static bool
may_be_long(const char *path)
{
    return has_suffix(path, ".json") || has_suffix(path, ".fdb.txt");
}

static bool
may_be_packed(const char *path)
{
    return has_suffix(path, ".json.gz") || has_suffix(path, ".json.bz2");
}

bool
lore_tree_can_keep(const struct lore_import_file *f)
{
    return (f->packed ? f->packed_len : f->len) <= LORE_IMPORT_MAX;
}

/* A file whose bytes need not be kept, because a sweep holds all of it. */
static bool
becomes_sweep(struct lore_import_file *f)
{
    const struct lore_import_tree alone = {.files = f, .n = 1};

    return lore_kernel_tuner_detect(&alone, f->path);
}

static unsigned
max_bytes(const char *path)
{
    return may_be_long(path) || may_be_packed(path) ? LORE_IMPORT_UNPACKED : LORE_IMPORT_MAX;
}

/* Compress a file that exceeds LORE_IMPORT_MAX. */
static void
pack(struct lore_arena *arena, struct lore_import_file *f)
{
    struct lore_buf packed = {.max = LORE_IMPORT_MAX};

    if (f->len > LORE_IMPORT_MAX && may_be_long(f->path) &&
        lore_gzip(f->text, f->len, &packed, NULL) == LORE_OK) {
        f->packed = lore_strndup(arena, packed.data, packed.len);
        f->packed_len = packed.len;
    }
    lore_buf_free(&packed);
}

struct lore_import_file *
lore_tree_add(struct lore_arena *arena, struct lore_import_tree *t, const char *path,
    const char *text, size_t len)
{
    struct lore_import_file *f = LORE_PUSH(arena, t->files, t->n, t->cap);

    f->path = lore_strdup(arena, path);
    f->text = lore_strndup(arena, len ? text : "", len);
    f->len = len;
    unpack(arena, f);
    pack(arena, f);
    f->utf8 = lore_utf8_valid(f->text, f->len) && !memchr(f->text, '\0', f->len);
    parse(arena, f);
    return f;
}

bool
lore_tree_bad_name(const char *path)
{
    for (const char *p = path; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return true;
    return !lore_utf8_valid(path, strlen(path));
}

static int
by_path(const void *a, const void *b)
{
    const struct lore_import_file *x = a, *y = b;
    return strcmp(x->path, y->path);
}

void
lore_tree_sort(struct lore_import_tree *t)
{
    if (t->n > 0)
        qsort(t->files, t->n, sizeof *t->files, by_path);
}

/* The first file whose path is not before PATH. */
static size_t
lower_bound(const struct lore_import_tree *t, const char *path)
{
    size_t low = 0, high = t->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (strcmp(t->files[mid].path, path) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

struct lore_import_file *
lore_tree_file(const struct lore_import_tree *t, const char *dir, const char *name)
{
    char path[4096];

    if ((size_t)snprintf(path, sizeof path, "%s%s%s", dir, *dir ? "/" : "", name) >= sizeof path)
        return NULL;
    size_t i = lower_bound(t, path);
    return i < t->n && strcmp(t->files[i].path, path) == 0 ? &t->files[i] : NULL;
}

struct lore_import_file *
lore_tree_next(
    const struct lore_import_tree *t, const char *dir, const struct lore_import_file *after)
{
    size_t n = strlen(dir);
    size_t i = after ? (size_t)(after - t->files) + 1 : n ? lower_bound(t, dir) : 0;

    /* "a-b/x" sorts between "a" and "a/x" */
    for (; i < t->n && strncmp(t->files[i].path, dir, n) == 0; i++) {
        if (n == 0 || t->files[i].path[n] == '/')
            return &t->files[i];
    }
    return NULL;
}

const struct lore_json *
lore_tree_json(const struct lore_import_tree *t, const char *path)
{
    const struct lore_import_file *f = lore_tree_file(t, "", path);
    return f ? f->root : NULL;
}

/* ---- the disk ---- */

static void
skip(struct walk *w, const char *path, const char *why)
{
    lore_build_text(w->arena, &w->tree->skipped, lore_format(w->arena, "%s: %s", path, why));
}

/* Whether the file exceeds the limit of its format. Exports of Warplore are exempt, because their
 * documents are sent one by one. */
static bool
too_long(const char *full, const struct stat *sb)
{
    char start[24] = "";

    if (sb->st_size <= (off_t)max_bytes(full))
        return false;
    FILE *f = fopen(full, "rb");
    if (!f)
        return true;
    size_t n = fread(start, 1, sizeof start - 1, f);
    (void)fclose(f);
    start[n] = '\0';
    return !lore_tree_is_export(start);
}

/* Exports of Warplore are not searched: a service already stores everything in them. */
static const char *
secret_in(const char *path, const struct lore_buf *text)
{
    const char *data = text->data != NULL ? text->data : "";

    return lore_tree_is_export(data) ? NULL : lore_tree_secret(path, data, text->len);
}

/* Add a loaded file. Skip it when its unpacked text looks like credentials or it is too long even
 * when compressed. */
static void
add_loaded(struct walk *w, const char *path, const struct lore_buf *text)
{
    struct lore_import_tree *t = w->tree;
    struct lore_import_file *f =
        lore_tree_add(w->arena, t, path, text->data ? text->data : "", text->len);
    const char *secret =
        f->packed && f->len != text->len ? lore_tree_secret(path, f->text, f->len) : NULL;

    if (secret) {
        t->n--;
        skip(w, path, lore_format(w->arena, "looks like %s", secret));
    } else if (!lore_tree_can_keep(f) && !lore_tree_is_export(f->text) && !becomes_sweep(f)) {
        t->n--;
        skip(w, path,
            lore_format(
                w->arena, "longer than %u MiB, even when compressed", LORE_IMPORT_MAX >> 20));
    } else if (f->packed) {
        w->bytes += f->len; /* the unpacked text is in memory, too */
    }
}

static enum lore_status
take_file(
    struct walk *w, const char *full, const char *path, const struct stat *sb, struct lore_err *err)
{
    struct lore_buf text = {.max = LORE_TREE_MAX_BYTES};
    struct lore_err inner = {0};
    const char *secret = NULL;

    if (too_long(full, sb)) {
        skip(w, path, lore_format(w->arena, "longer than %u MiB", max_bytes(full) >> 20));
        return LORE_OK;
    }
    if (w->tree->n >= LORE_TREE_MAX_FILES)
        return lore_fail(
            err, LORE_TOOBIG, "%s: more than %d files; split it", w->root, LORE_TREE_MAX_FILES);
    if (w->bytes + (size_t)sb->st_size > LORE_TREE_MAX_BYTES)
        return lore_fail(
            err, LORE_TOOBIG, "%s: more than %u MiB; split it", w->root, LORE_TREE_MAX_BYTES >> 20);
    if (lore_file_read(full, &text, &inner) != LORE_OK || text.len > (size_t)sb->st_size)
        skip(w, path, inner.msg[0] ? inner.msg : "grew while it was read");
    else if ((secret = secret_in(path, &text)))
        skip(w, path, lore_format(w->arena, "looks like %s", secret));
    else
        add_loaded(w, path, &text);
    w->bytes += text.len;
    lore_buf_free(&text);
    return LORE_OK;
}

static enum lore_status
walk_directory(struct walk *w, const char *full, const char *path, int depth, struct lore_err *err);

static enum lore_status
take_entry(struct walk *w, const char *full, const char *path, int depth, struct lore_err *err)
{
    struct stat sb;

    if (lore_tree_bad_name(path))
        skip(w, path, "its name holds a control character or is not UTF-8");
    else if (lore_build_basename(path)[0] == '.')
        skip(w, path, "hidden");
    else if (lstat(full, &sb) != 0)
        skip(w, path, strerror(errno));
    else if (S_ISLNK(sb.st_mode))
        skip(w, path, "a symbolic link");
    else if (S_ISDIR(sb.st_mode) && depth >= MAX_DEPTH)
        skip(w, path, "too many folders deep");
    else if (S_ISDIR(sb.st_mode))
        return walk_directory(w, full, path, depth + 1, err);
    else if (S_ISREG(sb.st_mode))
        return take_file(w, full, path, &sb, err);
    else
        skip(w, path, "not a regular file");
    return LORE_OK;
}

static enum lore_status
walk_directory(struct walk *w, const char *full, const char *path, int depth, struct lore_err *err)
{
    DIR *dir = opendir(full);
    enum lore_status status = LORE_OK;
    const struct dirent *e;

    if (!dir) {
        skip(w, *path ? path : ".", strerror(errno));
        return LORE_OK;
    }
    while (status == LORE_OK && (e = readdir(dir))) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        const char *below = *path ? lore_format(w->arena, "%s/%s", path, e->d_name)
                                  : lore_strdup(w->arena, e->d_name);
        if (!lore_utf8_valid(e->d_name, strlen(e->d_name)))
            skip(w, *path ? path : ".", "contains a file whose name is not UTF-8");
        else
            status =
                take_entry(w, lore_format(w->arena, "%s/%s", full, e->d_name), below, depth, err);
    }
    (void)closedir(dir);
    return status;
}

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

enum lore_status
lore_tree_load(
    const char *path, struct lore_arena *arena, struct lore_import_tree *out, struct lore_err *err)
{
    struct walk w = {.arena = arena, .tree = out, .root = path};
    struct stat sb;

    memset(out, 0, sizeof *out);
    out->name = name_of(arena, path);
    if (stat(path, &sb) != 0)
        return lore_fail(
            err, errno == ENOENT ? LORE_NOTFOUND : LORE_IO, "%s: %s", path, strerror(errno));
    if (S_ISREG(sb.st_mode) && too_long(path, &sb))
        return lore_fail(
            err, LORE_TOOBIG, "%s: longer than %u MiB; split it", path, max_bytes(path) >> 20);
    enum lore_status status = S_ISDIR(sb.st_mode) ? walk_directory(&w, path, "", 0, err)
                                                  : take_file(&w, path, out->name, &sb, err);
    if (status != LORE_OK)
        return status;
    lore_tree_sort(out);
    out->above = folder_of(arena, path, S_ISDIR(sb.st_mode));
    find_licences_above(&w, path, S_ISDIR(sb.st_mode));
    return LORE_OK;
}
