/* `warplore import --map FILE`: the map, or the name of a built-in one. */
#include <glob.h>
#include <string.h>

#include "collectors/client/commands/import_map.h"
#include "collectors/import/maps/map.h"
#include "collectors/import/yamlfile.h"
#include "service/base/file.h"

static int
unknown_map(struct lore_cli *cli, const char *name)
{
    const char *names = "";

    for (size_t i = 0; lore_maps_builtin[i].name; i++)
        names =
            lore_format(cli->arena, "%s%s%s", names, *names ? ", " : "", lore_map_builtin_name(i));
    return lore_cli_say(cli, LORE_EXIT_USAGE,
        "--map: no file \"%s\", and no built-in map has this name (%s)", name, names);
}

static enum lore_status
read_map(struct lore_intake *k, const char *path, struct lore_map **map, struct lore_err *err)
{
    LORE_BUF text = {.max = LORE_YAML_MAX};
    enum lore_status status = lore_file_read(path, &text, err);

    if (status == LORE_OK)
        status = lore_buf_status(&text, path, err);
    if (status == LORE_OK)
        status = lore_map_read(text.data ? text.data : "", text.len, path, k->arena, map, err);
    if (status == LORE_OK)
        (*map)->strict = true;
    return status;
}

/* Add the maps that the user has saved. One that is wrong is told and left out. */
static void
add_saved(struct lore_cli *cli, struct lore_intake *k)
{
    const char *folder = lore_import_maps_folder(cli);
    glob_t found = {0};

    if (!folder || glob(lore_format(cli->arena, "%s/*.yaml", folder), 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct lore_map *map = NULL;
        struct lore_err err = {0};
        if (read_map(k, found.gl_pathv[i], &map, &err) != LORE_OK)
            (void)lore_cli_error(cli, LORE_EXIT_USAGE, &err);
        else if (!lore_map_add(map))
            (void)lore_cli_say(cli, LORE_EXIT_USAGE, "%s: too many maps", found.gl_pathv[i]);
    }
    globfree(&found);
}

int
lore_import_set_map(struct lore_cli *cli, struct lore_intake *k, const struct lore_args *args)
{
    const char *name = lore_args_get(args, "map");
    struct lore_err err = {0};
    struct lore_map *map = NULL;

    if (!name) {
        add_saved(cli, k);
        return LORE_EXIT_OK;
    }
    k->forced = lore_importer_find("maps");
    k->map = lore_map_builtin(name);
    if (k->map)
        return LORE_EXIT_OK;
    enum lore_status status = read_map(k, name, &map, &err);
    if (status == LORE_NOTFOUND)
        return unknown_map(cli, name);
    if (status != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    k->map = map;
    return LORE_EXIT_OK;
}
