/* Text for people: tables that fit the terminal, wrapped paragraphs, numbers as engineers write
 * them. Everything that came from the service loses its control characters here, so a stored note
 * cannot drive the reader's terminal. */
#ifndef LORE_CLIENT_SCREEN_PRINT_H
#define LORE_CLIENT_SCREEN_PRINT_H

#include "collectors/client/cli.h"

struct lore_print_column {
    const char *title;
    bool right;    /* numbers */
    bool flexible; /* may be cut with "…" when the line is too long */
    bool optional; /* left out, rightmost first, before anything is cut */
};
struct lore_table {
    const struct lore_print_column *columns;
    size_t n_columns;
    const char **cells; /* row by row */
    size_t n_cells, cap_cells;
};
#define LORE_TABLE(cols)                                                                           \
    {                                                                                              \
        .columns = (cols), .n_columns = sizeof(cols) / sizeof *(cols)                              \
    }

/* Add the next cell; NULL and "" show as "-". The text is copied, cleaned. */
void lore_table_cell(struct lore_cli *cli, struct lore_table *t, const char *text);
void lore_table_print(struct lore_cli *cli, const struct lore_table *t);
/* Columns that TEXT takes (UTF-8, every character one column). */
size_t lore_print_width(const char *text);
/* TEXT without control characters and broken UTF-8, in the arena. */
const char *lore_print_clean(struct lore_cli *cli, const char *text);
/* A paragraph: the first line begins after FIRST, the others after INDENT spaces. */
void lore_print_wrapped(struct lore_cli *cli, const char *first, int indent, const char *text);
enum lore_style { LORE_BOLD, LORE_DIM, LORE_GREEN, LORE_RED, LORE_YELLOW };
/* TEXT in a style when the terminal wants colour. */
const char *lore_print_styled(struct lore_cli *cli, enum lore_style style, const char *text);

/* --- reading answers --- */
/* Text member, or NULL. */
const char *lore_answer_text(const struct lore_json *object, const char *key);
/* Of a version: its label, else its id. */
const char *lore_answer_label(const struct lore_json *version);
/* Number member: false when absent. */
bool lore_answer_number(const struct lore_json *object, const char *key, double *out);
long long lore_answer_int(const struct lore_json *object, const char *key); /* 0 when absent */
bool lore_answer_true(const struct lore_json *object, const char *key);
/* "a+b" of a list of texts (or of objects with a "name"). "" for none. */
const char *
lore_answer_join(struct lore_cli *cli, const struct lore_json *list, const char *between);

/* "a=1 b=x" of an object's scalars. */
const char *lore_answer_show_members(struct lore_cli *cli, const struct lore_json *object);

/* --- numbers --- */
const char *lore_answer_show_ns(struct lore_cli *cli, double ns); /* "432.4 us", "1.23 ms" */
const char *lore_answer_show_factor(struct lore_cli *cli, double factor); /* "1.77x" */
const char *
lore_answer_show_word(struct lore_cli *cli, const char *word); /* not_checked: "not checked" */
/* "12.5 us, n=5"; without samples, the time with the name of its statistic: "899.2 us (mean)". */
const char *lore_answer_show_stats(struct lore_cli *cli, const struct lore_json *stats);
const char *
lore_answer_show_count(struct lore_cli *cli, long long n, const char *one, const char *many);
const char *lore_answer_show_day(struct lore_cli *cli, const char *time); /* "2026-04-17" */
/* The techniques of a line: "memory.tiling_smem (v1), compute.loop_unroll (v2, out in v4)". */
const char *lore_answer_show_line(struct lore_cli *cli, const struct lore_json *line);
/* The outcome object in a few words: "win 1.77x", "loss 0.70x, wrong result", "did not compile";
 * with "rule broken" when one was. Also a failure, given by the type of its error. */
const char *lore_answer_show_outcome(struct lore_cli *cli, const struct lore_json *outcome);

#endif
