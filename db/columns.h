/* Columns with a meaning beyond their SQL type: optional numbers, times, word lists, enums
 * (columns.c). For the files of this folder. */
#ifndef LORE_DB_COLUMNS_H
#define LORE_DB_COLUMNS_H

#include "db/db.h"
#include "service/base/arena.h"
#include "service/wire/record.h"

void lore_bind_opt_f64(struct lore_stmt *q, int n, struct lore_f64 v);
void lore_bind_opt_i64(struct lore_stmt *q, int n, struct lore_i64 v);
void lore_bind_time(struct lore_stmt *q, int n, const char *rfc3339); /* NULL binds NULL */
struct lore_f64 lore_col_opt_f64(struct lore_stmt *q, int n);
struct lore_i64 lore_col_opt_i64(struct lore_stmt *q, int n);
/* A column of microseconds as RFC 3339 text; NULL for NULL. */
const char *lore_col_time(struct lore_stmt *q, int n, struct lore_arena *a);

void lore_split(const char *text, char separator, struct lore_arena *a, struct lore_texts *out);
const char *
lore_join(const struct lore_texts *t, char separator, struct lore_arena *a); /* "" if empty */

/* Parse an enum; returns the zero value for NULL and for unknown text. */
enum lore_evidence lore_evidence_of(const char *s);
enum lore_version_kind lore_version_kind_of(const char *s);
enum lore_edge_kind lore_edge_kind_of(const char *s);
enum lore_check lore_check_of(const char *s);
enum lore_base lore_base_of(const char *s);
enum lore_run_role lore_run_role_of(const char *s);

#endif
