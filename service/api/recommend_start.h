/* The parts of GET /api/v1/recommend about versions: where to start, what to change of one version,
 * what to measure next, what its lineage says (recommend_start.c, recommend_start_write.c). */
#ifndef LORE_API_RECOMMEND_START_H
#define LORE_API_RECOMMEND_START_H

#include "db/rows.h"
#include "service/api/attempts.h"
#include "service/base/jsonw.h"
#include "service/http/http.h"
#include "service/moves/start.h"
#include "service/recommend/recommend.h"

struct lore_start_row { /* a version with what is said of it */
    struct lore_start s;
    struct lore_version_row row;
    const char **run; /* per place of s.from: its run there, NULL: not of this version */
};
struct lore_move_row {
    struct lore_start_move m;
    struct lore_version_row to;
    const char *from_value, *to_value; /* JSON scalars; NULL: not recorded */
    const struct lore_repeat *repeats; /* NULL: nothing like it failed in the lineage */
};
struct lore_next_row {
    struct lore_next n;
    const struct lore_version_row *version; /* to measure */
    double gain; /* expected speedup over the best here; 0: nothing ran here */
    struct lore_start_row *start;
    struct lore_move_row *move;
};
struct lore_start_found { /* as the memory of moves answers, in any language */
    struct lore_start *start;
    struct lore_start_move *moves;
    struct lore_next *next;
    const struct lore_start *best; /* measured here; NULL: none */
    size_t n_start, n_moves, n_next;
};
struct lore_start_answer {
    struct lore_start_found found;
    bool placed;  /* something was measured of the operator, and the chip is known */
    bool reading; /* the versions that were there at the start are not all in memory yet */
    struct lore_start_place place;
    struct lore_workload_row workload; /* of the place; id NULL: none */
    struct lore_start_row *start;
    size_t n_start;
    struct lore_move_row *moves;
    size_t n_moves;
    struct lore_next_row *next; /* NULL: not asked for */
    size_t n_next;
    struct lore_start_row *best; /* measured here; NULL: none */
    bool asked_next;
    const struct lore_version_row *version; /* asked about; NULL: none */
    struct lore_attempts attempts;          /* of its kernel */
    struct lore_repeats lineage;
    const struct lore_repeat **repeats; /* per advice; NULL: nothing like it failed */
    const char *level, *level_why;      /* exact | near | far | none */
};
/* Parameters `version` and `next`: what the version says where the question says nothing. Filled:
 * version, asked_next. */
enum lore_status lore_start_read(struct lore_req *req, struct lore_question *q,
    struct lore_start_answer *out, struct lore_err *err) LORE_MUST;
/* What `next` needs to be asked. */
enum lore_status lore_start_check(const struct lore_question *q,
    const struct lore_start_answer *out, struct lore_err *err) LORE_MUST;
/* What the memory of moves says; nothing is read from the database. Filled: placed, place, found.
 */
void
lore_start_ask(struct lore_req *req, const struct lore_question *q, struct lore_start_answer *out);
/* All of it, for an answer that is there; advice that repeats a failed idea moves to its end. */
enum lore_status lore_start_find(struct lore_req *req, const struct lore_question *q,
    struct lore_answer *a, struct lore_start_answer *out, struct lore_err *err) LORE_MUST;

#endif
