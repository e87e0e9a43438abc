/* The leaderboard as Markdown or CSV. Every speedup names its base; ties and excluded versions are
 * listed with the reason. A "baseline optimal" row lists the failed attempts as proof. */
#ifndef LORE_CLIENT_REPORT_BOARD_H
#define LORE_CLIENT_REPORT_BOARD_H

#include "collectors/client/ask/fetch.h"

enum lore_board_form { LORE_BOARD_MARKDOWN, LORE_BOARD_CSV };
/* ROWS are the rows of GET /api/v1/leaderboard, in their order. EXCLUDED also lists the excluded
 * versions; as CSV, only those. Failed attempts are fetched by the ids in the rows. */
enum lore_status lore_board_write(const struct lore_fetch *fetch, const struct lore_fetched *rows,
    enum lore_board_form form, bool excluded, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* One field of CSV (RFC 4180): quoted where needed; a text that a spreadsheet would run as a
 * formula gets an apostrophe in front. */
void lore_report_csv_field(struct lore_buf *out, const char *text);

#endif
