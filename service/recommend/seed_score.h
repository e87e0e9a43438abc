/* The scoring formula of the experience file that Warplore replaces, kept exactly: the
 * compatibility mode of recommend, and the baseline that recommend has to beat. Pure.
 *
 *   score = 40 kernel equal + 50 backend equal + 20 chip equal + 30 bottleneck equal
 *         + min(10, int(5 ln(speedup + 1))) of a success + min(5, id // 10)
 *
 * Rows with a score above 0 are kept, best first; rows of one score keep their order. Known
 * weaknesses, kept on purpose: a backend outweighs a kernel; every id from 10 on scores, so that
 * "no match" is out of reach; spellings of one bottleneck do not match each other. */
#ifndef LORE_RECOMMEND_SEED_SCORE_H
#define LORE_RECOMMEND_SEED_SCORE_H

#include "service/base/arena.h"
#include "service/wire/record.h"

/* Texts may be NULL; a NULL or empty backend is "cuda". All are borrowed. */
struct lore_seed_row {
    int64_t id;
    const char *kernel, *backend, *chip, *bottleneck_before;
    const char *outcome; /* success | failure | neutral */
    struct lore_f64 speedup;
    const char *optimization; /* name or name{param=value} */
};
/* A NULL part is not asked for, and matches nothing. */
struct lore_seed_query {
    const char *kernel, *backend, *chip, *bottleneck;
    size_t limit; /* rows wanted; 0: 5 */
};
/* What each term gave; total is their sum. */
struct lore_seed_terms {
    int64_t kernel, backend, chip, bottleneck, success, recency, total;
};
struct lore_seed_hit {
    size_t row; /* index into the rows */
    struct lore_seed_terms terms;
};
enum lore_seed_kind {
    LORE_SEED_EMPTY,    /* there are no rows at all */
    LORE_SEED_NO_MATCH, /* nothing scored: hits are the last five rows, in file order */
    LORE_SEED_MATCHED
};
struct lore_seed_answer {
    enum lore_seed_kind kind;
    struct lore_seed_hit *hits; /* the top rows */
    size_t n_hits;
    size_t n_scored, n_success, n_failure, n_neutral; /* of all rows with a score, not the top */
    const char *best;  /* most frequent part before '{' over the scored successes; NULL: none */
    size_t best_count; /* of n_success; the first in rank order wins a tie */
    size_t *failures;  /* rows: the scored failures in rank order */
    size_t n_failures;
    bool avoid; /* failures and no success: what is listed is to be avoided */
};

/* The terms of one row. Where the formula is undefined (a speedup of -1 or less, or not finite) the
 * success term is 0. */
struct lore_seed_terms
lore_seed_score(const struct lore_seed_row *row, const struct lore_seed_query *query);
/* The whole answer, in ARENA; `best` too. */
void lore_seed_recommend(const struct lore_seed_row *rows, size_t n,
    const struct lore_seed_query *query, struct lore_arena *arena, struct lore_seed_answer *out);

#endif
