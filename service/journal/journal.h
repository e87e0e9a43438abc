/* The ordered log of everything acknowledged, outside the database. The database is made from it
 * and can be made again. Two backends: segment files in a directory, and a table of PostgreSQL that
 * several nodes share. Without a journal (NULL), the chain of events in the database is the log.
 *
 * One thread appends and reads; another one may wait (lore_journal_wait). */
#ifndef LORE_JOURNAL_JOURNAL_H
#define LORE_JOURNAL_JOURNAL_H

#include "service/journal/entry.h"

struct lore_journal;

/* Open WHERE: "none" (*out is NULL), the path of a directory, or postgresql://… A directory is
 * created when it is missing, and its torn end is cut. LORE_BUSY code journal_busy: another process
 * writes to the directory. LORE_CORRUPT code journal_damaged: an entry is damaged and others follow
 * it. LORE_BUSY code journal_unavailable: PostgreSQL does not answer. */
enum lore_status
lore_journal_open(const char *where, struct lore_journal **out, struct lore_err *err) LORE_MUST;
/* The same for a journal that must hold an entry; creates nothing. LORE_INVALID code journal_empty:
 * it holds none, or the directory does not exist. */
enum lore_status lore_journal_open_begun(
    const char *where, struct lore_journal **out, struct lore_err *err) LORE_MUST;
void lore_journal_close(struct lore_journal *j);
enum lore_status lore_journal_find_head(
    struct lore_journal *j, struct lore_journal_head *out, struct lore_err *err) LORE_MUST;
/* From now on an append returns before the disk has its entries, which then follow within MS
 * milliseconds: when they do not, the next append waits. LORE_INVALID: this kind of journal has no
 * lag. */
enum lore_status
lore_journal_set_lag(struct lore_journal *j, int64_t ms, struct lore_err *err) LORE_MUST;
int64_t lore_journal_lag_ms(const struct lore_journal *j); /* 0: none; thread-safe */
/* Return when all entries are durable. LORE_BUSY as for an append. */
enum lore_status lore_journal_flush(struct lore_journal *j, struct lore_err *err) LORE_MUST;
/* The last durable entry up to HEAD, the last one that the caller knows of. Thread-safe. */
int64_t lore_journal_synced(struct lore_journal *j, int64_t head);
/* Append N entries behind *HEAD as one group; returns when all are durable. Sets seq, first,
 * previous and hash of each and moves *HEAD. When it fails, none was acknowledged, but all may be
 * there: read them before the next append.
 * LORE_CONFLICT code journal_moved: the journal has other entries behind *HEAD. LORE_BUSY code
 * journal_unavailable or journal_full: it cannot be written now. */
enum lore_status lore_journal_append(struct lore_journal *j, struct lore_journal_head *head,
    struct lore_journal_entry *entries, size_t n, struct lore_err *err) LORE_MUST;
/* The same for entries that the journal lost: `first` is what it was, and so they are the same. */
enum lore_status lore_journal_append_again(struct lore_journal *j, struct lore_journal_head *head,
    struct lore_journal_entry *entries, size_t n, struct lore_err *err) LORE_MUST;
/* Call FN for each entry behind AFTER, in order, at most MOST (0: all). Each was checked against
 * its hash and the one before. Stops at the first status of FN that is not LORE_OK; LORE_NOTFOUND
 * means that FN has enough. LORE_CORRUPT code journal_foreign: the journal does not hold the entry
 * AFTER. */
enum lore_status lore_journal_read(struct lore_journal *j, const struct lore_journal_part *part,
    lore_journal_fn *fn, void *ctx, struct lore_err *err) LORE_MUST;
/* Wait at most MS milliseconds for an entry behind SEQ. *head: the last entry's seq, or SEQ when
 * nothing came. LORE_BUSY: the journal does not answer. Thread-safe beside the other calls. */
enum lore_status lore_journal_wait(
    struct lore_journal *j, int64_t seq, int ms, int64_t *head, struct lore_err *err) LORE_MUST;
/* For a log line: the directory, or the address without password. */
const char *lore_journal_name(const struct lore_journal *j);

#endif
