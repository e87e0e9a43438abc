/* A service made of canned answers, for tests of the command line: rows of {address, status, body};
 * the longest row that the asked address begins with answers. What was sent is kept. */
#ifndef LORE_TESTS_UNIT_CLI_FAKE_H
#define LORE_TESTS_UNIT_CLI_FAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/client/cli.h"
#include "service/base/text.h"

struct fake_row {
    const char *address; /* "/api/v1/recommend" */
    long status;
    const char *body;
};
struct fake {
    struct lore_arena arena;
    struct lore_cli cli;
    const struct fake_row *rows; /* ended by a NULL address */
    const char *asked[16];       /* paths with queries, in order */
    const char *sent;            /* the last body */
    const char *token;           /* the last token */
    size_t n_asked;
};

static enum lore_status
fake_send(void *ctx, const struct lore_call *call, struct lore_reply *reply, struct lore_err *err)
{
    struct fake *f = ctx;
    const char *path = strstr(call->url, "://") ? strchr(strstr(call->url, "://") + 3, '/') : NULL;
    const struct fake_row *best = NULL;

    assert_non_null(path);
    if (f->n_asked < 16)
        f->asked[f->n_asked++] = lore_strdup(&f->arena, path);
    f->token = call->token;
    if (call->body)
        f->sent = lore_strndup(&f->arena, call->body, call->body_len);
    for (const struct fake_row *r = f->rows; r && r->address; r++) {
        if (lore_starts(path, r->address) && (!best || strlen(r->address) > strlen(best->address)))
            best = r;
    }
    if (!best)
        return lore_fail(err, LORE_IO, "%s: connection refused", call->url);
    reply->status = best->status;
    lore_buf_puts(&reply->body, best->body);
    return LORE_OK;
}

static struct fake *
fake_new(const struct fake_row *rows)
{
    struct fake *f = test_calloc(1, sizeof *f);

    f->rows = rows;
    f->cli.arena = &f->arena;
    f->cli.send = fake_send;
    f->cli.send_ctx = f;
    f->cli.width = 100;
    return f;
}

static void
fake_free(struct fake *f)
{
    lore_buf_free(&f->cli.out);
    lore_buf_free(&f->cli.err);
    lore_arena_free(&f->arena);
    test_free(f);
}

/* A test whose state is a fake of the file's `rows`. */
#define TEST(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, fake_setup, fake_teardown, (void *)rows)

static inline int
fake_setup(void **state)
{
    *state = fake_new(*state);
    return 0;
}

static inline int
fake_teardown(void **state)
{
    fake_free(*state);
    return 0;
}

#define WORDS_MAX 80

/* Run `warplore WORDS…`, words separated by '|'. */
static int
fake_run(struct fake *f, const char *words)
{
    char *argv[WORDS_MAX] = {lore_strdup(&f->arena, "warplore")};
    char *p = lore_strdup(&f->arena, words);
    int argc = 1;

    while (p && argc < WORDS_MAX) {
        char *bar = strchr(p, '|');
        if (bar)
            *bar = '\0';
        argv[argc++] = p;
        p = bar ? bar + 1 : NULL;
    }
    return lore_cli_main(&f->cli, argc, argv);
}

static inline const char *
fake_out(const struct fake *f)
{
    return f->cli.out.data ? f->cli.out.data : "";
}

static inline const char *
fake_err(const struct fake *f)
{
    return f->cli.err.data ? f->cli.err.data : "";
}

static inline size_t
lines_of(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

#define assert_says(text, part)                                                                    \
    do {                                                                                           \
        if (!strstr((text), (part)))                                                               \
            fail_msg("\"%s\" is not in:\n%s", (part), (text));                                     \
    } while (0)

/* The environment of the person who runs the tests must not matter. */
static int
clean_environment(void **state)
{
    (void)state;
    unsetenv("WARPLORE_URL");
    unsetenv("WARPLORE_TOKEN");
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    return 0;
}

#endif
