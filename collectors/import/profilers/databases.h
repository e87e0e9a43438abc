/* SQLite files of profilers: what their readers share. A reader is a list of steps, each with a
 * query whose rows go to a function. Tables that no step reads are listed with their rows. */
#ifndef LORE_IMPORT_PROFILERS_DATABASES_H
#define LORE_IMPORT_PROFILERS_DATABASES_H

#include "collectors/import/profilers/launches.h"
#include "collectors/import/sqlite/sqlite.h"
#include "service/base/jsonw.h"

struct lore_database {
    struct lore_import *in;
    struct lore_sqlite *file;
    struct lore_launches *l;
    struct lore_texts read; /* tables that a step or summary has read */
    /* found by the steps; NULL: the file does not say */
    const char *tool, *timer, *program, *measured_at, *chip_name, *isa;
    struct lore_kvs hard, soft; /* of the environment */
    struct lore_buf extra;      /* the summaries as JSON */
    bool counted;               /* counters were read, too */
};

struct lore_database_step {
    const char *table; /* the step is left out where the file has no such table */
    const char *sql;   /* NULL: the table is read with others */
    void (*take)(struct lore_database *d, const struct lore_json *row);
    const char *note; /* said about the table; NULL: nothing */
};
enum lore_status lore_database_steps(struct lore_database *d,
    const struct lore_database_step *steps, size_t n, struct lore_err *err) LORE_MUST;

/* Tables whose names begin with PREFIX were read with others. */
void lore_database_has_read(struct lore_database *d, const char *prefix);

/* Rows that are kept as they are, in extra: {"KEY": [{…}, …]}. */
struct lore_database_summary {
    const char *key, *table, *sql;
};
/* Call it once. A summary that cannot be read is listed. */
enum lore_status lore_database_summaries(struct lore_database *d,
    const struct lore_database_summary *list, size_t n, struct lore_err *err) LORE_MUST;

bool lore_nsys_is(const struct lore_sqlite *s);
enum lore_status lore_nsys_read(struct lore_database *d, struct lore_err *err) LORE_MUST;
bool lore_rocpd_is(const struct lore_sqlite *s);
enum lore_status lore_rocpd_read(struct lore_database *d, struct lore_err *err) LORE_MUST;

#endif
