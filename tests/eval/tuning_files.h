/* The tuning files below a folder, however they are sorted into it: `convolution_A100.json.gz` and
 * `convolution/A100.json` are the same. Used by aa_data.c. */
#ifndef LORE_TESTS_EVAL_TUNING_FILES_H
#define LORE_TESTS_EVAL_TUNING_FILES_H

#include "service/base/arena.h"
#include "service/base/buf.h"

struct tuning_path {
    const char *path, *name; /* name: "convolution_A100" */
};
/* Every `*.json` and `*.json.gz` below FOLDER, by path, in ARENA. LORE_NOTFOUND when there is none;
 * LORE_IO names what cannot be read. Links are followed. */
enum lore_status tuning_files(const char *folder, struct lore_arena *arena,
    struct tuning_path **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Append what is in a file of either sort to OUT; a `.gz` that is none is LORE_INVALID. */
enum lore_status
tuning_text(const char *path, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
