/* Makes an answer fit one screen: output is collected in pieces, and when there are too many,
 * the least important are left out. */
#ifndef LORE_CLIENT_SCREEN_SCREEN_H
#define LORE_CLIENT_SCREEN_SCREEN_H

#include "collectors/client/cli.h"

struct lore_piece {
    const char *title, *text;
    size_t lines;
    int rank;
    bool shown;
};
/* Zeroed before use. */
struct lore_screen {
    struct lore_piece *v;
    size_t n, cap;
};
/* Take what was printed since the last take (or since the command began) as a piece of the
 * section TITLE (NULL: of none). Pieces of a section are taken one after another. RANK 0 is
 * always shown; of the others, lower ranks first. Nothing printed: no piece. */
void lore_screen_take(struct lore_cli *cli, struct lore_screen *s, const char *title, int rank);
/* Print what fits LINES, in the order of taking, sections under their titles. MORE says, in a line,
 * how to see the rest when some was left out. */
void lore_screen_print(struct lore_cli *cli, struct lore_screen *s, size_t lines, const char *more);

#endif
