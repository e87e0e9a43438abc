#include "collectors/client/commands/import_ncu.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/host/child.h"
#include "collectors/run/isa_facts.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { SECONDS = 600 };

struct printing {
    const char *ncu, *report;
    int to;
};

/* In the child: standard output becomes the file. */
static bool
print_report(int fd, void *ctx)
{
    struct printing *p = ctx;
    char *argv[] = {(char *)(uintptr_t)p->ncu, "--import", (char *)(uintptr_t)p->report, "--csv",
        "--page", "raw", NULL};

    (void)fd;
    if (dup2(p->to, STDOUT_FILENO) < 0)
        return false;
    (void)execv(p->ncu, argv);
    return false;
}

static bool
is_report(const char *path)
{
    static const char end[] = ".ncu-rep";
    size_t n = strlen(path);

    return n > sizeof end - 1 && strcmp(path + n - (sizeof end - 1), end) == 0;
}

static const char *
new_file(struct lore_cli *cli, const char *path, struct lore_converted *done, int *fd)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = lore_format(cli->arena, "%s/warplore-XXXXXX", tmp && *tmp ? tmp : "/tmp");

    if (!mkdtemp(folder))
        return NULL;
    *LORE_PUSH(cli->arena, done->folders, done->n, done->cap) = folder;
    const char *file = lore_format(cli->arena, "%s/%s.csv", folder, lore_build_basename(path));
    *LORE_PUSH(cli->arena, done->files, done->n_files, done->cap_files) = file;
    *fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return *fd >= 0 ? file : NULL;
}

const char *
lore_import_convert(
    struct lore_cli *cli, const char *path, const char *ncu, struct lore_converted *done)
{
    LORE_BUF out = {.max = 4096};
    struct lore_err err = {0};
    int fd = -1;

    if (!is_report(path))
        return path;
    struct printing p = {.ncu = ncu ? ncu : lore_isa_tool_find(cli->arena, "ncu"), .report = path};
    if (!p.ncu) {
        (void)lore_cli_say(cli, LORE_EXIT_USAGE,
            "%s: a report of Nsight Compute, and no ncu was found to print it; name it with --ncu, "
            "or print it where ncu is: ncu --import %s --csv --page raw > %s.csv",
            path, lore_build_basename(path), lore_build_basename(path));
        return NULL;
    }
    const char *file = new_file(cli, path, done, &fd);
    p.to = fd;
    enum lore_status status = file ? lore_host_child(print_report, &p, SECONDS, &out, &err)
                                   : lore_fail(&err, LORE_IO, "no temporary file could be made");
    if (fd >= 0)
        (void)close(fd);
    if (status == LORE_OK)
        return file;
    (void)lore_cli_say(
        cli, LORE_EXIT_USAGE, "%s: %s --import could not print it: %s", path, p.ncu, err.msg);
    return NULL;
}

void
lore_import_converted_free(const struct lore_converted *done)
{
    for (size_t i = 0; i < done->n_files; i++)
        (void)unlink(done->files[i]);
    for (size_t i = 0; i < done->n; i++)
        (void)rmdir(done->folders[i]);
}
