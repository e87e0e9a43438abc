/* What is known beside runs and experiments: source documents, specs, techniques, verifications,
 * campaigns, directions, curations; one file per noun. Results live in the given arena. */
#ifndef LORE_DB_KNOWLEDGE_H
#define LORE_DB_KNOWLEDGE_H

#include "db/put.h"
#include "db/read.h"

/* Reading. Getters fill the whole record, LORE_NOTFOUND when there is none; lists go newest first
 * and fill the whole record too. NULL filters: any. */
#define LORE_ROW(noun, S, ...)                                                                     \
    struct lore_##noun##_row {                                                                     \
        struct S r;                                                                                \
        int64_t seq, received_us;                                                                  \
        const char *rest, *document, *actor; /* document: of the submission */                     \
        __VA_ARGS__                                                                                \
    };                                                                                             \
    enum lore_status lore_get_##noun(struct lore_db *db, const char *id, struct lore_arena *a,     \
        struct lore_##noun##_row *out, struct lore_err *err) LORE_MUST
LORE_ROW(source_document, lore_source_document, const char *blob;); /* text is left NULL */
/* Path: of the source. Selected: the one in force for its chip, metric and qualifier, because the
 * last selection that counts names it, or, with no selection, because all accepted values agree and
 * it is the oldest of them; rejected, retracted: by curations. Decision: the curation that counts
 * for it, with reason, actor and time; NULL when none does, also when a later selection replaced
 * it. */
LORE_ROW(spec, lore_spec, const char *path; bool selected, rejected, retracted;
         const char *decision, *why, *decided_by; int64_t decided_us;);
LORE_ROW(technique_def, lore_technique_def, );
LORE_ROW(verification, lore_verification, );
/* Arrived: experiments of it; last_us: when the newest document with one of them came, or it
 * itself. Iterations, expected_records: as amended last, else as recorded. Stop_reason,
 * retrospective: as recorded, else as the closing decision says. Decided: closed by a decision. */
LORE_ROW(campaign, lore_campaign, int64_t arrived, last_us;
         struct lore_i64 iterations, expected_records; bool closed, decided;
         const char *close_reason, *stop_reason, *retrospective;);
#define LORE_QUIET_US (INT64_C(24) * 3600 * 1000000) /* nothing came for so long: nothing will */
/* Fewer experiments than expected arrived, and no more will, as it seems at NOW_US: closed, ended,
 * or quiet. NULL: no alarm. */
const char *lore_campaign_alarm(const struct lore_campaign_row *c, int64_t now_us);
/* The newest campaigns with an alarm, at most LIMIT, and how many there are, among the newest 2,000
 * that lack something. */
enum lore_status
lore_list_alarms(struct lore_db *db, int64_t now_us, size_t limit, struct lore_arena *a,
    struct lore_campaign_row **out, size_t *n, int64_t *total, struct lore_err *err) LORE_MUST;
LORE_ROW(direction, lore_direction, bool closed; const char *close_reason;);
LORE_ROW(curation, lore_curation, int64_t at_us; bool retracted;); /* retracted: counts no more */

#define LORE_LIST(noun, ...)                                                                       \
    enum lore_status lore_list_##noun##s(struct lore_db *db, __VA_ARGS__, struct lore_page page,   \
        struct lore_arena *a, struct lore_##noun##_row **out, size_t *n, struct lore_err *err)     \
        LORE_MUST
LORE_LIST(source_document, const char *path);
LORE_LIST(spec, const char *chip, const char *metric);
LORE_LIST(technique_def, const char *technique);
LORE_LIST(verification, const char *version, const char *technique);
LORE_LIST(campaign, const char *kernel);
LORE_LIST(direction, const char *kernel, int closed); /* closed: -1 any */
LORE_LIST(curation, const char *subject, const char *action);

#endif
