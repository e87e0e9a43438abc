/* The techniques that a version has from its whole line of ancestors: each with the version and the
 * experiment that brought it in, and the version that took it out again. Pure functions.
 *
 * A version has the techniques of all its parents and of the experiments that made it. Out go: what
 * an experiment removes ("remove float4 loads"), what the version brought in that a revert_of edge
 * names, and what an ablation leaves out. The experiments of an ablation bring nothing in. A
 * technique that one parent of a merge still has is in.
 *
 * A log may compare a version with the attempt before it without saying what it was made from. What
 * earlier attempts of the log gained with is then perhaps in; the others' changes are not.
 *
 * What a version shows by itself (shown.h) is in, too, unless it is an ablation of just that. Its
 * source is the whole truth about what the source's rules can see: what it certainly lacks is out,
 * although an ancestor's experiment brought it in; the version's own experiments stand. So a
 * technique is out from the first version whose source lacks it. What ancestors show, in their
 * sources, parameters and summaries, is in a version that has no source. */
#ifndef LORE_DERIVE_LINE_H
#define LORE_DERIVE_LINE_H

#include "service/base/arena.h"
#include "service/wire/record.h"

enum { /* how a technique is known */
    LORE_KNOWN_TAG = 1,
    LORE_KNOWN_SOURCE = 2,
    LORE_KNOWN_PARAMETER = 4,
    LORE_KNOWN_SUMMARY = 8,
    LORE_KNOWN_ISA = 16,     /* the machine code was checked for it */
    LORE_KNOWN_KEPT = 32,    /* an experiment says that it kept it */
    LORE_KNOWN_LOG = 64,     /* only perhaps: an earlier attempt of its log gained with it */
    LORE_KNOWN_BEFORE = 128, /* the source of an ancestor shows it, and it has no source itself */
};
struct lore_line_use {
    const char *technique; /* slug */
    const char *raw;       /* as written; NULL: like the slug */
    const char *experiment;
    bool left_out;    /* the version was made without it: an attribution says so */
    bool not_applied; /* brings nothing in; takes out when its words say so */
    bool verified;    /* in the machine code */
    bool kept;        /* in before and after; the experiment changed something else */
    bool gained;      /* the experiment was faster than the best before it */
};
struct lore_line_version {
    const char *id, *label;                       /* label: NULL: none */
    const struct lore_parent *parents, *compared; /* compared: not known to be made from */
    size_t n_parents, n_compared;
    bool ablation;
    struct lore_line_use *uses; /* of the experiments that made it */
    size_t n_uses, cap_uses;
    struct lore_version_shown shown;
};
struct lore_line_technique {
    const char *name;
    const struct lore_line_version *in, *out; /* what brought it in and took it out; out NULL: it is
                                                 in */
    const char *in_experiment, *out_experiment; /* NULL: an edge, an attribution or SHOWN says so */
    unsigned known;
    bool gained; /* of the experiment */
};
struct lore_line {
    const struct lore_line_technique **v; /* in the order in which they came in */
    size_t n, cap;
    const char *moot; /* comma-separated; pointless in the version's source; NULL: none */
    bool loose;       /* the version was only compared with the attempt before it */
};
/* The line of each of the N versions, out[i] of v[i]; entries refer to V. Parents that are not
 * among them are ignored. */
void lore_lines(
    const struct lore_line_version *v, size_t n, struct lore_arena *arena, struct lore_line *out);
/* Whether the version's source has no use for TECHNIQUE. */
bool lore_line_is_moot(const struct lore_line *line, const char *technique);
/* Names that are in A and not in B, each once, in the order of A. */
struct lore_texts
lore_line_only(const struct lore_line *a, const struct lore_line *b, struct lore_arena *arena);

#endif
