/* One function per command; command_table.c holds the table. */
#ifndef LORE_CLIENT_COMMANDS_COMMANDS_H
#define LORE_CLIENT_COMMANDS_COMMANDS_H

#include "collectors/client/cli.h"

/* help_json.c: the table of commands, or of ONLY this one, as JSON. Returns the exit code. */
int lore_help_json(struct lore_cli *cli, const struct lore_cli_command *only);

#define LORE_COMMAND(name) int lore_cmd_##name(struct lore_cli *cli, const struct lore_args *args)

/* storing data */
LORE_COMMAND(session);
LORE_COMMAND(try);
LORE_COMMAND(record);
LORE_COMMAND(run);
LORE_COMMAND(import);
LORE_COMMAND(submit);
LORE_COMMAND(note);
LORE_COMMAND(promote);
/* asking */
LORE_COMMAND(brief);
LORE_COMMAND(recommend);
LORE_COMMAND(advice);
LORE_COMMAND(check_idea);
LORE_COMMAND(search);
LORE_COMMAND(list);
LORE_COMMAND(show);
LORE_COMMAND(leaderboard);
LORE_COMMAND(matrix);
LORE_COMMAND(stats);
LORE_COMMAND(failures);
/* one kernel */
LORE_COMMAND(history);
LORE_COMMAND(summary);
LORE_COMMAND(latest);
LORE_COMMAND(frontier);
LORE_COMMAND(compare);
LORE_COMMAND(calibrate);
LORE_COMMAND(drift);
LORE_COMMAND(lineage);
LORE_COMMAND(environments);
LORE_COMMAND(campaign);
LORE_COMMAND(campaigns);
LORE_COMMAND(direction);
LORE_COMMAND(directions);
LORE_COMMAND(profiles);
LORE_COMMAND(profile);
LORE_COMMAND(adopt);
/* profiles and machine code */
LORE_COMMAND(diagnose);
LORE_COMMAND(triggers);
LORE_COMMAND(roofline);
LORE_COMMAND(budget);
LORE_COMMAND(methods);
LORE_COMMAND(isa);
LORE_COMMAND(verifications);
/* knowledge */
LORE_COMMAND(chip);
LORE_COMMAND(specs);
LORE_COMMAND(technique);
LORE_COMMAND(alias);
LORE_COMMAND(rules);
LORE_COMMAND(calibration);
LORE_COMMAND(judgements);
/* decisions */
LORE_COMMAND(mask);
LORE_COMMAND(unmask);
LORE_COMMAND(restart);
LORE_COMMAND(merge);
LORE_COMMAND(unmerge);
LORE_COMMAND(retract);
LORE_COMMAND(quarantine);
LORE_COMMAND(review);
LORE_COMMAND(comment);
/* export and setup */
LORE_COMMAND(export);
LORE_COMMAND(report);
LORE_COMMAND(doctor);
LORE_COMMAND(agent);

/* `compare` of two programs (cmd_compare_run.c). */
int lore_cmd_compare_programs(struct lore_cli *cli, const struct lore_args *args);
/* Print a list answer as `list NOUN` does; returns the exit code. */
int lore_cmd_list_answer(struct lore_cli *cli, const char *noun, const struct lore_json *root);
/* Behind an empty answer about CHIP, a variant ("h100-sxm"; NULL: none was asked for): how to list
 * what names only its family. */
void lore_cmd_list_hint_family(struct lore_cli *cli, const char *chip);
/* lore_cmd_arrived_text: "2 of 3 experiments arrived: LABEL". lore_cmd_alarm_text: the same for an
 * alarm of /stats, with the reason and the campaign's id. */
const char *lore_cmd_arrived_text(
    struct lore_cli *cli, const char *label, const char *arrived, const char *expected);
const char *lore_cmd_alarm_text(struct lore_cli *cli, const struct lore_json *row);
/* Explains the reason code of an alarm. */
const char *lore_cmd_alarm_why(const char *why);
/* `recommend --method seed-score`'s answer (recommend_seed.c). */
void lore_command_print_seed_score(struct lore_cli *cli, const struct lore_json *root);
/* Print the last line of `recommend`, which names the answer's id (cmd_advice.c). Prints nothing
 * when the service did not store the answer. */
void lore_cmd_print_advice_id(struct lore_cli *cli, const struct lore_json *answer);
/* `stats --advice` (stats_advice.c). */
int lore_stats_advice(struct lore_cli *cli, const struct lore_args *args);

extern const struct lore_opt lore_session_opts[], lore_try_opts[], lore_record_opts[],
    lore_import_opts[], lore_note_opts[], lore_promote_opts[], lore_recommend_opts[],
    lore_brief_opts[], lore_check_idea_opts[], lore_search_opts[], lore_list_opts[],
    lore_leaderboard_opts[], lore_matrix_opts[], lore_history_opts[], lore_workload_opts[],
    lore_page_opts[], lore_campaign_opts[], lore_campaigns_opts[], lore_directions_opts[],
    lore_profiles_opts[], lore_profile_opts[], lore_adopt_opts[], lore_roofline_opts[],
    lore_isa_opts[], lore_verifications_opts[], lore_specs_opts[], lore_chip_opts[],
    lore_calibration_opts[], lore_judgements_opts[], lore_reason_opts[], lore_quarantine_opts[],
    lore_restart_opts[], lore_merge_opts[], lore_review_opts[], lore_export_opts[],
    lore_report_opts[], lore_triggers_opts[], lore_methods_opts[], lore_failures_opts[],
    lore_environments_opts[], lore_show_opts[], lore_run_opts[], lore_compare_opts[],
    lore_calibrate_opts[], lore_agent_opts[], lore_advice_opts[], lore_alias_opts[],
    lore_stats_opts[];

#endif
