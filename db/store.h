/* The interface of the database for the rest of the service. No SQL and no sqlite3 outside db/. All
 * results live in the given arena. */
#ifndef LORE_DB_STORE_H
#define LORE_DB_STORE_H

#include "db/credentials.h"
#include "db/experiment_list.h"
#include "db/export.h"
#include "db/facts.h"
#include "db/feed.h"
#include "db/files.h"
#include "db/knowledge.h"
#include "db/names.h"
#include "db/put.h"
#include "db/query.h"
#include "db/read.h"
#include "db/rebuild.h"
#include "db/rows.h"
#include "db/standing.h"
#include "db/sweep.h"

#endif
