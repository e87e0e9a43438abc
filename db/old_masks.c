/* Masks from before decisions were records. A migration turns each into a submission with one
 * curation, as the mask button does today, with the same actor, time and reason. Otherwise they
 * would be the only facts that no export carries. */
#include <stdio.h>
#include <string.h>

#include "db/curated.h"
#include "db/internal.h"
#include "db/put.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/base/jsonw.h"
#include "service/base/ulid.h"
#include "service/wire/fields.h"
#include "service/wire/wire.h"

struct old_mask {
    int64_t seq, at_us;
    const char *experiment, *reason, *actor;
    bool masked;
};

#define ROW struct old_mask
static const struct lore_row_member old_mask_members[] = {
    AT(seq), AT(at_us), AT(experiment), AT(reason), AT(actor), AT(masked)};
static const struct lore_row_shape old_mask_rows = {LORE_MEMBERS(old_mask_members)};

/* Read all old masks before writing any: the new ones go to the same table. */
static enum lore_status
old_masks(struct lore_db *db, struct lore_arena *a, struct old_mask **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT m.seq, m.at_us, e.id, m.reason, m.actor, m.masked"
                               " FROM fact_mask m JOIN fact_experiment e ON e.seq = m.experiment"
                               " WHERE m.curation IS NULL ORDER BY m.seq");

    return lore_db_collect(&q, &old_mask_rows, a, out, n, err);
}

/* Derive the ids from the row, so that two copies of one database agree. */
static void
write_ids(const struct old_mask *m, char document[LORE_ULID_SIZE], char curation[LORE_ULID_SIZE])
{
    char seed[128];

    snprintf(seed, sizeof seed, "mask %lld %s", (long long)m->seq, m->experiment);
    lore_ulid_derive(m->at_us / 1000, seed, strlen(seed), document);
    snprintf(seed, sizeof seed, "decision %lld %s", (long long)m->seq, m->experiment);
    lore_ulid_derive(m->at_us / 1000, seed, strlen(seed), curation);
}

static enum lore_status
write_document(const struct old_mask *m, struct lore_buf *out, struct lore_err *err)
{
    char document[LORE_ULID_SIZE], curation[LORE_ULID_SIZE];
    struct lore_jsonw w;

    write_ids(m, document, curation);
    lore_jsonw_begin(&w, out, false);
    lore_w_obj(&w);
    lore_w_ki64(&w, "warplore", LORE_WIRE_VERSION);
    lore_w_kstr(&w, "id", document);
    lore_w_key(&w, "curations");
    lore_w_arr(&w);
    lore_w_obj(&w);
    lore_w_kstr(&w, "id", curation);
    lore_w_kstr(&w, "action", m->masked ? "mask" : "unmask");
    lore_w_key(&w, "subjects");
    lore_w_arr(&w);
    lore_w_str(&w, m->experiment);
    lore_w_arr_end(&w);
    lore_w_kstr(&w, "reason", m->reason[0] != '\0' ? m->reason : "no reason was given");
    lore_w_ktime(&w, "at", m->at_us);
    lore_w_obj_end(&w);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

static enum lore_status
store(struct lore_db *db, const struct old_mask *m, const struct lore_buf *text,
    struct lore_arena *a, struct lore_err *err)
{
    struct lore_put_ctx c = {.db = db, .arena = a, .actor = m->actor, .now_us = m->at_us};
    struct lore_submission doc = {0};
    struct lore_json *root = NULL;
    LORE_BUF packed = {0};
    unsigned char digest[32];
    char hash[LORE_HASH_HEX];
    enum lore_put state;
    enum lore_status status = lore_json_parse(text->data, text->len, NULL, a, &root, err);

    if (status == LORE_OK)
        status = lore_wire_decode(root, a, &doc, err);
    if (status == LORE_OK)
        status = lore_zstd_pack(text->data, text->len, &packed, err);
    lore_hash_hex(text->data, text->len, hash);
    if (status == LORE_OK)
        status = lore_put_document(db,
            &(struct lore_arrived){&doc, hash, m->actor, &packed, text->len, m->at_us}, &c.document,
            err);
    if (status != LORE_OK)
        return status;
    lore_wire_digest(lore_json_get(root, "curations")->child, digest);
    return lore_put_record(&c, LORE_K_CURATION, &doc.curations[0], digest, &state, err);
}

enum lore_status
lore_old_masks_convert(struct lore_db *db, struct lore_err *err)
{
    LORE_SCRATCH arena = {0}, scratch = {0};
    struct old_mask *masks = NULL;
    size_t n = 0;
    enum lore_status status = old_masks(db, &arena, &masks, &n, err);

    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        LORE_BUF text = {0};

        status = write_document(&masks[i], &text, err);
        if (status == LORE_OK)
            status = store(db, &masks[i], &text, &scratch, err);
        lore_arena_reset(&scratch);
    }
    return status == LORE_OK ? lore_db_exec(db, "DELETE FROM fact_mask WHERE curation IS NULL", err)
                             : status;
}
