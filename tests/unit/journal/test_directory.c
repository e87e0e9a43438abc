// uses: journal
/* The journal in a directory: order, torn ends, damage, segments, and what belongs together. */
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "service/base/log.h"
#include "service/journal/journal.h"
#include "tests/unit/scratch.h"

struct fixture {
    char dir[64], path[96];
    struct lore_err err;
    struct lore_journal *journal;
    struct lore_journal_head head;
};

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    *state = f;
    lore_hash_init();
    if (scratch_make(f->dir) != 0)
        return -1;
    snprintf(f->path, sizeof f->path, "%s/journal", f->dir);
    return lore_journal_open(f->path, &f->journal, &f->err) == LORE_OK ? 0 : -1;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    lore_journal_close(f->journal);
    scratch_drop(f->dir);
    free(f);
    return 0;
}

static struct lore_journal_entry
entry(const char *body, size_t n)
{
    return (struct lore_journal_entry){.kind = "document",
        .actor = "ann",
        .owner = "01J",
        .node = "a",
        .at_us = 17,
        .body = body,
        .len = n};
}

static void
append(struct fixture *f, const char *const *bodies, size_t n)
{
    struct lore_journal_entry e[8];

    for (size_t i = 0; i < n; i++)
        e[i] = entry(bodies[i], strlen(bodies[i]));
    assert_int_equal(lore_journal_append(f->journal, &f->head, e, n, &f->err), LORE_OK);
}

/* Collect the bodies, each with its seq: "1one 2two ". */

static enum lore_status
note(void *ctx, const struct lore_journal_entry *e, struct lore_err *err)
{
    struct lore_buf *out = ctx;

    (void)err;
    lore_buf_printf(
        out, "%d%.*s ", (int)e->seq, (int)(e->len < 8 ? e->len : 8), (const char *)e->body);
    return LORE_OK;
}

static enum lore_status
read_all(struct fixture *f, const struct lore_journal_part *part, struct lore_buf *out)
{
    lore_buf_reset(out);
    lore_buf_puts(out, "");
    return lore_journal_read(f->journal, part, note, out, &f->err);
}

static enum lore_status
open_again(struct fixture *f)
{
    enum lore_status status;

    lore_journal_close(f->journal);
    status = lore_journal_open(f->path, &f->journal, &f->err);
    if (status == LORE_OK)
        status = lore_journal_find_head(f->journal, &f->head, &f->err);
    return status;
}

/* The path of segment I. */
static void
segment(struct fixture *f, size_t i, char out[160])
{
    char pattern[128];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*.journal", f->path);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(i < found.gl_pathc);
    snprintf(out, 160, "%s", found.gl_pathv[i]);
    globfree(&found);
}

static void
put_file(const char *path, const char *p, size_t n)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600);

    assert_true(fd >= 0 && write(fd, p, n) == (ssize_t)n);
    close(fd);
}

static void
entries_come_back_in_order_after_a_restart(void **state)
{
    struct fixture *f = *state;
    LORE_BUF out = {0};
    struct lore_journal_part part = {.most = 0};

    append(f, (const char *const[]){"one", "two"}, 2);
    part.after = f->head;
    append(f, (const char *const[]){"three"}, 1);
    assert_int_equal(open_again(f), LORE_OK);
    assert_int_equal(f->head.seq, 3);
    append(f, (const char *const[]){"four"}, 1);
    assert_int_equal(read_all(f, &part, &out), LORE_OK);
    assert_string_equal(out.data, "3three 4four ");
    part = (struct lore_journal_part){.most = 2};
    assert_int_equal(read_all(f, &part, &out), LORE_OK);
    assert_string_equal(out.data, "1one 2two ");
}

static void
a_place_that_the_journal_lacks_is_refused(void **state)
{
    struct fixture *f = *state;
    LORE_BUF out = {0};
    struct lore_journal_part part = {.after = {.seq = 1}};
    struct lore_journal_head wrong = {.seq = 1};
    struct lore_journal_entry e = entry("x", 1);

    append(f, (const char *const[]){"one"}, 1);
    assert_int_equal(read_all(f, &part, &out), LORE_CORRUPT); /* another hash */
    assert_string_equal(f->err.code, "journal_foreign");
    part.after.seq = 7; /* entries were lost */
    assert_int_equal(read_all(f, &part, &out), LORE_CORRUPT);
    append(f, (const char *const[]){"two"}, 1);
    part.after.seq = 1;
    assert_int_equal(read_all(f, &part, &out), LORE_CORRUPT);
    assert_string_equal(f->err.code, "journal_foreign");
    assert_int_equal(lore_journal_append(f->journal, &wrong, &e, 1, &f->err), LORE_CONFLICT);
    assert_string_equal(f->err.code, "journal_moved");
}

static void
two_writers_are_refused(void **state)
{
    struct fixture *f = *state;
    struct lore_journal *second = NULL;

    assert_int_equal(lore_journal_open(f->path, &second, &f->err), LORE_BUSY);
    assert_string_equal(f->err.code, "journal_busy");
}

/* Every length of a last group that was not written whole. */
static void
a_torn_end_is_cut_wherever_it_was_torn(void **state)
{
    struct fixture *f = *state;
    LORE_BUF whole = {0}, out = {0};
    struct lore_journal_part part = {.most = 0};
    struct stat st;
    char path[160];

    append(f, (const char *const[]){"one"}, 1);
    segment(f, 0, path);
    assert_int_equal(stat(path, &st), 0);
    append(f, (const char *const[]){"two", "three"}, 2);
    assert_int_equal(lore_file_read(path, &whole, &f->err), LORE_OK);
    for (size_t n = (size_t)st.st_size + 1; n < whole.len; n++) {
        put_file(path, whole.data, n);
        assert_int_equal(open_again(f), LORE_OK);
        assert_true(f->head.seq == 1 || f->head.seq == 2); /* a whole record of it may stay */
        assert_int_equal(read_all(f, &part, &out), LORE_OK);
        assert_string_equal(out.data, f->head.seq == 1 ? "1one " : "1one 2two ");
        append(f, (const char *const[]){"more"}, 1);
        assert_int_equal(read_all(f, &part, &out), LORE_OK);
    }
    /* the beginning of the group never reached the disk, its end did */
    memset(whole.data + st.st_size, 0, 60);
    put_file(path, whole.data, whole.len);
    assert_int_equal(open_again(f), LORE_OK);
    assert_int_equal(f->head.seq, 1);
}

/* Every byte of groups that others follow. */
static void
damage_inside_is_refused_with_the_number_of_the_entry(void **state)
{
    struct fixture *f = *state;
    LORE_BUF whole = {0};
    struct stat st;
    char path[160];

    append(f, (const char *const[]){"one"}, 1);
    append(f, (const char *const[]){"two"}, 1);
    segment(f, 0, path);
    assert_int_equal(stat(path, &st), 0);
    append(f, (const char *const[]){"three"}, 1);
    assert_int_equal(lore_file_read(path, &whole, &f->err), LORE_OK);
    lore_journal_close(f->journal);
    f->journal = NULL;
    for (size_t at = LORE_SEGMENT_HEAD; at < (size_t)st.st_size; at++) {
        whole.data[at] ^= 4;
        put_file(path, whole.data, whole.len);
        assert_int_equal(lore_journal_open(f->path, &f->journal, &f->err), LORE_CORRUPT);
        assert_string_equal(f->err.code, "journal_damaged");
        assert_true(strstr(f->err.msg, "entry 1 is damaged") || strstr(f->err.msg, "entry 2 is"));
        whole.data[at] ^= 4;
    }
    for (size_t at = 0; at < LORE_SEGMENT_HEAD; at++) {
        whole.data[at] ^= 4;
        put_file(path, whole.data, whole.len);
        assert_int_equal(lore_journal_open(f->path, &f->journal, &f->err), LORE_CORRUPT);
        whole.data[at] ^= 4;
    }
}

static void
a_full_segment_is_followed_by_another(void **state)
{
    struct fixture *f = *state;
    size_t n = (size_t)40 << 20;
    char *body = calloc(1, n), path[160];
    LORE_BUF out = {0};
    struct lore_journal_part part = {.most = 0};
    struct lore_journal_entry e = entry(body, n);

    for (int i = 0; i < 3; i++) {
        body[0] = (char)('a' + i);
        assert_int_equal(lore_journal_append(f->journal, &f->head, &e, 1, &f->err), LORE_OK);
    }
    segment(f, 1, path);
    assert_non_null(strstr(path, "00000000000000000003.journal"));
    assert_int_equal(open_again(f), LORE_OK);
    assert_int_equal(read_all(f, &part, &out), LORE_OK);
    part.after = f->head;
    append(f, (const char *const[]){"last"}, 1);
    assert_int_equal(read_all(f, &part, &out), LORE_OK);
    assert_string_equal(out.data, "4last ");
    /* a segment whose first group was torn */
    put_file(path, "warplore-jour", 13);
    assert_int_equal(open_again(f), LORE_OK);
    assert_int_equal(f->head.seq, 2);
    free(body);
}

static void
set_lag(struct fixture *f, int64_t ms)
{
    assert_int_equal(lore_journal_set_lag(f->journal, ms, &f->err), LORE_OK);
}

static void
with_a_lag_the_disk_comes_later_but_not_later_than_that(void **state)
{
    struct fixture *f = *state;
    int64_t ignored;

    set_lag(f, 60000);
    append(f, (const char *const[]){"one", "two"}, 2);
    append(f, (const char *const[]){"three"}, 1);
    assert_int_equal(lore_journal_synced(f->journal, f->head.seq), 0);
    assert_int_equal(lore_journal_flush(f->journal, &f->err), LORE_OK);
    assert_int_equal(lore_journal_synced(f->journal, f->head.seq), 3);
    assert_int_equal(open_again(f), LORE_OK);
    set_lag(f, 20);
    for (int i = 0; i < 200; i++) {
        append(f, (const char *const[]){"more"}, 1);
        if (i % 10 == 0) /* longer than the lag: the next append may not go on before a sync */
            assert_int_equal(lore_journal_wait(f->journal, 0, 21, &ignored, &f->err), LORE_OK);
        else
            continue;
        append(f, (const char *const[]){"more"}, 1);
        assert_true(lore_journal_synced(f->journal, f->head.seq) >= f->head.seq - 1);
    }
    for (int i = 0; i < 1000 && lore_journal_synced(f->journal, f->head.seq) < f->head.seq; i++)
        assert_int_equal(lore_journal_wait(f->journal, 0, 5, &ignored, &f->err), LORE_OK);
    assert_int_equal(lore_journal_synced(f->journal, f->head.seq), f->head.seq);
}

/* Any group of those that were not synced may be the one that is missing. */
static void
groups_that_were_not_synced_are_a_torn_end_whichever_is_bad(void **state)
{
    struct fixture *f = *state;
    LORE_BUF whole = {0};
    struct stat st;
    char path[160];

    append(f, (const char *const[]){"one"}, 1);
    segment(f, 0, path);
    assert_int_equal(stat(path, &st), 0);
    set_lag(f, 60000);
    append(f, (const char *const[]){"two"}, 1);
    append(f, (const char *const[]){"three"}, 1);
    append(f, (const char *const[]){"four"}, 1);
    lore_journal_close(f->journal);
    f->journal = NULL;
    assert_int_equal(lore_file_read(path, &whole, &f->err), LORE_OK);
    for (size_t at = LORE_SEGMENT_HEAD; at < whole.len; at++) {
        whole.data[at] ^= 4;
        put_file(path, whole.data, whole.len);
        if (at < (size_t)st.st_size) {
            assert_int_equal(lore_journal_open(f->path, &f->journal, &f->err), LORE_CORRUPT);
            assert_string_equal(f->err.code, "journal_damaged");
        } else {
            assert_int_equal(open_again(f), LORE_OK);
            assert_in_range(f->head.seq, 1, 3);
            lore_journal_close(f->journal);
            f->journal = NULL;
        }
        whole.data[at] ^= 4;
    }
}

/* Entries that were lost become the same bytes again. */
static void
lost_entries_can_be_appended_again(void **state)
{
    struct fixture *f = *state;
    LORE_BUF whole = {0}, again = {0};
    struct lore_journal_entry e[2] = {entry("two", 3), entry("three", 5)};
    struct lore_journal_head head;
    struct stat st;
    char path[160];

    append(f, (const char *const[]){"one"}, 1);
    segment(f, 0, path);
    assert_int_equal(stat(path, &st), 0);
    set_lag(f, 60000);
    assert_int_equal(lore_journal_append(f->journal, &f->head, &e[0], 1, &f->err), LORE_OK);
    assert_int_equal(lore_journal_append(f->journal, &f->head, &e[1], 1, &f->err), LORE_OK);
    assert_int_equal(e[1].first, 2); /* not 3: the second entry was not synced */
    head = f->head;
    assert_int_equal(lore_journal_flush(f->journal, &f->err), LORE_OK);
    assert_int_equal(lore_file_read(path, &whole, &f->err), LORE_OK);
    assert_int_equal(truncate(path, st.st_size), 0);
    assert_int_equal(open_again(f), LORE_OK);
    assert_int_equal(lore_journal_append_again(f->journal, &f->head, e, 2, &f->err), LORE_OK);
    assert_memory_equal(&f->head, &head, sizeof head);
    assert_int_equal(lore_file_read(path, &again, &f->err), LORE_OK);
    assert_int_equal(again.len, whole.len);
    assert_memory_equal(again.data, whole.data, whole.len);
}

/* Files that vanish beside the running service are not the end of the journal. */
static void
entries_that_vanish_are_missed(void **state)
{
    struct fixture *f = *state;
    LORE_BUF out = {0};
    struct lore_journal_part part = {.most = 1};
    char path[160];

    append(f, (const char *const[]){"one", "two", "three"}, 3);
    assert_int_equal(read_all(f, &part, &out), LORE_OK);
    part.most = 0;
    assert_int_equal(read_all(f, &part, &out), LORE_OK); /* again from the beginning */
    assert_string_equal(out.data, "1one 2two 3three ");
    segment(f, 0, path);
    assert_int_equal(truncate(path, LORE_SEGMENT_HEAD), 0);
    assert_int_equal(read_all(f, &part, &out), LORE_CORRUPT);
    assert_string_equal(f->err.code, "journal_damaged");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(read_all(f, &part, &out), LORE_CORRUPT);
    assert_string_equal(f->err.code, "journal_damaged");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            entries_come_back_in_order_after_a_restart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_place_that_the_journal_lacks_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_writers_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_torn_end_is_cut_wherever_it_was_torn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            damage_inside_is_refused_with_the_number_of_the_entry, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_segment_is_followed_by_another, set_up, tear_down),
        cmocka_unit_test_setup_teardown(entries_that_vanish_are_missed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            with_a_lag_the_disk_comes_later_but_not_later_than_that, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            groups_that_were_not_synced_are_a_torn_end_whichever_is_bad, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lost_entries_can_be_appended_again, set_up, tear_down),
    };

    lore_log_level(LORE_ERROR);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
