/* What a text says is absent or taken out: "no swizzle", "remove unrolling", "swizzle disabled",
 * "XOR instead of padding", "persistent=False". */
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/words_read.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
enum { BEFORE = 3 }; /* words that may stand between the negation and what it negates */

static const char *const before[] = {"no", "not", "non", "without", "remove", "removed", "removes",
    "removing", "disable", "disabled", "disables", "disabling", "drop", "dropped", "dropping",
    "delete", "deleted", "deleting", "undo", "undoing", "revert", "reverted", "reverting", "avoid",
    "avoiding", "skip", "skipped", "skipping", "eliminate", "eliminating", "replace", "replaced",
    "replacing", "off", "stop", "never", "wo"};
static const char *const behind[] = {
    "off", "removed", "disabled", "reverted", "dropped", "undone", "deleted"};
static const char *const absent[] = {"false", "none", "off"};

static bool
is_link(const struct lore_word_reader *r, size_t at)
{
    char mark = lore_words_mark(r, at);

    return mark == '/' || lore_words_is(r, at, "and") || lore_words_is(r, at, "or") ||
           lore_words_is(r, at, "nor");
}

/* "w/o", or a word of the list that is not itself part of a technique: "remove barriers" is one. */
static bool
negates(const struct lore_word_reader *r, size_t at)
{
    if (lore_words_is(r, at, "o") && at > 1 && lore_words_mark(r, at - 1) == '/' &&
        lore_words_is(r, at - 2, "w"))
        return true;
    if ((r->used[at] != LORE_WORD_FREE && r->used[at] != LORE_WORD_NEGATION) ||
        !lore_words_in(r, at, before, COUNT(before)))
        return false;
    return !lore_words_is(r, at + 1, "to") && !lore_words_is(r, at + 1, "only");
}

/* "16 instead of 8 steps": another amount, no other technique. */
static bool
is_number(const struct lore_token *t)
{
    return t->kind == LORE_TOKEN_NUMBER || t->kind == LORE_TOKEN_SHAPE ||
           (t->kind == LORE_TOKEN_WORD && t->value > 0);
}

static bool
negated_before(struct lore_word_reader *r, size_t first)
{
    static const char *const near[] = {"not", "no", "never"}; /* negate the next word only */

    for (size_t i = first, words = 0; i-- > 0 && words <= BEFORE; words++) {
        if (lore_words_is(r, i, "of") && i > 0 && lore_words_is(r, i - 1, "instead"))
            return !is_number(&r->v[i + 1]);
        if (lore_words_is(r, i, "than") && i > 0 && lore_words_is(r, i - 1, "rather"))
            return true;
        if (negates(r, i)) {
            bool negated = words == 0 || !lore_words_in(r, i, near, COUNT(near));
            r->used[i] = negated ? LORE_WORD_NEGATION : LORE_WORD_FREE;
            return negated;
        }
        if (r->v[i].kind == LORE_TOKEN_MARK || r->used[i] != LORE_WORD_FREE ||
            lore_words_is(r, i, "with") || lore_words_is(r, i, "by") || lore_words_is(r, i, "to"))
            return false;
    }
    return false;
}

static bool
negated_behind(const struct lore_word_reader *r, size_t last)
{
    static const char *const verbs[] = {"is", "was", "are", "were", "turned", "switched"};
    size_t at = last + 1;

    if (lore_words_mark(r, at) == '=' || lore_words_mark(r, at) == ':') {
        at++;
        return lore_words_in(r, at, absent, COUNT(absent)) ||
               (at < r->n && strcmp(r->v[at].text, "0") == 0);
    }
    if (lore_words_is(r, at, "replaced") && lore_words_is(r, at + 1, "by"))
        return true;
    while (lore_words_in(r, at, verbs, COUNT(verbs)))
        at++;
    return lore_words_in(r, at, behind, COUNT(behind));
}

/* The hit whose last token stands before the link at AT; NULL: none. */
static const struct lore_word_found *
hit_before(const struct lore_word_reader *r, size_t at)
{
    for (size_t i = 0; i < r->n_hits; i++)
        if ((size_t)r->hit[i].last + 1 == at)
            return &r->hit[i];
    return NULL;
}

void
lore_words_negate(struct lore_word_reader *r)
{
    for (size_t i = 0; i < r->n_hits; i++) {
        struct lore_word_found *h = &r->hit[i];
        h->negated |= negated_before(r, h->first) || negated_behind(r, h->last);
    }
    for (size_t i = 0; i < r->n_hits; i++) { /* "no swizzle or padding" */
        struct lore_word_found *h = &r->hit[i];
        size_t at = h->first;
        if (h->negated || at == 0 || !is_link(r, at - 1))
            continue;
        const struct lore_word_found *other = hit_before(r, at - 1);
        h->negated = other && negated_before(r, other->first);
    }
}
