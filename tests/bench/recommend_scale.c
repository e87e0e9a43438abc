/* How long a recommendation takes in a large memory, in this process: the index against a plain
 * pass over the same rows (tests/unit/recommend_brute.h, the reference of its test), in one
 * run. The rows look like a memory: operators by Zipf, 60 techniques each, 240 shapes; experiments
 * come in campaigns of 50 on one operator, chip and language that try six techniques; per operator
 * three or four chips, two languages of the chip's vendor each, two or three sets of labels; nine
 * campaigns in ten are measured, one experiment in fifty broke a process rule; one in five names
 * two or three techniques. That is assumed, not counted in a memory that large. "scattered" makes
 * every experiment independent of the others in all of that, over 6,700 contexts: the worst case.
 * "aged" spreads them over five years instead of a few hours.
 * Questions are random: nine in ten name an operator, most a chip and a bottleneck, one in three a
 * shape, every other time one that nobody measured.
 *   bench_recommend_scale [EXPERIMENTS [QUESTIONS]] [brute] [scattered] [aged]
 * default 100000 and 1000000, 400.
 * Prints milliseconds of processor time of the asking thread (the machine may be shared; what the
 * clock on the wall says is most_wall_ms), nanoseconds per row added, bytes per experiment. Above
 * 2,000,000 the plain pass is left out unless it is asked for: brute. */
#include <stdio.h>

#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/recommend/recommend.h"
#include "tests/bench/cpu_time.h"
#include "tests/unit/recommend_brute.h"

enum { OPS = 40, TECHNIQUES = 60, SHAPES = 240, MOST_QUESTIONS = 10000, PLAIN = 15 };

static uint64_t state = 1;

static double
uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}

static int
below(int n)
{
    return (int)(uniform() * n);
}

/* Of N, the k-th 1/k as often as the first. */
static int
zipf(int n)
{
    static double sum[2][TECHNIQUES + 1];
    double *s = sum[n == OPS], at;
    int i = 0;

    for (int k = 1; k <= n && s[n] == 0; k++)
        s[k] = s[k - 1] + 1.0 / k;
    at = uniform() * s[n];
    while (s[i + 1] < at)
        i++;
    return i;
}

static const char *const chips[] = {"h100-sxm", "mi300x", "a100", "h200", "a6000", "mi250x",
    "mi308x", "gfx942", "a4000", "sm_90", "sm_80"};
static const char *const nvidia[] = {"cuda", "triton", "cutlass", "cute_dsl"};
static const char *const amd[] = {"hip", "triton", "ck"};

enum { CAMPAIGN = 50, TRIED = 6 }; /* experiments of a campaign; techniques that it tries */
#define FIVE_YEARS_MS 157784760000.0
static double apart_ms = 7; /* from one experiment to the next */
static bool scattered; /* no campaigns: every row independent of the others, which no memory is */

/* What is worked on for one operator: few chips, each with a language, few bottlenecks. */
static struct team {
    int chip[4];
    const char *language[4][2];
    uint32_t labels[3];
    int chips, kinds;
} teams[OPS];
static struct names {
    char op[OPS][24], family[OPS][16], technique[OPS * 4][32], workload[OPS][SHAPES][36];
    int of[OPS][TECHNIQUES]; /* techniques of an operator */
    int m[SHAPES], n[SHAPES];
} names;

static void
make_names(void)
{
    size_t n_ops, n_techniques;
    const struct lore_operator *ops = lore_operators(&n_ops);
    const struct lore_technique *techniques = lore_techniques(&n_techniques);

    for (int o = 0; o < OPS; o++) {
        const struct lore_operator *op = &ops[(size_t)o * n_ops / OPS];
        snprintf(names.op[o], sizeof names.op[o], "%s", op->name);
        snprintf(names.family[o], sizeof names.family[o], "%s", op->family);
        for (int w = 0; w < SHAPES; w++)
            snprintf(names.workload[o][w], sizeof names.workload[o][w], "%032x", o * SHAPES + w);
        for (int t = 0; t < TECHNIQUES; t++)
            names.of[o][t] = t < TECHNIQUES / 2 ? t : below(OPS * 4);
    }
    for (int t = 0; t < OPS * 4; t++)
        snprintf(names.technique[t], sizeof names.technique[t], "%s",
            (size_t)t < n_techniques ? techniques[t].slug
                                     : lore_format(&(struct lore_arena){0}, "idea_%d", t));
    for (int w = 0; w < SHAPES; w++) {
        names.m[w] = 64 << below(9);
        names.n[w] = (64 + 16 * below(4)) << below(8);
    }
}

static struct lore_shape *
shape_of(int m, int n)
{
    static struct lore_kv dims[2];
    static struct lore_kvs kvs = {.v = dims, .n = 2, .cap = 2};
    static struct lore_shape shape = {.dims = &kvs, .dtype = "f16"};
    static char text[2][16];

    snprintf(text[0], sizeof text[0], "%d", m);
    snprintf(text[1], sizeof text[1], "%d", n);
    dims[0] = (struct lore_kv){"M", text[0]};
    dims[1] = (struct lore_kv){"N", text[1]};
    return &shape;
}

static const char *
language_on(const char *chip)
{
    bool of_amd = strncmp(chip, "mi", 2) == 0 || strncmp(chip, "gfx", 3) == 0;
    int skewed = below(4) * below(4) / 4; /* the first more often */

    return of_amd ? amd[skewed % 3] : nvidia[skewed];
}

static uint32_t
labels(void)
{
    int some = below(10);
    uint32_t one = 1u << zipf(OPS) % LORE_L_COUNT;

    return some < 2 ? 0 : some < 8 ? one : one | 1u << below(2); /* with memory or compute */
}

static void
make_teams(void)
{
    for (int o = 0; o < OPS; o++) {
        struct team *t = &teams[o];
        t->chips = 3 + below(2);
        t->kinds = 2 + below(2);
        for (int c = 0; c < t->chips; c++) {
            t->chip[c] = below(11) * below(11) / 11;
            for (int l = 0; l < 2; l++)
                t->language[c][l] = language_on(chips[t->chip[c]]);
        }
        for (int l = 0; l < 3; l++)
            t->labels[l] = l < 2 ? labels() : 0;
    }
}

/* Where an experiment was made: of a campaign, or anywhere. */
struct where {
    int op;
    const char *chip, *language;
    enum lore_evidence evidence;
    int technique[TRIED]; /* of names.technique */
};

/* Six of its operator's techniques, all different. */
static void
choose_techniques(struct where *w)
{
    for (int i = 0; i < TRIED; i++) {
        bool again = true;
        while (again) {
            again = false;
            w->technique[i] = names.of[w->op][zipf(TECHNIQUES)];
            for (int k = 0; k < i; k++)
                again = again || w->technique[k] == w->technique[i];
        }
    }
}

static struct where
somewhere(uint64_t n)
{
    static const enum lore_evidence classes[] = {LORE_EV_MEASURED, LORE_EV_MEASURED,
        LORE_EV_MEASURED, LORE_EV_CONFIRMED, LORE_EV_IMPORTED, LORE_EV_CLAIMED};
    static struct where campaign;

    if (scattered) {
        const char *chip = chips[below(11) * below(11) / 11];
        return (struct where){zipf(OPS), chip, language_on(chip), classes[below(6)], {0}};
    }
    if (n % CAMPAIGN == 0) {
        int op = zipf(OPS), c = below(teams[op].chips), kind = below(20);
        campaign =
            (struct where){op, chips[teams[op].chip[c]], teams[op].language[c][below(4) == 0],
                kind == 0   ? LORE_EV_IMPORTED
                : kind == 1 ? LORE_EV_CLAIMED
                            : LORE_EV_MEASURED,
                {0}};
        choose_techniques(&campaign);
    }
    return campaign;
}

static void
experiment(uint64_t n, struct lore_evidence_in *in, int technique[TRIED])
{
    static char id[LORE_ULID_SIZE];
    struct where at = somewhere(n);
    int op = at.op, luck = below(100);

    lore_ulid_derive(1750000000000 + (int64_t)((double)n * apart_ms), &n, sizeof n, id);
    *in = (struct lore_evidence_in){.experiment = id, .seq = (int64_t)n + 1};
    in->op = names.op[op];
    in->family = names.family[op];
    in->chip = at.chip;
    in->language = at.language;
    in->workload = below(20) == 0 ? NULL : names.workload[op][below(SHAPES)];
    int first = below(TRIED);
    for (int i = 0; i < TRIED; i++)
        technique[i] =
            scattered ? (below(OPS * 4) + i) % (OPS * 4) : at.technique[(first + i) % TRIED];
    if (scattered)
        technique[0] = names.of[op][zipf(TECHNIQUES)];
    in->technique = names.technique[technique[0]];
    in->labels = scattered ? labels() : teams[op].labels[below(teams[op].kinds)];
    in->evidence = at.evidence;
    in->correctness = luck < 90 ? LORE_C_PASS : luck < 94 ? LORE_C_FAIL : LORE_C_NOT_CHECKED;
    in->process_broken = below(scattered ? 20 : 50) == 0;
    in->masked = below(100) == 0;
    if (below(10) == 0) {
        in->effect = LORE_X_NOT_MEASURED;
        in->said_lost = below(2);
        return;
    }
    in->speedup = exp((uniform() + uniform() + uniform() - 1.45) * 0.4);
    in->effect = below(10) == 0        ? LORE_X_INCONCLUSIVE
                 : in->speedup > 1.05  ? LORE_X_WIN
                 : in->speedup >= 0.98 ? LORE_X_NEUTRAL
                                       : LORE_X_LOSS;
}

/* One experiment into the index, or into the rows of the plain pass. */
static void
put(struct lore_evidence_index *ix, struct brute *b, uint64_t n)
{
    struct lore_evidence_in in;
    int more, count, technique[TRIED];

    experiment(n, &in, technique);
    more = below(20);
    count = more == 0 ? 3 : more < 4 ? 2 : 1;
    for (int k = 0; k < count; k++) {
        if (k > 0)
            in.technique = names.technique[technique[k]];
        if (!b) {
            lore_evidence_add(ix, &in);
            continue;
        }
        brute_add(b, &in, false);
        b->rows[b->n - 1].first = k == 0;
        b->rows[b->n - 1].siblings = (uint8_t)count;
    }
}

/* Nanoseconds per row, what it takes to think up the experiments left out. */
static double
fill(struct lore_evidence_index *ix, struct brute *b, uint64_t n)
{
    uint64_t seed = state;
    double took = cpu_time_us();

    for (int o = 0; o < OPS; o++)
        for (int w = 0; w < SHAPES; w++)
            lore_evidence_workload(
                ix, names.op[o], names.workload[o][w], shape_of(names.m[w], names.n[w]));
    for (uint64_t i = 0; i < n; i++)
        put(ix, NULL, i);
    took = cpu_time_us() - took;
    state = seed;
    double thought = cpu_time_us();
    for (uint64_t i = 0; i < n; i++) {
        struct lore_evidence_in in;
        int technique[TRIED];
        experiment(i, &in, technique);
    }
    thought = cpu_time_us() - thought;
    state = seed;
    for (uint64_t i = 0; b != NULL && i < n; i++)
        put(ix, b, i);
    return (took - thought) * 1e3 / (double)lore_evidence_count(ix);
}

static struct lore_question
question(void)
{
    int op = zipf(OPS), w = below(SHAPES);
    const char *chip = chips[below(11)];
    struct lore_question q = {.op = below(10) ? names.op[op] : NULL};

    if (below(10) < 8)
        q.chip = lore_chip_find(chip);
    if (below(10) < 6)
        q.language = lore_language_find(language_on(chip));
    if (below(10) < 7)
        q.labels = 1u << below(LORE_L_COUNT);
    if (!q.op || below(3) != 0)
        return q;
    q.workload = below(2) ? names.workload[op][w] : "not measured";
    q.shape = shape_of(names.m[w] + (strlen(q.workload) == 12), names.n[w]);
    return q;
}

static int
by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct times {
    double ms[MOST_QUESTIONS];
    int n;
};

static double
at(struct times *t, double share)
{
    qsort(t->ms, (size_t)t->n, sizeof *t->ms, by_value);
    return t->ms[(int)(share * (t->n - 1))];
}

static void
ask(const struct lore_evidence_index *ix, struct brute *b, int questions)
{
    static struct times index, plain;
    struct lore_arena arena = {0};
    double most = 0;

    index.n = plain.n = 0;
    for (int i = 0; i < questions; i++) {
        struct lore_question q = question();
        struct lore_answer a;
        struct brute_answer p;
        int64_t wall = lore_ticks_us();
        double start = cpu_time_us();
        lore_recommend(ix, &q, &arena, &a);
        index.ms[index.n++] = (cpu_time_us() - start) / 1e3;
        double took = (double)(lore_ticks_us() - wall) / 1e3;
        most = took > most ? took : most;
        lore_arena_free(&arena);
        if (!b || plain.n == PLAIN)
            continue;
        start = cpu_time_us();
        brute_recommend(b, &q, &arena, &p);
        plain.ms[plain.n++] = (cpu_time_us() - start) / 1e3;
        lore_arena_free(&arena);
    }
    printf(" p50_ms=%.2f p99_ms=%.2f most_wall_ms=%.2f", at(&index, 0.5), at(&index, 0.99), most);
    if (plain.n > 0)
        printf(" plain_p50_ms=%.1f ratio=%.1f", at(&plain, 0.5), at(&plain, 0.5) / at(&index, 0.5));
    printf("\n");
}

static void
measure(uint64_t n, int questions, bool plain)
{
    struct lore_evidence_index *ix = lore_evidence_new();
    struct brute b = {.ix = ix};
    double ns = fill(ix, plain ? &b : NULL, n);

    printf("recommend_scale%s%s experiments=%llu rows=%zu add_ns=%.0f bytes=%.1f",
        scattered ? " scattered" : "", apart_ms > 7 ? " aged" : "", (unsigned long long)n,
        lore_evidence_count(ix), ns, (double)lore_evidence_bytes(ix) / (double)n);
    ask(ix, plain ? &b : NULL, questions);
    (void)fflush(stdout);
    free(b.rows);
    lore_evidence_free(ix);
}

int
main(int argc, char **argv)
{
    bool plain = false, aged = false;

    for (; argc > 1 && argv[argc - 1][0] > '9'; argc--) {
        plain = plain || lore_streq(argv[argc - 1], "brute");
        scattered = scattered || lore_streq(argv[argc - 1], "scattered");
        aged = aged || lore_streq(argv[argc - 1], "aged");
    }
    long questions = argc > 2 ? strtol(argv[2], NULL, 10) : 400;
    if (questions < 1 || questions > MOST_QUESTIONS) {
        fprintf(
            stderr, "usage: %s [EXPERIMENTS [QUESTIONS]] [brute] [scattered] [aged]\n", argv[0]);
        return 2;
    }
    make_names();
    make_teams();
    if (argc > 1) {
        uint64_t n = strtoull(argv[1], NULL, 10);
        apart_ms = aged && n > 0 ? FIVE_YEARS_MS / (double)n : apart_ms;
        measure(n, (int)questions, plain || n <= 2000000);
        return 0;
    }
    measure(100000, (int)questions, true);
    measure(1000000, (int)questions, true);
    return 0;
}
