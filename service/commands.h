/* What warplored does besides serving: one row per command, found by the first argument. */
#ifndef LORE_SERVICE_COMMANDS_H
#define LORE_SERVICE_COMMANDS_H

#include "service/config.h"

struct lore_command {
    const char *name;
    const char *usage; /* what follows the name */
    const char *help;
    /* ARGS: what follows the name, ended by NULL. The exit status: 0, 1 (it went wrong), 2 (called
     * wrongly). */
    int (*run)(char **args);
};
extern const struct lore_command lore_commands[]; /* ended by a NULL name */

/* agent_commands.c */
int lore_run_enroll(char **args);
int lore_run_agents(char **args);
/* learn_command.c */
int lore_run_retrain(char **args);

/* A flag that only one command knows. */
struct lore_flag {
    const char *name;   /* "role" */
    const char **value; /* NULL: takes none, sets *set */
    bool *set;
};
/* As lore_flags, with the command's OWN; ended by a NULL name, may be NULL. */
enum lore_status lore_commands_own_flags(char **args, const struct lore_flag *own,
    struct lore_config *c, struct lore_arena *arena, char ***rest, struct lore_err *err) LORE_MUST;
/* LORE_INVALID unless --data was given. */
enum lore_status
lore_commands_need_data(const struct lore_config *c, struct lore_err *err) LORE_MUST;
/* Read flags into C: `--name value`, `--name=value`, alone for booleans; --config FILE is read
 * first. Fills *rest with what is no flag. Dashes in names are underscores in the table. */
enum lore_status lore_flags(char **args, struct lore_config *c, struct lore_arena *arena,
    char ***rest, struct lore_err *err) LORE_MUST;
/* `warplored: message`, and the hint, on standard error. Returns STATUS. */
int lore_commands_complain(const struct lore_err *err, int status);

#endif
