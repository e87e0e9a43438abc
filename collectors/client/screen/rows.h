/* Answers as tables: a column says where its cell is in a row and how it is written. Also the small
 * steps between an answer and its text that most commands share. */
#ifndef LORE_CLIENT_SCREEN_ROWS_H
#define LORE_CLIENT_SCREEN_ROWS_H

#include "collectors/client/screen/print.h"

enum lore_how {
    LORE_AS_TEXT,
    LORE_AS_WORD,    /* not_checked: "not checked" */
    LORE_AS_DAY,     /* the date of a time */
    LORE_AS_NAMES,   /* a list: "a + b"; a text as it is */
    LORE_AS_LIMITS,  /* of an object with labels: "memory*+sync"; path ".": the row */
    LORE_AS_OUTCOME, /* an outcome object, or the type of an error */
    LORE_AS_RESULT,  /* of an experiment, path ".": its outcome, and whether it is hidden */
    LORE_AS_NS,      /* nanoseconds with a unit */
    LORE_AS_FACTOR,  /* "1.77x" */
    LORE_AS_NUMBER,  /* four digits */
    LORE_AS_PERCENT, /* 0.25: "25 %" */
    LORE_AS_STATS,   /* a stats object */
    LORE_AS_MEMBERS, /* an object: "a=1 b=2" */
    LORE_AS_COUNT,   /* the length of a list */
    LORE_AS_YES,     /* the column's title when true */
    LORE_AS_UNDONE,  /* true: "undone", false: "in force" */
    LORE_AS_FLAGS,   /* the names of all of "a|b" that are true or texts */
};
enum { LORE_RIGHT = 1, LORE_FLEXIBLE = 2, LORE_OPTIONAL = 4 };

struct lore_shown {
    const char *title;
    const char *path; /* "outcome.speedup"; "operator|family": the first that is there */
    enum lore_how how;
    unsigned flags;
};

/* The member at PATH ("a.b"), or NULL. */
const struct lore_json *lore_rows_at(const struct lore_json *object, const char *path);
/* Text or number at PATH, or NULL. */
const char *lore_rows_at_text(const struct lore_json *object, const char *path);
/* The cell of COLUMN in ROW, formatted; NULL when the member is absent. */
const char *
lore_shown_cell(struct lore_cli *cli, const struct lore_shown *column, const struct lore_json *row);
/* The bottleneck labels of an experiment, a run or a board row, "memory*+sync"; "" for none. A star
 * marks a label that nobody stated: it was derived from metrics. lore_rows_derived prints the
 * meaning of the star, if a table has ANY. */
const char *lore_rows_limits(struct lore_cli *cli, const struct lore_json *object);
void lore_rows_derived(struct lore_cli *cli, bool any);
/* The first of a list answer's rows, or NULL. */
const struct lore_json *lore_rows_of(const struct lore_json *root);

/* A table of FIRST and what follows it. Returns the number of rows; prints nothing for none. */
size_t lore_rows_print(struct lore_cli *cli, const struct lore_shown *columns, size_t n,
    const struct lore_json *first);
/* Says which variants of CHIP, a family's name ("h800"), the rows after FIRST are about. */
void lore_rows_variants(struct lore_cli *cli, const char *chip, const struct lore_json *first);
/* How to get the next page, when there is one. */
void lore_rows_more(struct lore_cli *cli, const struct lore_json *root);
/* A list answer as a table. Without rows, prints EMPTY: what is empty, and how to fill it. With
 * --json the answer was printed already. Returns LORE_EXIT_OK. */
int lore_rows_answer(struct lore_cli *cli, const struct lore_shown *columns, size_t n,
    const struct lore_json *root, const char *empty);
#define LORE_ROWS_ANSWER(cli, columns, root, empty)                                                \
    lore_rows_answer((cli), (columns), sizeof(columns) / sizeof *(columns), (root), (empty))
#define LORE_ROWS_PRINT(cli, columns, first)                                                       \
    lore_rows_print((cli), (columns), sizeof(columns) / sizeof *(columns), (first))

/* "  name          value", wrapped, its lines kept; nothing for an absent value. */
void lore_rows_line(struct lore_cli *cli, const char *name, const char *value);
/* A bold heading after an empty line. */
void lore_rows_heading(struct lore_cli *cli, const char *text);
/* Four digits, or whole below 1e8: "0.2987", "77440". */
const char *lore_rows_number(struct lore_cli *cli, double v);

#endif
