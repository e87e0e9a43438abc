/* A profile as text: where the GPU time of a program went. `run` and `profile` print it. */
#ifndef LORE_CLIENT_COMMANDS_PROFILE_TEXT_H
#define LORE_CLIENT_COMMANDS_PROFILE_TEXT_H

#include "collectors/client/cli.h"
#include "service/wire/record.h"

enum { LORE_PROFILE_SHOWN = 15 }; /* kernels on the first screen */

/* Print P to OUT with its first MOST lines. */
void lore_profile_print(
    struct lore_cli *cli, const struct lore_program_profile *p, size_t most, struct lore_buf *out);
/* Print ANSWER, of GET /profiles/{id}. Returns the exit code. */
int lore_profile_show(struct lore_cli *cli, const struct lore_json *answer);
/* Print line NTH, from 1, with its launch shapes, to cli->out. */
void
lore_profile_print_line(struct lore_cli *cli, const struct lore_program_profile *p, size_t nth);
/* Read ANSWER, of GET /profiles/{id} or the record of GET /records/{id}. */
enum lore_status lore_profile_read(struct lore_cli *cli, const struct lore_json *answer,
    struct lore_program_profile *out, struct lore_err *err) LORE_MUST;

/* "12" or "12.3": a line and its launch shape, from 1; *shape 0: none is named. */
bool lore_profile_read_line(const char *text, size_t *line, size_t *shape);

#endif
