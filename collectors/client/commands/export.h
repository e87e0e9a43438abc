/* The forms of `warplore export`; cmd_export.c chooses one. Each returns an exit code. */
#ifndef LORE_CLIENT_COMMANDS_EXPORT_H
#define LORE_CLIENT_COMMANDS_EXPORT_H

#include "collectors/client/cli.h"

/* Every submission word for word, one JSON object per line, into PATH (NULL: standard output).
 * Withheld documents are counted and named on standard error. export_all.c */
int lore_export_all(struct lore_cli *cli, const char *path);
/* export_files.c. FILTER: a query like "operator=gemm". */
int
lore_export_experiences(struct lore_cli *cli, const char *filter, bool markdown, const char *path);
int
lore_export_memory(struct lore_cli *cli, const char *kernel, const char *workload, const char *dir);
int
lore_export_state(struct lore_cli *cli, const char *kernel, const char *workload, const char *path);
/* The sweep ID as a results file of the T4 schema. export_t4.c */
int lore_export_t4(struct lore_cli *cli, const char *id, const char *path);
/* Times of WHAT, "champions" or "runs", in Bencher's metric format or as OpenMetrics; FILTER as
 * above. export_metrics.c */
int lore_export_metrics(
    struct lore_cli *cli, const char *what, bool bmf, const char *filter, const char *path);
/* A kernel as the files of FlashInfer Trace below the folder DIR. export_flashinfer.c */
int lore_export_flashinfer(struct lore_cli *cli, const char *kernel, const char *dir);
/* LORE_FORBIDDEN when a record of the kernel must not be redistributed: a kernel's file holds all
 * its records. */
struct lore_story;
enum lore_status
lore_command_check_redistribution(const struct lore_story *story, struct lore_err *err) LORE_MUST;

#endif
