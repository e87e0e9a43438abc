/* An idea of a change: techniques with parameters, and words. Compares two ideas. Pure functions.
 */
#ifndef LORE_DERIVE_IDEA_H
#define LORE_DERIVE_IDEA_H

#include "service/derive/idea_words.h"

/* Text is borrowed; NULL: not recorded. Techniques are slugs, chips canonical names. */
struct lore_idea_param {
    const char *name, *from, *to; /* from: before the change */
};
struct lore_idea_use {
    const char *technique;
    const struct lore_idea_param *params;
    size_t n_params;
};
struct lore_idea {
    const struct lore_idea_use *uses;
    size_t n_uses;
    const char *text;     /* the claim */
    const char *title;    /* beside the claim */
    bool just_techniques; /* the text names the techniques and says no more */
    const char *from_version, *workload, *chip;
    bool no_kernel; /* of a plan: it names an operator and no kernel, so it continues no attempt */
};
enum lore_repeat_kind { LORE_REPEAT_NONE, LORE_REPEAT_NEAR, LORE_REPEAT_EXACT };
const char *lore_repeat_kind_name(enum lore_repeat_kind k); /* "none", "near", "exact" */
/* An idea with its words parsed; the idea is borrowed. */
struct lore_idea_parsed {
    const struct lore_idea *idea;
    struct lore_idea_words words; /* of the claim; without one, the same as `recorded` */
    struct lore_idea_words recorded;
    struct lore_idea_words title;
    bool has_text;
};
struct lore_idea_parsed lore_idea_parse(const struct lore_idea *idea, struct lore_arena *arena);
struct lore_idea_match {
    enum lore_repeat_kind kind;
    double alike; /* similarity of the words, 0 to 1 */
    const char *how;
    bool words;     /* only the words match */
    bool technique; /* the technique matches, and parameters say neither yes nor no */
    bool part;      /* one idea has techniques that the other lacks */
    bool always; /* the words are (nearly) the same, so the match holds for later versions, too */
    bool
        other_values; /* recorded parameters differ, or one denies a word of the other: no repeat */
};
#define LORE_IDEA_CLOSE 0.7 /* least Jaccard index of words that are nearly the same */
/* An exact repeat has the same words in the same order, or the same techniques and parameters. A
 * near repeat has the same technique with overlapping parameters, with none on one side, or in
 * similar words; or very similar words alone. An idea is no near repeat if it gives
 * a parameter another value, or changes as many parameters beside those with equal new values.
 * OBJECTS: of all claims (idea_words.h). */
struct lore_idea_match lore_idea_compare(const struct lore_idea_parsed *plan,
    const struct lore_idea_parsed *past, const struct lore_idea_objects *objects);
bool lore_idea_has_params(const struct lore_idea *idea);
const struct lore_idea_use *
lore_idea_use(const struct lore_idea *idea, const char *technique); /* NULL: it has it not */
/* Whether the words of IDEA name a value and leave TECHNIQUE to be inferred: "num_stages=4". */
bool lore_idea_names_value(const struct lore_idea *idea, const char *technique);
/* The number of techniques that both ideas have. */
size_t lore_idea_techniques_shared(const struct lore_idea *a, const struct lore_idea *b);

#endif
