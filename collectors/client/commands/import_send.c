/* The journal of an import is a file in the user's state directory. Its name derives from the
 * service and the paths; its lines are ids of documents that the service acknowledged. An id
 * derives from the document's content, so a document with a known id need not be sent again,
 * whatever was changed in the files. The journal counts only while the service still has its last
 * document, and a complete import removes it. */
#include "collectors/client/commands/import_send.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/new_names.h"
#include "collectors/client/screen/print.h"
#include "collectors/upload/upload.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/wire/build.h"

enum { SHOW_US = 200000 /* between two updates of the line of progress */ };

/* ---- the journal ---- */

static const char *
journal_of(struct lore_cli *cli, const struct lore_args *args)
{
    const char *state = lore_outbox_dir(cli->arena), *what = cli->config.url;
    char real[PATH_MAX], hex[LORE_HASH_HEX];

    if (!state)
        return NULL;
    for (size_t i = 0; i < args->words.n; i++)
        what = lore_format(
            cli->arena, "%s\n%s", what, realpath(args->words.v[i], real) ? real : args->words.v[i]);
    lore_hash_hex(what, strlen(what), hex);
    return lore_format(cli->arena, "%s/imports/%.32s", state, hex);
}

/* Whether the service has the document ID. */
static bool
has_document(struct lore_cli *cli, const char *id)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/submissions");
    lore_query_segment(&q, id);
    return lore_ask_quietly(cli, &q, &root);
}

/* The ids of the journal, if there is one that counts. A line that was cut is none. */
static void
read_journal(struct lore_import_sending *s)
{
    LORE_BUF text = {.max = 64u << 20};
    char id[LORE_ULID_SIZE] = "";
    size_t n = 0;

    if (!s->journal || lore_file_read(s->journal, &text, NULL) != LORE_OK)
        return;
    size_t lines = text.len / LORE_ULID_SIZE; /* an id and a line break */
    for (; n < lines && text.data[(n + 1) * LORE_ULID_SIZE - 1] == '\n'; n++) {
        memcpy(id, text.data + n * LORE_ULID_SIZE, LORE_ULID_SIZE - 1);
        *lore_index_at(s->cli->arena, &s->known, id) = 1;
    }
    if (n > 0 && !has_document(s->cli, id))
        s->known = (struct lore_index){0};
}

static void
remember(struct lore_import_sending *s, const char *id)
{
    char line[LORE_ULID_SIZE + 1];

    if (s->journal && s->fd < 0) {
        char *dir = lore_strdup(s->cli->arena, s->journal);
        *strrchr(dir, '/') = '\0';
        if (lore_mkdirs(dir, 0700, NULL) == LORE_OK)
            s->fd = open(s->journal,
                O_WRONLY | O_CREAT | O_CLOEXEC | (s->known.n > 0 ? O_APPEND : O_TRUNC), 0600);
        if (s->fd < 0)
            s->journal = NULL; /* without one, an interrupted import sends everything again */
    }
    (void)snprintf(line, sizeof line, "%s\n", id);
    if (s->fd >= 0 && write(s->fd, line, LORE_ULID_SIZE) != LORE_ULID_SIZE) {
        (void)close(s->fd);
        s->fd = -1;
        s->journal = NULL;
    }
}

/* ---- sending ---- */

static void
count(const struct lore_json *receipt, const char *key, long long counts[LORE_K_COUNT])
{
    const struct lore_json *object = lore_json_get(receipt, key);

    for (int k = 0; k < LORE_K_COUNT; k++)
        counts[k] += lore_answer_int(object, lore_kind_plural((enum lore_kind)k));
}

/* Note the refusal of the document ID. What the client printed of it for programs, from AT on,
 * becomes a part of the report. */
static void
note_refusal(
    struct lore_import_sending *s, struct lore_import_sent *sent, const char *id, size_t at)
{
    struct lore_buf *out = &s->cli->out;
    struct lore_import_refusal *r =
        LORE_PUSH(s->kept, sent->refusals, sent->failed, sent->cap_refusals);

    r->document = lore_strdup(s->kept, id);
    if (s->cli->json && out->len > at) {
        r->problem = lore_strndup(s->kept, out->data + at, out->len - at - 1); /* the line break */
        out->len = at;
    }
}

/* POST one document; the receipt lives in the client's arena. */
static int
post(struct lore_import_sending *s, struct lore_import_sent *sent,
    const struct lore_intake_format *f, const struct lore_intake_document *d)
{
    struct lore_cli *cli = s->cli;
    struct lore_json *receipt = NULL;
    size_t printed = cli->out.len;
    int code = lore_cli_post(cli, "/api/v1/submissions", d->body, d->len, &receipt);

    if (code != LORE_EXIT_OK) {
        note_refusal(s, sent, d->id, printed);
        return lore_cli_say(
            cli, code, "%s: document %s was refused as a whole", f->importer->name, d->id);
    }
    count(receipt, "stored", sent->stored);
    count(receipt, "duplicates", sent->duplicates);
    if (!cli->json)
        lore_new_names_print(cli, receipt);
    remember(s, d->id);
    return code;
}

/* Send one document. Only a service that is not reachable or rejects the token ends the import. */
static enum lore_status
send_document(void *context, struct lore_intake_format *f, const struct lore_intake_document *d,
    struct lore_err *err)
{
    struct lore_import_sending *s = context;
    struct lore_import_sent *sent = &s->sent[f->importer - lore_importers];
    struct lore_arena *arena = s->cli->arena;
    LORE_SCRATCH answer = {0};

    if (s->dry)
        return LORE_OK;
    if (lore_index_find(&s->known, d->id)) {
        s->earlier++;
        return LORE_OK;
    }
    s->kept = arena;
    s->cli->arena = &answer;
    int code = post(s, sent, f, d);
    s->cli->arena = arena;
    if (code == LORE_EXIT_OK)
        lore_build_text(arena, &sent->documents, lore_strdup(arena, d->id));
    if (code > s->worst)
        s->worst = code;
    if (code == LORE_EXIT_UNREACHABLE || code == LORE_EXIT_REFUSED)
        return lore_fail(err, LORE_IO, "the import ended");
    return LORE_OK;
}

/* ---- progress ---- */

/* One line on the terminal: what was read, how fast, and how long the rest takes. */
static void
show(void *context, const struct lore_intake *k)
{
    struct lore_import_sending *s = context;
    int64_t now = lore_now_us();
    size_t entries = 0;

    if (!s->shows || now - s->shown_us < SHOW_US)
        return;
    s->shown_us = now;
    for (size_t i = 0; i < k->n_formats; i++)
        entries += k->formats[i]->in.records;
    double seconds = (double)(now - s->begun_us) / 1e6, read = (double)k->bytes_read,
           all = (double)k->bytes, here = all > 0 && read < all ? read / all : 1,
           done = ((double)s->path + here) / (double)s->paths; /* paths may differ in length */
    (void)fputc('\r', stderr);
    if (s->paths > 1)
        (void)fprintf(stderr, "%zu of %zu paths: ", s->path + 1, s->paths);
    (void)fprintf(stderr, "%.0f of %.0f MB, %zu entries, %.0f/s", read / 1e6, all / 1e6, entries,
        (double)entries / (seconds > 0 ? seconds : 1));
    if (done > 0 && done < 1)
        (void)fprintf(stderr, ", %.0f s left", seconds * (1 - done) / done);
    (void)fputs("\033[K", stderr);
    (void)fflush(stderr);
}

void
lore_import_send_begin(struct lore_import_sending *s, struct lore_cli *cli, struct lore_intake *k,
    const struct lore_args *args, bool dry)
{
    size_t n = 0;

    while (lore_importers[n].name)
        n++;
    *s = (struct lore_import_sending){.cli = cli, .dry = dry, .fd = -1};
    s->sent = lore_alloc_array(cli->arena, n + 1, sizeof *s->sent);
    s->paths = args->words.n;
    s->shows = isatty(STDERR_FILENO) == 1;
    s->begun_us = s->shown_us = lore_now_us();
    k->send = send_document;
    k->tick = show;
    k->context = s;
    if (dry)
        return;
    s->journal = journal_of(cli, args);
    read_journal(s);
}

void
lore_import_send_end(struct lore_import_sending *s, const struct lore_intake *k)
{
    if (s->shows)
        (void)fputs("\r\033[K", stderr);
    if (s->earlier > 0 && !s->cli->json)
        lore_buf_printf(&s->cli->out,
            "%zu documents were sent by the earlier import that was interrupted\n\n", s->earlier);
    if (s->fd >= 0)
        (void)close(s->fd);
    if (s->journal && k->stopped.status == LORE_OK)
        (void)unlink(s->journal);
}
