/* An attempt on a kernel: from the flat body to records, and from stored records to the receipt.
 * attempt_place.c finds where it belongs, attempt_build.c makes the records, attempt_post.c answers
 * the request. */
#ifndef LORE_API_ATTEMPT_H
#define LORE_API_ATTEMPT_H

#include "db/knowledge.h"
#include "service/api/history.h"
#include "service/wire/attempt.h"

/* Two stated times that differ by less than this fraction are one time. */
#define LORE_STATED_NOISE 0.02
/* An attempt in the words of a version is that version measured again up to this difference,
 * whatever it started from. */
#define LORE_REMEASURED 0.10

/* Where an attempt belongs, by the stored records. Texts live in the request's arena. */
struct lore_attempt_place {
    const struct lore_attempt *a;
    struct lore_kernel kernel; /* id NULL: not stored yet, but complete */
    const char *kernel_id, *chip, *session;
    struct lore_workload workload;
    char workload_id[33]; /* "": no workload given */
    struct lore_history history;
    bool stored;                               /* the kernel is; else `history` is empty */
    const struct lore_history_version *parent; /* NULL: none */
    /* the stored version that the attempt is about: that of `version`, or one that it repeats */
    const struct lore_history_version *made; /* NULL: a new one */
    bool repeats;                            /* the attempt adds a run to `made` */
    /* the stated experiment that the repetition is the first measurement of; NULL: none */
    const struct lore_experiment_row *stated;
    double after_ns, before_ns; /* 0: not given */
    int64_t *after, *before;    /* samples in ns */
    size_t n_after, n_before;
    bool new_before;          /* the version before is not stored: it becomes one */
    const char *before_label; /* of that; NULL: its number */
    int64_t next;             /* number of the next new version */
    const char
        *note; /* how the parent was chosen, or what is repeated; NULL: as given or implied */
    const char *where_note; /* how kernel, chip and workload were chosen; NULL: as given */
};
/* Fill OUT from A and the database of REQ, which the caller opened. Errors of the body go to ERRS,
 * candidates of an ambiguous name to RESP; a status other than LORE_OK means that the database
 * failed. */
enum lore_status lore_attempt_find_place(struct lore_req *req, const struct lore_attempt *a,
    struct lore_attempt_place *out, struct lore_errs *errs, struct lore_resp *resp,
    struct lore_err *err) LORE_MUST;

/* LORE_CONFLICT when a stored version has the label of the new one. */
enum lore_status
lore_attempt_check_label(const struct lore_attempt_place *p, struct lore_err *err) LORE_MUST;

/* The same for a session, which has neither times nor versions. The history is not loaded. */
enum lore_status lore_attempt_find_session(struct lore_req *req, const struct lore_attempt *a,
    struct lore_attempt_place *out, struct lore_errs *errs, struct lore_resp *resp,
    struct lore_err *err) LORE_MUST;

/* The ids of an attempt's records, derived from its key. */
struct lore_attempt_ids {
    const char *document, *version, *run, *before, *before_run, *experiment, *hypothesis, *merge;
};
/* Make the records of the attempt at P. BODY is stored beside them, exactly. */
void lore_attempt_build(struct lore_req *req, const struct lore_attempt_place *p,
    const struct lore_attempt_ids *ids, struct lore_submission *out);

#endif
