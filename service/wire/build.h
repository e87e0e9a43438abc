/* Small steps that everything making a submission shares: derived ids, one kernel record per
 * operator, language and name, JSON text for open fields. */
#ifndef LORE_WIRE_BUILD_H
#define LORE_WIRE_BUILD_H

#include "service/base/json.h"
#include "service/wire/record.h"
#include "service/wire/wire.h"

/* The same id for the same text. MS may be 0 where the source has no time. */
const char *
lore_build_id(struct lore_arena *arena, int64_t ms, const char *fmt, ...) LORE_PRINTF(3, 4);
/* A new id, in the arena. */
const char *lore_build_new_id(struct lore_arena *arena);
/* The id of the kernel NAME of operator OP (canonical) in LANGUAGE, and its record in DOC when it
 * is not there yet. The record says nothing else, so that every document writes it alike. */
const char *lore_build_kernel(struct lore_arena *arena, struct lore_submission *doc, const char *op,
    enum lore_language language, const char *name);
/* A JSON string: "a\"b" with its quotes. */
const char *lore_build_json_text(struct lore_arena *arena, const char *s);
/* NODE as JSON text. STRIP_PATHS replaces text that is an absolute path by its file name and adds
 * to *stripped (may be NULL). SKIP (may be NULL) is a member of NODE to leave out. */
const char *lore_build_verbatim(
    struct lore_arena *arena, const struct lore_json *node, const char *skip, size_t *stripped);
/* "dir/x.cu" -> "x.cu". */
const char *lore_build_basename(const char *path);
void lore_build_text(struct lore_arena *arena, struct lore_texts *list, const char *text);
/* Bottleneck of TEXT as people write it: canonical labels in LABELS, the text kept. False when some
 * part was not understood. Nothing is set for NULL and "". */
bool lore_build_labels(struct lore_arena *arena, struct lore_diagnosis *out, const char *text);
/* Metric NAME in UNIT with VALUE. */
void lore_build_metric(struct lore_arena *arena, struct lore_metrics *list, const char *name,
    const char *unit, double value);
/* "name{param=val,b=2}" as a technique: name, params, raw. NULL for NULL and "". */
void lore_build_technique(struct lore_arena *arena, struct lore_experiment *e, const char *text);
/* Give X, when it names no technique and has no title, the beginning of CLAIM (may be NULL) as one:
 * a list shows what was tried and not "untitled". */
void lore_build_title(struct lore_arena *arena, struct lore_experiment *x, const char *claim);
/* Milliseconds in nanoseconds. A whole number of nanoseconds comes out whole: 0.0158 ms is 15800
 * ns, although the product of the two doubles is not. */
double lore_build_ns(double ms);
/* DOC as JSON in OUT. */
enum lore_status lore_build_encode(
    const struct lore_submission *doc, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
