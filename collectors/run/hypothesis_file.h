/* Reads `--hypothesis-file FILE`, which states before the run the one change and its reason. It is
 * plain text (the change in the first line, then the rationale), labelled text (hypothesis_txt.h),
 * or YAML or JSON with the fields of a hypothesis record (.yaml, .yml, .json). */
#ifndef LORE_RUN_HYPOTHESIS_FILE_H
#define LORE_RUN_HYPOTHESIS_FILE_H

#include "service/base/arena.h"
#include "service/wire/record.h"

/* Read PATH as a hypothesis without id and versions. claimed_at is the file's modification time
 * unless the file has that field. Text in ARENA. Errors name the option, the file and the field. */
enum lore_status lore_hypothesis_file_read(const char *path, struct lore_arena *arena,
    struct lore_hypothesis *out, struct lore_err *err) LORE_MUST;

#endif
