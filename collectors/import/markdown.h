/* Parses the Markdown that workflows write: headings, tables, list items and other lines. The
 * parser accepts `|Δ|` inside a header cell and removes bold and code marks around values. Line
 * numbers start at 1. All memory comes from ARENA. */
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
    size_t line;         /* line of the header */
    struct lore_md_row header;
    struct lore_md_row *rows; /* without header and delimiter row */
    size_t n, cap;
};
struct lore_md_line {
    const char *text;    /* with its marks, except in a heading; lore_md_plain removes them */
    const char *section; /* text of the nearest heading above, without marks */
    size_t line;
    int bullet; /* depth of a list item, from 1; `text` is without the bullet. 0: no list item */
    int level;  /* level of a heading, from 1; `text` is without #. 0: no heading */
};
struct lore_md {
    struct lore_md_table *tables;
    size_t n_tables, cap_tables;
    struct lore_md_line *lines; /* all other lines that are not empty, headings included */
    size_t n_lines, cap_lines;
    const char *title; /* the first heading; NULL: none */
};
/* Parse any text; this cannot fail. HEADERS (may be NULL; a NULL ends the list) are known header
 * lines whose cells contain bars: "Tensor|Type|Pass|Max |Δ||Mean |Δ||Mean Rel". */
void lore_md_parse(struct lore_arena *arena, const char *text, size_t len,
    const char *const *headers, struct lore_md *out);
/* The first table of SECTION (NULL: any) whose header begins with the cell FIRST (NULL: any). */
const struct lore_md_table *
lore_md_find(const struct lore_md *md, const char *section, const char *first);
/* TEXT, trimmed, without bold and code marks; "2**20" is unchanged. */
const char *lore_md_plain(struct lore_arena *arena, const char *text);
/* Parse the number at the start of TEXT ("47.8810 ms ± 0.2603 ms", "1.87e+11", "4,963,609.19").
 * Return false when there is none, as in "nan" and "N/A". *rest (may be NULL) points behind the
 * number; *digits (may be NULL) is its count of significant digits. */
bool lore_md_number(const char *text, double *value, const char **rest, int *digits);

#endif
