/* Sends the documents of an import while files are read, and remembers which ones the service has,
 * so that an interrupted import goes on where it was. */
#ifndef LORE_CLIENT_COMMANDS_IMPORT_SEND_H
#define LORE_CLIENT_COMMANDS_IMPORT_SEND_H

#include "collectors/client/commands/import_report.h"
#include "collectors/import/index.h"

struct lore_import_sending {
    struct lore_cli *cli;
    struct lore_arena *kept;       /* of the report, while CLI has one for the answer */
    struct lore_import_sent *sent; /* by the importer's position in its table */
    bool dry;                      /* count documents only */
    int worst;                     /* exit code */
    size_t earlier;                /* documents that an interrupted import had sent */
    struct lore_index known;       /* their ids */
    const char *journal; /* file with the ids of documents that the service has; NULL: none */
    int fd;              /* of the journal; -1: not open */
    bool shows;          /* progress, on a terminal */
    size_t path, paths;  /* the path being read, from 0, of how many */
    int64_t begun_us, shown_us;
};
/* Let K send its documents to the service of CLI, or with DRY only count them. */
void lore_import_send_begin(struct lore_import_sending *s, struct lore_cli *cli,
    struct lore_intake *k, const struct lore_args *args, bool dry);
/* Remove the line of progress, and the journal unless the import was interrupted. */
void lore_import_send_end(struct lore_import_sending *s, const struct lore_intake *k);

#endif
