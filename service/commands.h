/* The commands of warplored besides serving. The first argument selects the row. */
#ifndef LORE_SERVICE_COMMANDS_H
#define LORE_SERVICE_COMMANDS_H

#include "service/config.h"

struct lore_command {
    const char *name;
    const char *usage; /* the arguments, for the help text */
    const char *help;
    /* ARGS: the arguments after the name, ended by NULL. Returns the exit status: 0, 1 (failed) or
     * 2 (usage error). */
    int (*run)(char **args);
};
extern const struct lore_command lore_commands[]; /* ended by a NULL name */

/* agent_commands.c */
int lore_run_enroll(char **args);
int lore_run_agents(char **args);
/* backup_commands.c */
int lore_run_backup(char **args);
int lore_run_restore(char **args);
/* verify_command.c */
int lore_run_verify(char **args);
/* learn_command.c */
int lore_run_retrain(char **args);

/* journal_command.c */
int lore_run_replay(char **args);

/* A flag that only one command knows. */
struct lore_flag {
    const char *name;   /* "role" */
    const char **value; /* NULL: the flag takes no value and sets *set */
    bool *set;
};
/* Like lore_flags, and accept the flags OWN of one command, too. OWN is ended by a NULL name and
 * may be NULL. */
enum lore_status lore_commands_own_flags(char **args, const struct lore_flag *own,
    struct lore_config *c, struct lore_arena *arena, char ***rest, struct lore_err *err) LORE_MUST;
/* LORE_INVALID code same_place when the directory PATH, the value of OPTION, is DATA or inside it.
 * PATH may be NULL, none or an address. */
enum lore_status lore_commands_apart(
    const char *option, const char *path, const char *data, struct lore_err *err) LORE_MUST;
/* LORE_INVALID unless --data was given, and when the journal or the backups are in it. Root becomes
 * the owner of that directory. */
enum lore_status
lore_commands_need_data(const struct lore_config *c, struct lore_err *err) LORE_MUST;
/* Read flags into C: `--name value`, `--name=value`, or `--name` for booleans. The file of --config
 * is read first, so flags override it. *rest gets the other arguments, ended by NULL. A dash in a
 * flag is an underscore in the option table. */
enum lore_status lore_flags(char **args, struct lore_config *c, struct lore_arena *arena,
    char ***rest, struct lore_err *err) LORE_MUST;
/* Print `warplored: message` and the hint on standard error. Returns STATUS. */
int lore_commands_print_error(const struct lore_err *err, int status);

#endif
