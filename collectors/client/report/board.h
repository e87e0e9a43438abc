/* The leaderboard as Markdown or CSV: only what the board lets in, every speedup with its base,
 * what was left out with the reason, ties, and for "baseline optimal" the failed attempts as proof.
 */
#ifndef LORE_CLIENT_REPORT_BOARD_H
#define LORE_CLIENT_REPORT_BOARD_H

#include "collectors/client/ask/fetch.h"

enum lore_board_form { LORE_BOARD_MARKDOWN, LORE_BOARD_CSV };
/* ROWS are the rows of GET /api/v1/leaderboard, in their order. EXCLUDED: what was left out, too
 * (as CSV: instead). Failed attempts are asked for by the ids that rows give. */
enum lore_status lore_board_write(const struct lore_fetch *fetch, const struct lore_fetched *rows,
    enum lore_board_form form, bool excluded, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* One field of CSV (RFC 4180): quoted where needed; what a spreadsheet would run as a formula gets
 * an apostrophe in front. */
void lore_report_csv_field(struct lore_buf *out, const char *text);

#endif
