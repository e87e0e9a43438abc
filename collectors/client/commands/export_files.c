/* Exports in the file formats of other workflows. */
#include <string.h>
#include <unistd.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/export.h"
#include "collectors/client/commands/fetching.h"
#include "collectors/client/report/experiences.h"
#include "collectors/client/report/workspace.h"
#include "collectors/client/screen/print.h"
#include "service/base/file.h"
#include "service/base/text.h"

int
lore_export_experiences(struct lore_cli *cli, const char *filter, bool markdown, const char *path)
{
    struct lore_fetching fetching;
    struct lore_entries entries = {0};
    struct lore_buf out = {0};
    struct lore_err err = {0};

    lore_fetching_begin(&fetching, cli);
    enum lore_status status = lore_experiences_collect(&fetching.fetch, filter, &entries, &err);
    if (status != LORE_OK)
        return lore_fetching_end(&fetching, status, &err);
    if (markdown)
        lore_experiences_markdown(&entries, cli->arena, &out);
    else
        lore_experiences_json(&entries, &out);
    return lore_cli_put(cli, path, &out, "the experiences");
}

static bool
forbids(const struct lore_json *stored)
{
    const struct lore_json *from =
        lore_fetch_object(lore_fetch_object(stored, "record"), "provenance");

    return lore_streq(lore_fetch_text(from, "redistribution"), "forbidden");
}

enum lore_status
lore_command_check_redistribution(const struct lore_story *story, struct lore_err *err)
{
    bool forbidden = forbids(story->kernel);

    for (size_t i = 0; i < story->n && !forbidden; i++)
        forbidden = forbids(story->steps[i].version) || forbids(story->steps[i].run);
    for (size_t i = 0; i < story->experiments.n && !forbidden; i++)
        forbidden = lore_fetch_bool(story->experiments.v[i], "withheld");
    return forbidden ? lore_fail(err, LORE_FORBIDDEN,
                           "%s: withheld, its licence forbids redistribution", story->title)
                     : LORE_OK;
}

static enum lore_status
read_story(struct lore_fetching *fetching, const char *kernel, const char *workload,
    struct lore_story *story, struct lore_err *err)
{
    const char *id = NULL;

    fetching->code = lore_ask_named(fetching->cli, "/api/v1/kernels", kernel, &id);
    if (fetching->code != LORE_EXIT_OK)
        return lore_fail(err, LORE_NOTFOUND, "%s: no such kernel", kernel);
    enum lore_status status = lore_story_read(&fetching->fetch, id, workload, story, err);
    return status == LORE_OK ? lore_command_check_redistribution(story, err) : status;
}

int
lore_export_state(struct lore_cli *cli, const char *kernel, const char *workload, const char *path)
{
    struct lore_fetching fetching;
    struct lore_story story = {0};
    struct lore_buf out = {0};
    struct lore_err err = {0};

    lore_fetching_begin(&fetching, cli);
    enum lore_status status = read_story(&fetching, kernel, workload, &story, &err);
    if (status == LORE_OK)
        status = lore_state_file(&story, &out, &err);
    if (status != LORE_OK) {
        lore_buf_free(&out);
        return lore_fetching_end(&fetching, status, &err);
    }
    return lore_cli_put(cli, path, &out, "the state");
}

/* Refuses to overwrite a file: it may be the only copy of somebody's work. */
static enum lore_status
write_version(const struct lore_story *story, const struct lore_story_step *step, const char *path,
    struct lore_err *err)
{
    struct lore_buf out = {0};
    enum lore_status status;

    if (access(path, F_OK) == 0)
        return lore_fail(err, LORE_CONFLICT, "%s: the file exists; choose an empty folder", path);
    status = lore_memory_file(story, step, &out, err);
    if (status == LORE_OK)
        status = lore_buf_status(&out, path, err);
    if (status == LORE_OK)
        status = lore_file_write(path, out.data, out.len, 0644, err);
    lore_buf_free(&out);
    return status;
}

static enum lore_status
write_versions(struct lore_fetching *fetching, const struct lore_story *story, const char *dir,
    size_t *written, struct lore_err *err)
{
    struct lore_arena *arena = fetching->cli->arena;
    enum lore_status status = lore_mkdirs(lore_format(arena, "%s/memory", dir), 0755, err);

    for (size_t i = 0; i < story->n && status == LORE_OK; i++) {
        const struct lore_story_step *step = &story->steps[i];
        int64_t n = lore_memory_number(step);
        if (n < 0 || !lore_story_shows(step)) {
            lore_fetch_note(&fetching->fetch, "%s: %s; left out", step->label,
                n < 0 ? "no number, which the format needs" : "an ablation or a library");
            continue;
        }
        status = write_version(
            story, step, lore_format(arena, "%s/memory/v%lld.json", dir, (long long)n), err);
        *written += status == LORE_OK;
    }
    if (status == LORE_OK && story->other_experiments.n > 0)
        lore_fetch_note(&fetching->fetch,
            "%zu experiments made no version of their own, which the format needs; left out",
            story->other_experiments.n);
    return status;
}

int
lore_export_memory(struct lore_cli *cli, const char *kernel, const char *workload, const char *dir)
{
    struct lore_fetching fetching;
    struct lore_story story = {0};
    struct lore_err err = {0};
    size_t written = 0;

    lore_fetching_begin(&fetching, cli);
    enum lore_status status = read_story(&fetching, kernel, workload, &story, &err);
    if (status == LORE_OK)
        status = write_versions(&fetching, &story, dir, &written, &err);
    if (status != LORE_OK)
        return lore_fetching_end(&fetching, status, &err);
    lore_buf_printf(&cli->out, "%s in %s/memory\n",
        lore_answer_show_count(cli, (long long)written, "file", "files"), dir);
    return LORE_EXIT_OK;
}
