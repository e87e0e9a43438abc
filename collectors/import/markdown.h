/* The Markdown that workflows write: sections, field tables, tables with a known header, bullets.
 * Tolerant where the field is: two header forms of field tables, `|Δ|` inside a header cell, bold
 * and code marks around values. Positions are lines from 1. Nothing here allocates outside ARENA.
 */
#ifndef LORE_IMPORT_MARKDOWN_H
#define LORE_IMPORT_MARKDOWN_H

#include <stdbool.h>

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_md_row {
    size_t line;
    const char **cells; /* trimmed, marks (**, `) removed; never NULL */
    size_t n;
};
struct lore_md_table {
    const char *section; /* text of the nearest heading above; "" when there is none */
    size_t line;         /* of the header */
    struct lore_md_row header;
    struct lore_md_row *rows; /* without the rule line */
    size_t n, cap;
};
struct lore_md_line {
    const char *text, *section; /* marks inside the text are kept: see lore_md_plain */
    size_t line;
    int bullet; /* depth of a list item from 1, its text without the mark; 0: other text */
    int level;  /* of a heading, from 1, its text without #; 0: none */
};
struct lore_md {
    struct lore_md_table *tables;
    size_t n_tables, cap_tables;
    struct lore_md_line *lines; /* all other lines that are not empty, headings included */
    size_t n_lines, cap_lines;
    const char *title; /* the first heading; NULL: none */
};
/* Any text gets an answer. HEADERS (may be NULL; ended by NULL) are header lines to be split by
 * position, for headers whose cells contain bars: "Tensor|Type|Pass|Max |Δ||Mean |Δ||Mean Rel". */
void lore_md_parse(struct lore_arena *arena, const char *text, size_t len,
    const char *const *headers, struct lore_md *out);
/* The first table of SECTION (NULL: any) whose header begins with the cell FIRST (NULL: any). */
const struct lore_md_table *
lore_md_find(const struct lore_md *md, const char *section, const char *first);
/* TEXT without ** and `, trimmed; "2**20" stays. */
const char *lore_md_plain(struct lore_arena *arena, const char *text);
/* Number at the start of TEXT ("47.8810 ms ± 0.2603 ms", "1.87e+11", "4,963,609.19"); false when
 * there is none, for nan and "N/A". *rest (may be NULL) is what follows; *digits (may be NULL) the
 * significant digits printed. */
bool lore_md_number(const char *text, double *value, const char **rest, int *digits);

#endif
