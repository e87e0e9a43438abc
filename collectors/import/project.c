/* Reads the git configuration of the repository that holds a folder. The search goes upwards from
 * the folder to the first ".git", which is a directory, or in a worktree a file that points to one.
 * A name that cannot be a project (too long, control characters) is left out. */
#include "collectors/import/project.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collectors/import/tree.h"
#include "service/base/buf.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { MAX_CONFIG = 1 << 20, MAX_NAME = 200, MAX_LEVELS = 32 };

static const char blanks[] = " \t\r";

/* ---- the configuration file ---- */

static bool
is_origin(const char *line, size_t n)
{
    static const char section[] = "[remote \"origin\"]";

    return n >= sizeof section - 1 && strncmp(line, section, sizeof section - 1) == 0;
}

/* The value of `url = VALUE` in a line of N bytes; NULL: another key. */
static const char *
url_of(const char *line, size_t n, struct lore_arena *arena)
{
    const char *end = line + n;

    if (n < 3 || strncmp(line, "url", 3) != 0)
        return NULL;
    line += 3;
    while (line < end && strchr(blanks, *line))
        line++;
    if (line == end || *line++ != '=')
        return NULL;
    while (line < end && strchr(blanks, *line))
        line++;
    while (end > line && strchr(blanks, end[-1]))
        end--;
    return lore_strndup(arena, line, (size_t)(end - line));
}

/* PATH without slashes around it and without ".git"; NULL when nothing usable is left. */
static const char *
cleaned(const char *path, struct lore_arena *arena)
{
    size_t n;

    path += strspn(path, "/");
    n = strlen(path);
    while (n > 0 && path[n - 1] == '/')
        n--;
    if (n > 4 && strncmp(path + n - 4, ".git", 4) == 0)
        n -= 4;
    if (n == 0 || n > MAX_NAME)
        return NULL;
    path = lore_strndup(arena, path, n);
    return lore_tree_bad_name(path) ? NULL : path;
}

static const char *
project_of_url(const char *url, struct lore_arena *arena)
{
    const char *scheme = strstr(url, "://"), *colon = strchr(url, ':'), *slash = strchr(url, '/');
    const char *name;

    if (scheme && !lore_starts(url, "file://")) {
        slash = strchr(scheme + 3, '/');
        return slash ? cleaned(slash, arena) : NULL;
    }
    if (!scheme && colon && (!slash || colon < slash)) /* git@host:team/attention.git */
        return cleaned(colon + 1, arena);
    name = cleaned(url, arena);
    return name ? lore_build_basename(name) : NULL;
}

const char *
lore_project_of_git(const char *text, struct lore_arena *arena)
{
    bool origin = false;

    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t n;
        const char *url;

        line += strspn(line, blanks);
        n = strcspn(line, "\n");
        if (*line == '[')
            origin = is_origin(line, n);
        url = origin ? url_of(line, n, arena) : NULL;
        if (url)
            return project_of_url(url, arena);
    }
    return NULL;
}

/* ---- the disk ---- */

static const char *
read_text(const char *path, struct lore_arena *arena)
{
    struct lore_buf text = {.max = MAX_CONFIG};
    struct stat sb;
    const char *out = NULL;

    if (stat(path, &sb) == 0 && S_ISREG(sb.st_mode) && /* opening a pipe would block */
        lore_file_read(path, &text, NULL) == LORE_OK && text.data && strlen(text.data) == text.len)
        out = lore_strndup(arena, text.data, text.len);
    lore_buf_free(&text);
    return out;
}

/* The first line of TEXT, a path relative to DIR. */
static const char *
path_in(const char *dir, const char *text, struct lore_arena *arena)
{
    const char *line = lore_strndup(arena, text, strcspn(text, "\r\n"));

    return line[0] == '/' ? line : lore_format(arena, "%s/%s", dir, line);
}

/* The git directory of the repository at ROOT, which holds its configuration. A worktree's ".git"
 * is a file that names its own directory, in which "commondir" names the repository's. */
static const char *
git_directory(const char *root, struct lore_arena *arena)
{
    const char *git = lore_format(arena, "%s/.git", root), *common;
    const char *link = read_text(git, arena);

    if (!link)
        return git;
    if (!lore_starts(link, "gitdir: "))
        return NULL;
    git = path_in(root, link + strlen("gitdir: "), arena);
    common = read_text(lore_format(arena, "%s/commondir", git), arena);
    return common ? path_in(git, common, arena) : git;
}

static bool
exists(const char *path)
{
    struct stat sb;

    return lstat(path, &sb) == 0;
}

void
lore_project_find(
    const char *path, struct lore_arena *arena, const char **project, const char **from)
{
    char real[PATH_MAX], dir[PATH_MAX], *slash;
    struct stat sb;
    const char *git = NULL, *text = NULL, *name = NULL;

    if (!realpath(path, real) || stat(real, &sb) != 0 || !S_ISDIR(sb.st_mode))
        return;
    memcpy(dir, real, sizeof dir);
    for (int i = 0; i < MAX_LEVELS && !git; i++) {
        if (exists(lore_format(arena, "%s/.git", dir)))
            git = git_directory(dir, arena);
        else if (!(slash = strrchr(dir, '/')) || slash == dir)
            break;
        else
            *slash = '\0';
    }
    if (git)
        text = read_text(lore_format(arena, "%s/config", git), arena);
    if (text)
        name = lore_project_of_git(text, arena);
    *from = name ? "the git remote origin" : git ? "the repository's folder" : "the folder's name";
    if (!name)
        name = cleaned(lore_build_basename(git ? dir : real), arena);
    *project = name;
}
