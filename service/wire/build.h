/* Helpers for code that makes submissions: derived ids, one kernel record per operator, language
 * and name, JSON text for open fields. */
#ifndef LORE_WIRE_BUILD_H
#define LORE_WIRE_BUILD_H

#include "service/base/json.h"
#include "service/wire/record.h"
#include "service/wire/wire.h"

/* An id derived from the formatted text: equal text gives an equal id. MS is the time part; 0 when
 * the source has no time. */
const char *
lore_build_id(struct lore_arena *arena, int64_t ms, const char *fmt, ...) LORE_PRINTF(3, 4);
/* A new id, in the arena. */
const char *lore_build_new_id(struct lore_arena *arena);
/* The part of an id's text that keeps records of two projects apart: "|project|team/attention";
 * "" when DOC has no project. */
const char *lore_build_of_project(struct lore_arena *arena, const struct lore_submission *doc);
/* The id of the kernel NAME of operator OP (canonical) in LANGUAGE and in the project of DOC. Adds
 * its record to DOC when missing. The record has no other members, so that all documents contain
 * the same one. */
const char *lore_build_kernel(struct lore_arena *arena, struct lore_submission *doc, const char *op,
    enum lore_language language, const char *name);
/* A parameter's value as JSON: a number or boolean stays one, anything else is text. */
const char *lore_build_scalar(struct lore_arena *arena, const char *value);
/* A JSON string: "a\"b" with its quotes. */
const char *lore_build_json_text(struct lore_arena *arena, const char *s);
/* NODE as JSON text. Text that is an absolute path becomes its file name and is counted in
 * *stripped (may be NULL). The member SKIP (may be NULL) of NODE is left out. */
const char *lore_build_verbatim(
    struct lore_arena *arena, const struct lore_json *node, const char *skip, size_t *stripped);
/* "dir/x.cu" -> "x.cu". */
const char *lore_build_basename(const char *path);
void lore_build_text(struct lore_arena *arena, struct lore_texts *list, const char *text);
/* Parse a bottleneck in free text: canonical labels go to `labels`, TEXT to `raw_label`. False when
 * a part is not a known label. NULL and "" set nothing. */
bool lore_build_labels(struct lore_arena *arena, struct lore_diagnosis *out, const char *text);
/* Append metric NAME in UNIT with VALUE. */
void lore_build_metric(struct lore_arena *arena, struct lore_metrics *list, const char *name,
    const char *unit, double value);
/* Append the technique "name{param=val,b=2}" to E: name, params, raw. NULL and "" add none. */
void lore_build_technique(struct lore_arena *arena, struct lore_experiment *e, const char *text);
/* Append the techniques that TEXT names, with their parameters; one that TEXT says was taken out
 * has the status not_applied. Text that names none becomes one technique, which the catalogue does
 * not know. NULL and "" add none. */
void lore_build_words(struct lore_arena *arena, struct lore_experiment *x, const char *text);
/* Set the title of X to the beginning of CLAIM (may be NULL) when X has neither technique nor
 * title, so that lists do not show "untitled". */
void lore_build_title(struct lore_arena *arena, struct lore_experiment *x, const char *claim);
/* Milliseconds to nanoseconds. Floating-point error is rounded away: 0.0158 ms is exactly 15800 ns.
 */
double lore_build_ns(double ms);
/* DOC as JSON in OUT. */
enum lore_status lore_build_encode(
    const struct lore_submission *doc, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
