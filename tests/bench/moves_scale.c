/* How long the model of moves takes, by the number of moves of one operator over ten places: to
 * tell a move, to forecast all moves of a state, to choose five starts on a place more that has
 * twenty results, in processor time; and the memory per move. Prints a table; nothing here fails by
 * time. Spaces are grids, times a smooth function of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "service/moves/moves.h"
#include "service/moves/moves_predict.h"
#include "service/moves/moves_start.h"
#include "service/stats/random.h"
#include "tests/bench/cpu_time.h"

enum { PLACES = 10, PARAMS = 5, LOOKS = 100, OWN = 20 };

static uint32_t
state(struct lore_moves *m, const size_t *at)
{
    static const char *const names[PARAMS] = {"a", "b", "c", "d", "e"};
    struct lore_moves_setting s[PARAMS];

    for (int p = 0; p < PARAMS; p++)
        s[p] = (struct lore_moves_setting){names[p], NULL, exp2((double)at[p])};
    return lore_moves_state(m, "conv", s, PARAMS);
}

static double
time_of(const size_t *at, int place)
{
    double t = 0;

    for (int p = 0; p < PARAMS; p++)
        t += pow((double)at[p] - 2.5 - 0.1 * place * (p + 1), 2);
    return 1 + t;
}

/* Every move to the next value from state K of a grid of SIDE: how many. */
static size_t
tell(struct lore_moves *m, uint32_t chip, int place, size_t k, size_t side)
{
    size_t at[PARAMS], n = 0;

    for (int p = 0; p < PARAMS; p++, k /= side)
        at[p] = k % side;
    uint32_t from = state(m, at);
    double before = time_of(at, place);
    lore_moves_time(m, from, chip, before);
    for (int p = 0; p < PARAMS; p++) {
        if (++at[p] < side)
            n += lore_moves_tried(
                m, chip, from, state(m, at), log(before / time_of(at, place)), false);
        at[p]--;
    }
    return n;
}

/* A place that has few results. */
static uint32_t
newcomer(struct lore_moves *m, size_t side)
{
    uint32_t chip = lore_moves_chip(m, &(struct lore_moves_chip){.name = "new", .vendor = "v"});
    uint64_t seed = 7;

    for (int i = 0; i < OWN; i++) {
        size_t at[PARAMS];
        for (int p = 0; p < PARAMS; p++)
            at[p] = (size_t)lore_random_below(&seed, side);
        lore_moves_time(m, state(m, at), chip, time_of(at, PLACES));
    }
    lore_moves_index(m);
    return chip;
}

static void
look(struct lore_moves *m, const uint32_t *chip, size_t side, double *predict, double *starts)
{
    const struct lore_moves_wanted wanted = {.op = "conv", .chip = chip[PLACES], .limit = 5};
    uint64_t seed = 5;

    *predict = *starts = 0;
    for (int i = 0; i < LOOKS; i++) {
        struct lore_moves_forecast f[2 * PARAMS];
        struct lore_moves_start s[5];
        struct lore_arena arena = {0};
        uint32_t to[2 * PARAMS];
        size_t at[PARAMS], n = 0;
        for (int p = 0; p < PARAMS; p++)
            at[p] = 1 + (size_t)lore_random_below(&seed, side - 2);
        uint32_t from = state(m, at);
        for (int p = 0; p < PARAMS; p++) {
            at[p]++;
            to[n++] = state(m, at);
            at[p] -= 2;
            to[n++] = state(m, at);
            at[p]++;
        }
        double begin = cpu_time_us() / 1e3;
        lore_moves_predict(m, chip[i % PLACES], from, to, n, f);
        double middle = cpu_time_us() / 1e3;
        lore_moves_starts(m, &wanted, &arena, s);
        *starts += (cpu_time_us() / 1e3 - middle) / LOOKS;
        *predict += (middle - begin) / LOOKS;
        lore_arena_free(&arena);
    }
}

int
main(void)
{
    static const size_t sides[] = {5, 6, 8}; /* five parameters of so many values */

    printf("%10s %14s %14s %12s %14s\n", "moves", "us per row", "ms predict", "ms starts",
        "bytes per move");
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        struct lore_arena arena = {.limit = (size_t)4 << 30};
        struct lore_moves *m = lore_moves_new(&arena);
        size_t side = sides[k], states = side * side * side * side * side, n = 0;
        uint32_t chip[PLACES + 1];
        double begin = cpu_time_us() / 1e3, predict, starts;
        for (int c = 0; c < PLACES; c++) {
            char name[16];
            snprintf(name, sizeof name, "chip%d", c);
            chip[c] = lore_moves_chip(m, &(struct lore_moves_chip){.name = name, .vendor = "v"});
            for (size_t i = 0; i < states; i++)
                n += tell(m, chip[c], c, i, side);
        }
        lore_moves_index(m);
        double told = cpu_time_us() / 1e3 - begin;
        chip[PLACES] = newcomer(m, side);
        look(m, chip, side, &predict, &starts);
        printf("%10zu %14.2f %14.2f %12.2f %14.1f\n", n, 1e3 * told / (double)n, predict, starts,
            (double)arena.used / (double)n);
        lore_arena_free(&arena);
    }
    return 0;
}
