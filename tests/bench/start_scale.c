/* What versions to start from cost with a large memory: reads all trials of the database that
 * bench_scale made, asks about its operators and chips as people ask (scale_data.h), and prints
 * processor time. Of three rounds of the same questions each one's shortest time counts, for other
 * work on the machine only adds to it.
 *   bench_start_scale DIR [QUESTIONS] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/feed_moves.h"
#include "db/files.h"
#include "service/base/hash.h"
#include "service/moves/start.h"
#include "tests/bench/cpu_time.h"
#include "tests/bench/scale_data.h"

/* As many starts as a question with a language is answered from: three times those shown. */
enum { ROUNDS = 3, STARTS = 15 };

static bool
add_version(void *ctx, const struct lore_trial_version *v)
{
    lore_trials_version(ctx, v);
    return true;
}

static bool
add_run(void *ctx, const struct lore_trial_run *r)
{
    lore_trials_run(ctx, r);
    return true;
}

static bool
add_move(void *ctx, const struct lore_trial_move *m)
{
    (void)lore_trials_move(ctx, m);
    return true;
}

static enum lore_status
read_trials(const char *dir, struct lore_trials *t, struct lore_err *err)
{
    struct lore_db *db;
    int64_t seq = 0;
    enum lore_status status = lore_db_open_reader(dir, &db, err);

    if (status != LORE_OK)
        return status;
    status = lore_db_each_trial_version(db, 0, add_version, t, &seq, err);
    if (status == LORE_OK)
        status = lore_db_each_trial_run(db, 0, add_run, t, &seq, err);
    if (status == LORE_OK)
        status = lore_db_each_trial_move(db, 0, add_move, t, &seq, err);
    lore_db_close(db);
    lore_trials_index(t);
    return status;
}

/* Of question N; *GIVEN grows by the starts in the answer. */
static double
ask(const struct lore_trials *t, uint64_t n, size_t *given)
{
    struct lore_buf asked = {0};
    struct lore_arena arena = {0};
    struct lore_start *starts;
    char op[64], chip[64];

    scale_question(n, &asked);
    if (sscanf(asked.data, "operator=%63[^&]&language=%*[^&]&chip=%63[^&]", op, chip) != 2)
        exit(1);
    lore_buf_free(&asked);
    double begin = cpu_time_us() / 1e3;
    struct lore_start_place place = {.op = op, .chip = lore_chip_find(chip)};
    if (lore_start_at(t, &place, &arena))
        *given += lore_start_versions(&place, STARTS, &arena, &starts);
    double took = cpu_time_us() / 1e3 - begin;
    lore_arena_free(&arena);
    return took;
}

static int
by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int
main(int argc, char **argv)
{
    size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 400, given = 0;
    struct lore_trials *t = lore_trials_new();
    double *took = calloc(n + 1, sizeof *took), sum = 0;
    struct lore_err err = {0};

    lore_hash_init();
    if (argc < 2 || n == 0 || !took || read_trials(argv[1], t, &err) != LORE_OK) {
        fprintf(stderr, "usage: %s DIR [QUESTIONS]: %s\n", argv[0], err.msg);
        return 2;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < n; i++) {
            double ms = ask(t, i, &given);
            took[i] = round == 0 || ms < took[i] ? ms : took[i];
        }
    }
    for (size_t i = 0; i < n; i++)
        sum += took[i];
    qsort(took, n, sizeof *took, by_value);
    printf("%zu questions, %.1f starts each: CPU mean %.2f ms, p50 %.2f ms, p99 %.2f ms\n", n,
        (double)given / (double)(n * ROUNDS), sum / (double)n, took[n / 2],
        took[(size_t)((double)n * 0.99)]);
    lore_trials_free(t);
    free(took);
    return 0;
}
