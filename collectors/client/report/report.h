/* Reports of one kernel as Markdown, for people and repositories. Every table cell is concrete or
 * "N/A — reason", every speedup names its base, and all times of a report are of one workload. */
#ifndef LORE_CLIENT_REPORT_REPORT_H
#define LORE_CLIENT_REPORT_REPORT_H

#include "collectors/client/report/story.h"

/* Environment, versions side by side, strategies, decisions, hypotheses judged, attributions and
 * verifications, failures, hidden versions and experiments, and the conclusion. */
enum lore_status lore_report_final(
    const struct lore_story *story, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* One version against its parent. VERSION: label, id, or NULL for the last one shown. LORE_NOTFOUND
 * when the kernel has no such version. */
enum lore_status lore_report_iteration(const struct lore_story *story, const char *version,
    struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* A short page: bottlenecks, history with measured data, failures and the conclusion. */
enum lore_status lore_report_notes(
    const struct lore_story *story, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
