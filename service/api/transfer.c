/* The ridge of a chip, its peak rate over its memory bandwidth, is the intensity above which a
 * kernel is compute-bound. A kernel between two distant ridges is memory-bound on one chip and
 * compute-bound on the other, so advice may not transfer. Only numbers in force are used; weights
 * do not depend on them. */
#include "service/api/transfer.h"

#include "db/cached_number.h"
#include "service/api/objects.h"
#include "service/base/text.h"
#include "service/catalogue/spec_names.h"

/* Peak over bandwidth; 0 when one of them is not in force. */
static enum lore_status
ridge_of(struct lore_db *db, const struct lore_chip *chip, const char *dtype,
    struct lore_arena *arena, double *out, struct lore_err *err)
{
    const char *metric = lore_spec_peak(arena, dtype, lore_spec_by_matrix(dtype), false, NULL);
    const char *name = lore_format(arena, "ridge %s", dtype);
    struct lore_hardware h = {0};
    enum lore_status status;

    if (lore_cached_number(db, chip->name, name, arena, out))
        return LORE_OK;
    status = lore_hardware_load(db, chip, arena, &h, err);
    *out = 0;
    if (status != LORE_OK || !metric)
        return status;
    struct lore_input peak = lore_hardware_input(&h, metric, false);
    struct lore_input bandwidth = lore_hardware_input(&h, "hbm_bandwidth", false);
    if (peak.known && bandwidth.known && peak.value > 0 && bandwidth.value > 0)
        *out = peak.value / bandwidth.value;
    lore_cache_number(db, chip->name, name, arena, *out);
    return LORE_OK;
}

enum lore_status
lore_transfers_begin(struct lore_db *db, const struct lore_chip *asked, const char *dtype,
    struct lore_arena *arena, struct lore_transfers *out, struct lore_err *err)
{
    *out = (struct lore_transfers){
        .arena = arena, .asked = asked, .dtype = dtype != NULL ? dtype : "bf16"};
    return !asked ? LORE_OK : ridge_of(db, asked, out->dtype, arena, &out->ridge, err);
}

enum lore_status
lore_transfers_add(
    struct lore_db *db, const char *name, struct lore_transfers *t, struct lore_err *err)
{
    const struct lore_chip *chip = name != NULL ? lore_chip_find(name) : NULL;

    if (!chip || chip == t->asked || t->ridge <= 0 || t->n == LORE_TRANSFERS)
        return LORE_OK;
    for (size_t i = 0; i < t->n; i++)
        if (t->chips[i] == chip)
            return LORE_OK;
    t->chips[t->n] = chip;
    return ridge_of(db, chip, t->dtype, t->arena, &t->ridges[t->n++], err);
}

#define ROW struct lore_transfer
static const struct lore_object_member transfer[] = {
    {"!chip", AT(chip)},
    {"!travel", NAMED(travel, lore_travel_name), NULL, "distance to the requested chip"},
    {"!dtype", AT(dtype)},
    {"!ridge", AT(ridge), NULL, "FLOP/byte above which the chip is compute-bound"},
    {"!ridge_here", AT(ridge_here), NULL, "ridge of the requested chip"},
    {"!ratio", AT(ratio)},
    {"!note", AT(note)},
};
const struct lore_object lore_transfer_object = LORE_OBJECT("Transfer", transfer);
#undef ROW

struct lore_transfer *
lore_transfers_rows(const struct lore_transfers *t, size_t *n)
{
    struct lore_transfer *rows = lore_alloc_array(t->arena, t->n + 1, sizeof *rows);

    *n = 0;
    for (size_t i = 0; i < t->n; i++) {
        const char *name = t->chips[i]->name;
        if (t->ridges[i] <= 0)
            continue;
        rows[(*n)++] = (struct lore_transfer){.chip = name,
            .travel = lore_chip_travel(t->chips[i], t->asked),
            .dtype = t->dtype,
            .ridge = t->ridges[i],
            .ridge_here = t->ridge,
            .ratio = t->ridge / t->ridges[i],
            .note = lore_format(t->arena,
                "%s kernels turn compute-bound at %.3g FLOP/byte on %s, at %.3g on %s", t->dtype,
                t->ridges[i], name, t->ridge, t->asked->name)};
    }
    return rows;
}
