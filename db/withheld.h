/* What may not be passed on (withheld.c). For the files of this folder. */
#ifndef LORE_DB_WITHHELD_H
#define LORE_DB_WITHHELD_H

#include "service/base/status.h"

struct lore_db;
/* Derive the withheld documents and records again. Inside a transaction. */
enum lore_status lore_withheld_all(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
