/* Splits a command such as "./bench --n 4096 'two words'" at blanks. Single quotes, double quotes
 * and backslashes work as in a shell; other shell syntax has no effect. */
#ifndef LORE_RUN_COMMAND_WORDS_H
#define LORE_RUN_COMMAND_WORDS_H

#include "service/base/arena.h"

/* The words of TEXT followed by the N words of MORE, ended by NULL; in ARENA. LORE_INVALID: a quote
 * that is not closed, no word at all. */
enum lore_status lore_command_words(const char *text, const char *const *more, size_t n,
    struct lore_arena *arena, char *const **out, struct lore_err *err) LORE_MUST;

#endif
