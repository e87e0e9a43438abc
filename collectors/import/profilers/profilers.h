/* What the readers of profilers' files share besides launches: units, numbers as people's locales
 * write them, the chip and the environment that a file names. */
#ifndef LORE_IMPORT_PROFILERS_PROFILERS_H
#define LORE_IMPORT_PROFILERS_PROFILERS_H

#include "collectors/import/import.h"

/* A value in a profiler's unit as a value in the base unit: "Mbyte/s" and "Kbyte" become byte/s and
 * byte, "usecond", "us", "ms" become ns, "Ghz" becomes hz. Others stay as they are; "" becomes
 * NULL. *unit is static text or the text given. */
double lore_profiler_unit(double value, const char **unit);

/* How the numbers of a file are written: "1,234.5", "1.234,5", "1 234,5". */
struct lore_locale {
    bool comma;   /* ',' is the decimal mark */
    bool certain; /* a number said so */
};
/* Learn from one number of the file. */
void lore_locale_learn(struct lore_locale *l, const char *text);
/* TEXT as a number. False when it is none. */
bool lore_locale_number(const struct lore_locale *l, const char *text, double *out);

/* The chip of a file: the product DEVICE when the catalogue has it, else --chip, else the ISA
 * ("sm_90", "gfx942"). NULL: not known, which the report says. DEVICE and ISA may be NULL. */
const char *lore_profiler_chip(struct lore_import *in, const char *device, const char *isa);
/* Add an environment with these facts to the document and return its id; NULL when there are none.
 */
const char *lore_profiler_environment(struct lore_import *in, const char *chip,
    const struct lore_kvs *hard, const struct lore_kvs *soft);
/* "blake2b:…", which is stored instead of the name of a machine or person. */
const char *lore_profiler_hashed(struct lore_arena *arena, const char *name);
/* Set KEY of LIST to the text VALUE; NULL and "" set nothing. */
void lore_profiler_set(
    struct lore_arena *arena, struct lore_kvs *list, const char *key, const char *value);

/* Members of a row: the text of COLUMN (numbers as written), or its whole number. NULL and false
 * when it is absent or something else. */
const char *lore_row_text(const struct lore_json *row, const char *column);
bool lore_row_i64(const struct lore_json *row, const char *column, int64_t *out);
bool lore_row_f64(const struct lore_json *row, const char *column, double *out);
/* Say in the report which of the N COLUMNS of the current file are not read, those among UNREAD,
 * and which stand in records in other words only, those among REWORDED ("A|B"; a name ending in '*'
 * is a beginning). */
void lore_profiler_say_columns(struct lore_import *in, const char *const *columns, size_t n,
    const char *unread, const char *reworded);
/* The first of COLUMNS, separated by '|', that ROW has: names differ between versions of a tool. */
const struct lore_json *lore_row_any(const struct lore_json *row, const char *columns);

#endif
