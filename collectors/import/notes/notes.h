/* What a sentence of somebody's notes says: words with an effect, an intention, an expectation;
 * and the operator and chip that a text names. Private to this folder. */
#ifndef LORE_IMPORT_NOTES_NOTES_H
#define LORE_IMPORT_NOTES_NOTES_H

#include <stdbool.h>

#include "service/base/arena.h"
#include "service/catalogue/catalogue.h"

/* The words of TEXT that state an effect or verdict, as written, in ARENA: "did not help", "1.3x
 * faster"; NULL: none. */
const char *lore_notes_effect(const char *text, struct lore_arena *arena);
/* Whether TEXT begins as an intention ("try …", "TODO: …"), or is a question. */
bool lore_notes_intends(const char *text);
bool lore_notes_asks(const char *text);
/* Whether TEXT says that its effect is only expected: "should be faster". */
bool lore_notes_expects(const char *text);

/* The one operator and the one chip that TEXT names by a name of the catalogue; NULL: none, or
 * several. In a sentence (not a heading) a name that is also an everyday word names no operator. */
const struct lore_operator *
lore_notes_operator(const char *text, bool heading, struct lore_arena *arena);
const struct lore_chip *lore_notes_chip(const char *text, struct lore_arena *arena);

#endif
