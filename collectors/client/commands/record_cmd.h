/* `warplore record`: options (from flags, a file, or a directory) become one submission. */
#ifndef LORE_CLIENT_COMMANDS_RECORD_CMD_H
#define LORE_CLIENT_COMMANDS_RECORD_CMD_H

#include "collectors/client/cli.h"
#include "service/wire/wire.h"

extern const struct lore_opt lore_record_opts[];

/* Build the document that ARGS describe. */
enum lore_status lore_record_build(struct lore_cli *cli, const struct lore_args *args,
    struct lore_submission *doc, struct lore_err *err) LORE_MUST;
/* Timings in order: a file's name, or "12.5us,12.7us"; nanoseconds in *out. NAME is the option. */
enum lore_status lore_samples_parse(const char *text, const char *name, struct lore_arena *arena,
    int64_t **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Read PATH (JSON or YAML). When it holds a whole submission, *body is its text to send as it is;
 * else its members are added to ARGS as options. */
enum lore_status lore_record_file(struct lore_cli *cli, const char *path, struct lore_args *args,
    struct lore_buf *body, struct lore_err *err) LORE_MUST;
/* Read a directory with hypothesis.txt and sources into ARGS. */
enum lore_status lore_record_directory(
    struct lore_cli *cli, const char *path, struct lore_args *args, struct lore_err *err) LORE_MUST;

#endif
