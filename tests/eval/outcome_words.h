/* Ideas of agents were partly written after their run. */
#ifndef LORE_TESTS_EVAL_OUTCOME_WORDS_H
#define LORE_TESTS_EVAL_OUTCOME_WORDS_H

#include "service/base/arena.h"

/* TEXT without the words that state an outcome ("slower", "failed", "no gain", "+3 %",
 * "317 TFLOPS"); an idea that was written after its run still names the change. */
char *outcome_strip(struct lore_arena *arena, const char *text);

#endif
