/* Reads and writes the session file. */
#include "collectors/client/commands/session.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/base/file.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

#define DIRECTORY ".warplore"
#define FILE_NAME DIRECTORY "/session.json"
#define FILE_MAX (64u << 10)

#define MEMBER(json, m)                                                                            \
    {                                                                                              \
        json, offsetof(struct lore_session, m)                                                     \
    }
static const struct {
    const char *name;
    size_t at;
} members[] = {MEMBER("session", id), MEMBER("key", key), MEMBER("kernel", kernel),
    MEMBER("kernel_id", kernel_id), MEMBER("operator", op), MEMBER("language", language),
    MEMBER("chip", chip), MEMBER("dims", dims), MEMBER("dtype", dtype), MEMBER("project", project),
    MEMBER("workload", workload), MEMBER("workload_id", workload_id), MEMBER("head", head),
    MEMBER("head_id", head_id), MEMBER("champion_id", champion_id), MEMBER("ended_at", ended_at)};

/* The nearest file: in the working directory, else in those above it. NULL: none. */
static const char *
find_file(struct lore_cli *cli)
{
    char here[PATH_MAX];
    struct stat sb;

    if (!getcwd(here, sizeof here))
        return NULL;
    for (char *end = here + strlen(here); end; end = strrchr(here, '/')) {
        *end = '\0';
        const char *path = lore_format(cli->arena, "%s/" FILE_NAME, here);
        if (stat(path, &sb) == 0)
            return path;
    }
    return NULL;
}

enum lore_status
lore_session_read(struct lore_cli *cli, struct lore_session *out, struct lore_err *err)
{
    LORE_BUF text = {.max = FILE_MAX};
    struct lore_session s = {.path = find_file(cli)};
    struct lore_json *root = NULL;

    if (!s.path)
        return lore_fail(err, LORE_NOTFOUND, "no session was started in this directory");
    enum lore_status status = lore_file_read(s.path, &text, err);
    if (status == LORE_OK)
        status = lore_buf_status(&text, s.path, err);
    if (status == LORE_OK)
        status =
            lore_json_parse(text.data ? text.data : "", text.len, NULL, cli->arena, &root, err);
    for (size_t i = 0; status == LORE_OK && i < sizeof members / sizeof *members; i++)
        status =
            lore_json_text(root, members[i].name, (const char **)((char *)&s + members[i].at), err);
    if (status != LORE_OK) {
        lore_args_err_in(err, s.path);
        return status;
    }
    *out = s;
    return LORE_OK;
}

enum lore_status
lore_session_write(struct lore_cli *cli, const struct lore_session *s, struct lore_err *err)
{
    LORE_BUF text = {.max = FILE_MAX};
    struct lore_jsonw w;

    if (!s->path && mkdir(DIRECTORY, 0777) != 0 && errno != EEXIST)
        return lore_fail(err, LORE_IO, DIRECTORY ": %s", strerror(errno));
    lore_jsonw_begin(&w, &text, true);
    lore_w_obj(&w);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const char *value = *(const char *const *)((const char *)s + members[i].at);
        if (value)
            lore_w_kstr(&w, members[i].name, value);
    }
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    lore_buf_putc(&text, '\n');
    if (status == LORE_OK)
        status = lore_file_write(s->path ? s->path : FILE_NAME, text.data, text.len, 0644, err);
    (void)cli;
    return status;
}

const struct lore_session *
lore_session_open(struct lore_cli *cli, int *code)
{
    struct lore_session *s = lore_alloc(cli->arena, sizeof *s);
    struct lore_err err = {0};
    enum lore_status status = lore_session_read(cli, s, &err);

    if (status == LORE_OK && s->id && !s->ended_at)
        return s;
    if (status == LORE_OK || status == LORE_NOTFOUND) {
        (void)lore_fail(&err, LORE_NOTFOUND, "no session is open here");
        lore_err_hint(&err, "warplore session start KERNEL --operator OPERATOR --language LANGUAGE "
                            "--chip CHIP --dims DIMS");
    }
    *code = lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    return NULL;
}
