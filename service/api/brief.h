/* A brief: what a person or an agent must know before working on a kernel, as sentences in
 * sections. Each sentence cites what it rests on, in brackets: names and ids that `show` takes.
 * brief.c gathers what other answers know (recommend, history, board, roofline), brief_lines.c says
 * it, brief_fit.c cuts it to size. */
#ifndef LORE_API_BRIEF_H
#define LORE_API_BRIEF_H

#include "db/knowledge.h"
#include "service/api/history.h"
#include "service/api/recommend_write.h"
#include "service/api/searched.h"

/* In the order of the answer. */
enum lore_brief_section {
    LORE_BRIEF_STANDING,
    LORE_BRIEF_HEADROOM,
    LORE_BRIEF_HAS,
    LORE_BRIEF_NEXT,
    LORE_BRIEF_DEAD,
    LORE_BRIEF_LESSONS,
    LORE_BRIEF_CHECK,
    LORE_BRIEF_SECTIONS
};
struct lore_brief_line {
    const char *text;
    enum lore_brief_section section;
    unsigned rank; /* lower: more important */
    bool cut;      /* left out */
};
struct lore_brief {
    const char *title, *advice_id;
    struct lore_brief_line *v;
    size_t n, cap;
};

/* The best version of a history without times, by the gains that its experiments state; best
 * NULL: nothing above 1 is stated. (brief_stated.c) */
struct lore_brief_stated {
    const struct lore_history_version *best;
    const struct lore_version_row *first;
    double over_first;
};
struct lore_brief_stated lore_brief_stated(const struct lore_history *h, struct lore_arena *arena);

/* What the sentences say. Texts live in the request's arena. */
struct lore_brief_facts {
    struct lore_req *req;
    struct lore_recommended x;
    const struct lore_campaign_row *session; /* of the question; NULL: none */
    struct lore_kernel_row kernel;           /* of the version that x is about; k.id NULL: none */
    const char *untimed;   /* the kernel that was asked about, without times; NULL: it has some */
    const char *elsewhere; /* the chip where the kernel is timed instead of the asked one */
    struct lore_history history;           /* of that kernel at the place of the version */
    const struct lore_history_version *at; /* that version in it; NULL: it is not there */
    const struct lore_lineage_step *step;  /* its gains */
    const struct lore_board_row *row;      /* of the board, which it leads; NULL: it leads none */
    const struct lore_board_row *leader;   /* of the place, when another version leads it */
    struct lore_attempts
        on_operator; /* the newest on any kernel of the operator; empty until asked */
    bool asked_operator;
    struct lore_texts others_have;   /* of versions that do as well against their library */
    struct lore_brief_stated stated; /* where no version is timed */
    struct lore_searched searched;   /* of that kernel there */
    struct lore_run_row run;         /* its run at the place; r.id NULL: none */
};
/* brief_others.c: set others_have. */
enum lore_status lore_brief_read_others(struct lore_brief_facts *f, struct lore_err *err) LORE_MUST;
/* brief_lines.c */
enum lore_status
lore_brief_say(struct lore_brief_facts *f, struct lore_brief *out, struct lore_err *err) LORE_MUST;
/* Write B with the most important lines, so that the answer has at most MAX bytes, which are at
 * least LORE_BRIEF_LEAST. */
enum { LORE_BRIEF_LEAST = 500, LORE_BRIEF_BYTES = 6000, LORE_BRIEF_MOST = 100000 };
enum lore_status lore_brief_fit(struct lore_req *req, struct lore_resp *resp, struct lore_brief *b,
    size_t max, struct lore_err *err) LORE_MUST;

#endif
