/* Rows (evidence_inner.h): groups and their chunks, a table of row numbers that finds the rows of
 * an experiment, and how a row enters the sums of its cells and leaves them. Rows are never
 * removed; one whose experiment is now on another operator leaves a place for the next. */
#include "service/recommend/evidence_rows.h"
#include "service/recommend/evidence_workloads.h"

#include <math.h>
#include <string.h>

#include "service/base/xalloc.h"
#include "service/wire/feed.h"

enum { FIRST_SLOTS = 64, FIRST_ROWS = 4 };

/* ---- groups and chunks ---- */

static struct lore_chunk *
chunk_of(const struct lore_evidence_index *ix, uint32_t row)
{
    return ix->chunks[row / LORE_CHUNK];
}

static struct lore_row_group *
group_of(const struct lore_evidence_index *ix, uint32_t row)
{
    return &ix->groups[chunk_of(ix, row)->group];
}

static struct lore_on_operator *
on_operator(struct lore_evidence_index *ix, uint32_t op)
{
    if (op >= ix->cap_on) {
        uint32_t cap = ix->operators.cap;
        ix->on = lore_xrealloc(ix->on, cap * sizeof *ix->on);
        memset(ix->on + ix->cap_on, 0, (cap - ix->cap_on) * sizeof *ix->on);
        ix->cap_on = cap;
    }
    return &ix->on[op];
}

static uint32_t
technique_made(struct lore_evidence_index *ix, uint32_t technique)
{
    uint32_t known = ix->technique_keys.n, id = lore_keys_add(&ix->technique_keys, technique);

    if (id == known) {
        if (ix->cap_techniques < ix->technique_keys.cap) {
            ix->cap_techniques = ix->technique_keys.cap;
            ix->by_technique =
                lore_xrealloc(ix->by_technique, ix->cap_techniques * sizeof *ix->by_technique);
        }
        ix->by_technique[id] = (struct lore_technique_groups){.technique = technique};
    }
    return id;
}

static uint32_t
group_made(struct lore_evidence_index *ix, uint32_t technique, uint32_t op)
{
    uint32_t known = ix->group_keys.n,
             id = lore_keys_add(&ix->group_keys, lore_pair(technique, op));

    if (id < known)
        return id;
    if (ix->cap_groups < ix->group_keys.cap) {
        ix->cap_groups = ix->group_keys.cap;
        ix->groups = lore_xrealloc(ix->groups, ix->cap_groups * sizeof *ix->groups);
    }
    uint32_t technique_id = technique_made(ix, technique);
    struct lore_technique_groups *tech = &ix->by_technique[technique_id];
    ix->groups[id] = (struct lore_row_group){
        .technique = technique, .tech = technique_id, .op = op, .least = INFINITY};
    if (tech->n == tech->cap) {
        tech->cap = tech->n + tech->n / 4 + 1;
        tech->groups = lore_xrealloc(tech->groups, tech->cap * sizeof *tech->groups);
    }
    tech->groups[tech->n++] = id;
    struct lore_on_operator *on = on_operator(ix, op);
    if (on->n == on->cap) {
        on->cap = on->n + on->n / 4 + 1;
        on->groups = lore_xrealloc(on->groups, on->cap * sizeof *on->groups);
    }
    on->groups[on->n++] = (struct lore_grouped){id, technique_id};
    return id;
}

static size_t
bytes_for(uint32_t cap)
{
    return sizeof(struct lore_chunk) + cap * (4 * sizeof(uint32_t) + LORE_ULID_BYTES);
}

/* Columns for CAP rows behind one another, those that most looks read first, and the rows of OLD in
 * them, which may be NULL. */
static struct lore_chunk *
chunk_made(struct lore_evidence_index *ix, uint32_t group, uint32_t cap, struct lore_chunk *old)
{
    struct lore_chunk *c = lore_xalloc(bytes_for(cap));

    *c = (struct lore_chunk){.cap = cap, .group = group, .workload = (uint32_t *)(c + 1)};
    c->kind = c->workload + cap;
    c->log = (float *)(c->kind + cap);
    c->seq = (uint32_t *)(c->log + cap);
    c->id = (unsigned char(*)[LORE_ULID_BYTES])(c->seq + cap);
    ix->chunk_bytes += bytes_for(cap);
    if (!old)
        return c;
    c->n = old->n;
    c->part = old->part;
    memcpy(c->kind, old->kind, c->n * sizeof *c->kind);
    memcpy(c->log, old->log, c->n * sizeof *c->log);
    memcpy(c->workload, old->workload, c->n * sizeof *c->workload);
    memcpy(c->seq, old->seq, c->n * sizeof *c->seq);
    memcpy(c->id, old->id, c->n * sizeof *c->id);
    ix->chunk_bytes -= bytes_for(old->cap);
    lore_xfree(old);
    return c;
}

static uint32_t
one_more_chunk(struct lore_evidence_index *ix, uint32_t group)
{
    struct lore_row_group *s = &ix->groups[group];

    if (ix->n_chunks == ix->cap_chunks) {
        ix->cap_chunks = lore_evidence_roomier(ix->n_chunks);
        ix->chunks = lore_xrealloc(ix->chunks, ix->cap_chunks * sizeof(struct lore_chunk *));
    }
    if (s->n_parts == s->cap_parts) {
        s->cap_parts = s->n_parts + s->n_parts / 8 + 1;
        s->parts = lore_xrealloc(s->parts, s->cap_parts * sizeof *s->parts);
    }
    ix->chunks[ix->n_chunks] = chunk_made(ix, group, FIRST_ROWS, NULL);
    ix->chunks[ix->n_chunks]->part = s->n_parts;
    s->parts[s->n_parts++] = (struct lore_part){ix->n_chunks, {-1, -1}, INFINITY};
    return ix->n_chunks++;
}

/* A place for one more row of SHELF. Its last chunk grows with it: many techniques were tried on an
 * operator only a few times. */
static uint32_t
make_room(struct lore_evidence_index *ix, uint32_t group)
{
    struct lore_row_group *s = &ix->groups[group];
    uint32_t last = s->n_parts > 0 ? s->parts[s->n_parts - 1].chunk : 0, hole = s->hole;

    s->n++;
    if (hole > 0) {
        s->hole = chunk_of(ix, hole - 1)->seq[(hole - 1) % LORE_CHUNK];
        return hole - 1;
    }
    if (s->n_parts == 0 || ix->chunks[last]->n == LORE_CHUNK)
        last = one_more_chunk(ix, group);
    struct lore_chunk *c = ix->chunks[last];
    if (c->n == c->cap) {
        uint32_t cap = c->cap + c->cap / 4 + FIRST_ROWS;
        c = ix->chunks[last] = chunk_made(ix, group, cap < LORE_CHUNK ? cap : LORE_CHUNK, c);
    }
    return last * LORE_CHUNK + c->n++;
}

/* ---- finding the rows of an experiment ---- */

static uint32_t
hash_id(const struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES])
{
    uint64_t a, b;

    memcpy(&a, id, sizeof a);
    memcpy(&b, id + sizeof a, sizeof b);
    a = (a ^ ix->seed) * 0x9e3779b97f4a7c15u;
    a = ((a ^ a >> 32) + b) * 0xd6e8feb86659fd93u;
    return (uint32_t)((a ^ a >> 32) * 0x9e3779b97f4a7c15u >> 32);
}

static uint32_t
slot_of(const struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES])
{
    return (uint32_t)((uint64_t)hash_id(ix, id) * ix->n_slots >> 32);
}

static void
put_slot(struct lore_evidence_index *ix, uint32_t row)
{
    uint32_t i = slot_of(ix, chunk_of(ix, row)->id[row % LORE_CHUNK]);

    while (ix->slots[i] != 0)
        i = i + 1 < ix->n_slots ? i + 1 : 0;
    ix->slots[i] = row + 1;
}

/* At most three quarters of the slots are used. */
static void
widen(struct lore_evidence_index *ix)
{
    uint32_t *old = ix->slots, n_old = ix->n_slots;

    ix->n_slots = n_old == 0 ? FIRST_SLOTS : n_old + n_old / 4;
    ix->slots = lore_xcalloc(ix->n_slots, sizeof *ix->slots);
    for (uint32_t i = 0; i < n_old; i++)
        if (old[i] != 0)
            put_slot(ix, old[i] - 1);
    lore_xfree(old);
}

/* The slot of the next row of the experiment of ID, from slot I on; the free one behind them. */
static uint32_t
next_of(const struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES], uint32_t i)
{
    for (; ix->slots[i] != 0; i = i + 1 < ix->n_slots ? i + 1 : 0) {
        uint32_t row = ix->slots[i] - 1;
        if (memcmp(chunk_of(ix, row)->id[row % LORE_CHUNK], id, LORE_ULID_BYTES) == 0)
            break;
    }
    return i;
}

static uint32_t
after(const struct lore_evidence_index *ix, uint32_t slot)
{
    return slot + 1 < ix->n_slots ? slot + 1 : 0;
}

/* ---- into the sums and out of them ---- */

/* The ln speedup that is the technique's own, as far as its worst is concerned. */
static float
own_log(const struct lore_judged *j, float log)
{
    if (j->inert)
        return 0;
    return j->has_x ? log : INFINITY;
}

static struct lore_row_outcome
outcome_of(const struct lore_evidence_index *ix, uint32_t row)
{
    uint64_t kind = ix->kinds.key[chunk_of(ix, row)->kind[row % LORE_CHUNK]];

    return lore_outcome_of(ix->outcomes.key[lore_pair_low(kind)]);
}

/* A row of that outcome, and what that counts as. */
static void
judge(const struct lore_evidence_index *ix, uint32_t outcome, struct lore_entering *in)
{
    struct lore_row_outcome o = lore_outcome_of(ix->outcomes.key[outcome]);

    in->outcome = outcome;
    in->judged = lore_judge(o);
    in->share = 1.0 / o.siblings;
}

/* A row as its technique's cells have it. */
static struct lore_entering
entering(const struct lore_evidence_index *ix, uint32_t row)
{
    const struct lore_chunk *c = chunk_of(ix, row);
    uint64_t kind = ix->kinds.key[c->kind[row % LORE_CHUNK]];
    struct lore_entering in = {
        .context = lore_pair_high(kind),
        .place = lore_evidence_place_of(ix->contexts.key[lore_pair_high(kind)]),
        .outcomes = &ix->outcomes,
        .log = c->log[row % LORE_CHUNK],
        .clamp = ix->clamp,
    };

    judge(ix, lore_pair_low(kind), &in);
    return in;
}

/* IN, of OUTCOME, which is its experiment's first, as the cells of experiments have it: once,
 * whatever was tried. */
static struct lore_entering
as_experiment(
    struct lore_evidence_index *ix, struct lore_entering in, struct lore_row_outcome outcome)
{
    if (outcome.share == LORE_SHARE_OPEN && outcome.siblings == 1)
        return in;
    outcome.share = LORE_SHARE_OPEN;
    outcome.siblings = 1;
    judge(ix, lore_keys_add(&ix->outcomes, lore_outcome_key(outcome)), &in);
    return in;
}

static void
enter(struct lore_evidence_index *ix, uint32_t row)
{
    struct lore_row_group *s = group_of(ix, row);
    struct lore_on_operator *on = on_operator(ix, s->op);
    struct lore_entering in = entering(ix, row);
    struct lore_row_outcome outcome = outcome_of(ix, row);
    struct lore_graded *c = &ix->grading.context[in.context];
    struct lore_part *part = &s->parts[chunk_of(ix, row)->part];
    float *most = &part->most[in.judged.own], least = own_log(&in.judged, in.log);

    lore_cells_put(&s->cells, &in);
    lore_totals_put(&ix->by_technique[s->tech].totals, c, &in, 1);
    lore_workload_enter(ix, s, chunk_of(ix, row)->workload[row % LORE_CHUNK], c);
    s->least = fminf(s->least, least);
    part->least = fminf(part->least, least);
    *most = fmaxf(*most, isnan(in.log) ? 0 : fabsf(in.log));
    if (!outcome.first) {
        lore_totals_know(&on->totals, c->setting);
        return;
    }
    in = as_experiment(ix, in, outcome);
    lore_cells_put(&on->experiments, &in);
    lore_totals_put(&on->totals, c, &in, 1);
    c->experiments++;
}

static void
leave(struct lore_evidence_index *ix, uint32_t row)
{
    struct lore_row_group *s = group_of(ix, row);
    struct lore_on_operator *on = on_operator(ix, s->op);
    struct lore_entering in = entering(ix, row);
    struct lore_row_outcome outcome = outcome_of(ix, row);
    struct lore_graded *c = &ix->grading.context[in.context];

    lore_cells_take(&s->cells, &in);
    lore_totals_put(&ix->by_technique[s->tech].totals, c, &in, -1);
    if (!outcome.first)
        return;
    in = as_experiment(ix, in, outcome);
    lore_cells_take(&on->experiments, &in);
    lore_totals_put(&on->totals, c, &in, -1);
    c->experiments--;
}

/* Grades of another time, or by other numbers: all totals are others. */
static void
grade_again(struct lore_evidence_index *ix)
{
    lore_grading_renew(&ix->grading, &ix->contexts, ix->newest);
    for (uint32_t i = 0; i < ix->technique_keys.n; i++)
        lore_totals_forget(&ix->by_technique[i].totals);
    for (uint32_t i = 0; i < ix->group_keys.n; i++)
        lore_totals_add(&ix->by_technique[ix->groups[i].tech].totals, ix->grading.context,
            &ix->groups[i].cells, &ix->outcomes, ix->clamp);
    for (uint32_t i = 0; i < ix->cap_on; i++) {
        lore_totals_forget(&ix->on[i].totals);
        lore_totals_add(&ix->on[i].totals, ix->grading.context, &ix->on[i].experiments,
            &ix->outcomes, ix->clamp);
    }
}

/* ---- adding ---- */

static uint32_t
kind_of(struct lore_evidence_index *ix, uint32_t context, struct lore_row_outcome outcome)
{
    return lore_keys_add(
        &ix->kinds, lore_pair(context, lore_keys_add(&ix->outcomes, lore_outcome_key(outcome))));
}

/* Into a place that is in no cell. */
static void
fill(struct lore_evidence_index *ix, uint32_t row, const struct lore_rank_match *in)
{
    struct lore_chunk *c = chunk_of(ix, row);
    uint32_t i = row % LORE_CHUNK;

    memcpy(c->id[i], in->id, sizeof c->id[i]);
    c->kind[i] = kind_of(ix, in->context, in->outcome);
    c->log[i] = in->log;
    c->workload[i] = in->workload;
    c->seq[i] = in->seq;
    enter(ix, row);
}

/* The row leaves its group. */
static void
vacate(struct lore_evidence_index *ix, uint32_t row)
{
    struct lore_chunk *c = chunk_of(ix, row);
    struct lore_row_group *s = &ix->groups[c->group];
    uint32_t i = row % LORE_CHUNK;

    c->kind[i] = LORE_GONE;
    c->log[i] = NAN;
    c->workload[i] = LORE_NO_NAME;
    c->seq[i] = s->hole;
    s->hole = row + 1;
    s->n--;
}

/* One more technique shares the credit of the experiment of ID: its rows stay in their cells. */
static void
share(struct lore_evidence_index *ix, const unsigned char id[LORE_ULID_BYTES], uint8_t siblings)
{
    for (uint32_t i = next_of(ix, id, slot_of(ix, id)); ix->slots[i] != 0;
         i = next_of(ix, id, after(ix, i))) {
        uint32_t row = ix->slots[i] - 1, *kind = &chunk_of(ix, row)->kind[row % LORE_CHUNK];
        struct lore_entering was = entering(ix, row), in = was;
        struct lore_row_outcome outcome = outcome_of(ix, row);
        outcome.siblings = siblings;
        judge(ix, lore_keys_add(&ix->outcomes, lore_outcome_key(outcome)), &in);
        lore_cells_share(&group_of(ix, row)->cells, &was, &in);
        lore_totals_share(&ix->by_technique[group_of(ix, row)->tech].totals,
            &ix->grading.context[in.context], &was, &in);
        *kind = kind_of(ix, in.context, outcome);
    }
}

/* What is known now of the row in SLOT. */
static void
correct(struct lore_evidence_index *ix, uint32_t slot, struct lore_rank_match *in)
{
    uint32_t row = ix->slots[slot] - 1, group = group_made(ix, in->technique, in->op);
    uint32_t from = chunk_of(ix, row)->group, workload;
    struct lore_row_outcome old = outcome_of(ix, row);
    bool counted = lore_workload_counts(ix, row, &workload);

    in->outcome.siblings = old.siblings;
    in->outcome.first = old.first;
    leave(ix, row);
    if (from != group) {
        vacate(ix, row);
        row = make_room(ix, group);
        ix->slots[slot] = row + 1;
    }
    fill(ix, row, in);
    uint32_t now;
    if (counted && !(from == group && lore_workload_counts(ix, row, &now) && now == workload))
        lore_workload_leave(ix, &ix->groups[from], workload);
}

void
lore_evidence_rows_add(struct lore_evidence_index *ix, struct lore_rank_match *in)
{
    uint32_t count = 1;

    if (4 * (uint64_t)ix->n >= 3 * (uint64_t)ix->n_slots)
        widen(ix);
    lore_grading_add(&ix->grading, &ix->contexts);
    if (!lore_grades_hold(&ix->grading.grades, ix->newest))
        grade_again(ix);
    for (uint32_t i = next_of(ix, in->id, slot_of(ix, in->id)); ix->slots[i] != 0;
         i = next_of(ix, in->id, after(ix, i)), count++) {
        if (group_of(ix, ix->slots[i] - 1)->technique != in->technique)
            continue;
        correct(ix, i, in);
        return;
    }
    in->outcome.siblings = (uint8_t)(count < UINT8_MAX ? count : UINT8_MAX);
    in->outcome.first = count == 1;
    if (count > 1)
        share(ix, in->id, in->outcome.siblings);
    uint32_t row = make_room(ix, group_made(ix, in->technique, in->op));
    fill(ix, row, in);
    put_slot(ix, row);
    ix->n++;
}

/* ---- as a whole ---- */

void
lore_evidence_rows_free(struct lore_evidence_index *ix)
{
    for (uint32_t i = 0; i < ix->group_keys.n; i++) {
        lore_cells_free(&ix->groups[i].cells);
        lore_xfree(ix->groups[i].parts);
        lore_xfree(ix->groups[i].tried.bits);
    }
    for (uint32_t i = 0; i < ix->technique_keys.n; i++) {
        lore_xfree(ix->by_technique[i].groups);
        lore_totals_free(&ix->by_technique[i].totals);
    }
    for (uint32_t i = 0; i < ix->cap_on; i++) {
        lore_cells_free(&ix->on[i].experiments);
        lore_totals_free(&ix->on[i].totals);
        lore_xfree(ix->on[i].groups);
    }
    for (uint32_t i = 0; i < ix->n_chunks; i++)
        lore_xfree(ix->chunks[i]);
    lore_xfree(ix->groups);
    lore_xfree(ix->by_technique);
    lore_xfree(ix->on);
    lore_xfree(ix->workloads);
    lore_xfree(ix->chunks);
    lore_xfree(ix->slots);
}

size_t
lore_evidence_rows_bytes(const struct lore_evidence_index *ix)
{
    size_t bytes = ix->cap_groups * sizeof *ix->groups +
                   ix->cap_techniques * sizeof *ix->by_technique + ix->cap_on * sizeof *ix->on +
                   ix->cap_workloads * sizeof *ix->workloads +
                   ix->cap_chunks * sizeof(struct lore_chunk *) + ix->chunk_bytes +
                   ix->n_slots * sizeof *ix->slots;

    for (uint32_t i = 0; i < ix->group_keys.n; i++)
        bytes += lore_cells_bytes(&ix->groups[i].cells) +
                 ix->groups[i].cap_parts * sizeof *ix->groups[i].parts +
                 ix->groups[i].tried.words * sizeof *ix->groups[i].tried.bits;
    for (uint32_t i = 0; i < ix->technique_keys.n; i++)
        bytes += ix->by_technique[i].cap * sizeof *ix->by_technique[i].groups +
                 lore_totals_bytes(&ix->by_technique[i].totals);
    for (uint32_t i = 0; i < ix->cap_on; i++)
        bytes += lore_cells_bytes(&ix->on[i].experiments) + lore_totals_bytes(&ix->on[i].totals) +
                 ix->on[i].cap * sizeof *ix->on[i].groups;
    return bytes;
}
