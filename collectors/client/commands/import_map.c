/* `warplore import --map FILE`: the map, or the name of a built-in one. */
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

int
lore_import_set_map(struct lore_cli *cli, struct lore_intake *k, const struct lore_args *args)
{
    const char *name = lore_args_get(args, "map");
    struct lore_buf text = {.max = LORE_YAML_MAX};
    struct lore_err err = {0};
    struct lore_map *map = NULL;

    if (!name)
        return LORE_EXIT_OK;
    k->forced = lore_importer_find("maps");
    k->map = lore_map_builtin(name);
    if (k->map)
        return LORE_EXIT_OK;
    enum lore_status status = lore_file_read(name, &text, &err);
    if (status == LORE_NOTFOUND) {
        lore_buf_free(&text);
        return unknown_map(cli, name);
    }
    if (status == LORE_OK)
        status = lore_buf_status(&text, name, &err);
    if (status == LORE_OK)
        status = lore_map_read(text.data ? text.data : "", text.len, name, k->arena, &map, &err);
    lore_buf_free(&text);
    if (status != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    k->map = map;
    return LORE_EXIT_OK;
}
