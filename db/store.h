/* What the rest of the service may ask of the database. No SQL and no sqlite3 outside db/.
 * All results live in the given arena. */
#ifndef LORE_STORE_H
#define LORE_STORE_H

#include "credentials.h"
#include "experiment_list.h"
#include "feed.h"
#include "files.h"
#include "knowledge.h"
#include "put.h"
#include "query.h"
#include "read.h"
#include "rebuild.h"
#include "rows.h"
#include "standing.h"
#include "verdicts.h"

#endif
