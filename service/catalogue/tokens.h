/* Text as words, numbers and marks: the one tokenizer and stemmer, for the resolver of techniques
 * (words.h) and for the comparison of claims (service/derive/idea_words.h). ASCII letters count;
 * of other characters only arrows, dashes and the multiplication sign mean something. */
#ifndef LORE_CATALOGUE_TOKENS_H
#define LORE_CATALOGUE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LORE_TOKEN_TEXT = 32 };
enum lore_token_kind {
    LORE_TOKEN_WORD,
    LORE_TOKEN_NUMBER, /* 4, 0.5, 4x */
    LORE_TOKEN_SHAPE,  /* 64x128 */
    LORE_TOKEN_MARK,
};
struct lore_token {
    uint64_t stem; /* WORD: hash of its stem, after synonyms; NUMBER, SHAPE: of its text */
    double value;  /* NUMBER; WORD: "two" is 2, else 0 */
    uint32_t at, len;
    enum lore_token_kind kind;
    char mark;                  /* MARK: one of = : , ; . ( ) [ ] { } / + % & ! * < ; '>' for an
                                   arrow, '|' for a dash between blanks, 'x' for × */
    bool glued;                 /* follows the token before with at most '_' or '.' between */
    bool times;                 /* NUMBER: written with x, as in "4x" */
    char text[LORE_TOKEN_TEXT]; /* WORD, NUMBER, SHAPE: in lower case, cut */
};
/* Split TEXT[0..LEN) into at most CAP tokens; the rest is ignored. Splits at '_', '.', '-', between
 * "tile" and "K" in TileK, and after the number in "3stage". Returns their number. */
size_t lore_tokens_read(const char *text, size_t len, struct lore_token *out, size_t cap);
/* Replace several words that mean one, "shared memory", by it. Returns the new number. */
size_t lore_tokens_unify(struct lore_token *v, size_t n);
/* Cut the ending of WORD in place: "raised", "raising", "raises" -> "rai". */
void lore_tokens_stem(char *word);
/* Whether WORD (a token in lower case) says nothing by itself: "the", "of", "using". */
bool lore_tokens_stop(const char *word);

#endif
