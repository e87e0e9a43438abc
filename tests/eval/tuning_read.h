/* One Kernel Tuner cache file as rows of numbers, read as a stream: of the lists of times and other
 * things that make such files large nothing is kept. Used by tuning_data.c. */
#ifndef LORE_TESTS_EVAL_TUNING_READ_H
#define LORE_TESTS_EVAL_TUNING_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"

enum { TUNING_COLUMNS = 64, TUNING_COLUMN_VALUES = 65535 };

struct tuning_value {
    const char *text; /* NULL: a number */
    double number;
};
struct tuning_column { /* a parameter as the file has it */
    const char *name;
    struct tuning_value *value; /* in order of appearance */
    size_t n, cap;
    uint32_t *slot; /* index + 1, by hash */
    size_t n_slots;
};
struct tuning_file {
    const char *device, *problem; /* "4096x4096"; NULL: not said */
    double size;                  /* log2 of the product of the problem's numbers; 0: none */
    const char *since;            /* the first time stamp; NULL: none */
    struct tuning_column column[TUNING_COLUMNS];
    size_t n_columns;
    uint16_t *at; /* row i: the values' indices, at[i * n_columns ..] */
    double *time; /* of row i; 0: failed */
    size_t n, cap, cap_at;
    size_t unreadable; /* entries left out: a parameter or the time is missing or no scalar */
    bool has_cache, cut;
};
/* Read TEXT (JSON; changed: NaN and infinities become numbers below 0, which is a failure). Rows
 * and texts live in ARENA. A file that was cut has its complete entries, and `cut` set. A file
 * without parameters and cache is read and has_cache is false. LORE_INVALID: not JSON, or too many
 * parameters; LORE_TOOBIG: it does not fit into ARENA. */
enum lore_status tuning_read(char *text, size_t len, struct lore_arena *arena,
    struct tuning_file *out, struct lore_err *err) LORE_MUST;

#endif
