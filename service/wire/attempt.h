/* One attempt on a kernel in its flat form: the body of POST /api/v1/attempts, which `warplore try`
 * and `warplore record` send. The service makes the records from it, so a client invents no ids and
 * need not know what the attempt started from. Conventions as in record.h. */
#ifndef LORE_WIRE_ATTEMPT_H
#define LORE_WIRE_ATTEMPT_H

#include "service/base/json.h"
#include "service/wire/fields.h"
#include "service/wire/record.h"

/* The time of one side: one of the four, or none. Texts have a unit: "81us". */
struct lore_attempt_time {
    const char *text;
    struct lore_f64 ns;
    struct lore_texts samples;
    int64_t *samples_ns;
    size_t n_samples, cap_samples;
};
struct lore_attempt {
    const char *session; /* id of a campaign: kernel, chip and workload default to its own */
    /* where */
    const char *op, *kernel, *project, *chip;
    enum lore_language language;
    struct lore_workload workload;
    /* what */
    const char *parent; /* champion | last | first | none | label | id; NULL: implied */
    const char *head;   /* the implied one, when it is not the champion */
    const char *label, *version, *change;
    struct lore_use *techniques;
    size_t n_techniques, cap_techniques;
    struct lore_kvs params;
    struct lore_hypothesis hypothesis; /* claim NULL: none */
    struct lore_source *sources, *parent_sources;
    size_t n_sources, cap_sources, n_parent_sources, cap_parent_sources;
    /* what came of it */
    struct lore_attempt_time after, before;
    const char *error, *log; /* lore_attempt_error_find */
    enum lore_check correctness;
    const char *checked_against;
    struct lore_f64 tolerance;
    struct lore_diagnosis bottleneck;
    struct lore_metrics metrics, metrics_before;
    /* remarks */
    const char *title, *notes, *lesson, *outcome, *date, *author, *advice;
    enum lore_evidence evidence;
    struct lore_texts violations;
    /* how to store it */
    const char *idempotency_key;
    bool again, dry_run, new_technique, new_kernel;
};

/* An error of an attempt: the word that people say, the type of the run's error that is stored, and
 * the result of its check. Word and type are accepted in place of each other. */
struct lore_attempt_error {
    const char *word, *type;
    enum lore_check check;
};
const struct lore_attempt_error *lore_attempt_error_find(const char *text); /* NULL: none */

#define LORE_ATTEMPT_BYTES (3u << 20) /* of a body: kept beside the records made from it */
/* Decode BODY, which AS describes (fields.h): an attempt or a session. All errors go to ERRS (at
 * most LORE_ERRS_MAX), and members without one are read all the same. `dims` may be an object or a
 * text: {"M": 4096} or "M=4096,N=4096". Values live in ARENA or in that of BODY. LORE_INVALID when
 * there are errors. */
enum lore_status lore_wire_decode_attempt(const struct lore_record *as, struct lore_json *body,
    struct lore_arena *arena, struct lore_attempt *out, struct lore_errs *errs) LORE_MUST;
#endif
