/* The project of an imported folder: the name of its git remote, else of its repository, else of
 * the folder itself. */
#ifndef LORE_IMPORT_PROJECT_H
#define LORE_IMPORT_PROJECT_H

#include "service/base/arena.h"

/* Set *project to the project of the folder at PATH and *from to a phrase that says where it comes
 * from: "the git remote origin". Both stay as they are when PATH is no folder. */
void lore_project_find(
    const char *path, struct lore_arena *arena, const char **project, const char **from);
/* The project that TEXT, a git configuration file, names by the URL of its remote "origin":
 * "team/attention" for https://host/team/attention.git. Only the path of a URL counts, never host,
 * user or password. A remote on the local disk gives the last part of its path. NULL: no remote
 * called origin. */
const char *lore_project_of_git(const char *text, struct lore_arena *arena);

#endif
