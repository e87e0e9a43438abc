/* `warplore agent status` and `verify`: documents that wait here, refused documents with the
 * reason, the last error, and whether the stored receipts are valid. Sends nothing. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/client/commands/agent_cmd.h"
#include "collectors/client/screen/print.h"
#include "collectors/upload/agent.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

enum { DEAD_SHOWN = 100 };

struct dead {
    const char *seq, *why;
};
struct facts {
    const char *state;
    bool enrolled;
    struct lore_upload_identity who;
    const char *trouble; /* with the identity; NULL: none */
    struct lore_spool_stats spool;
    struct dead dead[DEAD_SHOWN];
    size_t n_dead;
    struct lore_upload_receipt last;
    struct lore_json *note; /* status.json; NULL: none */
};

static const char *
read_text(struct lore_cli *cli, const char *path)
{
    struct lore_buf text = {.max = 64u << 10};
    const char *out = NULL;

    if (lore_file_read(path, &text, NULL) == LORE_OK)
        out = lore_strndup(cli->arena, text.data ? text.data : "", text.len);
    lore_buf_free(&text);
    return out;
}

static int
by_seq(const void *a, const void *b)
{
    const struct dead *x = a, *y = b;
    size_t n = strlen(x->seq), m = strlen(y->seq);

    return n != m ? (n < m ? -1 : 1) : strcmp(x->seq, y->seq);
}

static void
read_dead(struct lore_cli *cli, struct facts *f)
{
    const char *dir = lore_format(cli->arena, "%s/spool/dead", f->state);
    DIR *d = opendir(dir);

    for (const struct dirent *e; d && f->n_dead < DEAD_SHOWN && (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n < 5 || strcmp(e->d_name + n - 4, ".why") != 0)
            continue;
        const char *why = read_text(cli, lore_format(cli->arena, "%s/%s", dir, e->d_name));
        f->dead[f->n_dead++] =
            (struct dead){lore_strndup(cli->arena, e->d_name, n - 4), why ? why : "?"};
    }
    if (d)
        closedir(d);
    if (f->n_dead > 0)
        qsort(f->dead, f->n_dead, sizeof *f->dead, by_seq);
}

static enum lore_status
gather(struct lore_cli *cli, const char *state, struct facts *f, struct lore_err *err)
{
    struct lore_outbox *o = NULL;
    struct lore_err why = {0};

    *f = (struct facts){.state = state};
    enum lore_status status = lore_identity_load(state, cli->arena, &f->who, &why);
    f->enrolled = status == LORE_OK;
    if (status != LORE_OK && status != LORE_NOTFOUND)
        f->trouble = lore_strdup(cli->arena, why.msg);
    status = lore_outbox_open(state, NULL, &o, err);
    if (status == LORE_OK)
        status = lore_spool_stats(lore_outbox_spool(o), &f->spool, err);
    lore_outbox_close(o);
    if (status == LORE_OK)
        status = lore_receipts_last(state, &f->last, err);
    if (status != LORE_OK)
        return status;
    read_dead(cli, f);
    const char *note = read_text(cli, lore_format(cli->arena, "%s/status.json", state));
    if (note && lore_json_parse(note, strlen(note), NULL, cli->arena, &f->note, NULL) != LORE_OK)
        f->note = NULL;
    return LORE_OK;
}

static void
write_json(struct lore_cli *cli, const struct facts *f)
{
    char hash[LORE_HASH_HEX];
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &cli->out, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "state", f->state);
    lore_w_kbool(&w, "enrolled", f->enrolled);
    if (f->enrolled) {
        lore_w_kstr(&w, "agent", f->who.id);
        lore_w_kstr(&w, "label", f->who.label);
        lore_w_kstr(&w, "url", f->who.url);
    }
    lore_w_kstr_opt(&w, "trouble", f->trouble);
    lore_w_ki64(&w, "waiting", (int64_t)f->spool.waiting);
    lore_w_ki64(&w, "waiting_bytes", (int64_t)f->spool.waiting_bytes);
    if (f->spool.oldest_us > 0)
        lore_w_ktime(&w, "oldest", f->spool.oldest_us);
    lore_w_ki64(&w, "damaged", (int64_t)f->spool.damaged);
    lore_w_ki64(&w, "dead", (int64_t)f->spool.dead);
    lore_w_key(&w, "dead_records");
    lore_w_arr(&w);
    for (size_t i = 0; i < f->n_dead; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "seq", f->dead[i].seq);
        lore_w_kstr(&w, "why", lore_print_clean(cli, f->dead[i].why));
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    if (f->last.number > 0) {
        lore_hex(f->last.hash, sizeof f->last.hash, hash);
        lore_w_key(&w, "last_receipt");
        lore_w_obj(&w);
        lore_w_ki64(&w, "number", (int64_t)f->last.number);
        lore_w_kstr(&w, "batch", f->last.batch);
        lore_w_kstr(&w, "hash", hash);
        lore_w_obj_end(&w);
    }
    if (f->note) {
        lore_w_key(&w, "last");
        lore_w_node(&w, f->note);
    }
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        lore_buf_putc(&cli->out, '\n');
}

static void
line(struct lore_cli *cli, const char *what, const char *text)
{
    lore_buf_printf(&cli->out, "%-13s %s\n", what, lore_print_clean(cli, text));
}

static const char *
when(struct lore_cli *cli, int64_t us)
{
    char text[LORE_TIME_SIZE];

    lore_time_format(us, text);
    return lore_strdup(cli->arena, text);
}

static void
write_text(struct lore_cli *cli, const struct facts *f)
{
    const char *error = lore_answer_text(f->note, "error"),
               *hint = lore_answer_text(f->note, "hint");

    line(cli, "state", f->state);
    line(cli, "agent",
        f->enrolled  ? lore_format(cli->arena, "%s (%s) at %s", f->who.label, f->who.id, f->who.url)
        : f->trouble ? f->trouble
                     : "not enrolled: documents are sent with the token");
    line(cli, "waiting",
        f->spool.waiting == 0
            ? "nothing"
            : lore_format(cli->arena, "%llu, %llu bytes, the oldest since %s",
                  (unsigned long long)f->spool.waiting, (unsigned long long)f->spool.waiting_bytes,
                  when(cli, f->spool.oldest_us)));
    if (f->last.number > 0)
        line(cli, "last receipt",
            lore_format(cli->arena, "number %llu, batch %s", (unsigned long long)f->last.number,
                f->last.batch));
    if (error)
        line(cli, "last error",
            lore_format(cli->arena, "%s  %s%s%s%s", lore_answer_text(f->note, "at"), error,
                hint ? " (" : "", hint ? hint : "", hint ? ")" : ""));
    if (lore_answer_true(f->note, "alarm"))
        line(cli, "alarm", "this needs a person: waiting does not solve it");
    if (f->spool.damaged > 0)
        line(cli, "damaged",
            lore_format(cli->arena, "%llu, kept in %s/spool/damaged",
                (unsigned long long)f->spool.damaged, f->state));
    if (f->spool.dead > 0)
        line(cli, "refused",
            lore_format(cli->arena, "%llu, kept in %s/spool/dead",
                (unsigned long long)f->spool.dead, f->state));
    for (size_t i = 0; i < f->n_dead; i++)
        lore_buf_printf(&cli->out, "  %-11s %s\n", lore_print_clean(cli, f->dead[i].seq),
            lore_print_clean(cli, f->dead[i].why));
}

int
lore_agent_status(struct lore_cli *cli, const char *state)
{
    struct lore_err err = {0};
    struct facts *f = lore_alloc(cli->arena, sizeof *f);

    if (access(state, F_OK) != 0)
        return lore_cli_say(cli, LORE_EXIT_NO, "%s: no documents were collected here yet", state);
    if (gather(cli, state, f, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (cli->json)
        write_json(cli, f);
    else
        write_text(cli, f);
    return LORE_EXIT_OK;
}

int
lore_agent_verify(struct lore_cli *cli, const char *state)
{
    struct lore_upload_identity who;
    struct lore_err err = {0};
    uint64_t receipts = 0, records = 0;

    enum lore_status status = lore_identity_load(state, cli->arena, &who, &err);
    if (status == LORE_OK)
        status = lore_receipts_verify(state, &who, &receipts, &records, &err);
    if (status != LORE_OK)
        return lore_cli_error(cli, status == LORE_IO ? LORE_EXIT_USAGE : LORE_EXIT_NO, &err);
    if (cli->json)
        lore_buf_printf(&cli->out, "{\"receipts\":%llu,\"records\":%llu}\n",
            (unsigned long long)receipts, (unsigned long long)records);
    else
        lore_buf_printf(&cli->out, "the chain is complete: %s over %s, each signed by %s\n",
            lore_answer_show_count(cli, (long long)receipts, "receipt", "receipts"),
            lore_answer_show_count(cli, (long long)records, "record", "records"), who.url);
    return LORE_EXIT_OK;
}
