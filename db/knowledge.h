/* The other records: source documents, specs, techniques, verifications, campaigns, directions,
 * curations, profiles; one file per noun. Results live in the given arena. */
#ifndef LORE_DB_KNOWLEDGE_H
#define LORE_DB_KNOWLEDGE_H

#include "db/read.h"

/* Getters fill the whole record; LORE_NOTFOUND when there is none. Lists go newest first and fill
 * the whole record, too. NULL filters: any. */
#define LORE_ROW(noun, S, ...)                                                                     \
    struct lore_##noun##_row {                                                                     \
        struct S r;                                                                                \
        int64_t seq, received_us;                                                                  \
        const char *rest, *document, *actor; /* document: of the submission */                     \
        __VA_ARGS__                                                                                \
    }
LORE_ROW(source_document, lore_source_document, const char *blob;); /* text is left NULL */
/* path: of the source. selected: in force for its chip, metric and qualifier, either by the last
 * valid selection or, without one, as the oldest of accepted values that all agree. rejected,
 * retracted: by curations. decision: the curation in force for it, with reason, actor and time;
 * NULL when there is none or a later selection replaced it. */
LORE_ROW(spec, lore_spec, const char *path; bool selected, rejected, retracted;
         const char *decision, *why, *decided_by; int64_t decided_us;);
LORE_ROW(technique_def, lore_technique_def, );
LORE_ROW(verification, lore_verification, );
/* arrived: number of its experiments. last_us: time of the newest document with one of them, or of
 * the campaign itself. iterations, expected_records: the last amendment, else as recorded.
 * stop_reason, retrospective: as recorded, else from the closing decision. decision: the id
 * of that. */
LORE_ROW(campaign, lore_campaign, int64_t arrived, last_us;
         struct lore_i64 iterations, expected_records; bool closed;
         const char *decision, *close_reason, *stop_reason, *retrospective;);
/* An open campaign without a new record for this long is quiet. */
#define LORE_QUIET_US (INT64_C(24) * 3600 * 1000000)
/* The alarm of a campaign that got fewer experiments than expected and is closed, ended or quiet at
 * NOW_US. NULL: no alarm. */
const char *lore_campaign_alarm(const struct lore_campaign_row *c, int64_t now_us);
/* The newest campaigns with an alarm, at most LIMIT, and how many there are, among the newest 2,000
 * that are incomplete or amended. */
struct lore_alarms {
    struct lore_campaign_row *rows;
    size_t n;
    int64_t total;
};
enum lore_status lore_db_list_alarms(struct lore_db *db, int64_t now_us, size_t limit,
    struct lore_arena *a, struct lore_alarms *out, struct lore_err *err) LORE_MUST;
LORE_ROW(direction, lore_direction, bool closed; const char *close_reason;);
/* retracted: no longer in force. */
LORE_ROW(curation, lore_curation, int64_t at_us; bool retracted;);
/* A row of a list has no processes, copies and lines; process_count is their number. */
LORE_ROW(profile, lore_program_profile, int64_t process_count, measured_us; const char *busiest;);

LORE_GETTER(source_document, LORE_K_SOURCE_DOCUMENT)
LORE_GETTER(spec, LORE_K_SPEC)
LORE_GETTER(technique_def, LORE_K_TECHNIQUE)
LORE_GETTER(verification, LORE_K_VERIFICATION)
LORE_GETTER(campaign, LORE_K_CAMPAIGN)
LORE_GETTER(direction, LORE_K_DIRECTION)
LORE_GETTER(curation, LORE_K_CURATION)
LORE_GETTER(profile, LORE_K_PROFILE)
/* After each: the members of the filter that the list obeys. */
LORE_LISTER(source_documents, source_document, LORE_K_SOURCE_DOCUMENT) /* path */
LORE_LISTER(technique_defs, technique_def, LORE_K_TECHNIQUE)           /* technique */
LORE_LISTER(verifications, verification, LORE_K_VERIFICATION)          /* version, technique */
LORE_LISTER(campaigns, campaign, LORE_K_CAMPAIGN)                      /* kernel */
LORE_LISTER(directions, direction, LORE_K_DIRECTION)                   /* kernel, state */
LORE_LISTER(profiles, profile, LORE_K_PROFILE)                         /* chip */
LORE_LISTER(curations, curation, LORE_K_CURATION)                      /* subject, action */
/* chip, metric */
enum lore_status lore_db_list_specs(struct lore_db *db, const struct lore_list_filter *f,
    struct lore_arena *a, struct lore_spec_row **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif
