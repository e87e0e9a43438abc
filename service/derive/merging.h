/* Duplicate records of one experiment. This module only proposes groups; a curator merges them. A
 * merge stores a group that refers to its members, which keep their ids. Pure functions. */
#ifndef LORE_DERIVE_MERGING_H
#define LORE_DERIVE_MERGING_H

#include "service/derive/outcome.h"

/* The fields of an experiment that merging compares. All text is borrowed; NULL: not recorded. */
struct lore_merge_row {
    const char *id; /* ULID; unique */
    const char *op, *kernel, *language, *chip, *workload;
    const char *const *techniques; /* slugs, any order */
    size_t n_techniques;
    enum lore_effect effect;
    struct lore_f64 before_ns, after_ns, speedup;
    const char *notes, *hypothesis;
    const char *iteration; /* "v1", as the source calls it */
};
/* Indexes into the rows. */
struct lore_merge_group {
    size_t *members; /* in row order */
    size_t n_members;
    size_t canonical; /* the win with the highest speedup, else the lowest time after, else first */
    const char *notes;       /* all distinct notes, joined by " | "; "" for none */
    const char *hypothesis;  /* the longest, the first of equals; NULL: none */
    const char **iterations; /* of the members that have one, in row order */
    size_t n_iterations;
    bool conflict; /* the members' effects differ */
};

/* Groups of two or more rows with the same operator, language, chip, workload, set of techniques
 * and exactly the same numbers, at least one of them set. Kernels are not compared, because sources
 * name one kernel in several ways. A missing operator matches nothing; other fields may be missing
 * in all rows. Groups are in the order of their first member. */
void lore_merging_propose(const struct lore_merge_row *rows, size_t n, struct lore_arena *arena,
    struct lore_merge_group **groups, size_t *n_groups);

struct lore_merge_ids {
    const char *const *ids;
    size_t n;
};
/* Preview the group of the WANTED rows. LORE_NOTFOUND for an id that no row has, LORE_CONFLICT for
 * one given twice, LORE_INVALID for fewer than two. The message names the id. */
enum lore_status lore_merging_preview(const struct lore_merge_row *rows, size_t n,
    const struct lore_merge_ids *wanted, struct lore_arena *arena, struct lore_merge_group *out,
    struct lore_err *err) LORE_MUST;

#endif
