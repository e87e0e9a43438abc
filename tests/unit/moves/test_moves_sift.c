// uses: recommend
/* The best of many candidates is the one that asking all about each would find, also for later
 * choices, and few of them are asked about much. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "service/moves/moves_sift.h"
#include "service/stats/random.h"

enum { SIDE = 7, TEXTS = 3, STATES = SIDE * SIDE * TEXTS, PLACES = 6, CHOICES = 24 };

static double
any(uint64_t *seed)
{
    return (double)(lore_random_next(seed) >> 11) * 0x1p-53;
}

static uint32_t
state(struct lore_moves *m, size_t k)
{
    static const char *const order[TEXTS] = {"row", "column", "tiled"};
    struct lore_moves_setting s[] = {{"tile", NULL, exp2((double)(k % SIDE))},
        {"block", NULL, exp2((double)(k / SIDE % SIDE))}, {"order", order[k / SIDE / SIDE], 0}};

    return lore_moves_state(m, "stencil", s, 3);
}

static uint32_t
place(struct lore_moves *m, int i)
{
    char name[8];

    snprintf(name, sizeof name, "chip%d", i);
    return lore_moves_chip(m, &(struct lore_moves_chip){.name = name, .vendor = i % 2 ? "v" : "w"});
}

static double
time_of(size_t k, int place, uint64_t *seed)
{
    double x = (double)(k % SIDE) - 2 - 0.3 * place, y = (double)(k / SIDE % SIDE) - 3;

    return exp(0.08 * (x * x + y * y) + 0.1 * (double)((k / SIDE / SIDE + (size_t)place) % TEXTS) +
               0.05 * any(seed));
}

struct setup {
    struct lore_arena arena;
    struct moves_view view;
    struct moves_point *point; /* of all states */
    struct moves_field field[MOVES_FIELDS], twin[MOVES_FIELDS];
    bool out[STATES];
    struct moves_sift sift;
};

/* Places that tried a part of the states each, some of which failed, and a new one with OWN
 * results. */
static void
begin(struct setup *s, size_t own, uint64_t seed)
{
    struct lore_moves *m = lore_moves_new(&s->arena);
    const struct moves_point *at[MOVES_TOLD];
    uint32_t id[STATES];
    double y[MOVES_TOLD];

    for (int i = 0; i < PLACES; i++)
        for (size_t k = 0; k < STATES; k++)
            if (any(&seed) < 0.6)
                lore_moves_time(
                    m, state(m, k), place(m, i), any(&seed) < 0.05 ? 0 : time_of(k, i, &seed));
    lore_moves_index(m);
    lore_moves_view(m, 0, place(m, PLACES), false, &s->view);
    for (size_t k = 0; k < STATES; k++)
        id[k] = state(m, k);
    s->point = lore_moves_points(&s->view, id, STATES, &s->arena);
    for (size_t k = 0; k < STATES; k++) {
        lore_moves_point(&s->view, id[k], &s->arena, &s->point[k]);
        s->out[k] = k % 9 == 4;
        s->point[k].blend = isnan(s->point[k].blend) ? -2 : s->point[k].blend;
    }
    for (size_t i = 0; i < own; i++) {
        size_t k = (size_t)lore_random_below(&seed, STATES);
        at[i] = &s->point[k];
        y[i] = -log(time_of(k, PLACES + 1, &seed));
        s->out[k] = true;
    }
    for (size_t f = 0; f < MOVES_FIELDS; f++) {
        const double *numbers = f == 0 ? m->num.start : m->num.blank;
        lore_moves_field(&s->view, numbers, own + MOVES_AHEAD, &s->arena, &s->field[f]);
        lore_moves_field_told(&s->field[f], at, y, own, &s->arena);
        lore_moves_field(&s->view, numbers, own + MOVES_AHEAD, &s->arena, &s->twin[f]);
        lore_moves_field_told(&s->twin[f], at, y, own, &s->arena);
    }
    s->sift = (struct moves_sift){.field = s->field, .point = s->point, .out = s->out, .n = STATES};
    lore_moves_sift(&s->sift, &s->arena);
}

/* The mean and one deviation of what is left, in both fields. */
static double
value_of(const struct moves_field *f, const struct moves_guess *g, double mean)
{
    return 0.5 * (exp(mean - f->best) + sqrt(lore_moves_gain_variance(f, g)));
}

static double
value(const void *ctx, size_t k)
{
    const struct setup *s = ctx;
    double sum = 0;

    for (size_t f = 0; f < MOVES_FIELDS; f++)
        sum += s->field[f].n == 0 ? lore_moves_sift_mean(&s->sift, k, f)
                                  : value_of(&s->field[f], lore_moves_sift_guess(&s->sift, k, f),
                                        lore_moves_sift_mean(&s->sift, k, f));
    return sum + 100; /* above what is no value at all */
}

/* All that the fields know of each candidate. */
static void
ask(struct setup *s, size_t k, size_t f, double *whitened, struct moves_guess *out)
{
    const struct moves_field *t = &s->twin[f];
    struct moves_common common[MOVES_KNOWN];

    for (size_t i = 0; i < t->n; i++)
        common[i] = lore_moves_common(&s->view, &s->point[k], t->at[i]);
    lore_moves_field_begin(t, &s->point[k], out);
    lore_moves_field_ask(t, &s->point[k], common, t->n, whitened, out);
}

static size_t
plainly_best(struct setup *s)
{
    double whitened[MOVES_KNOWN], top = -INFINITY;
    struct moves_guess g;
    size_t best = STATES;

    for (size_t k = 0; k < STATES; k++) {
        double sum = 100;
        for (size_t f = 0; !s->out[k] && f < MOVES_FIELDS; f++) {
            ask(s, k, f, whitened, &g);
            sum += s->twin[f].n == 0 ? g.mean : value_of(&s->twin[f], &g, g.mean);
        }
        if (!s->out[k] && sum > top) {
            top = sum;
            best = k;
        }
    }
    for (size_t f = 0; f < MOVES_FIELDS; f++) {
        ask(s, best, f, whitened, &g);
        lore_moves_field_believe(&s->twin[f], &s->point[best], &g, whitened);
    }
    return best;
}

static void
choices_are_those_of_asking_all_about_each(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct setup s = {0};
        const struct moves_wish wish = {value, &s, seed % MOVES_WISHES};
        begin(&s, seed * 7 % (MOVES_TOLD + 1), seed);
        for (int i = 0; i < CHOICES; i++) {
            size_t expected = plainly_best(&s), k = lore_moves_sift_best(&s.sift, &wish);
            assert_int_equal(k, expected);
            lore_moves_sift_believe(&s.sift, k);
            assert_true(s.out[k]);
        }
        lore_arena_free(&s.arena);
    }
}

/* Before all is asked for, variances are at least what they will be, and means hardly more. */
static void
what_is_known_of_a_candidate_so_far_is_not_less_than_what_will_be(void **unused)
{
    struct setup s = {0};
    const struct moves_wish wish = {value, &s, 0};
    size_t partly = 0;

    (void)unused;
    begin(&s, MOVES_TOLD, 5);
    assert_true(lore_moves_sift_best(&s.sift, &wish) < STATES);
    for (size_t k = 0; k < STATES; k++) {
        for (size_t f = 0; !s.out[k] && f < MOVES_FIELDS; f++) {
            const struct moves_guess *so_far = lore_moves_sift_guess(&s.sift, k, f);
            double whitened[MOVES_KNOWN], mean = lore_moves_sift_mean(&s.sift, k, f);
            struct moves_guess all;
            ask(&s, k, f, whitened, &all);
            assert_true(so_far->seen > 0);
            assert_true(lore_moves_left(so_far) >= lore_moves_left(&all));
            assert_true(lore_moves_gain_variance(&s.field[f], so_far) >=
                        lore_moves_gain_variance(&s.twin[f], &all) - 1e-12);
            assert_true(mean >= all.mean);
            assert_true(mean < all.mean + 0.01);
            partly += so_far->seen < MOVES_TOLD;
        }
    }
    assert_true(partly > STATES); /* of both fields: most are not asked to the end */
    lore_arena_free(&s.arena);
}

static void
when_none_is_left_there_is_no_best(void **unused)
{
    struct setup s = {0};
    const struct moves_wish wish = {value, &s, 0};

    (void)unused;
    begin(&s, 3, 2);
    for (size_t k = 0; k < STATES; k++)
        s.out[k] = true;
    assert_int_equal(lore_moves_sift_best(&s.sift, &wish), STATES);
    lore_arena_free(&s.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_are_those_of_asking_all_about_each),
        cmocka_unit_test(what_is_known_of_a_candidate_so_far_is_not_less_than_what_will_be),
        cmocka_unit_test(when_none_is_left_there_is_no_best),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
