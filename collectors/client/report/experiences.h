/* Experiments as experiences.json, the log of kernel-opt-skill, and as the Markdown page that its
 * `sync` makes of it. An experiment that was imported from such a log is written unchanged. For
 * other experiments the log's fields are filled, and values that the format cannot hold are
 * noted. */
#ifndef LORE_CLIENT_REPORT_EXPERIENCES_H
#define LORE_CLIENT_REPORT_EXPERIENCES_H

#include "collectors/client/ask/fetch.h"

struct lore_experiences_entry {
    const struct lore_json *node; /* the entry; its "id" is ignored */
    int64_t id;
};
struct lore_entries {
    struct lore_experiences_entry *v; /* by id */
    size_t n, cap;
};
/* Every experiment of FILTER ("operator=gemm&chip=h200", "" for all), masked ones too. Ids are
 * those that the log gave; entries without one get the next numbers, which is noted. */
enum lore_status lore_experiences_collect(const struct lore_fetch *fetch, const char *filter,
    struct lore_entries *out, struct lore_err *err) LORE_MUST;
/* The file: a list, two blanks of indent, keys in the log's order. */
void lore_experiences_json(const struct lore_entries *entries, struct lore_buf *out);
/* Write the Markdown page. */
void lore_experiences_markdown(
    const struct lore_entries *entries, struct lore_arena *arena, struct lore_buf *out);

#endif
