/* A program's command as the record stores it, so that a run can be repeated: its words, without
 * private paths and secrets. */
#ifndef LORE_RUN_COMMAND_KEPT_H
#define LORE_RUN_COMMAND_KEPT_H

#include "service/base/jsonw.h"

/* ARGV, ended by NULL, as the member "command" of the object that W is in: an array of words, or
 * nothing without words. Absolute paths lose their folders, secrets, texts with blanks, other than
 * UTF-8 and what is too long become "…"; "command_hidden", when there are any, is how many. */
void lore_command_write(struct lore_jsonw *w, char *const *argv, struct lore_arena *arena);

#endif
