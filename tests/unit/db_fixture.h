/* A database in a temporary directory and whole documents put into it, for the tests of db/.
 * Documents are JSON text, decoded as a submission would be. */
#ifndef LORE_TESTS_UNIT_DB_FIXTURE_H
#define LORE_TESTS_UNIT_DB_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "db/files.h"
#include "db/internal.h"
#include "db/put.h"
#include "db/put_context.h"
#include "db/query.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/derive/outcome.h"
#include "service/verdicts/verdicts.h"
#include "tests/unit/scratch.h"

#define NOW INT64_C(1790000000000000)

struct fixture {
    char dir[64];
    struct lore_db *db;
    struct lore_arena arena;
    struct lore_err err;
    enum lore_put last; /* state of the last record put */
};

static inline int
fixture_open(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    lore_hash_init();
    assert_int_equal(scratch_make(f->dir), 0);
    if (lore_db_open_writer(f->dir, &f->db, &f->err) != LORE_OK)
        fail_msg("%s", f->err.msg);
    *state = f;
    return 0;
}

static inline void
fixture_remove(const char *dir)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    assert_int_equal(system(command), 0);
}

static inline int
fixture_close(void **state)
{
    struct fixture *f = *state;

    lore_db_close(f->db);
    lore_arena_free(&f->arena);
    fixture_remove(f->dir);
    free(f);
    return 0;
}

static inline void
ok(struct fixture *f, enum lore_status status)
{
    if (status != LORE_OK)
        fail_msg("%s: %s", f->err.path, f->err.msg);
}

static inline enum lore_status
put_kind(struct fixture *f, const struct lore_put_ctx *c, const struct lore_submission *doc,
    const struct lore_json *root, enum lore_kind kind)
{
    size_t n, size;
    const char *record = lore_wire_list(doc, kind, &n, &size);
    const struct lore_json *node =
        n > 0 ? lore_json_get(root, lore_kind_plural(kind))->child : NULL;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < n && status == LORE_OK; i++, record += size, node = node->next) {
        unsigned char digest[32];

        lore_wire_digest(node, digest);
        status = lore_put_record(c, kind, record, digest, &f->last, &f->err);
    }
    return status;
}

static inline enum lore_status
put_records(
    struct fixture *f, const struct lore_submission *doc, const struct lore_json *root, int64_t seq)
{
    struct lore_put_ctx c = {
        .db = f->db, .document = seq, .arena = &f->arena, .actor = "tester", .now_us = NOW};
    enum lore_status status = LORE_OK;
    bool is_new;

    for (size_t i = 0; i < doc->n_artifacts && status == LORE_OK; i++)
        status = lore_put_artifact(&c, &doc->artifacts[i], &is_new, &f->err);
    for (size_t k = 0; k < LORE_K_COUNT && status == LORE_OK; k++)
        status = put_kind(f, &c, doc, root, lore_put_order(k));
    return status;
}

static inline enum lore_status
judge_all(struct fixture *f, const struct lore_submission *doc)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < doc->n_experiments && status == LORE_OK; i++) {
        struct lore_arena scratch = {0};

        status = lore_verdicts_judge(f->db, doc->experiments[i].id, &scratch, NOW, &f->err);
        lore_arena_free(&scratch);
    }
    return status;
}

static inline void
decode(struct fixture *f, const char *json, struct lore_json **root, struct lore_submission *doc)
{
    ok(f, lore_json_parse(json, strlen(json), NULL, &f->arena, root, &f->err));
    ok(f, lore_wire_decode(*root, &f->arena, doc, &f->err));
}

/* Store JSON in one transaction; undone when a record is refused. Its document id is made from the
 * text, so the same text twice is the same document and its row is only stored once. */
static inline enum lore_status
put(struct fixture *f, const char *json)
{
    struct lore_submission doc = {0};
    struct lore_json *root;
    struct lore_buf packed = {0};
    enum lore_status status;
    char hash[LORE_HASH_HEX];
    int64_t seq = 0;
    bool same = false;

    decode(f, json, &root, &doc);
    lore_hash_hex(json, strlen(json), hash);
    ok(f, lore_zstd_pack(json, strlen(json), &packed, &f->err));
    ok(f, lore_db_begin(f->db, &f->err));
    ok(f, lore_put_document_find(f->db, doc.id, hash, &seq, &same, &f->err));
    status = same ? LORE_OK
                  : lore_put_document(f->db,
                        &(struct lore_arrived){&doc, hash, "tester", &packed, strlen(json), NOW},
                        &seq, &f->err);
    if (status == LORE_OK)
        status = put_records(f, &doc, root, seq);
    if (status == LORE_OK && !same)
        status = lore_put_withheld(f->db, seq, &doc, root, &f->err);
    if (status == LORE_OK)
        status = judge_all(f, &doc);
    if (status == LORE_OK)
        ok(f, lore_db_commit(f->db, &f->err));
    else
        lore_db_rollback(f->db);
    lore_buf_free(&packed);
    return status;
}

static inline int64_t
count(struct fixture *f, const char *name)
{
    struct lore_count *rows;
    size_t n;

    ok(f, lore_db_stats(f->db, &f->arena, &rows, &n, &f->err));
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].n;
    fail_msg("no count of %s", name);
    return -1;
}

/* ULIDs for tests: id("K1") is 26 characters that end in K1. Lives in the fixture. */
static inline const char *
id(struct fixture *f, const char *tail)
{
    return lore_format(
        &f->arena, "01J0000000%.*s%s", (int)(16 - strlen(tail)), "0000000000000000", tail);
}

/* A document with id D and RECORDS, in which @K1 stands for id("K1") and ' for ". */
static inline const char *
say(struct fixture *f, const char *d, const char *records)
{
    struct lore_buf b = {0};
    const char *text;

    lore_buf_printf(&b, "{\"warplore\":1,\"id\":\"%s\",", id(f, d));
    for (const char *p = records; *p != '\0'; p++)
        if (*p == '@') {
            lore_buf_puts(&b, id(f, lore_strndup(&f->arena, p + 1, 2)));
            p += 2;
        } else {
            lore_buf_putc(&b, *p == '\'' ? '"' : *p);
        }
    lore_buf_putc(&b, '}');
    text = lore_strndup(&f->arena, b.data, b.len);
    lore_buf_free(&b);
    return text;
}

/* Store RECORDS as document D; they must be fine. */
static inline void
take(struct fixture *f, const char *d, const char *records)
{
    ok(f, put(f, say(f, d, records)));
}

/* RECORDS must be refused with STATUS and CODE at PATH. */
static inline void
refuse(struct fixture *f, const char *records, enum lore_status status, const char *code,
    const char *path)
{
    int64_t documents = count(f, "fact_document");

    memset(&f->err, 0, sizeof f->err);
    assert_int_equal(put(f, say(f, "ZZ", records)), status);
    assert_string_equal(f->err.code, code);
    assert_string_equal(f->err.path, path);
    assert_int_equal(count(f, "fact_document"), documents);
}

#endif
