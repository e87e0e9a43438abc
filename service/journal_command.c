/* `warplored replay`: a database from a journal. */
#include <inttypes.h>
#include <stdio.h>

#include "db/store.h"
#include "service/auth/service_key.h"
#include "service/base/clock.h"
#include "service/commands.h"
#include "service/ingest/projection.h"
#include "service/verdicts/verdicts.h"

static enum lore_status
replay(const struct lore_replay *what, struct lore_err *err)
{
    struct lore_db *db = NULL;
    int64_t n = 0, begin = lore_ticks_us();
    enum lore_status status = lore_projection_check_replay(what, err);

    if (status == LORE_OK)
        status = lore_db_open_writer(what->data, &db, err);
    if (status == LORE_OK)
        status = lore_projection_replay(what, db, &n, err);
    if (status == LORE_OK)
        status = lore_db_checkpoint(db, true, NULL, err);
    lore_db_close(db);
    if (status == LORE_OK)
        printf("%" PRId64 " entries applied in %.1f s%s\n", n,
            (double)(lore_ticks_us() - begin) / 1e6,
            lore_replay_stands_alone(what) ? "; this database stands alone" : "");
    return status;
}

int
lore_run_replay(char **args)
{
    const char *until = NULL;
    LORE_SCRATCH arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    struct lore_replay what = {.key = lore_service_key_mark};
    const struct lore_flag flags[] = {
        {"until", &until, NULL}, {"accept_credentials", NULL, &what.any_key}, {NULL, NULL, NULL}};
    char **rest;
    enum lore_status status = lore_commands_own_flags(args, flags, &c, &arena, &rest, &err);

    if (status == LORE_OK)
        status = lore_commands_need_data(&c, &err);
    if (status == LORE_OK && until)
        status = lore_time_parse(until, &what.until_us, &err);
    if (status == LORE_OK) {
        what.journal = c.journal;
        what.data = c.data;
        status = replay(&what, &err);
    }
    return status == LORE_OK ? 0 : lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
}
