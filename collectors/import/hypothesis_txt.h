/* Parses hypothesis.txt in both formats in use: labelled lines with indented continuation lines,
 * and sections with "- Key: value" bullets. */
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
    const char *outcome;         /* outcome noted after the run; NULL: none */
    bool sectioned;              /* the text uses the newer format with sections */
};

/* Parse LEN bytes into OUT; all strings live in ARENA. Return LORE_INVALID when the text names no
 * change or is not UTF-8, LORE_TOOBIG beyond LORE_HYPOTHESIS_MAX. */
enum lore_status lore_hypothesis_txt_parse(const char *text, size_t len, struct lore_arena *arena,
    struct lore_hypothesis_txt *out, struct lore_err *err) LORE_MUST;

#endif
