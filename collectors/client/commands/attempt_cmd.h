/* One attempt from the command line: `try` in a session, `record` anywhere. Options become the body
 * of POST /api/v1/attempts, and its receipt becomes a few lines. */
#ifndef LORE_CLIENT_COMMANDS_ATTEMPT_CMD_H
#define LORE_CLIENT_COMMANDS_ATTEMPT_CMD_H

#include "collectors/client/commands/session.h"
#include "service/base/jsonw.h"

/* Write the body that ARGS describe. CHANGE (may be NULL) says what was tried; S (may be NULL) is
 * the session that it belongs to. */
enum lore_status
lore_attempt_write(struct lore_cli *cli, const struct lore_args *args, const char *change,
    const struct lore_session *s, struct lore_buf *body, struct lore_err *err) LORE_MUST;
/* Send BODY; print the receipt, or with --dry-run the document that would be stored. *receipt is
 * the answer. */
int lore_attempt_send(struct lore_cli *cli, const struct lore_args *args,
    const struct lore_buf *body, struct lore_json **receipt);
/* Before the attempt is sent: the warning that its plan failed or won here before. NULL: none, or
 * --no-check or --dry-run. CHANGE and S as in lore_attempt_write. */
const char *lore_attempt_warn(struct lore_cli *cli, const struct lore_args *args,
    const char *change, const struct lore_session *s);
/* Print it when RECEIPT says that the attempt is a new one: a retry would warn of itself. */
void
lore_attempt_warned(struct lore_cli *cli, const char *warning, const struct lore_json *receipt);
/* "champion v5, 70.1 us, 1.71x over the first (v0)": of a receipt of an attempt or of a session;
 * NULL: no version has a time. */
const char *lore_attempt_champion(struct lore_cli *cli, const struct lore_json *receipt);

/* Timings in order: a file's name, or "12.5us,12.7us"; nanoseconds in *out. NAME is the option. */
enum lore_status lore_samples_parse(const char *text, const char *name, struct lore_arena *arena,
    int64_t **out, size_t *n, struct lore_err *err) LORE_MUST;
/* record_input.c: read PATH (JSON or YAML). When it holds a whole submission, *body is its text to
 * send as it is; else its members are added to ARGS as options. */
enum lore_status lore_record_file(struct lore_cli *cli, const char *path, struct lore_args *args,
    struct lore_buf *body, struct lore_err *err) LORE_MUST;
/* Read a directory with hypothesis.txt and sources into ARGS. */
enum lore_status lore_record_directory(
    struct lore_cli *cli, const char *path, struct lore_args *args, struct lore_err *err) LORE_MUST;

#endif
