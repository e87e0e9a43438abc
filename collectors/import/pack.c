/* Packs units into documents. Every record is first encoded alone. The encoding gives its size, and
 * its hash shows whether the same record was packed before. The service's decoder then checks it,
 * because the service refuses a whole document for one record that breaks a limit. A unit stays in
 * one document when it fits. Otherwise it is split between records. The order of kinds ensures that
 * a record refers only to earlier records. */
#include <stddef.h>
#include <string.h>

#include "collectors/import/bzip2.h"
#include "collectors/import/index.h"
#include "collectors/import/intake.h"
#include "collectors/import/tree.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* placeholder until the id is derived from the content */
#define NO_ID "00000000000000000000000000"

/* A record refers only to kinds that stand before its own. */
#define ORDER(X)                                                                                   \
    X(KERNEL)                                                                                      \
    X(ENVIRONMENT)                                                                                 \
    X(SOURCE_DOCUMENT)                                                                             \
    X(TECHNIQUE)                                                                                   \
    X(SPEC)                                                                                        \
    X(VERSION)                                                                                     \
    X(CAMPAIGN)                                                                                    \
    X(HYPOTHESIS)                                                                                  \
    X(RUN)                                                                                         \
    X(SWEEP)                                                                                       \
    X(PROFILE)                                                                                     \
    X(EXPERIMENT)                                                                                  \
    X(ATTRIBUTION)                                                                                 \
    X(VERIFICATION)                                                                                \
    X(INSIGHT)                                                                                     \
    X(DIRECTION)                                                                                   \
    X(CURATION)
#define KIND(k) LORE_K_##k,
#define BIT(k) | 1u << LORE_K_##k
static const enum lore_kind order[LORE_K_COUNT] = {ORDER(KIND)};
_Static_assert((0u ORDER(BIT)) == (1u << LORE_K_COUNT) - 1, "every kind is packed");

/* One record or artifact of the unit being packed. */
struct item {
    enum lore_kind kind; /* LORE_K_COUNT: an artifact */
    const void *record;
    size_t bytes;
};
struct unit {
    struct lore_intake *k;
    struct lore_intake_format *f;
    struct lore_buf scratch, probe; /* the encoded record, and a document that holds only it */
    struct lore_arena arena;        /* memory for decoding the probe */
    /* ids of refused records; records that refer to them are refused, too */
    struct lore_texts refused;
    struct item *items;
    size_t n, cap, bytes;
};

/* A kernel gets no licence and no commit, so that every unit writes the same record for it. */
static struct lore_provenance *
provenance_of(enum lore_kind kind, const void *record)
{
    return kind == LORE_K_KERNEL ? NULL
                                 : (struct lore_provenance *)lore_wire_provenance(kind, record);
}

/* Set the licence in every provenance; a record without it could be redistributed against its
 * terms. */
static void
set_licence(const struct unit *u, enum lore_kind kind, char *record)
{
    const struct lore_import *in = &u->f->in;
    struct lore_provenance *p = provenance_of(kind, record);

    if (!p || !p->system)
        return;
    if (!p->licence || u->k->licence) /* --licence wins over the importer's value */
        p->licence = in->licence;
    if (!p->redistribution)
        p->redistribution = in->redistribution;
}

/* Set the commit given by --commit on records without one. */
static void
set_commit(const struct unit *u, enum lore_kind kind, char *record)
{
    const char *commit = u->k->commit;
    struct lore_provenance *p = provenance_of(kind, record);

    if (!commit || !p)
        return;
    if (kind == LORE_K_SOURCE_DOCUMENT) {
        struct lore_source_document *d = (struct lore_source_document *)(void *)record;
        if (d->commit)
            return;
        d->commit = p->commit ? p->commit : commit;
    }
    if (p->system && !p->commit)
        p->commit = commit;
}

static void
add_item(struct unit *u, enum lore_kind kind, const void *record)
{
    struct item *i = LORE_PUSH(u->k->arena, u->items, u->n, u->cap);

    i->kind = kind;
    i->record = record;
    i->bytes = u->scratch.len + 2;
    u->bytes += i->bytes;
}

enum known { NEW_RECORD, SAME_RECORD, OTHER_RECORD };

/* Add record KEY, with the content of the scratch buffer, to the packed keys when it is new. Return
 * NEW_RECORD, SAME_RECORD, or OTHER_RECORD when KEY was packed with other content. */
static enum known
add_key(struct unit *u, const char *key)
{
    char hex[LORE_HASH_HEX];
    struct lore_arena *arena = u->k->arena;

    lore_hash_hex(u->scratch.data, u->scratch.len, hex);
    size_t *entry = lore_index_at(arena, u->k->packed_keys, key);
    bool is_known = *entry != 0;
    *entry = 1;
    size_t *same = lore_index_at(arena, u->k->packed_keys, lore_format(arena, "%s|%s", key, hex));
    if (!is_known) {
        *same = 1;
        return NEW_RECORD;
    }
    return *same ? SAME_RECORD : OTHER_RECORD;
}

static void
refuse(struct unit *u, enum lore_kind kind, const char *record, const char *why)
{
    struct lore_import *in = &u->f->in;
    const struct lore_provenance *p = provenance_of(kind, record);
    const char *name = p && p->external_id ? p->external_id : lore_wire_id(kind, record);

    /* `refused` counts entries and must not exceed `records`; an entry may have several refused
     * records, and each has a line in the list */
    if (in->records == 0)
        in->records = 1;
    if (in->refused < in->records)
        in->refused++;
    lore_build_text(u->k->arena, &u->refused, lore_wire_id(kind, record));
    lore_import_note(in, LORE_IL_ERRORS, "%s: %s %s: %s", *in->unit ? in->unit : in->file,
        lore_kind_name(kind), name, why);
}

/* Whether the service's decoder accepts the record in the scratch buffer. If not, *why is the
 * reason. */
static bool
is_acceptable(struct unit *u, enum lore_kind kind, const char **why)
{
    struct lore_submission doc;
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    for (size_t i = 0; i < u->refused.n; i++) {
        if (strstr(u->scratch.data, u->refused.v[i])) {
            *why = "it refers to a refused record";
            return false;
        }
    }
    lore_arena_reset(&u->arena);
    lore_buf_reset(&u->probe);
    lore_buf_printf(
        &u->probe, "{\"warplore\":1,\"id\":\"%s\",\"%s\":[", NO_ID, lore_kind_plural(kind));
    lore_buf_add(&u->probe, u->scratch.data, u->scratch.len);
    lore_buf_puts(&u->probe, "]}");
    if (lore_json_parse(u->probe.data, u->probe.len, &lore_wire_limits, &u->arena, &root, &err) ==
            LORE_OK &&
        lore_wire_decode(root, &u->arena, &doc, &err) == LORE_OK)
        return true;
    *why = lore_strdup(u->k->arena, err.msg);
    return false;
}

static enum lore_status
take_record(struct unit *u, enum lore_kind kind, char *record, struct lore_err *err)
{
    struct lore_jsonw w;

    set_licence(u, kind, record);
    set_commit(u, kind, record);
    lore_buf_reset(&u->scratch);
    lore_jsonw_begin(&w, &u->scratch, false);
    lore_w_obj(&w);
    lore_wire_members(&w, kind, record);
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    if (status != LORE_OK)
        return status;
    const char *why = NULL;
    if (!is_acceptable(u, kind, &why)) {
        refuse(u, kind, record, why);
        return LORE_OK;
    }
    switch (add_key(u, lore_wire_id(kind, record))) {
    case NEW_RECORD:
        add_item(u, kind, record);
        u->f->records[kind]++;
        break;
    case SAME_RECORD:
        u->f->repeated[kind]++;
        break;
    case OTHER_RECORD:
        refuse(u, kind, record,
            "an earlier file has this record with other content; the earlier one is kept");
    }
    return LORE_OK;
}

static const char *
to_base64(struct lore_arena *arena, const char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = (const unsigned char *)bytes;
    char *out = lore_alloc(arena, (n + 2) / 3 * 4 + 1), *to = out;

    for (; n > 0; n -= n < 3 ? n : 3, p += 3) {
        unsigned v = (unsigned)p[0] << 16 | (n > 1 ? (unsigned)p[1] << 8 : 0) | (n > 2 ? p[2] : 0u);
        *to++ = digits[v >> 18];
        *to++ = digits[v >> 12 & 63];
        *to++ = n > 1 ? digits[v >> 6 & 63] : '=';
        *to++ = n > 2 ? digits[v & 63] : '=';
    }
    *to = '\0';
    return out;
}

static const char *
media_type(const struct lore_import_file *f)
{
    static const char *const types[][2] = {{".json", "application/json"},
        {".jsonl", "application/x-ndjson"}, {".md", "text/markdown"}, {".csv", "text/csv"}};
    size_t n = strlen(f->path);

    if (f->packed)
        return lore_bzip2_is(f->packed, f->packed_len) ? "application/x-bzip2" : "application/gzip";
    for (size_t i = 0; f->utf8 && i < sizeof types / sizeof *types; i++) {
        size_t m = strlen(types[i][0]);
        if (n > m && strcmp(f->path + n - m, types[i][0]) == 0)
            return types[i][1];
    }
    return f->root ? "application/json" : f->utf8 ? "text/plain" : "application/octet-stream";
}

/* The name of the artifact: NAME.gz for a file that the importer compressed. */
static const char *
artifact_name(struct lore_arena *arena, const struct lore_import_file *f)
{
    size_t n = strlen(f->path);
    bool packed = (n > 3 && strcmp(f->path + n - 3, ".gz") == 0) ||
                  (n > 4 && strcmp(f->path + n - 4, ".bz2") == 0);

    return f->packed && !packed ? lore_format(arena, "%s.gz", f->path) : f->path;
}

/* Add FILE as an artifact with its exact bytes. They are stored as text, or as base64 when the file
 * is not UTF-8 or base64 is shorter than the escaped text. */
static enum lore_status
take_file(struct unit *u, const struct lore_import_file *file, struct lore_err *err)
{
    struct lore_arena *arena = u->k->arena;
    char hex[LORE_HASH_HEX];
    const char *bytes = file->packed ? file->packed : file->text;
    size_t len = file->packed ? file->packed_len : file->len;
    bool text = file->utf8 && !file->packed;
    struct lore_jsonw w;

    lore_hash_hex(bytes, len, hex);
    size_t *count = lore_index_at(
        arena, u->k->packed_keys, lore_format(arena, "artifact|%s|%s", file->path, hex));
    if ((*count)++ > 0)
        return LORE_OK;
    struct lore_artifact *a = lore_alloc(arena, sizeof *a);
    a->name = artifact_name(arena, file);
    a->media_type = media_type(file);
    lore_buf_reset(&u->scratch);
    if (text) {
        lore_jsonw_begin(&w, &u->scratch, false);
        lore_w_strn(&w, bytes, len);
        enum lore_status status = lore_jsonw_end(&w, err);
        if (status != LORE_OK)
            return status;
        a->text = bytes;
    }
    if (!text || u->scratch.len > (len + 2) / 3 * 4 + 64) {
        a->text = NULL;
        a->base64 = to_base64(arena, bytes, len);
        lore_buf_reset(&u->scratch);
        lore_buf_puts(&u->scratch, a->base64);
    }
    add_item(u, LORE_K_COUNT, a);
    u->items[u->n - 1].bytes += strlen(a->name) + 64;
    u->bytes += strlen(a->name) + 64;
    u->f->files++;
    return LORE_OK;
}

static void
append_item(struct unit *u, const struct item *item)
{
    struct lore_intake_format *f = u->f;
    struct lore_arena *arena = u->k->arena;

    if (!f->open) {
        f->open = lore_alloc(arena, sizeof *f->open);
        f->open_bytes = 256;
    }
    if (item->kind < LORE_K_COUNT)
        lore_wire_append(f->open, item->kind, item->record, arena);
    else
        *LORE_PUSH(arena, f->open->artifacts, f->open->n_artifacts, f->open->cap_artifacts) =
            *(const struct lore_artifact *)item->record;
    f->open_bytes += item->bytes;
}

static bool
forbids_redistribution(const struct lore_submission *doc)
{
    for (int kind = 0; kind < LORE_K_COUNT; kind++) {
        size_t n, size;
        const char *record = lore_wire_list(doc, kind, &n, &size);

        for (size_t i = 0; i < n; i++, record += size) {
            const struct lore_provenance *p = lore_wire_provenance(kind, record);

            if (p && p->redistribution && strcmp(p->redistribution, "forbidden") == 0)
                return true;
        }
    }
    return false;
}

/* The service withholds a document from export when one of its records forbids redistribution. A
 * document that holds only files gets such a record: a list of the files. */
static void
add_manifest(struct lore_intake *k, struct lore_submission *doc)
{
    const char *text = "";

    if (!k->redistribution || forbids_redistribution(doc))
        return;
    for (size_t i = 0; i < doc->n_artifacts; i++)
        text = lore_format(k->arena, "%s%s\n", text, doc->artifacts[i].name);
    struct lore_source_document *d = LORE_PUSH(
        k->arena, doc->source_documents, doc->n_source_documents, doc->cap_source_documents);
    d->id = lore_build_id(k->arena, 0, "import-manifest|%s", text);
    d->title = "Files of an import that must not be passed on";
    d->path = "manifest";
    d->text = text;
    d->provenance.system = "import";
    d->provenance.licence = k->licence;
    d->provenance.redistribution = k->redistribution;
}

/* The id of the document is derived from its bytes, so a changed mapping of the same files gives
 * another document. */
enum lore_status
lore_pack_close(struct lore_intake *k, struct lore_intake_format *f, struct lore_err *err)
{
    struct lore_submission *doc = f->open;
    struct lore_buf body = {.max = LORE_WIRE_MAX_BYTES};
    char hex[LORE_HASH_HEX];

    if (!doc)
        return LORE_OK;
    f->open = NULL;
    add_manifest(k, doc);
    doc->format = LORE_WIRE_VERSION;
    doc->author.name = lore_format(k->arena, "import %s", f->importer->name);
    doc->author.kind = "importer";
    doc->id = NO_ID;
    enum lore_status status = lore_build_encode(doc, &body, err);
    if (status == LORE_OK) {
        lore_hash_hex(body.data, body.len, hex);
        doc->id = lore_build_id(k->arena, 0, "document|%s", hex);
        lore_buf_reset(&body);
        status = lore_build_encode(doc, &body, err);
    }
    if (status == LORE_OK) {
        struct lore_intake_document *d = LORE_PUSH(k->arena, f->documents, f->n, f->cap);
        d->doc = doc;
        d->body = lore_strndup(k->arena, body.data, body.len);
        d->len = body.len;
    }
    lore_buf_free(&body);
    return status;
}

_Static_assert(LORE_IMPORT_KINDS == LORE_K_COUNT, "import.h counts the kinds");

void
lore_pack_raw(struct lore_intake *k, struct lore_intake_format *f)
{
    struct lore_import *in = &f->in;

    for (size_t i = 0; i < in->n_raw; i++) {
        const struct lore_import_raw *raw = &in->raw[i];
        struct lore_submission *doc = lore_alloc(k->arena, sizeof *doc);
        struct lore_intake_document *d = LORE_PUSH(k->arena, f->documents, f->n, f->cap);
        doc->id = raw->id;
        *d = (struct lore_intake_document){doc, raw->text, raw->len};
        for (int j = 0; j < LORE_K_COUNT; j++)
            f->records[j] += raw->records[j];
    }
    f->files++;
    in->n_raw = 0;
    in->withheld = 0;
}

/* Say of a file that is not kept what its bytes were. */
static void
note_bytes(struct unit *u, const struct lore_import_file *file)
{
    char hex[LORE_HASH_HEX];

    lore_hash_hex(
        file->packed ? file->packed : file->text, file->packed ? file->packed_len : file->len, hex);
    lore_import_note(&u->f->in, LORE_IL_EXTRA,
        "%s: %.1f MB, its bytes are not kept, because %s; BLAKE2b-256 %s", file->path,
        (double)file->len / 1e6,
        u->f->in.not_kept ? u->f->in.not_kept : "the sweep holds all of them", hex);
}

static enum lore_status
collect(struct unit *u, const struct lore_import_file *const *files, size_t n, struct lore_err *err)
{
    struct lore_submission *doc = u->f->in.doc;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        if ((u->f->in.not_kept && !lore_tree_is_licence(files[i]->path)) ||
            (doc->n_sweeps > 0 &&
                (files[i]->len > LORE_IMPORT_KEPT || !lore_tree_can_keep(files[i]))))
            note_bytes(u, files[i]);
        else
            status = take_file(u, files[i], err);
    }
    for (size_t k = 0; k < LORE_K_COUNT; k++) {
        size_t n_records, size;
        char *record = (char *)lore_wire_list(doc, order[k], &n_records, &size);

        for (size_t r = 0; r < n_records && status == LORE_OK; r++, record += size)
            status = take_record(u, order[k], record, err);
    }
    return status;
}

enum lore_status
lore_pack_unit(struct lore_intake *k, struct lore_intake_format *f,
    const struct lore_import_file *const *files, size_t n, struct lore_err *err)
{
    struct unit u = {.k = k, .f = f, .scratch = {.max = 64u << 20}, .probe = {.max = 64u << 20}};

    enum lore_status status = collect(&u, files, n, err);
    if (status == LORE_OK && f->open && f->open_bytes + u.bytes > LORE_INTAKE_DOCUMENT)
        status = lore_pack_close(k, f, err);
    bool curating = false;
    for (size_t i = 0; i < u.n && status == LORE_OK; i++) {
        /* the service may refuse curations, so they get documents of their own and cannot block the
         * facts */
        bool is_curation = u.items[i].kind == LORE_K_CURATION;
        bool full = f->open && f->open_bytes + u.items[i].bytes > LORE_INTAKE_DOCUMENT;
        if (f->open && (full || (is_curation && !curating)))
            status = lore_pack_close(k, f, err);
        curating |= is_curation;
        if (status == LORE_OK)
            append_item(&u, &u.items[i]);
    }
    if (curating && f->open && status == LORE_OK)
        status = lore_pack_close(k, f, err);
    lore_buf_free(&u.scratch);
    lore_buf_free(&u.probe);
    lore_arena_free(&u.arena);
    return status;
}
