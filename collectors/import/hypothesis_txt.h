/* hypothesis.txt, both formats found in the field: three labelled lines with indented
 * continuations, and the sectioned one with "- Key: value" bullets. Any text gets an answer or an
 * error. */
#ifndef LORE_IMPORT_HYPOTHESIS_TXT_H
#define LORE_IMPORT_HYPOTHESIS_TXT_H

#include <stdbool.h>

#include "service/base/arena.h"
#include "service/base/status.h"
#include "service/wire/record.h"

#define LORE_HYPOTHESIS_MAX (64u << 10)

struct lore_hypothesis_txt {
    struct lore_hypothesis h;    /* without id, versions and author */
    const char *source, *target; /* "v2", "v3", when the text names them */
    const char *outcome;         /* what somebody added after the run; NULL: nothing */
    bool sectioned;              /* the newer format */
};

/* Parse LEN bytes; all text in ARENA. LORE_INVALID when it names no change, or is not UTF-8. */
enum lore_status lore_hypothesis_txt_parse(const char *text, size_t len, struct lore_arena *arena,
    struct lore_hypothesis_txt *out, struct lore_err *err) LORE_MUST;

#endif
