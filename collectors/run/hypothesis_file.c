/* YAML is turned into a submission with one hypothesis and read by the submission's decoder, so
 * that one table defines the fields and their limits. References to records are left out; this
 * run supplies them. */
#include "collectors/run/hypothesis_file.h"

#include <string.h>
#include <sys/stat.h>

#include "collectors/import/hypothesis_txt.h"
#include "collectors/import/yamlfile.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

#define OPTION "--hypothesis-file"

static bool
ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);

    return n >= m && strcmp(s + n - m, end) == 0;
}

static const char *
trimmed(struct lore_arena *arena, const char *s, size_t n)
{
    while (n > 0 && strchr(" \t\r\n#", s[0]))
        s++, n--;
    while (n > 0 && strchr(" \t\r\n", s[n - 1]))
        n--;
    return n ? lore_strndup(arena, s, n) : NULL;
}

/* The first line with text is the change; everything after it is the rationale. */
static enum lore_status
read_plain(const char *text, size_t n, struct lore_arena *arena, struct lore_hypothesis *out)
{
    size_t at = 0;

    while (at < n && !out->claim) {
        const char *end = memchr(text + at, '\n', n - at);
        size_t len = end ? (size_t)(end - text) - at : n - at;
        out->claim = trimmed(arena, text + at, len);
        at += len + (end ? 1 : 0);
    }
    if (!out->claim)
        return LORE_INVALID;
    out->rationale = trimmed(arena, text + at, n - at);
    return LORE_OK;
}

static enum lore_status
read_text(const char *text, size_t n, const char *path, struct lore_arena *arena,
    struct lore_hypothesis *out, struct lore_err *err)
{
    struct lore_hypothesis_txt labelled;

    if (!lore_utf8_valid(text, n) || memchr(text, '\0', n))
        return lore_fail_at(err, LORE_INVALID, "invalid_utf8", OPTION, "%s: not UTF-8 text", path);
    if (lore_hypothesis_txt_parse(text, n, arena, &labelled, NULL) == LORE_OK)
        *out = labelled.h;
    else if (read_plain(text, n, arena, out) != LORE_OK)
        return lore_fail_at(err, LORE_INVALID, "missing_field", OPTION,
            "%s: it is empty; write the one change in the first line", path);
    out->raw_text = lore_strndup(arena, text, n);
    return LORE_OK;
}

static bool
is_record_field(const char *key)
{
    return lore_choice("id|from_version|to_version|campaign|raw_text", key);
}

/* {"warplore": 1, …, "hypotheses": [{…}]} around the mapping ROOT. */
static enum lore_status
wrap(const struct lore_json *root, struct lore_buf *out, struct lore_err *err)
{
    char id[LORE_ULID_SIZE] = "00000000000000000000000000";
    struct lore_jsonw w;

    lore_jsonw_begin(&w, out, false);
    lore_w_obj(&w);
    lore_w_ki64(&w, "warplore", LORE_WIRE_VERSION);
    lore_w_kstr(&w, "id", id);
    lore_w_key(&w, "author");
    lore_w_obj(&w);
    lore_w_kstr(&w, "name", "warplore");
    lore_w_obj_end(&w);
    lore_w_key(&w, "hypotheses");
    lore_w_arr(&w);
    lore_w_obj(&w);
    id[25] = '1';
    lore_w_kstr(&w, "id", id);
    for (const struct lore_json *m = root->child; m; m = m->next) {
        if (is_record_field(m->key))
            continue;
        lore_w_key(&w, m->key);
        lore_w_node(&w, m);
    }
    lore_w_obj_end(&w);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

static enum lore_status
decode(const struct lore_buf *json, struct lore_arena *arena, struct lore_hypothesis *out,
    struct lore_err *err)
{
    struct lore_submission *doc = lore_alloc(arena, sizeof *doc);
    struct lore_json *root = NULL;
    enum lore_status status =
        lore_json_parse(json->data, json->len, &lore_wire_limits, arena, &root, err);

    if (status == LORE_OK)
        status = lore_wire_decode(root, arena, doc, err);
    if (status == LORE_OK) {
        *out = doc->hypotheses[0];
        out->id = NULL;
    }
    return status;
}

static enum lore_status
read_yaml(const char *text, size_t n, const char *path, struct lore_arena *arena,
    struct lore_hypothesis *out, struct lore_err *err)
{
    static const char outer[] = "hypotheses[0].";
    struct lore_buf json = {.max = 4 * LORE_YAML_MAX};
    struct lore_json *root = NULL;
    struct lore_err inner = {0};
    enum lore_status status = lore_yamlfile_parse(text, n, path, arena, &root, &inner);

    if (status != LORE_OK) /* its message names the file */
        return lore_fail_at(err, status, inner.code, OPTION, "%s", inner.msg);
    if (root->type != LORE_J_OBJECT)
        return lore_fail_at(err, LORE_INVALID, "wrong_type", OPTION,
            "%s: expected a mapping of fields to values", path);
    status = wrap(root, &json, &inner);
    if (status == LORE_OK)
        status = decode(&json, arena, out, &inner);
    lore_buf_free(&json);
    if (status != LORE_OK) {
        const char *msg = lore_starts(inner.msg, outer) ? inner.msg + strlen(outer) : inner.msg;
        (void)lore_fail_at(err, status, inner.code, OPTION, "%s: %s", path, msg);
        if (inner.hint[0])
            lore_err_hint(err, "%s", inner.hint);
        return status;
    }
    out->raw_text = n < LORE_HYPOTHESIS_MAX ? lore_strndup(arena, text, n) : NULL;
    return LORE_OK;
}

enum lore_status
lore_hypothesis_file_read(
    const char *path, struct lore_arena *arena, struct lore_hypothesis *out, struct lore_err *err)
{
    struct lore_buf text = {.max = LORE_HYPOTHESIS_MAX};
    char at[LORE_TIME_SIZE];
    struct stat file;
    struct lore_err inner = {0};
    enum lore_status status = lore_file_read(path, &text, &inner);

    memset(out, 0, sizeof *out);
    if (status != LORE_OK)
        return lore_fail_at(err, status, inner.code, OPTION, "%s", inner.msg);
    const char *data = text.data ? text.data : "";
    if (ends_with(path, ".yaml") || ends_with(path, ".yml") || ends_with(path, ".json"))
        status = read_yaml(data, text.len, path, arena, out, err);
    else
        status = read_text(data, text.len, path, arena, out, err);
    lore_buf_free(&text);
    if (status == LORE_OK && !out->claimed_at && stat(path, &file) == 0) {
        lore_time_format((int64_t)file.st_mtim.tv_sec * 1000000 + file.st_mtim.tv_nsec / 1000, at);
        out->claimed_at = lore_strdup(arena, at);
    }
    return status;
}
