/* Statements over the kinds of records, assembled once from the names in their table: no text of a
 * record is ever part of one. A statement's text never moves, so the cache of statements finds it
 * by its address. */
#include <pthread.h>

#include "db/internal.h"
#include "db/kinds.h"
#include "db/names.h"

static struct lore_buf all[LORE_SQL_ALL];

static void
write_insert(struct lore_buf *b, const struct lore_db_kind *k)
{
    size_t n = k->n_columns + 4; /* id, digest, document, rest */

    lore_buf_printf(b, "INSERT INTO %s (id, digest, document", k->table);
    for (size_t i = 0; i < k->n_columns; i++)
        lore_buf_printf(b, ", %s", k->columns[i].name);
    lore_buf_puts(b, ", rest) VALUES (");
    for (size_t i = 1; i <= n; i++)
        lore_buf_printf(b, "%s$%zu", i > 1 ? ", " : "", i);
    lore_buf_puts(b, ") ON CONFLICT (id) DO NOTHING");
}

void
lore_kind_write_sql(const struct lore_db_kind *k)
{
    struct lore_buf *b = k->sql;

    write_insert(&b[LORE_SQL_INSERT], k);
    lore_buf_printf(&b[LORE_SQL_DIGEST], "SELECT digest FROM %s WHERE id = $1", k->table);
    lore_buf_printf(
        &b[LORE_SQL_RECORDS], "SELECT document, seq, id FROM %s ORDER BY seq", k->table);
    lore_buf_printf(&b[LORE_SQL_DUMP], "SELECT id, rest FROM %s ORDER BY id", k->table);
}

static void
write_counts(struct lore_buf *b)
{
    static const char *const others[] = {"fact_agent", "fact_agent_revoked", "fact_artifact",
        "fact_blob", "fact_diagnosis", "fact_document", "fact_event", "fact_mask", "fact_receipt",
        "fact_workload"};
    size_t n = sizeof others / sizeof *others;

    for (size_t i = 0; i < LORE_K_COUNT + n; i++) {
        const char *table = i < n ? others[i] : lore_db_kinds[i - n].table;
        lore_buf_printf(
            b, "%sSELECT '%s', count(*) FROM %s", i > 0 ? " UNION ALL " : "", table, table);
    }
    lore_buf_puts(b, " ORDER BY 1");
}

static void
write_begins(struct lore_buf *b)
{
    for (size_t i = 0; i < LORE_K_COUNT; i++) {
        const char *kind = lore_kind_name(lore_db_kinds[i].kind);

        lore_buf_printf(b,
            "%sSELECT '%s', id FROM %s WHERE id >= $1 AND id < $2 AND ($3 IS NULL OR $3 = '%s')",
            i > 0 ? " UNION ALL " : "", kind, lore_db_kinds[i].table, kind);
    }
    lore_buf_puts(b,
        " UNION ALL SELECT '" LORE_NAME_SUBMISSION "', id FROM fact_document"
        " WHERE id >= $1 AND id < $2 AND ($3 IS NULL OR $3 = '" LORE_NAME_SUBMISSION "')"
        " UNION ALL SELECT '" LORE_NAME_WORKLOAD "', id FROM fact_workload"
        " WHERE id >= $1 AND id < $2 AND $3 = '" LORE_NAME_WORKLOAD "' LIMIT $4");
}

static void
write_all(void)
{
    write_counts(&all[LORE_SQL_COUNTS]);
    lore_buf_puts(&all[LORE_SQL_GREATEST], "SELECT max(id) FROM (");
    lore_buf_puts(&all[LORE_SQL_WITHHELD], "SELECT coalesce(min(document), 0) FROM (");
    for (size_t i = 0; i < LORE_K_COUNT; i++) {
        const struct lore_db_kind *k = &lore_db_kinds[i];

        lore_kind_write_sql(k);
        lore_buf_printf(&all[LORE_SQL_ANYWHERE],
            "%sSELECT '%s', d.id, d.actor FROM %s t"
            " JOIN fact_document d ON d.seq = t.document WHERE t.id = $1",
            i > 0 ? " UNION ALL " : "", lore_kind_name(k->kind), k->table);
        lore_buf_printf(&all[LORE_SQL_TWICE], "%sSELECT 1 FROM %s WHERE id = $1",
            i > 0 ? " UNION ALL " : "", k->table);
        lore_buf_printf(&all[LORE_SQL_GREATEST], "%sSELECT max(id) AS id FROM %s",
            i > 0 ? " UNION ALL " : "", k->table);
        lore_buf_printf(&all[LORE_SQL_WITHHELD], "%sSELECT document FROM %s WHERE rest LIKE $1",
            i > 0 ? " UNION ALL " : "", k->table);
    }
    lore_buf_puts(&all[LORE_SQL_GREATEST], ") AS each");
    lore_buf_puts(&all[LORE_SQL_WITHHELD], ") AS said");
    write_begins(&all[LORE_SQL_BEGINS]);
    lore_buf_printf(&all[LORE_SQL_OWNERS],
        "SELECT o.owner FROM (%s) r JOIN fact_document d ON d.id = r.id"
        " LEFT JOIN fact_document_owner o ON o.document = d.seq",
        all[LORE_SQL_ANYWHERE].data);
}

static void
once(void)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;

    (void)pthread_once(&made, write_all);
}

struct lore_stmt
lore_kind_open(struct lore_db *db, const struct lore_db_kind *kind, enum lore_kind_sql which)
{
    once();
    return lore_sql_prepare(db, kind->sql[which].data);
}

struct lore_stmt
lore_kinds_open(struct lore_db *db, enum lore_kinds_sql which)
{
    once();
    return lore_sql_prepare(db, all[which].data);
}
