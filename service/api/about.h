/* Where the work stands that a question asks about: the version that advice is about, and what its
 * line of ancestors already has. Advice without it proposes what was done long ago. */
#ifndef LORE_API_ABOUT_H
#define LORE_API_ABOUT_H

#include "db/rows.h"
#include "service/api/headroom.h"
#include "service/api/line.h"
#include "service/catalogue/technique_applies.h"
#include "service/http/http.h"
#include "service/ingest/indexes.h"
#include "service/recommend/recommend.h"

/* How the version was found; the first that there is. */
enum lore_about_by {
    LORE_ABOUT_NONE,        /* no version of the operator can run here */
    LORE_ABOUT_GIVEN,       /* the question names it */
    LORE_ABOUT_CHAMPION,    /* the best on this chip and workload */
    LORE_ABOUT_OTHER_SHAPE, /* the best on this chip for the nearest workload */
    LORE_ABOUT_OTHER_CHIP,  /* the best on the nearest chip, for the nearest workload there */
};
struct lore_about {
    enum lore_about_by by;
    const struct lore_version_row *version; /* NULL with NONE */
    const struct lore_board_row *row; /* of the board, where it stands; NULL: it leads no row */
    const char *chip, *workload;      /* of that row; NULL: not recorded */
    struct lore_headroom headroom;    /* of its run on that row */
    uint32_t limits, not_limits;      /* bottlenecks that its measurements show, and exclude */
    bool timed, profiled;             /* a run of it at its place; that run has counters */
    struct lore_place_facts facts;    /* what decides whether a technique applies */
    struct lore_line line;
    struct lore_line_rows techniques; /* of the line, those taken out again included */
};
extern const struct lore_object lore_about_object, lore_about_short_object;

/* Find the version for Q on workload WORKLOAD (NULL: the one with the most runs). GIVEN: the
 * version that the question names, or NULL. Takes the read lock of the indexes while it looks at
 * the board. OUT lives in the request's arena. */
enum lore_status
lore_about_find(struct lore_req *req, const struct lore_question *q, const char *workload,
    const struct lore_version_row *given, struct lore_about *out, struct lore_err *err) LORE_MUST;
/* Whether the version is so near the limit of its chip that nothing measurable is left. */
bool lore_about_is_done(const struct lore_about *a);
/* Names of the techniques that need no advice: the line has them, or the source has no use for
 * them. */
struct lore_texts lore_about_has(const struct lore_about *s, struct lore_arena *arena);

#endif
