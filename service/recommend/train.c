/* The numbers of the evidence model, learned by asking the memory about what it knows.
 *
 * Folds: each of the chips with most verdicts is left out in turn (what would we have said on a
 * chip never seen?), and each of four random parts of the experiments (… on a chip that is known?).
 * A question is an experiment of the part that is left out: its operator, chip, language,
 * bottleneck and shape, answered from the rest; the answer is the probability that its technique
 * wins. A third of the questions teaches nothing and only tests.
 *
 * Each number is moved by steps of a factor of 1.5 (what a year takes away: 1.25) as long as the
 * sum of log losses falls; a Gaussian on its logarithm around the prior (a factor of two is one
 * deviation) keeps a number where the memory says little of it. Ages count from the experiment that
 * is the question, so what is newer than it counts as distant, too. Then the calibration: a
 * logistic curve over the logit of the answer, ridge towards the identity. What was learned is used
 * only if it is better on the tested questions; otherwise the priors stay. */
#include "service/recommend/train.h"

#include <math.h>
#include <string.h>

#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/moves/moves_math.h"
#include "service/recommend/lists.h"

enum {
    CHIP_FOLDS = 6,
    RANDOM_FOLDS = 4,
    FOLDS = CHIP_FOLDS + RANDOM_FOLDS,
    FOLD_LEAST = 20,   /* verdicts of a chip that is worth leaving out */
    PER_FOLD = 90,     /* questions */
    LEAST = 60,        /* questions in all, or nothing is learned */
    ROWS_MOST = 40000, /* of a larger memory a sample of experiments is asked */
    ROUNDS = 3,
    PARTS = 1000
};
#define STEP 1.5
#define STEP_YEAR 1.25           /* what compounds from year to year is moved with more care */
#define PRIOR_SD 1.7095112913515 /* steps: ln 2 / ln STEP */
#define RIDGE 4.0                /* of the calibration, in questions */

struct question {
    struct lore_question q;
    const struct lore_evidence_index *known; /* all but the part that it is of */
    const char *technique;
    bool won, test;
    double p;
};
struct trainer {
    const struct lore_train_data *data;
    struct lore_arena *arena;
    struct lore_evidence_index *fold[FOLDS];
    struct question v[FOLDS * PER_FOLD];
    size_t n_folds, n, learn, test;
};

static const enum lore_model_index learned[] = {LORE_M_KAPPA, LORE_M_KAPPA_SHAPE, LORE_M_TRAVEL_ISA,
    LORE_M_TRAVEL_ARCH, LORE_M_TRAVEL_VENDOR, LORE_M_TRAVEL_OTHER, LORE_M_TRAVEL_UNKNOWN,
    LORE_M_LANGUAGE_VENDOR, LORE_M_LANGUAGE_OTHER, LORE_M_LABELS_UNKNOWN, LORE_M_LABELS_DISJOINT,
    LORE_M_SHAPE_WIDTH, LORE_M_EVIDENCE_CONFIRMED, LORE_M_EVIDENCE_IMPORTED,
    LORE_M_EVIDENCE_CLAIMED, LORE_M_PROCESS_BROKEN, LORE_M_RECENCY_YEAR, LORE_M_WITNESS};
enum { LEARNED = sizeof learned / sizeof *learned };

/* 0..PARTS - 1 by a text, the same in every process; SALT: another draw. */
static unsigned
part_of(const char *text, unsigned salt)
{
    uint64_t h = lore_fnv_text(LORE_FNV + salt, text);

    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdu;
    h ^= h >> 33;
    return (unsigned)(h % PARTS);
}

static bool
is_judged(const struct lore_evidence_in *in)
{
    return !in->masked && !in->step && in->technique && in->op &&
           (in->effect == LORE_X_WIN || in->effect == LORE_X_NEUTRAL || in->effect == LORE_X_LOSS);
}

static bool
has_won(const struct lore_evidence_in *in)
{
    return in->effect == LORE_X_WIN && in->share == LORE_SHARE_OPEN &&
           in->correctness != LORE_C_FAIL && in->correctness != LORE_C_TIMEOUT;
}

/* ---- folds ---- */

/* The chips with most verdicts, at most CHIP_FOLDS. */
static size_t
common_chips(const struct trainer *t, const struct lore_chip *out[CHIP_FOLDS])
{
    size_t n, found = 0;
    const struct lore_chip *chips = lore_chips(&n);
    size_t *count = lore_alloc_array(t->arena, n, sizeof *count);

    for (size_t i = 0; i < t->data->n; i++) {
        const struct lore_evidence_in *in = &t->data->rows[i];
        const struct lore_chip *chip = is_judged(in) && in->chip ? lore_chip_find(in->chip) : NULL;
        if (chip)
            count[chip - chips]++;
    }
    for (; found < CHIP_FOLDS; found++) {
        size_t best = 0;
        for (size_t k = 1; k < n; k++)
            best = count[k] > count[best] ? k : best;
        if (count[best] < FOLD_LEAST)
            break;
        out[found] = &chips[best];
        count[best] = 0;
    }
    return found;
}

static const struct lore_shape *
shape_of(const struct trainer *t, const char *workload)
{
    for (size_t i = 0; workload != NULL && i < t->data->n_shapes; i++)
        if (lore_streq(t->data->shapes[i].workload, workload))
            return &t->data->shapes[i].shape;
    return NULL;
}

static void
ask(struct trainer *t, const struct lore_evidence_index *known, const struct lore_evidence_in *in)
{
    struct question *q = &t->v[t->n++];

    *q = (struct question){.known = known,
        .technique = in->technique,
        .won = has_won(in),
        .test = part_of(in->experiment, 2) % 3 == 0};
    q->q = (struct lore_question){.op = in->op,
        .family = in->family,
        .language = in->language != NULL ? lore_language_find(in->language) : LORE_LANG_NONE,
        .chip = in->chip != NULL ? lore_chip_find(in->chip) : NULL,
        .labels = in->labels,
        .year = lore_evidence_year(in),
        .workload = in->workload,
        .shape = shape_of(t, in->workload)};
    t->test += q->test;
    t->learn += !q->test;
}

/* Whether the row is left out of the fold: the chip's, or of random part PART. */
static bool
is_out(const struct lore_evidence_in *in, const struct lore_chip *chip, unsigned part)
{
    if (chip)
        return in->chip && lore_chip_find(in->chip) == chip;
    return part_of(in->experiment, 1) % RANDOM_FOLDS == part;
}

static void
add_fold(struct trainer *t, const struct lore_chip *chip, unsigned part)
{
    struct lore_evidence_index *known = t->fold[t->n_folds++] = lore_evidence_new();
    size_t judged = 0, keep = t->data->n / ROWS_MOST + 1, most = t->n + PER_FOLD;

    for (size_t i = 0; i < t->data->n_shapes; i++)
        lore_evidence_workload(
            known, t->data->shapes[i].op, t->data->shapes[i].workload, &t->data->shapes[i].shape);
    for (size_t i = 0; i < t->data->n; i++) {
        const struct lore_evidence_in *in = &t->data->rows[i];
        if (is_out(in, chip, part))
            judged += is_judged(in);
        else if (part_of(in->experiment, 3) % keep == 0)
            lore_evidence_add(known, in);
    }
    size_t share = judged > PER_FOLD ? (size_t)PER_FOLD * PARTS / judged + 1 : PARTS;
    for (size_t i = 0; i < t->data->n && t->n < most; i++) {
        const struct lore_evidence_in *in = &t->data->rows[i];
        if (is_judged(in) && is_out(in, chip, part) && part_of(in->experiment, 4) < share)
            ask(t, known, in);
    }
}

/* ---- scores ---- */

/* The answers by NUMBERS to the questions that test, or to those that teach. */
static void
answer(struct trainer *t, const double *numbers, bool test)
{
    lore_model_try(numbers);
    for (struct question *q = t->v; q < t->v + t->n; q++) {
        struct lore_arena arena = {.limit = (size_t)1 << 28};
        struct lore_scan scan;
        if (q->test != test)
            continue;
        lore_scan_run(&scan, q->known, &q->q, &arena);
        q->p = lore_estimate_of(&scan, q->technique).p;
        lore_arena_free(&arena);
    }
}

static double
log_loss(double p, bool won)
{
    return -log(fmax(1e-6, won ? p : 1 - p));
}

static double
step_of(enum lore_model_index i)
{
    return i == LORE_M_RECENCY_YEAR ? STEP_YEAR : STEP;
}

static double
penalty(const double *numbers, const double *priors)
{
    double sum = 0;

    for (size_t i = 0; i < LEARNED; i++) {
        double steps = log(numbers[learned[i]] / priors[learned[i]]) / log(step_of(learned[i]));
        double d = steps / PRIOR_SD;
        sum += d * d / 2;
    }
    return sum;
}

static double
loss(struct trainer *t, const double *numbers, const double *priors)
{
    double sum = penalty(numbers, priors);

    answer(t, numbers, false);
    for (const struct question *q = t->v; q < t->v + t->n; q++)
        sum += q->test ? 0 : log_loss(q->p, q->won);
    return sum;
}

static struct lore_train_score
score(struct trainer *t, const double *numbers)
{
    double n = (double)t->test, off[10] = {0}; /* per bin: probabilities without wins */
    struct lore_train_score s = {0};

    answer(t, numbers, true);
    for (const struct question *q = t->v; q < t->v + t->n; q++) {
        double d = q->p - q->won;
        if (!q->test)
            continue;
        s.log_loss += log_loss(q->p, q->won) / n;
        s.brier += d * d / n;
        off[(size_t)fmin(9, q->p * 10)] += d / n;
    }
    for (size_t b = 0; b < 10; b++)
        s.ece += fabs(off[b]);
    return s;
}

/* ---- learning ---- */

static void
climb(struct trainer *t, double *numbers, const double *priors)
{
    double best = loss(t, numbers, priors);

    for (int round = 0; round < ROUNDS; round++) {
        double before = best;
        for (size_t i = 0; i < LEARNED; i++) {
            double step = step_of(learned[i]);
            for (int way = 0; way < 2; way++) {
                double old = numbers[learned[i]];
                numbers[learned[i]] = lore_model_clamp(learned[i], way ? old * step : old / step);
                double now = numbers[learned[i]] != old ? loss(t, numbers, priors) : best;
                if (now < best - 1e-9)
                    best = now;
                else
                    numbers[learned[i]] = old;
            }
        }
        if (before - best < 0.1)
            break;
    }
}

static void
calibrate(struct trainer *t, double *numbers)
{
    size_t n = 0;
    double *x = lore_alloc_array(t->arena, 2 * t->learn, sizeof *x);
    double *weight = lore_alloc_array(t->arena, t->learn, sizeof *weight);
    uint8_t *y = lore_alloc_array(t->arena, t->learn, sizeof *y);
    double w[2] = {0, 1};

    answer(t, numbers, false);
    for (const struct question *q = t->v; q < t->v + t->n; q++) {
        if (q->test)
            continue;
        x[2 * n] = 1;
        x[2 * n + 1] = lore_moves_logit(q->p);
        weight[n] = 1;
        y[n++] = q->won;
    }
    lore_moves_logistic(&(struct lore_moves_observed){x, y, weight, n, 2}, RIDGE, w, t->arena);
    numbers[LORE_M_CALIBRATION_OFFSET] = w[0];
    numbers[LORE_M_CALIBRATION_SLOPE] = fmin(fmax(w[1], 0.2), 2);
}

enum lore_status
lore_train(const struct lore_train_data *data, struct lore_arena *arena, struct lore_trained *out,
    struct lore_err *err)
{
    struct trainer *t = lore_alloc(arena, sizeof *t);
    const struct lore_chip *chips[CHIP_FOLDS];
    double priors[LORE_M_COUNT];

    t->data = data;
    t->arena = arena;
    size_t common = common_chips(t, chips);
    for (size_t i = 0; i < common && common > 1; i++)
        add_fold(t, chips[i], 0);
    for (unsigned i = 0; i < RANDOM_FOLDS; i++)
        add_fold(t, NULL, i);
    lore_model_priors(priors);
    memcpy(out->numbers, priors, sizeof priors);
    out->questions = t->learn;
    out->tested = t->test;
    out->chips = t->n_folds - RANDOM_FOLDS;
    bool enough = t->learn >= LEAST && t->test >= LEAST / 2;
    if (enough) {
        out->prior = score(t, priors);
        climb(t, out->numbers, priors);
        calibrate(t, out->numbers);
        out->learned = score(t, out->numbers);
        out->kept = !(out->learned.log_loss < out->prior.log_loss);
        if (out->kept)
            memcpy(out->numbers, priors, sizeof priors);
    }
    lore_model_try(NULL);
    for (size_t i = 0; i < t->n_folds; i++)
        lore_evidence_free(t->fold[i]);
    return enough ? LORE_OK
                  : lore_fail_at(err, LORE_NOTFOUND, "too_little", "",
                        "%zu judged experiments can be asked about; %d are needed to learn from",
                        t->learn + t->test, LEAST * 3 / 2);
}
