/* The configuration. One table of options defines names, types, defaults, ranges and help texts.
 * The YAML file, the flags, --print-config and /api/v1/_config use it. Flags override the file, and
 * the file overrides the defaults. */
#ifndef LORE_SERVICE_CONFIG_H
#define LORE_SERVICE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/buf.h"

/* libyaml takes quadratic time on hostile input; real files are small. */
#define LORE_CONFIG_MAX_BYTES 8192

struct lore_config {
    const char *data;   /* directory; NULL: not given */
    const char *listen; /* "127.0.0.1:8787" */
    int64_t threads, readers, queue;
    bool allow_remote, as_root;
    const char *hosts, *trusted_proxies; /* comma-separated */
    const char *oidc_issuer, *oidc_audience, *oidc_groups, *oidc_claim;
    int64_t address_per_minute, credential_per_minute;
    const char *log_level, *journal;
    int64_t journal_lag;
    int64_t request_ms, keep_alive_ms, query_ms, retrain_hours;
    int64_t projects_open, project_idle_s;
    const char *backup_to; /* directory; NULL: no backups */
    int64_t backup_every, backup_keep;
    int64_t advice_window_days, advice_keep, advice_keep_days;
};
enum lore_option_type {
    LORE_OPT_TEXT = 1,
    LORE_OPT_LIST /* text with commas */,
    LORE_OPT_INT,
    LORE_OPT_BOOL,
    LORE_OPT_ENUM
};
struct lore_option {
    const char *name; /* "keep_alive_ms": the key in YAML; the flag is --keep-alive-ms */
    enum lore_option_type type;
    size_t offset;         /* in struct lore_config */
    const char *otherwise; /* the default as text; "" for none */
    int64_t min, max;      /* INT */
    const char *choices;   /* ENUM: "debug|info" */
    const char *help;
};
extern const struct lore_option lore_options[]; /* ended by a NULL name */

/* Fill *c with the defaults. Texts live in ARENA. */
void lore_config_defaults(struct lore_config *c, struct lore_arena *arena);
/* Set one option from text. Codes: unknown_option (with the nearest name), invalid_option. */
enum lore_status lore_config_set(struct lore_config *c, const char *name, const char *value,
    struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* Set from YAML text: a mapping of option names to scalars (a list option also takes a list).
 * Errors name WHERE and the line. */
enum lore_status lore_config_yaml(struct lore_config *c, const char *text, size_t len,
    const char *where, struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* The value of an option as text. */
const char *lore_config_text(
    const struct lore_config *c, const struct lore_option *o, struct lore_arena *arena);
/* YAML with a comment per option, readable by lore_config_yaml. */
void lore_config_print(const struct lore_config *c, struct lore_arena *arena, struct lore_buf *out);

#endif
