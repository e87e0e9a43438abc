/* A program's command as the record stores it, so that a run can be repeated: its words, without
 * private paths and secrets. */
#ifndef LORE_RUN_COMMAND_FILTER_H
#define LORE_RUN_COMMAND_FILTER_H

#include "service/base/jsonw.h"

/* Write ARGV (ended by NULL) as the member "command" of the open object of W, an array of words;
 * nothing when ARGV is empty. Absolute paths lose their folders. Secrets, words with blanks,
 * invalid UTF-8 and long words become "…"; "command_hidden" is their number. */
void lore_command_write(struct lore_jsonw *w, char *const *argv, struct lore_arena *arena);

#endif
