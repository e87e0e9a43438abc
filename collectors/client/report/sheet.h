/* Markdown tables that never hold an empty cell: a cell without a value says why. Rows and columns
 * without any value are left out. */
#ifndef LORE_CLIENT_REPORT_SHEET_H
#define LORE_CLIENT_REPORT_SHEET_H

#include <stdbool.h>

#include "service/base/arena.h"
#include "service/base/buf.h"

struct lore_sheet_cell {
    const char *text, *why; /* text NULL: no value */
};
struct lore_sheet {
    struct lore_buf *out;
    struct lore_arena *arena;
    const char *const *titles;
    struct lore_sheet_cell *cells; /* row by row */
    size_t columns, n, cap;
    bool whole; /* leave nothing out */
};
/* Begin a table. TITLES has N texts, which live until the table ends. */
void lore_sheet_begin(struct lore_sheet *s, struct lore_buf *out, struct lore_arena *arena,
    const char *const *titles, size_t n);
/* Write the table without the rows and columns that have no value beside the name in the first
 * column. MISSING begins a line that names those, with the reasons ("Not measured"); NULL: no line.
 * A table without rows is not written. */
void lore_sheet_end(struct lore_sheet *s, const char *missing);
/* Add the next cell. NULL, "" and text of blanks only become "N/A — WHY"; WHY NULL: "not recorded".
 * Bars are escaped, lines become one. */
void lore_sheet_cell(struct lore_sheet *s, const char *text, const char *why);
/* A row of two: NAME and its value. */
void lore_sheet_pair(struct lore_sheet *s, const char *name, const char *text, const char *why);
/* TEXT as one line of Markdown without control characters, HTML or images; bars are escaped when
 * CELL. */
const char *lore_sheet_line(struct lore_arena *arena, const char *text, bool cell);
/* The same for CSV, which has no HTML. */
const char *lore_sheet_plain(struct lore_arena *arena, const char *text);
/* What Markdown needs in the place of the character at P, so that no HTML and no image, which would
 * be fetched from elsewhere, begins there. NULL: itself. An entity, because a backslash before it
 * changes nothing. */
const char *lore_sheet_defused(const char *p);
/* "N/A — why" */
const char *lore_sheet_na(struct lore_arena *arena, const char *why);

/* --- numbers as people write them; in the arena --- */
const char *lore_sheet_say_ms(struct lore_arena *arena, double ns);    /* "0.0799", in ms */
const char *lore_sheet_say_us(struct lore_arena *arena, double ns);    /* "79.9 us" */
const char *lore_sheet_say_factor(struct lore_arena *arena, double v); /* "1.250×" */
const char *lore_sheet_say_number(struct lore_arena *arena, double v); /* "92.17", "8192" */
const char *
lore_sheet_say_words(struct lore_arena *arena, const char *w); /* not_checked: "not checked" */

#endif
