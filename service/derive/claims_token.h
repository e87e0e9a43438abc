/* The tokens of one expectation, for claims_parse.c only. Pure. */
#ifndef LORE_DERIVE_CLAIMS_TOKEN_H
#define LORE_DERIVE_CLAIMS_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum lore_claim_token_kind {
    LORE_TOK_WORD, /* names, and all words without a special meaning */
    LORE_TOK_NUMBER,
    LORE_TOK_UP,
    LORE_TOK_DOWN,
    LORE_TOK_SAME,
    LORE_TOK_BETTER,
    LORE_TOK_WORSE,
    LORE_TOK_FASTER,
    LORE_TOK_BELOW, /* and at most */
    LORE_TOK_ABOVE, /* and at least */
    LORE_TOK_EQUAL,
    LORE_TOK_TO,
    LORE_TOK_BY,
    LORE_TOK_FROM,
    LORE_TOK_DASH,
    LORE_TOK_FILLER /* "stays", "about", "target": ends a name, has no other meaning */
};
struct lore_claim_token {
    enum lore_claim_token_kind kind;
    size_t at, len; /* offset and length in the text */
    double value;   /* of a number: times in ns */
    double plain;   /* as written */
    char sign;      /* '+', '-' or 0 */
    char unit;      /* of a number: '%', 'x', 'n' (ns), 0: none */
    bool inside;    /* within parentheses */
    bool inclusive;
};
/* At most MAX tokens of TEXT; the rest is ignored. Returns how many. */
size_t lore_claims_tokens(const char *text, struct lore_claim_token *out, size_t max);

#endif
