/* Reports of Nsight Compute (X.ncu-rep) are binary; its own command prints them as CSV. */
#ifndef LORE_CLIENT_COMMANDS_IMPORT_NCU_H
#define LORE_CLIENT_COMMANDS_IMPORT_NCU_H

#include "collectors/client/commands/commands.h"

struct lore_converted {
    const char **folders; /* temporary, with one file each */
    const char **files;
    size_t n, cap, n_files, cap_files;
};
/* The path to import for PATH: PATH itself, or for a report the CSV that NCU (NULL: the one in PATH
 * or CUDA's folder) prints of it. NULL after an error that was said. */
const char *lore_import_convert(
    struct lore_cli *cli, const char *path, const char *ncu, struct lore_converted *done);
/* Remove what was converted. */
void lore_import_converted_free(const struct lore_converted *done);

#endif
