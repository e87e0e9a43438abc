/* A measured comparison as records: both versions, a run of each with its processes' times in the
 * order ABBA, and an experiment from A to B that is confirmed, because it was measured again and
 * again in turns. Made when both sides have a version file. */
#ifndef LORE_CLIENT_COMMANDS_MEASURED_RECORD_H
#define LORE_CLIENT_COMMANDS_MEASURED_RECORD_H

#include "collectors/client/commands/measured.h"
#include "collectors/run/collect.h"

struct lore_recording {
    bool wanted;
    struct lore_what what[2]; /* of A and of B; B's parent is A */
    const char *out;          /* --out: the file for the document; NULL: the spool */
    bool no_upload;
    struct lore_collected c[2]; /* what was collected of each side */
    struct lore_submission side[2];
};
/* Read the options, and find before anything runs what could not be recorded. An exit code, after
 * saying what is wrong. */
int lore_recording_begin(
    struct lore_measured *m, const struct lore_args *args, struct lore_recording *r);
/* Make the records and put them where they are safe; *said is a sentence for the reader. */
int lore_recording_keep(struct lore_measured *m, struct lore_recording *r, const char **said);

#endif
