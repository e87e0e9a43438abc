/* What a backend of the journal provides; the calls are those of journal.h. */
#ifndef LORE_JOURNAL_BACKEND_H
#define LORE_JOURNAL_BACKEND_H

#include "service/journal/entry.h"

struct lore_journal_backend {
    /* LORE_INVALID as for lore_journal_open_begun. NULL: an open creates nothing. */
    enum lore_status (*check_begun)(const char *where, struct lore_err *err);
    enum lore_status (*open)(const char *where, void **out, struct lore_err *err);
    void (*close)(void *self);
    enum lore_status (*head)(void *self, struct lore_journal_head *out, struct lore_err *err);
    /* The entries are sealed. */
    enum lore_status (*append)(void *self, const struct lore_journal_head *head,
        const struct lore_journal_entry *entries, size_t n, struct lore_err *err);
    /* Call FN for the entries behind SEQ without checking them. */
    enum lore_status (*read)(void *self, const struct lore_journal_part *part, lore_journal_fn *fn,
        void *ctx, struct lore_err *err);
    enum lore_status (*wait)(void *self, int64_t seq, int ms, int64_t *head, struct lore_err *err);
    /* ---- NULL: what is appended is durable at once ---- */
    enum lore_status (*set_lag)(void *self, int64_t ms, struct lore_err *err);
    enum lore_status (*flush)(void *self, struct lore_err *err);
    int64_t (*synced)(void *self); /* thread-safe */
};
extern const struct lore_journal_backend lore_journal_directory;
#ifdef WARPLORE_POSTGRES
extern const struct lore_journal_backend lore_journal_postgres;
#endif

#endif
