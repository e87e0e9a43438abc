/* `warplored enroll` and `warplored agents` manage the agents that may send signed batches. They
 * write only DIR/auth.db, so they work while the service runs. The service applies a change within
 * a second and records it in its event log. */
#include <stdio.h>
#include <string.h>

#include "db/auth_change.h"
#include "service/auth/agents.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/commands.h"

#define MINUTES 15
#define MINUTES_MAX (7 * 24 * 60)

static enum lore_status
print_code(struct lore_auth_db *db, const char *label, const char *minutes, struct lore_err *err)
{
    char text[LORE_CODE_SIZE];
    long long n = MINUTES;
    enum lore_status status;

    if (minutes &&
        (lore_parse_i64(minutes, "minutes", &n, NULL) != LORE_OK || n < 1 || n > MINUTES_MAX))
        return lore_fail_at(err, LORE_INVALID, "invalid_option", "minutes",
            "--minutes: expected 1 to %d", MINUTES_MAX);
    status = lore_agents_code(db, label, (int)n, text, err);
    if (status == LORE_OK)
        puts(text);
    return status;
}

int
lore_run_enroll(char **args)
{
    const char *label = NULL, *minutes = NULL;
    const struct lore_flag flags[] = {
        {"label", &label, NULL}, {"minutes", &minutes, NULL}, {NULL, NULL, NULL}};
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    struct lore_auth_db *db = NULL;
    char **rest;
    enum lore_status status = lore_commands_own_flags(args, flags, &c, &arena, &rest, &err);

    if (status == LORE_OK)
        status = lore_commands_need_data(&c, &err);
    if (status == LORE_OK)
        status = lore_mkdirs(c.data, 0700, &err);
    if (status == LORE_OK)
        status = lore_auth_open(c.data, true, &db, &err);
    if (status == LORE_OK)
        status = print_code(db, label, minutes, &err);
    lore_auth_close(db);
    lore_arena_free(&arena);
    return status == LORE_OK ? 0 : lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
}

static enum lore_status
print_agents(struct lore_auth_db *db, struct lore_arena *arena, struct lore_err *err)
{
    struct lore_agent_row *rows = NULL;
    size_t n = 0;
    char at[LORE_TIME_SIZE];
    enum lore_status status = lore_db_auth_agents(db, arena, &rows, &n, err);

    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        lore_time_format(rows[i].enrolled_us, at);
        printf("%s %s enrolled=%s", rows[i].id, rows[i].label, at);
        if (rows[i].revoked_us != 0) {
            lore_time_format(rows[i].revoked_us, at);
            printf(" revoked=%s", at);
        }
        putchar('\n');
    }
    return status;
}

int
lore_run_agents(char **args)
{
    const char *revoke = NULL;
    const struct lore_flag flags[] = {{"revoke", &revoke, NULL}, {NULL, NULL, NULL}};
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    struct lore_auth_db *db = NULL;
    char **rest;
    enum lore_status status = lore_commands_own_flags(args, flags, &c, &arena, &rest, &err);

    if (status == LORE_OK)
        status = lore_commands_need_data(&c, &err);
    if (status == LORE_OK)
        status = lore_auth_open(c.data, true, &db, &err);
    if (status == LORE_OK && revoke)
        status = lore_auth_apply(db,
            &(struct lore_auth_change){
                .kind = LORE_AUTH_AGENT_REVOKED, .at_us = lore_now_us(), .id = revoke},
            &err);
    else if (status == LORE_OK)
        status = print_agents(db, &arena, &err);
    lore_auth_close(db);
    lore_arena_free(&arena);
    return status == LORE_OK ? 0 : lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
}
