/* Trees of files, found on the disk or built by tests. Files are loaded when somebody looks at
 * them. The walk (walk.c) follows symbolic links that stay inside the tree, opens archives as
 * folders, and skips and lists other links, hidden files and files that look like credentials. It
 * also looks for a LICENSE above the path, at most up to the root of the repository. */
#ifndef LORE_IMPORT_TREE_H
#define LORE_IMPORT_TREE_H

#include "collectors/import/import.h"

#define LORE_TREE_MAX_FILES 200000
/* Loaded files that lore_tree_trim leaves in memory, so that a small tree is loaded once. */
#define LORE_TREE_LOADED ((size_t)32 << 20)

/* walk.c: find the files of PATH, a file or a directory. Everything lives in ARENA until
 * lore_tree_close. LORE_NOTFOUND, LORE_IO, LORE_TOOBIG name the path. */
enum lore_status lore_tree_load(const char *path, struct lore_arena *arena,
    struct lore_import_tree *out, struct lore_err *err) LORE_MUST;
/* Give files memory of their own from now on, so that lore_tree_trim can free it. */
void lore_tree_be_lazy(struct lore_import_tree *t);
/* When more than LORE_TREE_LOADED bytes are loaded, free all of them. Nobody may use them. */
void lore_tree_trim(const struct lore_import_tree *t);
void lore_tree_close(struct lore_import_tree *t); /* free all files and close what is open */
/* The importers that came near a unit, for lore_import_near: begin with NAME, the importer that is
 * asked next; NULL forgets them. lore_tree_nearest: "NAME: what is missing; …", NULL: none came. */
void lore_tree_ask(const struct lore_import_tree *t, const char *name);
const char *lore_tree_nearest(const struct lore_import_tree *t, struct lore_arena *arena);
/* Whether PATH holds a control character or is not UTF-8. Citations and reports cannot show such
 * names, so the walk skips these files. */
bool lore_tree_bad_name(const char *path);
/* Add a file of LEN bytes (copied) to T. Call lore_tree_sort after the last file. */
struct lore_import_file *lore_tree_add(struct lore_arena *arena, struct lore_import_tree *t,
    const char *path, const char *text, size_t len);
/* Add a file that is loaded when somebody looks at it. */
struct lore_import_file *lore_tree_add_bytes(struct lore_arena *arena, struct lore_import_tree *t,
    const char *path, const struct lore_bytes *from, bool packed);
/* Let T own the open file FD, which files lie in. */
void lore_tree_own(struct lore_arena *arena, struct lore_import_tree *t, int fd);
void lore_tree_sort(struct lore_import_tree *t);
/* What kind of credentials a file seems to hold ("a private key"); NULL: none. */
const char *lore_tree_secret(const char *path, const char *text, size_t len);
/* Whether TEXT begins like an export of Warplore. */
bool lore_tree_is_export(const char *text);
/* Whether the file name is that of a licence: "LICENSE", "COPYING.txt", "NOTICE". */
bool lore_tree_is_licence(const char *path);
/* The nearest LICENSE at or above PATH in T, else above T; NULL: none. */
const struct lore_import_file *
lore_tree_licence(const struct lore_import_tree *t, const char *path);
/* The NOTICE beside LICENCE, to be stored with the licensed files; NULL: none. */
const struct lore_import_file *
lore_tree_notice(const struct lore_import_tree *t, const struct lore_import_file *licence);
/* The SPDX name of the licence with this text ("Apache-2.0"; "LGPL" for all its versions); NULL:
 * not recognised. */
const char *lore_licence_name(const char *text);

#endif
