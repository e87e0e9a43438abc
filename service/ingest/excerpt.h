/* An excerpt: the database of one project. It holds the documents of the project and nothing else,
 * so every answer that is made from it is free of other projects, whatever made the answer. The
 * service's own database, the source, holds all documents; an excerpt is made from it, follows it,
 * and can be thrown away at any time.
 *
 * A document belongs to a project when it states it, or when all its kernels do
 * (lore_wire_project). A document that states none and brings no kernel belongs to every project
 * that has all records and documents that it names, of which at least one is the project's own: a
 * decision about a record, a run of a known version. What names nothing belongs to no project.
 *
 * A write to an excerpt is stored there, then in the source, and is then committed. */
#ifndef LORE_INGEST_EXCERPT_H
#define LORE_INGEST_EXCERPT_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
struct lore_excerpt;
struct lore_ingest;
struct lore_excerpt_setup {
    const char *project;
    const char *data;           /* the data directory of the source */
    struct lore_ingest *source; /* its writer; used until lore_excerpt_close */
};
/* Begin with DB, the writing connection of the excerpt. LORE_CORRUPT code excerpt_foreign: it was
 * made from another state of the source; remove it and begin with an empty one. */
enum lore_status lore_excerpt_open(const struct lore_excerpt_setup *setup, struct lore_db *db,
    struct lore_excerpt **out, struct lore_err *err) LORE_MUST;
/* Bring the excerpt, whose writer is IN, up to date, and follow the source from then on. *STOP ends
 * the first part. */
enum lore_status lore_excerpt_follow(struct lore_excerpt *x, struct lore_ingest *in,
    const _Atomic bool *stop, struct lore_err *err) LORE_MUST;
/* Wait at most MS for everything that the source had when this was called. False: not yet. */
bool lore_excerpt_wait(struct lore_excerpt *x, int ms);
/* Stop following. Call it before the writer of the excerpt is stopped. */
void lore_excerpt_stop(struct lore_excerpt *x);
void lore_excerpt_close(struct lore_excerpt *x);

#endif
