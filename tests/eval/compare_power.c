/* Operating characteristics of the comparison, by simulation with a fixed seed: how often it
 * answers what, how soon, and how often its interval holds the truth, over differences and kinds of
 * noise. Prints a table, and one for samples taken one after the other; the unit tests hold the
 * promises. `compare_power [SESSIONS]`. */
#include <stdio.h>

#include "tests/unit/sequential_sim.h"

struct row {
    const char *name;
    struct sim sim;
};

static void
print_row(const char *name, struct sim s, int sessions, struct lore_arena *arena)
{
    int n[4] = {0}, covered = 0;
    double rounds = 0, detectable = 0;

    for (int i = 0; i < sessions; i++) {
        struct sim_result r = sim_session(&s, arena);
        double truth = 1 / (1 - s.difference);
        n[r.verdict]++;
        rounds += (double)r.rounds;
        detectable += r.c.detectable;
        covered += r.c.low <= truth && truth <= r.c.high;
    }
    double per = 100.0 / sessions;
    printf("%-34s %5.1f %7.2f %7.2f %8.2f %7.2f %8.1f %6.1f %6.2f\n", name, 100 * s.difference,
        n[LORE_COMPARE_WIN] * per, n[LORE_COMPARE_LOSS] * per, n[LORE_COMPARE_NEUTRAL] * per,
        n[LORE_COMPARE_INCONCLUSIVE] * per, covered * per, rounds / sessions,
        100 * detectable / sessions);
}

static void
print_sequential(size_t cases, struct lore_arena *arena)
{
    static const char *const names[SEQ_NOISES] = {"white 0.5 %", "neighbours alike, r = 0.6",
        "straight drift up to 10 %", "a step in half of the cases", "clock walks 0.3 % a sample",
        "two states 1 % apart", "10 % of samples slow", "first sample of each slow"};
    static const double differences[] = {0, 0.02, 0.03, -0.03, 0.05};

    printf("\n%d samples of A, then as many of B\n%-28s %5s %7s %7s %7s %8s %8s\n", SEQ_SAMPLES,
        "noise", "diff%", "faster%", "slower%", "same%", "abstain%", "covered%");
    for (enum seq_noise kind = 0; kind < SEQ_NOISES; kind++) {
        for (size_t d = 0; d < sizeof differences / sizeof *differences; d++) {
            struct seq_rates r = seq_run(kind, differences[d], cases, arena);
            printf("%-28s %5.1f %7.2f %7.2f %7.2f %8.2f %8.2f\n", names[kind], 100 * differences[d],
                100 * r.faster, 100 * r.slower, 100 * r.same, 100 * r.abstain, 100 * r.covered);
        }
    }
}

int
main(int argc, char **argv)
{
    static const double differences[] = {0, 0.01, 0.02, 0.03, 0.05};
    int sessions = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 200;
    struct lore_arena arena = {0};
    struct row rows[] = {{"usual", sim_usual}, {"no minimum effect", sim_usual},
        {"drift 10 %", sim_usual}, {"15 % of processes slow", sim_usual},
        {"between processes 2 %", sim_usual}, {"quiet: 0.1 % everywhere", sim_usual},
        {"40 rounds", sim_usual}, {"wandering clock 1 %", sim_usual},
        {"wandering 1 %, no minimum effect", sim_usual}, {"noise floor 1 %", sim_usual}};

    rows[1].sim.min_effect = 0;
    rows[2].sim.drift = 0.1;
    rows[3].sim.slow_process = 0.15;
    rows[4].sim.between = 0.02;
    rows[5].sim.within = rows[5].sim.between = rows[5].sim.drift = 0.001;
    rows[5].sim.slow_process = 0;
    rows[6].sim.rounds = 40;
    rows[7].sim.wander = rows[8].sim.wander = 0.01;
    rows[8].sim.min_effect = 0;
    rows[9].sim.min_effect = 0.01;
    printf("%-34s %5s %7s %7s %8s %7s %8s %6s %6s\n", "noise", "diff%", "win%", "loss%", "neutral%",
        "incon%", "covered%", "rounds", "mde%");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t d = 0; d < sizeof differences / sizeof *differences; d++) {
            rows[i].sim.seed = 20261 + 1000 * i + d;
            rows[i].sim.difference = differences[d];
            print_row(rows[i].name, rows[i].sim, sessions, &arena);
        }
    }
    print_sequential((size_t)sessions, &arena);
    lore_arena_free(&arena);
    return 0;
}
