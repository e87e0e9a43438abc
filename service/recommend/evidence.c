/* The memory of recommend.h: names on the way in and out, and what a row says as a whole. How rows
 * are kept: cells.h. */

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/recommend/cells.h"
#include "service/recommend/model.h"
#include "service/wire/wire.h"

enum { NO_ULID = 0xff };

struct lore_evidence_index *
lore_evidence_new(void)
{
    struct lore_evidence_index *ix = lore_xalloc(sizeof *ix);

    ix->seed = (uint64_t)(uintptr_t)ix * 0x9e3779b97f4a7c15u;
    ix->clamp = (float)lore_model(LORE_M_GAIN_CLAMP); /* which is not learned */
    ix->shapes = lore_shapes_new();
    for (uint16_t code = 0; code < LORE_CODES; code++)
        ix->verdict[code] = lore_judge((union lore_row_outcome){.code = code});
    return ix;
}

void
lore_evidence_free(struct lore_evidence_index *ix)
{
    if (!ix)
        return;
    lore_cells_free(ix);
    lore_intern_free(&ix->names);
    lore_keys_free(&ix->contexts);
    lore_keys_free(&ix->operators);
    lore_keys_free(&ix->places);
    lore_keys_free(&ix->techniques);
    lore_shapes_free(ix->shapes);
    lore_xfree(ix);
}

/* ---- names ---- */

static float
log_of(double speedup)
{
    return speedup > 0 && isfinite(speedup) ? (float)log(speedup) : NAN;
}

static uint32_t
chip_index(const char *name)
{
    size_t n;
    const struct lore_chip *chips = lore_chips(&n), *chip = lore_chip_find(name);

    return chip ? (uint32_t)(chip - chips) : UINT16_MAX;
}

/* The 16 bytes of an id; what is no ULID is a name behind bytes that no ULID of this age has. */
static void
pack(struct lore_evidence_index *ix, const char *id, unsigned char out[LORE_ULID_BYTES])
{
    if (lore_ulid_pack(id, out))
        return;
    uint32_t name = lore_intern(&ix->names, id);
    memset(out, NO_ULID, LORE_ULID_BYTES);
    memcpy(out + LORE_ULID_BYTES - sizeof name, &name, sizeof name);
}

static void
unpack(const struct lore_evidence_index *ix, const unsigned char in[LORE_ULID_BYTES], char out[27])
{
    static const unsigned char none[6] = {NO_ULID, NO_ULID, NO_ULID, NO_ULID, NO_ULID, NO_ULID};
    uint32_t name;

    if (memcmp(in, none, sizeof none) != 0) {
        lore_ulid_unpack(in, out);
        return;
    }
    memcpy(&name, in + LORE_ULID_BYTES - sizeof name, sizeof name);
    const char *text = lore_intern_text(&ix->names, name);
    size_t len = text != NULL ? strlen(text) : 0;
    len = len < LORE_ULID_SIZE ? len : LORE_ULID_SIZE - 1;
    memcpy(out, text, len);
    out[len] = '\0';
}

/* ---- when ---- */

/* 365.2425 days: to which year New Year's Eve belongs makes no difference to an age. */
#define YEAR_MS INT64_C(31556952000)
enum { YEARS_TO_1999 = 29, ULID_TIME = 6 };

/* MS since 1970 as lore_evidence_year has it; 0 when that is no time at which anybody measured. */
static int64_t
year_of(int64_t ms)
{
    int64_t year = ms / YEAR_MS - YEARS_TO_1999;

    return year > 0 && year <= UINT8_MAX ? year : 0;
}

/* The earlier of the two: nothing happens after it was given an id. What is no ULID is packed
 * behind a time that is none. */
static uint8_t
year_between(int64_t told_us, const unsigned char id[LORE_ULID_BYTES])
{
    int64_t ms = 0, told = year_of(told_us / 1000);

    for (int i = 0; i < ULID_TIME; i++)
        ms = ms << 8 | id[i];
    int64_t made = year_of(ms);
    return (uint8_t)(told != 0 && (made == 0 || told < made) ? told : made);
}

uint8_t
lore_evidence_year(const struct lore_evidence_in *in)
{
    unsigned char id[LORE_ULID_BYTES] = {0};

    (void)lore_ulid_pack(in->experiment, id);
    return year_between(in->at_us, id);
}

/* ---- adding ---- */

void
lore_evidence_add(struct lore_evidence_index *ix, const struct lore_evidence_in *in)
{
    float log = log_of(in->speedup);
    union lore_row_outcome outcome = {.effect = in->effect,
        .correctness = in->correctness,
        .share = in->share,
        .said_lost = in->said_lost,
        .measured = !isnan(log),
        .labels_derived = in->labels_derived};
    struct lore_verdict verdict = lore_judge(outcome);
    struct lore_coming_row row = {.technique = lore_intern(&ix->names, in->technique),
        .context = {.chip = (uint16_t)chip_index(in->chip),
            .language = lore_language_find(in->language),
            .evidence = in->evidence,
            .process_broken = in->process_broken,
            .masked = in->masked,
            .step = in->step,
            .said = verdict.is[LORE_N_SAID],
            .labels = in->labels},
        .row = {
            .log = log, .workload = lore_intern(&ix->names, in->workload), .code = outcome.code}};
    uint32_t op = lore_intern(&ix->names, in->op);

    row.seq = in->seq < 0 ? 0 : in->seq > UINT32_MAX ? UINT32_MAX : (uint32_t)in->seq;
    row.op = lore_keys_add(&ix->operators, lore_pair(op, lore_intern(&ix->names, in->family)));
    pack(ix, in->experiment, row.id);
    row.context.year = year_between(in->at_us, row.id);
    ix->newest = row.context.year > ix->newest ? row.context.year : ix->newest;
    ix->steps = ix->steps || in->step;
    lore_cells_add(ix, &row);
}

void
lore_evidence_workload(struct lore_evidence_index *ix, const char *op, const char *workload,
    const struct lore_shape *shape)
{
    uint32_t op_id = lore_intern(&ix->names, op);

    lore_shapes_add(ix->shapes, op_id, lore_intern(&ix->names, workload), shape);
}

/* ---- reading ---- */

size_t
lore_evidence_count(const struct lore_evidence_index *ix)
{
    return ix->n;
}

struct lore_evidence_row
lore_evidence_at(const struct lore_evidence_index *ix, size_t i)
{
    const struct lore_known_row *known = &ix->row[i];
    const struct lore_row *row = lore_row_of(ix, known);
    uint64_t place = ix->places.key[lore_place_of(ix, known)],
             op = ix->operators.key[lore_pair_high(place)];
    union lore_context c = {.key = ix->contexts.key[lore_pair_low(place)]};
    union lore_row_outcome o = {.code = row->code};
    struct lore_evidence_row out = {
        .effect = o.effect,
        .correctness = o.correctness,
        .evidence = c.evidence,
        .language = c.language,
        .process_broken = c.process_broken,
        .masked = c.masked,
        .labels_derived = o.labels_derived,
        .chip = c.chip,
        .op = lore_pair_high(op),
        .family = lore_pair_low(op),
        .technique = (uint32_t)ix->techniques.key[known->technique],
        .workload = row->workload,
        .labels = c.labels,
        .log_speedup = row->log,
        .siblings = row->siblings,
        .first = row->first,
        .said_lost = o.said_lost,
        .share = o.share,
        .step = c.step,
        .year = c.year,
        .seq = known->seq,
    };

    unpack(ix, known->id, out.experiment);
    return out;
}

const char *
lore_evidence_text(const struct lore_evidence_index *ix, uint32_t id)
{
    return lore_intern_text(&ix->names, id);
}

uint32_t
lore_evidence_find(const struct lore_evidence_index *ix, const char *name)
{
    return lore_intern_find(&ix->names, name);
}

uint32_t
lore_evidence_names(const struct lore_evidence_index *ix)
{
    return ix->names.n;
}

size_t
lore_evidence_bytes(const struct lore_evidence_index *ix)
{
    return sizeof *ix + lore_cells_bytes(ix) + ix->names.bytes + lore_keys_bytes(&ix->contexts) +
           lore_keys_bytes(&ix->operators) + lore_keys_bytes(&ix->places) +
           lore_keys_bytes(&ix->techniques) + lore_shapes_bytes(ix->shapes);
}
