/* `warplored backup` and `warplored restore`. */
#include <inttypes.h>
#include <stdio.h>

#include "db/backup.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/commands.h"

static enum lore_status
need(const char *value, const char *flag, const char *what, struct lore_err *err)
{
    if (value)
        return LORE_OK;
    return lore_fail_at(
        err, LORE_INVALID, "missing_option", flag, "--%s is missing; give %s", flag, what);
}

static enum lore_status
back_up(const struct lore_config *c, const char *to, const char *keep, struct lore_err *err)
{
    struct lore_backup made;
    long long n = 0;
    char at[LORE_TIME_SIZE];
    enum lore_status status = LORE_OK;

    if (keep && (lore_parse_i64(keep, "keep", &n, NULL) != LORE_OK || n < 1 || n > 10000))
        return lore_fail_at(
            err, LORE_INVALID, "invalid_option", "keep", "--keep: expected 1 to 10000");
    status = lore_backup_make(
        &(struct lore_backup_plan){c->data, to, WARPLORE_VERSION, NULL}, &made, err);
    if (status != LORE_OK)
        return status;
    lore_time_format(made.made_us, at);
    printf("%s: %" PRId64 " bytes, as of %s, checked, in %.1f s\n", made.path, made.bytes, at,
        (double)made.took_us / 1e6);
    return keep ? lore_backup_prune(c->data, to, (int)n, err) : LORE_OK;
}

int
lore_run_backup(char **args)
{
    const char *to = NULL, *keep = NULL;
    const struct lore_flag flags[] = {{"to", &to, NULL}, {"keep", &keep, NULL}, {NULL, NULL, NULL}};
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    char **rest;
    enum lore_status status = lore_commands_own_flags(args, flags, &c, &arena, &rest, &err);

    if (status == LORE_OK)
        status = lore_commands_need_data(&c, &err);
    if (status == LORE_OK)
        status = need(to, "to", "the folder for backups", &err);
    if (status == LORE_OK)
        status = lore_commands_apart("to", to, c.data, &err);
    if (status == LORE_OK)
        status = back_up(&c, to, keep, &err);
    lore_arena_free(&arena);
    return status == LORE_OK ? 0 : lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
}

int
lore_run_restore(char **args)
{
    const char *from = NULL;
    const struct lore_flag flags[] = {{"from", &from, NULL}, {NULL, NULL, NULL}};
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    struct lore_manifest m;
    char **rest, at[LORE_TIME_SIZE];
    enum lore_status status = lore_commands_own_flags(args, flags, &c, &arena, &rest, &err);

    if (status == LORE_OK)
        status = lore_commands_need_data(&c, &err);
    if (status == LORE_OK)
        status = need(from, "from", "a backup, or the folder with backups", &err);
    if (status == LORE_OK)
        status = lore_backup_restore(from, c.data, &arena, &m, &err);
    if (status == LORE_OK) {
        lore_time_format(m.made_us, at);
        printf("%s: restored %zu files, as of %s, up to event %" PRId64 "\n", c.data, m.n_files, at,
            m.events);
    }
    lore_arena_free(&arena);
    return status == LORE_OK ? 0 : lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
}
