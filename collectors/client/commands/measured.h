/* A session that measures programs in turns, shared by `compare` and `calibrate`: backend, limits
 * of the session, noise floors of the machine. */
#ifndef LORE_CLIENT_COMMANDS_MEASURED_H
#define LORE_CLIENT_COMMANDS_MEASURED_H

#include "collectors/client/cli.h"
#include "collectors/run/abba_process.h"
#include "collectors/run/noise_floor.h"

struct lore_measured {
    struct lore_cli *cli;
    struct lore_abba session;
    struct lore_abba_programs programs; /* of A and B */
    struct lore_abba_result result;
    struct lore_host host;
    const char *state_dir;
    struct lore_floors floors;
    const struct lore_floor *floor; /* the one that gave the minimum effect; NULL: none did */
    const char *effect_from;        /* "--min-effect", "noise floor of this machine", "default" */
    bool effect_given, progress;
};
/* Whether WORD names a stored version: a label, "softmax_cuda:v4", an id or the beginning of one,
 * and no file has the name of one of the last three. */
bool lore_measured_version(const char *word);
/* Whether WORD begins with a program: a path, or a name that PATH knows. */
bool lore_measured_program(struct lore_cli *cli, const char *word);
/* Whether the command line asks for a measurement: A and B are programs. */
bool lore_measured_asked(struct lore_cli *cli, const struct lore_args *args);
/* The state directory, with noise floors, ledger and spool: --state-dir, else the agent's. */
const char *lore_measured_state(struct lore_cli *cli, const struct lore_args *args);
/* Read the options of compare and calibrate into *m, find the backend and its devices. Prints
 * errors and returns the exit code. The caller sets the commands of A and B afterwards. */
int
lore_measured_begin(struct lore_cli *cli, const struct lore_args *args, struct lore_measured *m);
/* Run the rounds. Prints errors and returns the exit code. */
int lore_measured_run(struct lore_measured *m);
/* The device and the chip that A ran on, as noise floors name them. */
void lore_measured_device(const struct lore_measured *m, const char **device, const char **chip);
/* The kernel that takes the most time of side I. */
const struct lore_trace_group *lore_measured_kernel(const struct lore_measured *m, unsigned i);

/* A fact about the launches that differs: "registers", "32", "40". */
struct lore_differs {
    const char *fact, *a, *b;
};
/* The launch facts in which A's and B's main kernels differ; *n of them. */
struct lore_differs *lore_measured_differs(const struct lore_measured *m, size_t *n);
/* Add notes as whole sentences: lost records, varying launch counts, drift, outliers, how launches
 * were summed. */
void lore_measured_notes(const struct lore_measured *m, struct lore_texts *out);
/* "0.52 %" of a fraction. */
const char *lore_command_show_pct(struct lore_cli *cli, double fraction);
/* "1.0310x [1.0210, 1.0430]"; without an interval when there is none. */
const char *lore_command_show_speedup(struct lore_cli *cli, const struct lore_comparison *c);
/* The answer as one JSON object (measured_json.c). COMMANDS adds the command lines. They may hold
 * private arguments, so leave them out of records that are sent. */
void lore_measured_json(const struct lore_measured *m, bool commands, struct lore_buf *out);

#endif
