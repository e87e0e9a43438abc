/* The session of the working directory: `.warplore/session.json` in it or in a directory above it
 * says what attempts belong to, so that `try` and `run` need no ids. */
#ifndef LORE_CLIENT_COMMANDS_SESSION_H
#define LORE_CLIENT_COMMANDS_SESSION_H

#include "collectors/client/cli.h"

struct lore_session {
    const char *path; /* of the file */
    const char *id;   /* of the session; NULL: it was not started yet */
    const char *key;  /* what makes a second start the same session */
    const char *kernel, *kernel_id, *op, *language, *chip, *dims, *dtype, *project, *workload,
        *workload_id;
    const char *head,
        *head_id;            /* the version that the next attempt starts from; NULL: the champion */
    const char *champion_id; /* as the service last said; NULL: not known */
    const char *ended_at;
};
/* Read the session of the working directory. LORE_NOTFOUND: there is none, not even an ended one.
 */
enum lore_status
lore_session_read(struct lore_cli *cli, struct lore_session *out, struct lore_err *err) LORE_MUST;
/* Replace its file; PATH NULL: `.warplore/session.json` of the working directory. */
enum lore_status lore_session_write(
    struct lore_cli *cli, const struct lore_session *s, struct lore_err *err) LORE_MUST;
/* The open session; else an error is printed and *code set. NULL: there is none. */
const struct lore_session *lore_session_open(struct lore_cli *cli, int *code);

#endif
