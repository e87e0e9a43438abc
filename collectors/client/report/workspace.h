/* A kernel's story in the files of other workflows: memory/v<N>.json of gpu-kernel-optimizer, and a
 * view like state.json of cuda-kernel-optimizer. What is not known is null, never a guess. */
#ifndef LORE_CLIENT_REPORT_WORKSPACE_H
#define LORE_CLIENT_REPORT_WORKSPACE_H

#include "collectors/client/report/story.h"
#include "service/base/jsonw.h"

/* The N of "v<N>": the ordinal, else the number in a label of that form; -1: it has none. */
int64_t lore_memory_number(const struct lore_story_step *step);
/* One memory/v<N>.json, with a newline at the end. */
enum lore_status lore_memory_file(const struct lore_story *story,
    const struct lore_story_step *step, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* state.json: times are means, as that system compares means. */
enum lore_status lore_state_file(
    const struct lore_story *story, struct lore_buf *out, struct lore_err *err) LORE_MUST;

/* For the files above: end the writer W of COMPACT, write COMPACT indented to OUT, and free
 * COMPACT. */
enum lore_status lore_workspace_layout(const struct lore_story *s, struct lore_jsonw *w,
    struct lore_buf *compact, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
