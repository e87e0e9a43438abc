/* The parts of GET /api/v1/recommend about versions: start versions, changes of one version, the
 * next measurement, the lineage (recommend_start.c, recommend_start_write.c). */
#ifndef LORE_API_RECOMMEND_START_H
#define LORE_API_RECOMMEND_START_H

#include "db/rows.h"
#include "db/sweep.h"
#include "service/api/about.h"
#include "service/api/attempts.h"
#include "service/base/jsonw.h"
#include "service/http/http.h"
#include "service/ingest/indexes.h"
#include "service/moves/start.h"
#include "service/recommend/recommend.h"
#include "service/recommend/session.h"

struct lore_start_row { /* a proposed version with its stored data */
    struct lore_start s;
    struct lore_version_row row;
    const char **run, **sweep; /* per entry of s.from: the version's run there, else the sweep */
};
struct lore_move_row {
    struct lore_start_move m;
    struct lore_version_row to;
    const char *from_value, *to_value; /* JSON scalars; NULL: not recorded */
};
struct lore_next_row {
    struct lore_next n;
    const struct lore_version_row *version; /* to measure */
    struct lore_trial_config config;        /* as in lore_start */
    double gain; /* expected speedup over the best here; 0: nothing ran here */
    struct lore_start_row *start;
    struct lore_move_row *move;
};
struct lore_start_found { /* as the moves index answers */
    struct lore_start *start;
    struct lore_start_move *moves;
    struct lore_next *next;
    const struct lore_start *best; /* measured here; NULL: none */
    size_t n_start, n_moves, n_next;
};
struct lore_start_sweep { /* the last sweep read */
    const char *id;
    struct lore_sweep_row row;
    struct lore_sweep_data data;
};
struct lore_tune_value {
    const char *value;      /* a JSON scalar */
    const char *text;       /* the same as text */
    const char *experiment; /* that tried it */
    const char *op;         /* on another kernel, of this operator; NULL: on this kernel */
    enum lore_attempt_end end;
    double speedup; /* 0: not measured */
};
struct lore_tune_row {
    size_t rank; /* among these rows and the advice, by odds */
    const char *technique, *title;
    const char *parameter; /* NULL: nothing states one */
    const char *from, *to; /* JSON scalars: the value now, and the next to try; NULL: unknown */
    struct lore_interval p_win;    /* of another value; without an interval */
    struct lore_tune_value *tried; /* oldest first */
    size_t n_tried, cap;
    size_t failed;     /* attempts with the technique on this kernel since its last gain */
    size_t own_failed; /* the same with the parameter */
    size_t turn;       /* among the rows of its technique */
    const struct lore_move_row *move; /* to a known configuration; NULL: none */
    double elsewhere;                 /* odds of the technique, whatever its value; 0: not known */
    const char *why;
};
struct lore_start_answer {
    struct lore_start_sweep sweep;
    struct lore_start_found found;
    bool placed;                 /* the operator has measurements, and the chip is known */
    enum lore_moves_state state; /* of the index that was asked */
    struct lore_start_place place;
    struct lore_workload_row workload; /* of `place`; id NULL: none */
    struct lore_start_row *start;
    size_t n_start;
    struct lore_move_row *moves;
    size_t n_moves;
    struct lore_next_row *next; /* NULL: not asked for */
    size_t n_next;
    struct lore_start_row *best; /* measured here; NULL: none */
    bool asked_next;
    const struct lore_version_row *version; /* of the question; NULL: none */
    struct lore_about about;
    struct lore_attempts tried; /* on the kernel of that version: the newest ones */
    struct lore_repeats lineage;
    const struct lore_repeat **repeats; /* per advice; NULL: nothing like it failed */
    double p_any;                       /* odds of an attempt in the state of the lineage */
    struct lore_session_model session;  /* how gains come in sessions, with about.version */
    struct lore_tune_row *tune;         /* other values of what it has, best odds first */
    size_t n_tune, *ranks;              /* ranks: of the advice, among it and `tune` */
    const char *level, *level_why;      /* exact | near | far | none */
};
/* Read the version ID (NULL: none) and the parameter `next`. Missing parts of the question come
 * from the version. Sets version and asked_next. */
enum lore_status lore_start_read(struct lore_req *req, const char *id, struct lore_question *q,
    struct lore_start_answer *out, struct lore_err *err) LORE_MUST;
/* Check the parameters that `next` requires. */
enum lore_status lore_start_check(const struct lore_question *q,
    const struct lore_start_answer *out, struct lore_err *err) LORE_MUST;
/* Ask the moves index; the database is not read. Sets reading, placed, place and found. */
void lore_start_query_index(
    struct lore_req *req, const struct lore_question *q, struct lore_start_answer *out);
/* Whether the attempts on V's kernel are few enough to be read: V has relatives, or the kernel is
 * small. Thousands of versions without parents come from a search, which the moves index covers. */
enum lore_status lore_start_is_lineage_short(struct lore_req *req, const struct lore_version_row *v,
    bool *out, struct lore_err *err) LORE_MUST;
/* Find the version that advice is about, on the workload of the question or of `place`. */
enum lore_status lore_start_stand(struct lore_req *req, struct lore_question *q,
    struct lore_start_answer *out, struct lore_err *err) LORE_MUST;
/* Fill the rest of OUT after A is computed. Advice that repeats a failed idea moves to the end of
 * its list. */
enum lore_status lore_start_read_rows(struct lore_req *req, const struct lore_question *q,
    struct lore_answer *a, struct lore_start_answer *out, struct lore_err *err) LORE_MUST;

#endif
