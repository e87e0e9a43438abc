/* Turns a measured comparison into records: two versions, a run of each and an experiment from A to
 * B. A run holds the times of its processes in the order ABBA. The evidence is `confirmed`. Records
 * are made when both sides have a version file. */
#ifndef LORE_CLIENT_COMMANDS_MEASURED_RECORD_H
#define LORE_CLIENT_COMMANDS_MEASURED_RECORD_H

#include "collectors/client/commands/measured.h"
#include "collectors/run/collect.h"

struct lore_recording {
    bool wanted;
    struct lore_run_options what[2]; /* of A and of B; B's parent is A */
    const char *out;                 /* --out: the file for the document; NULL: the spool */
    bool no_upload;
    struct lore_observations c[2]; /* collected data of each side */
    struct lore_submission side[2];
};
/* Read the options and reject, before any program runs, options that cannot be recorded. Prints
 * errors and returns the exit code. */
int lore_recording_begin(
    struct lore_measured *m, const struct lore_args *args, struct lore_recording *r);
/* Make the records and write them to --out, or to the spool and then to the service. *message tells
 * the user where they are. */
int lore_recording_keep(struct lore_measured *m, struct lore_recording *r, const char **message);

#endif
