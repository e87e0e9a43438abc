/* Trees of files: from the disk, or built up by tests. Symbolic links are not followed and hidden
 * files are not read; both are listed as skipped, like files that look like credentials. A LICENSE
 * above the path is looked for up to the repository's root. */
#ifndef LORE_IMPORT_TREE_H
#define LORE_IMPORT_TREE_H

#include "collectors/import/import.h"

#define LORE_TREE_MAX_BYTES (200u << 20)
#define LORE_TREE_MAX_FILES 20000

/* Load PATH, a file or a directory. Everything lives in ARENA. LORE_NOTFOUND, LORE_IO, LORE_TOOBIG
 * name the path. */
enum lore_status lore_tree_load(const char *path, struct lore_arena *arena,
    struct lore_import_tree *out, struct lore_err *err) LORE_MUST;
/* Names that citations and reports could not show as they are: such files are skipped. */
bool lore_tree_odd_name(const char *path);
/* Add a file of LEN bytes (copied) to T; sort when all are there. */
struct lore_import_file *lore_tree_add(struct lore_arena *arena, struct lore_import_tree *t,
    const char *path, const char *text, size_t len);
void lore_tree_sort(struct lore_import_tree *t);
/* Why a file looks like somebody's credentials ("a private key"); NULL: it does not. */
const char *lore_tree_secret(const char *path, const char *text, size_t len);
/* Whether TEXT begins like an export of Warplore, which may be longer than other files. */
bool lore_tree_is_export(const char *text);
/* Whether the file name is that of a licence: "LICENSE", "COPYING.txt", "NOTICE". */
bool lore_tree_is_licence(const char *path);
/* The nearest LICENSE at or above PATH in T, else above T; NULL: none. */
const struct lore_import_file *
lore_tree_licence(const struct lore_import_tree *t, const char *path);
/* The NOTICE beside LICENCE, which goes where the licensed files go; NULL: none. */
const struct lore_import_file *
lore_tree_notice(const struct lore_import_tree *t, const struct lore_import_file *licence);
/* "Apache-2.0" by the words of a licence; NULL: not recognised. */
const char *lore_licence_name(const char *text);

#endif
