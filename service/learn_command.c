/* `warplored retrain`: fit the parameters of the models to the facts of a data directory, and print
 * their scores on held-out experiments. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "service/commands.h"
#include "service/ingest/learn.h"

static void
print_score(const struct lore_json *basis, const char *key, const char *label)
{
    const struct lore_json *s = lore_json_get(basis, key);
    double log_loss = 0, brier = 0, ece = 0;
    struct lore_err ignored;

    if (!s || lore_json_f64(s, "log_loss", &log_loss, &ignored) != LORE_OK ||
        lore_json_f64(s, "brier", &brier, &ignored) != LORE_OK ||
        lore_json_f64(s, "ece", &ece, &ignored) != LORE_OK)
        return;
    printf(
        "  %-8s log loss %.4f, Brier %.4f, calibration error %.4f\n", label, log_loss, brier, ece);
}

static void
print_model(const struct lore_fit *l, struct lore_arena *arena)
{
    struct lore_json *basis = NULL;
    struct lore_err ignored;
    int64_t questions = 0, tested = 0;

    if (!l->numbers) {
        printf("%s: nothing learned: %s\n", l->name, l->basis);
        return;
    }
    printf("%s: learned\n", l->name);
    if (lore_json_parse(l->basis, strlen(l->basis), NULL, arena, &basis, &ignored) != LORE_OK ||
        lore_json_i64(basis, "questions", &questions, &ignored) != LORE_OK ||
        lore_json_i64(basis, "tested", &tested, &ignored) != LORE_OK || questions == 0)
        return;
    printf("  fitted on %" PRId64 " experiments; scores on %" PRId64 " held-out experiments:\n",
        questions, tested);
    print_score(basis, "priors", "priors");
    print_score(basis, "learned", "learned");
    const struct lore_json *kept = lore_json_get(basis, "priors_kept");
    if (kept && kept->i != 0)
        printf("  not better than the priors, so the priors stay in use\n");
}

int
lore_run_retrain(char **args)
{
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    struct lore_db *db = NULL;
    struct lore_fit fits[LORE_FITS];
    char **rest;
    enum lore_status status = lore_flags(args, &c, &arena, &rest, &err);

    if (status == LORE_OK)
        status = lore_commands_need_data(&c, &err);
    if (status == LORE_OK)
        status = lore_db_open_writer(c.data, &db, &err);
    if (status == LORE_OK)
        status = lore_learn(db, LORE_SNAPSHOT_US, &arena, fits, &err);
    if (status == LORE_OK)
        status = lore_db_begin(db, &err);
    if (status == LORE_OK)
        status = lore_learn_store(db, fits, lore_now_us(), &err);
    if (status == LORE_OK)
        status = lore_db_commit(db, &err);
    for (size_t i = 0; status == LORE_OK && i < LORE_FITS; i++)
        print_model(&fits[i], &arena);
    lore_db_close(db);
    lore_arena_free(&arena);
    return status == LORE_OK ? 0 : lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
}
