/* Check the quotes of specs (quote.c). For the files of this folder. */
#ifndef LORE_DB_QUOTE_H
#define LORE_DB_QUOTE_H

#include "service/base/status.h"
#include "service/wire/record.h"

struct lore_db;
/* Check that QUOTE is on LINE (from 1) of the text of source document ID. */
enum lore_status lore_check_quote(struct lore_db *db, const char *id, struct lore_i64 line,
    const char *quote, struct lore_err *err) LORE_MUST;

#endif
