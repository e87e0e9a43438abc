/* One function per command; commands.c holds the table. */
#ifndef LORE_COMMANDS_H
#define LORE_COMMANDS_H

#include "cli.h"

int lore_cmd_record(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_import(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_recommend(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_search(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_list(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_show(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_stats(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_leaderboard(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_export(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_mask(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_unmask(struct lore_cli *cli, const struct lore_args *args);
int lore_cmd_doctor(struct lore_cli *cli, const struct lore_args *args);

/* The service's word for a typed outcome ("success" is "win"); others as they are. */
const char *lore_effect_word(const char *outcome);

extern const struct lore_opt lore_record_opts[], lore_import_opts[], lore_recommend_opts[],
    lore_search_opts[], lore_list_opts[], lore_leaderboard_opts[], lore_export_opts[],
    lore_mask_opts[];

#endif
