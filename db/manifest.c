/* A manifest is one line of JSON. Its last member is the hash of all bytes before it, so a changed
 * byte anywhere in a backup is found, in the manifest too. */
#include "db/manifest.h"

#include <inttypes.h>
#include <string.h>

#include "service/base/clock.h"
#include "service/base/json.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

#define FORMAT 1
#define SELF ",\"manifest_blake2b\":\""
#define TAIL "\"}\n"

const char *const lore_manifest_names[LORE_MANIFEST_FILES] = {
    "warplore.db", "auth.db", "service.key"};

static void
write_file(struct lore_jsonw *w, const struct lore_manifest_file *f)
{
    lore_w_obj(w);
    lore_w_kstr(w, "name", f->name);
    lore_w_ki64(w, "bytes", f->bytes);
    lore_w_kstr(w, "blake2b", f->hash);
    lore_w_obj_end(w);
}

enum lore_status
lore_manifest_write(const struct lore_manifest *m, struct lore_buf *out, struct lore_err *err)
{
    LORE_BUF text = {.max = LORE_MANIFEST_BYTES};
    struct lore_jsonw w;
    char self[LORE_HASH_HEX];
    enum lore_status status;

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_w_ki64(&w, "warplore_backup", FORMAT);
    lore_w_ktime(&w, "made_at", m->made_us);
    lore_w_kstr(&w, "version", m->version);
    lore_w_ki64(&w, "schema", m->schema);
    lore_w_ki64(&w, "identity", m->identity);
    lore_w_ki64(&w, "events", m->events);
    lore_w_kstr(&w, "head", m->head);
    lore_w_key(&w, "files");
    lore_w_arr(&w);
    for (size_t i = 0; i < m->n_files; i++)
        write_file(&w, &m->files[i]);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    status = lore_jsonw_end(&w, err);
    if (status != LORE_OK)
        return status;
    text.len--; /* the closing brace */
    lore_hash_hex(text.data, text.len, self);
    lore_buf_add(out, text.data, text.len);
    lore_buf_printf(out, SELF "%s" TAIL, self);
    return lore_buf_status(out, LORE_MANIFEST_NAME, err);
}

static enum lore_status
bad(struct lore_err *err, const char *what)
{
    return lore_fail_at(
        err, LORE_CORRUPT, "bad_manifest", "manifest", LORE_MANIFEST_NAME ": %s", what);
}

/* Compare the end of the text with the hash of what stands before it. */
static bool
is_whole(const char *text, size_t len)
{
    size_t end = sizeof SELF - 1 + LORE_HASH_HEX - 1 + sizeof TAIL - 1;
    char self[LORE_HASH_HEX], want[sizeof SELF + LORE_HASH_HEX + sizeof TAIL];

    if (len <= end || len > LORE_MANIFEST_BYTES)
        return false;
    lore_hash_hex(text, len - end, self);
    memcpy(want, SELF, sizeof SELF - 1);
    memcpy(want + sizeof SELF - 1, self, LORE_HASH_HEX - 1);
    memcpy(want + sizeof SELF - 1 + LORE_HASH_HEX - 1, TAIL, sizeof TAIL - 1);
    return memcmp(text + len - end, want, end) == 0;
}

static bool
is_hash(const char *s)
{
    return s && strlen(s) == LORE_HASH_HEX - 1 &&
           strspn(s, "0123456789abcdef") == LORE_HASH_HEX - 1;
}

static const char *
known_name(const char *name)
{
    for (size_t i = 0; i < LORE_MANIFEST_FILES; i++)
        if (name && lore_streq(name, lore_manifest_names[i]))
            return lore_manifest_names[i];
    return NULL;
}

static bool
read_file(const struct lore_json *node, struct lore_manifest *m)
{
    struct lore_manifest_file *f = &m->files[m->n_files];
    const char *name = NULL, *hash = NULL;
    struct lore_err ignored;

    if (m->n_files == LORE_MANIFEST_FILES ||
        lore_json_text(node, "name", &name, &ignored) != LORE_OK ||
        lore_json_i64(node, "bytes", &f->bytes, &ignored) != LORE_OK ||
        lore_json_text(node, "blake2b", &hash, &ignored) != LORE_OK)
        return false;
    f->name = known_name(name);
    if (!f->name || !is_hash(hash) || f->bytes < 0)
        return false;
    for (size_t i = 0; i < m->n_files; i++)
        if (m->files[i].name == f->name)
            return false;
    memcpy(f->hash, hash, LORE_HASH_HEX);
    m->n_files++;
    return true;
}

static bool
read_members(const struct lore_json *root, struct lore_manifest *m)
{
    const char *made = NULL, *head = NULL;
    const struct lore_json *files = lore_json_get(root, "files");
    struct lore_err ignored;

    if (lore_json_text(root, "made_at", &made, &ignored) != LORE_OK || !made ||
        lore_time_parse(made, &m->made_us, &ignored) != LORE_OK ||
        lore_json_text(root, "version", &m->version, &ignored) != LORE_OK || !m->version ||
        lore_json_i64(root, "schema", &m->schema, &ignored) != LORE_OK ||
        lore_json_i64(root, "identity", &m->identity, &ignored) != LORE_OK ||
        lore_json_i64(root, "events", &m->events, &ignored) != LORE_OK ||
        lore_json_text(root, "head", &head, &ignored) != LORE_OK || !is_hash(head) ||
        m->identity < 0 || m->identity > UINT32_MAX || m->events < 0 || !files ||
        files->type != LORE_J_ARRAY)
        return false;
    memcpy(m->head, head, LORE_HASH_HEX);
    for (const struct lore_json *f = files->child; f; f = f->next)
        if (!read_file(f, m))
            return false;
    return m->n_files > 0 && m->files[0].name == lore_manifest_names[0];
}

enum lore_status
lore_manifest_read(const char *text, size_t len, struct lore_arena *a, struct lore_manifest *out,
    struct lore_err *err)
{
    struct lore_json *root = NULL;
    int64_t format = 0;
    struct lore_err ignored;

    *out = (struct lore_manifest){0};
    if (!is_whole(text, len))
        return bad(err, "changed since it was written, or no manifest of a backup");
    if (lore_json_parse(text, len, NULL, a, &root, &ignored) != LORE_OK ||
        lore_json_i64(root, "warplore_backup", &format, &ignored) != LORE_OK || format < 1)
        return bad(err, "no manifest of a backup");
    if (format > FORMAT)
        return lore_fail(err, LORE_UNSUPPORTED,
            LORE_MANIFEST_NAME ": format %" PRId64 " is of a newer warplored", format);
    return read_members(root, out) ? LORE_OK : bad(err, "a member is missing or impossible");
}
