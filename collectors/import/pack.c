/* Packs units into documents. Every record is first encoded alone. The encoding gives its size, and
 * its hash shows whether the same record was packed before. The service's decoder then checks it,
 * because the service refuses a whole document for one record that breaks a limit. A unit, or what
 * was read of it since the last flush, stays in one document when it fits. Otherwise it is split
 * between records. The order of kinds ensures that a record refers only to earlier records. */
#include <stddef.h>
#include <string.h>

#include "collectors/import/index.h"
#include "collectors/import/intake.h"
#include "collectors/import/tree.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
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

/* One record or artifact of the unit being packed, as JSON text. */
struct item {
    enum lore_kind kind; /* LORE_K_COUNT: an artifact */
    size_t at, len;      /* in the text of the unit */
    size_t bytes;        /* that it adds to a document */
    bool forbids;        /* redistribution */
    const char *name;    /* of an artifact */
};
struct unit {
    struct lore_intake *k;
    struct lore_intake_format *f;
    struct lore_buf probe; /* a document that holds only the record at hand */
    const char *record;    /* its JSON text, within the probe */
    size_t len;
    struct lore_buf text;     /* the encoded records of all items */
    struct lore_arena arena;  /* memory for decoding the probe */
    struct lore_arena memory; /* of the items */
    struct item *items;
    size_t n, cap, bytes;
};
/* A document being filled: the encoded items by kind. */
struct lore_pack {
    struct lore_buf lists[LORE_K_COUNT + 1];
    struct lore_buf names; /* of its artifacts */
    size_t bytes;
    bool open, forbids;
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

/* Add an item with the LEN bytes of JSON at TEXT. */
static struct item *
add_item(struct unit *u, enum lore_kind kind, const char *text, size_t len)
{
    struct item *i = LORE_PUSH(&u->memory, u->items, u->n, u->cap);

    i->kind = kind;
    i->at = u->text.len;
    i->len = len;
    i->bytes = len + 2;
    lore_buf_add(&u->text, text, len);
    u->bytes += i->bytes;
    return i;
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
    *lore_index_at(&u->k->kept, &u->f->refused_ids, lore_wire_id(kind, record)) = 1;
    lore_import_note(in, LORE_IL_ERRORS, "%s: %s %s: %s", *in->unit ? in->unit : in->file,
        lore_kind_name(kind), name, why);
}

/* Whether the record in the probe has the id of a refused one. */
static bool
refers_to_refused(struct unit *u)
{
    struct lore_index *refused = &u->f->refused_ids;
    char id[LORE_ULID_SIZE] = "";

    if (refused->n == 0)
        return false;
    for (const char *p = u->record; (p = strchr(p, '"')); p++) {
        size_t n = strspn(p + 1, "0123456789ABCDEFGHJKMNPQRSTVWXYZ");
        if (n != LORE_ULID_SIZE - 1 || p[n + 1] != '"')
            continue;
        memcpy(id, p + 1, n);
        if (lore_index_find(refused, id))
            return true;
    }
    return false;
}

/* Write the document with only the record KIND to the probe. */
static enum lore_status
encode_record(struct unit *u, enum lore_kind kind, const char *record, struct lore_err *err)
{
    struct lore_jsonw w;

    lore_buf_reset(&u->probe);
    lore_buf_printf(
        &u->probe, "{\"warplore\":1,\"id\":\"%s\",\"%s\":[", NO_ID, lore_kind_plural(kind));
    size_t start = u->probe.len;
    lore_jsonw_begin(&w, &u->probe, false);
    lore_w_obj(&w);
    lore_wire_members(&w, kind, record);
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    if (status != LORE_OK)
        return status;
    u->len = u->probe.len - start;
    lore_buf_puts(&u->probe, "]}");
    u->record = u->probe.data + start;
    return LORE_OK;
}

/* Whether the service's decoder accepts the record in the probe. If not, *why is the reason. */
static bool
is_acceptable(struct unit *u, const char **why)
{
    struct lore_submission doc;
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    if (refers_to_refused(u)) {
        *why = "it refers to a refused record";
        return false;
    }
    lore_arena_reset(&u->arena);
    if (lore_json_parse(u->probe.data, u->probe.len, &lore_wire_limits, &u->arena, &root, &err) ==
            LORE_OK &&
        lore_wire_decode(root, &u->arena, &doc, &err) == LORE_OK)
        return true;
    *why = lore_strdup(&u->k->kept, err.msg);
    return false;
}

/* Count the experiments of each campaign that says how many it has. */
static void
count_campaign(struct unit *u, enum lore_kind kind, const void *record)
{
    struct lore_arena *arena = u->k->arena;
    const char *id = kind == LORE_K_CAMPAIGN ? ((const struct lore_campaign *)record)->id
                     : kind == LORE_K_EXPERIMENT
                         ? ((const struct lore_experiment *)record)->campaign
                         : NULL;

    if (!id)
        return;
    size_t **read = (size_t **)(void *)lore_index_at(arena, u->k->campaign_counts, id);
    if (!*read)
        *read = lore_alloc(arena, sizeof **read);
    **read += kind == LORE_K_EXPERIMENT;
    const struct lore_campaign *c = record;
    if (kind == LORE_K_CAMPAIGN && c->expected_records.set)
        *LORE_PUSH(arena, u->f->campaigns, u->f->n_campaigns, u->f->cap_campaigns) =
            (struct lore_intake_campaign){lore_strdup(arena, c->id), lore_strdup(arena, c->label),
                c->expected_records.v, *read};
}

static enum lore_status
take_record(struct unit *u, enum lore_kind kind, char *record, struct lore_err *err)
{
    set_licence(u, kind, record);
    set_commit(u, kind, record);
    enum lore_status status = encode_record(u, kind, record, err);
    if (status != LORE_OK)
        return status;
    const char *why = NULL;
    if (!is_acceptable(u, &why)) {
        refuse(u, kind, record, why);
        return LORE_OK;
    }
    const struct lore_provenance *p = lore_wire_provenance(kind, record);
    switch (lore_seen_add(u->k->arena, u->k->seen, lore_wire_id(kind, record), u->record, u->len)) {
    case LORE_SEEN_NEW:
        add_item(u, kind, u->record, u->len)->forbids =
            p && p->redistribution && strcmp(p->redistribution, "forbidden") == 0;
        u->f->records[kind]++;
        count_campaign(u, kind, record);
        break;
    case LORE_SEEN_SAME:
        u->f->repeated[kind]++;
        break;
    case LORE_SEEN_OTHER:
        refuse(u, kind, record,
            "an earlier file has this record with other content; the earlier one is kept");
    }
    return LORE_OK;
}

/* Close the document at hand, sending or keeping it. */
static enum lore_status
finish(struct lore_intake *k, struct lore_intake_format *f, const struct lore_intake_document *d,
    struct lore_err *err)
{
    struct lore_intake_document kept = *d;
    struct lore_submission *doc = lore_alloc(k->arena, k->send ? 1 : sizeof *doc);
    struct lore_json *root = NULL;

    f->sent++;
    if (k->send) {
        /* remembered, because an importer may take it for a fault of the file */
        enum lore_status sent = k->send(k->context, f, d, &k->stopped);
        return sent == LORE_OK ? LORE_OK : lore_fail(err, sent, "%s", k->stopped.msg);
    }
    kept.id = lore_strdup(k->arena, d->id);
    kept.body = lore_strndup(k->arena, d->body, d->len);
    enum lore_status status =
        lore_json_parse(kept.body, kept.len, &lore_wire_limits, k->arena, &root, err);
    if (status == LORE_OK)
        status = lore_wire_decode(root, k->arena, doc, err);
    kept.doc = doc;
    if (status == LORE_OK)
        *LORE_PUSH(k->arena, f->documents, f->n, f->cap) = kept;
    return status;
}

static void
append_text(struct lore_pack *p, enum lore_kind kind, const char *text, size_t len)
{
    struct lore_buf *list = &p->lists[kind];

    list->max = LORE_WIRE_MAX_BYTES;
    if (list->len > 0)
        lore_buf_putc(list, ',');
    lore_buf_add(list, text, len);
}

static void
append_item(struct unit *u, const struct item *item)
{
    struct lore_intake_format *f = u->f;

    if (!f->open)
        f->open = lore_alloc(u->k->arena, sizeof *f->open);
    struct lore_pack *p = f->open;
    if (!p->open)
        p->bytes = 256;
    p->open = true;
    append_text(p, item->kind, u->text.data + item->at, item->len);
    if (item->kind == LORE_K_COUNT)
        lore_buf_printf(&p->names, "%s\n", item->name);
    p->forbids |= item->forbids;
    p->bytes += item->bytes;
}

/* The service withholds a document from export when one of its records forbids redistribution. A
 * document that holds only files gets such a record: a list of the files. */
static enum lore_status
add_manifest(struct lore_intake *k, struct lore_pack *p, struct lore_err *err)
{
    const char *text = p->names.len > 0 ? p->names.data : "";
    LORE_BUF record = {.max = LORE_WIRE_MAX_BYTES};
    LORE_SCRATCH arena = {0};
    struct lore_jsonw w;

    if (!k->redistribution || p->forbids)
        return LORE_OK;
    struct lore_source_document d = {.id = lore_build_id(&arena, 0, "import-manifest|%s", text),
        .title = "Files of an import that must not be passed on",
        .path = "manifest",
        .text = text,
        .provenance = {
            .system = "import", .licence = k->licence, .redistribution = k->redistribution}};
    lore_jsonw_begin(&w, &record, false);
    lore_w_obj(&w);
    lore_wire_members(&w, LORE_K_SOURCE_DOCUMENT, &d);
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        append_text(p, LORE_K_SOURCE_DOCUMENT, record.data, record.len);
    return status;
}

/* The document as JSON, with NO_ID: what lore_wire_encode writes of a document with these items,
 * which are freed on the way. */
static enum lore_status
encode(struct lore_pack *p, const struct lore_importer *importer, struct lore_buf *out,
    struct lore_err *err)
{
    LORE_SCRATCH arena = {0};
    struct lore_submission head = {.format = LORE_WIRE_VERSION, .id = NO_ID};

    head.author.name = lore_format(&arena, "import %s", importer->name);
    head.author.kind = "importer";
    enum lore_status status = lore_build_encode(&head, out, err);
    if (status != LORE_OK)
        return status;
    out->len--; /* the closing brace */
    for (int i = 0; i <= LORE_K_COUNT; i++) {
        /* files come before the records */
        int kind = i == 0 ? LORE_K_COUNT : i - 1;
        struct lore_buf *list = &p->lists[kind];
        if (list->len == 0)
            continue;
        lore_buf_printf(out, ",\"%s\":[",
            kind == LORE_K_COUNT ? "artifacts" : lore_kind_plural((enum lore_kind)kind));
        lore_buf_add(out, list->data, list->len);
        lore_buf_putc(out, ']');
        lore_buf_free(list);
    }
    lore_buf_putc(out, '}');
    return lore_buf_status(out, "document", err);
}

static void
clear(struct lore_pack *p)
{
    for (size_t i = 0; i <= LORE_K_COUNT; i++)
        lore_buf_free(&p->lists[i]);
    lore_buf_free(&p->names);
    p->open = p->forbids = false;
}

void
lore_pack_drop(struct lore_intake_format *f)
{
    if (f->open)
        clear(f->open);
}

/* The id of the document is derived from its bytes, so a changed mapping of the same files gives
 * another document. */
enum lore_status
lore_pack_close(struct lore_intake *k, struct lore_intake_format *f, struct lore_err *err)
{
    struct lore_pack *p = f->open;
    LORE_BUF body = {.max = LORE_WIRE_MAX_BYTES};
    LORE_SCRATCH arena = {0};
    struct lore_intake_document d = {0};
    char hex[LORE_HASH_HEX];

    if (!p || !p->open)
        return LORE_OK;
    enum lore_status status = add_manifest(k, p, err);
    if (status == LORE_OK)
        status = encode(p, f->importer, &body, err);
    clear(p);
    if (status == LORE_OK) {
        lore_hash_hex(body.data, body.len, hex);
        d.id = lore_build_id(&arena, 0, "document|%s", hex);
        memcpy(strstr(body.data, NO_ID), d.id, sizeof NO_ID - 1); /* the id comes first */
    }
    d.body = body.data;
    d.len = body.len;
    return status == LORE_OK ? finish(k, f, &d, err) : status;
}

_Static_assert(LORE_IMPORT_KINDS == LORE_K_COUNT, "import.h counts the kinds");

enum lore_status
lore_pack_raw(struct lore_intake *k, struct lore_intake_format *f, struct lore_err *err)
{
    struct lore_import *in = &f->in;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < in->n_raw && status == LORE_OK; i++) {
        const struct lore_import_raw *raw = &in->raw[i];
        status = finish(k, f,
            &(struct lore_intake_document){.id = raw->id, .body = raw->text, .len = raw->len}, err);
        for (int j = 0; j < LORE_K_COUNT; j++)
            f->records[j] += raw->records[j];
    }
    in->raw = NULL;
    in->n_raw = in->cap_raw = 0;
    return status;
}

static enum lore_status
collect(struct unit *u, struct lore_import_file *const *files, size_t n, struct lore_err *err)
{
    struct lore_submission *doc = u->f->in.doc;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        struct lore_kept kept = {0};
        lore_buf_reset(&u->probe);
        if (!lore_tree_open(u->f->in.tree, files[i]))
            continue;
        status = lore_keep_file(u->k, u->f, files[i], &u->probe, &kept, err);
        if (status != LORE_OK || !kept.name)
            continue;
        struct item *item = add_item(u, LORE_K_COUNT, u->probe.data, u->probe.len);
        item->name = kept.name;
        u->bytes -= item->bytes;
        item->bytes = kept.content + 2 + strlen(kept.name) + 64;
        u->bytes += item->bytes;
        u->f->files++;
    }
    for (size_t k = 0; k < LORE_K_COUNT; k++) {
        size_t n_records, size;
        char *record = (char *)lore_wire_list(doc, order[k], &n_records, &size);

        for (size_t r = 0; r < n_records && status == LORE_OK; r++, record += size)
            status = take_record(u, order[k], record, err);
    }
    return status;
}

/* Move the items to documents. */
static enum lore_status
distribute(struct unit *u, struct lore_err *err)
{
    struct lore_intake_format *f = u->f;
    enum lore_status status = LORE_OK;
    bool curating = false;

    if (f->open && f->open->open && f->open->bytes + u->bytes > LORE_INTAKE_DOCUMENT)
        status = lore_pack_close(u->k, f, err);
    for (size_t i = 0; i < u->n && status == LORE_OK; i++) {
        /* the service may refuse curations, so they get documents of their own and cannot block the
         * facts */
        bool is_curation = u->items[i].kind == LORE_K_CURATION, open = f->open && f->open->open;
        bool full = open && f->open->bytes + u->items[i].bytes > LORE_INTAKE_DOCUMENT;
        if (open && (full || (is_curation && !curating)))
            status = lore_pack_close(u->k, f, err);
        curating |= is_curation;
        if (status == LORE_OK)
            append_item(u, &u->items[i]);
    }
    return curating && status == LORE_OK ? lore_pack_close(u->k, f, err) : status;
}

enum lore_status
lore_pack_unit(struct lore_intake *k, struct lore_intake_format *f,
    struct lore_import_file *const *files, size_t n, struct lore_err *err)
{
    /* the text has all files of a folder; each is at most LORE_IMPORT_MAX in base64 */
    struct unit u = {.k = k,
        .f = f,
        .probe = {.max = LORE_WIRE_MAX_BYTES + (1u << 10)},
        .text = {.max = (size_t)1 << 40}};

    enum lore_status status = collect(&u, files, n, err);
    if (status == LORE_OK)
        status = distribute(&u, err);
    lore_buf_free(&u.probe);
    lore_buf_free(&u.text);
    lore_arena_free(&u.arena);
    lore_arena_free(&u.memory);
    return status;
}
