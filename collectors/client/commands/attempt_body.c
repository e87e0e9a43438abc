/* The body of POST /api/v1/attempts from the options of `try` and `record`. */
#include <math.h>
#include <string.h>

#include "collectors/client/ask/fields.h"
#include "collectors/client/commands/attempt_cmd.h"
#include "collectors/import/hypothesis_txt.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/wire/build.h"

#define SOURCE_MAX (512u << 10)
#define LOG_MAX 60000u

enum how {
    TEXT,
    NUMBER,
    TEXTS,   /* every value of the option */
    FLAT,    /* "tile=64,stages=3": an object */
    SAMPLES, /* a file, or times in a list */
    SOURCES, /* files */
    TAIL,    /* the end of a file */
    SWITCH
};
static const struct member {
    const char *option;
    enum how how;
} members[] = {
    {"operator", TEXT},
    {"kernel", TEXT},
    {"language", TEXT},
    {"chip", TEXT},
    {"dims", TEXT},
    {"dtype", TEXT},
    {"layout", TEXT},
    {"label", TEXT},
    {"version", TEXT},
    {"technique", TEXTS},
    {"params", FLAT},
    {"source", SOURCES},
    {"parent-source", SOURCES},
    {"time", TEXT},
    {"samples", SAMPLES},
    {"before", TEXT},
    {"samples-before", SAMPLES},
    {"error", TEXT},
    {"log", TAIL},
    {"correctness", TEXT},
    {"checked-against", TEXT},
    {"tolerance", NUMBER},
    {"title", TEXT},
    {"notes", TEXT},
    {"lesson", TEXT},
    {"outcome", TEXT},
    {"violation", TEXTS},
    {"evidence", TEXT},
    {"date", TEXT},
    {"advice", TEXT},
    {"again", SWITCH},
    {"new-technique", SWITCH},
    {"new", SWITCH},
    {"dry-run", SWITCH},
};
static const struct {
    const char *option, *metric;
} metrics[] = {{"memory-sol", "memory_sol_pct"}, {"sm-sol", "sm_sol_pct"},
    {"occupancy", "achieved_occupancy"}};

struct job {
    struct lore_cli *cli;
    const struct lore_args *args;
    struct lore_jsonw *w;
    struct lore_err *err;
    struct lore_hypothesis_txt text; /* of --hypothesis-file */
};

static const char *
opt(const struct job *j, const char *name)
{
    const char *v = lore_args_get(j->args, name);
    return v && *v ? v : NULL;
}

static const char *
field(const struct job *j, const struct member *m)
{
    return lore_field_of(j->cli->arena, m->option);
}

static enum lore_status
put_number(struct job *j, const char *name, const char *text, const char *option)
{
    double v = 0;
    enum lore_status status =
        lore_parse_f64(text, lore_format(j->cli->arena, "--%s", option), &v, j->err);

    if (status == LORE_OK && (!isfinite(v) || v < 0))
        status = lore_fail_at(
            j->err, LORE_INVALID, "usage", option, "--%s: must not be negative", option);
    if (status == LORE_OK)
        lore_w_kf64(j->w, name, v);
    return status;
}

static void
put_texts(struct job *j, const struct member *m)
{
    size_t at = 0;

    lore_w_key(j->w, field(j, m));
    lore_w_arr(j->w);
    for (const char *t; (t = lore_args_next(j->args, m->option, &at)) != NULL;)
        while (*t) { /* "a,b{x=1,y=2}": two, because commas in braces belong to parameters */
            size_t n = strcspn(t, ",{");
            n += t[n] == '{' ? strcspn(t + n, "}") : 0;
            n += strcspn(t + n, ",");
            if (n > 0)
                lore_w_strn(j->w, t, n);
            t += n + (t[n] == ',');
        }
    lore_w_arr_end(j->w);
}

static enum lore_status
put_flat(struct job *j, const struct member *m)
{
    struct lore_kvs all = {0};
    size_t at = 0;

    for (const char *t; (t = lore_args_next(j->args, m->option, &at)) != NULL;) {
        struct lore_kvs some = {0};
        enum lore_status status = lore_dims_parse(t, j->cli->arena, &some, j->err);
        if (status != LORE_OK) {
            lore_args_err_in(j->err, lore_format(j->cli->arena, "--%s", m->option));
            lore_err_hint(j->err, "tile=64,stages=3");
            return status;
        }
        for (size_t i = 0; i < some.n; i++)
            lore_kvs_set(j->cli->arena, &all, some.v[i].key, some.v[i].value);
    }
    lore_w_key(j->w, field(j, m));
    lore_w_obj(j->w);
    for (size_t i = 0; i < all.n; i++) {
        lore_w_key(j->w, all.v[i].key);
        lore_w_raw(j->w, all.v[i].value);
    }
    lore_w_obj_end(j->w);
    return LORE_OK;
}

static enum lore_status
put_samples(struct job *j, const struct member *m)
{
    int64_t *v = NULL;
    size_t n = 0;
    enum lore_status status =
        lore_samples_parse(opt(j, m->option), m->option, j->cli->arena, &v, &n, j->err);

    if (status != LORE_OK)
        return status;
    lore_w_key(j->w, field(j, m));
    lore_w_arr(j->w);
    for (size_t i = 0; i < n; i++)
        lore_w_i64(j->w, v[i]);
    lore_w_arr_end(j->w);
    return LORE_OK;
}

/* Read text from PATH; OPTION names it in errors. */
static enum lore_status
read_text(struct job *j, const char *path, const char *option, struct lore_buf *out)
{
    enum lore_status status = lore_file_read(path, out, j->err);

    if (status == LORE_OK)
        status = lore_buf_status(out, path, j->err);
    if (status == LORE_OK && out->len > 0 &&
        (memchr(out->data, '\0', out->len) || !lore_utf8_valid(out->data, out->len)))
        status = lore_fail_at(j->err, LORE_INVALID, "invalid_utf8", option,
            "--%s: %s is not UTF-8 text", option, path);
    return status;
}

static enum lore_status
put_sources(struct job *j, const struct member *m)
{
    enum lore_status status = LORE_OK;
    size_t at = 0;

    lore_w_key(j->w, field(j, m));
    lore_w_arr(j->w);
    for (const char *path;
         status == LORE_OK && (path = lore_args_next(j->args, m->option, &at)) != NULL;) {
        LORE_BUF text = {.max = SOURCE_MAX};
        status = read_text(j, path, m->option, &text);
        lore_w_obj(j->w);
        lore_w_kstr(j->w, "file", lore_build_basename(path));
        lore_w_key(j->w, "text");
        lore_w_strn(j->w, text.data ? text.data : "", status == LORE_OK ? text.len : 0);
        lore_w_obj_end(j->w);
    }
    lore_w_arr_end(j->w);
    return status;
}

/* The last bytes of a log: compilers print the error at the end. */
static enum lore_status
put_tail(struct job *j, const struct member *m)
{
    LORE_BUF text = {.max = 64u << 20};
    enum lore_status status = read_text(j, opt(j, m->option), m->option, &text);
    size_t from = text.len > LOG_MAX ? text.len - LOG_MAX : 0;

    while (from < text.len && ((unsigned char)text.data[from] & 0xc0) == 0x80)
        from++;
    if (status == LORE_OK && text.len > 0) {
        lore_w_key(j->w, field(j, m));
        lore_w_strn(j->w, text.data + from, text.len - from);
    }
    return status;
}

static enum lore_status
put_member(struct job *j, const struct member *m)
{
    const char *text = opt(j, m->option);

    if (m->how == SWITCH) {
        if (lore_args_has(j->args, m->option))
            lore_w_kbool(j->w, field(j, m), true);
        return LORE_OK;
    }
    if (!text)
        return LORE_OK;
    switch (m->how) {
    case NUMBER:
        return put_number(j, field(j, m), text, m->option);
    case FLAT:
        return put_flat(j, m);
    case SAMPLES:
        return put_samples(j, m);
    case SOURCES:
        return put_sources(j, m);
    case TAIL:
        return put_tail(j, m);
    case TEXTS:
        put_texts(j, m);
        return LORE_OK;
    default:
        lore_w_kstr(j->w, field(j, m), text);
        return LORE_OK;
    }
}

static enum lore_status
put_metrics(struct job *j, const char *side, const char *name)
{
    enum lore_status status = LORE_OK;
    bool any = false;

    for (size_t i = 0; i < sizeof metrics / sizeof *metrics && status == LORE_OK; i++) {
        const char *option = lore_format(j->cli->arena, "%s-%s", metrics[i].option, side);
        if (!opt(j, option))
            continue;
        if (!any) {
            lore_w_key(j->w, name);
            lore_w_obj(j->w);
        }
        any = true;
        status = put_number(j, metrics[i].metric, opt(j, option), option);
    }
    if (any)
        lore_w_obj_end(j->w);
    return status;
}

static void
put_bottleneck(struct job *j)
{
    const char *labels = opt(j, "bottleneck"), *stall = opt(j, "stall");

    if (!labels && !stall)
        return;
    lore_w_key(j->w, "bottleneck");
    lore_w_obj(j->w);
    if (labels)
        lore_w_kstr(j->w, "labels", labels);
    if (stall)
        lore_w_kstr(j->w, "evidence", lore_format(j->cli->arena, "dominant stall: %s", stall));
    lore_w_obj_end(j->w);
}

/* The hypothesis of a file, with the claim of the command line when there is one. */
static enum lore_status
put_hypothesis(struct job *j)
{
    const char *path = opt(j, "hypothesis-file"), *claim = opt(j, "hypothesis");
    LORE_BUF text = {.max = LORE_HYPOTHESIS_MAX};
    enum lore_status status;

    if (!path) {
        lore_w_kstr_opt(j->w, "hypothesis", claim);
        return LORE_OK;
    }
    status = read_text(j, path, "hypothesis-file", &text);
    if (status == LORE_OK)
        status = lore_hypothesis_txt_parse(
            text.data ? text.data : "", text.len, j->cli->arena, &j->text, j->err);
    if (status == LORE_INVALID)
        lore_args_err_in(j->err, path);
    if (status != LORE_OK)
        return status;
    if (claim)
        j->text.h.claim = claim;
    lore_w_key(j->w, "hypothesis");
    lore_w_obj(j->w);
    lore_wire_members(j->w, LORE_K_HYPOTHESIS, &j->text.h);
    lore_w_obj_end(j->w);
    return LORE_OK;
}

/* The parent: of --from, of hypothesis.txt; else the head of a session that is not its champion. */
static void
put_parent(struct job *j, const struct lore_session *s)
{
    const char *from = opt(j, "from");

    if (!from)
        from = j->text.source;
    lore_w_kstr_opt(j->w, "parent", from);
    if (!from && s)
        lore_w_kstr_opt(j->w, "head", s->head);
    if (!opt(j, "label"))
        lore_w_kstr_opt(j->w, "label", j->text.target);
}

/* What the service cannot say, because it does not see it or would not store it. */
static enum lore_status
check_options(const struct job *j)
{
    const char *time = opt(j, "time");

    if (time && opt(j, "samples"))
        return lore_fail_at(
            j->err, LORE_INVALID, "usage", "time", "--time and --samples: give one of them");
    if (time && strchr(time, ',')) {
        enum lore_status status = lore_fail_at(
            j->err, LORE_INVALID, "usage", "time", "--time: \"%s\" is more than one time", time);
        lore_err_hint(j->err, "measured times: --samples %s", time);
        return status;
    }
    if (opt(j, "tolerance") && !opt(j, "checked-against"))
        return lore_fail_at(j->err, LORE_INVALID, "usage", "tolerance",
            "--tolerance: of which check? Add --checked-against REF");
    return LORE_OK;
}

enum lore_status
lore_attempt_write(struct lore_cli *cli, const struct lore_args *args, const char *change,
    const struct lore_session *s, struct lore_buf *body, struct lore_err *err)
{
    struct lore_jsonw w;
    struct job j = {.cli = cli, .args = args, .w = &w, .err = err};
    const char *author = opt(&j, "author") ? opt(&j, "author") : cli->config.author;
    enum lore_status status = check_options(&j);

    if (change && *change == '{') {
        status = lore_fail(err, LORE_INVALID, "the change is words, not JSON");
        lore_err_hint(err, "put it into a file: warplore record --file attempt.json");
    }
    lore_jsonw_begin(&w, body, false);
    lore_w_obj(&w);
    lore_w_kstr_opt(&w, "session", s ? s->id : NULL);
    lore_w_kstr_opt(&w, "change", change);
    for (size_t i = 0; i < sizeof members / sizeof *members && status == LORE_OK; i++)
        status = put_member(&j, &members[i]);
    if (status == LORE_OK)
        status = put_metrics(&j, "before", "metrics_before");
    if (status == LORE_OK)
        status = put_metrics(&j, "after", "metrics");
    if (status == LORE_OK)
        status = put_hypothesis(&j);
    if (status != LORE_OK)
        return status;
    put_bottleneck(&j);
    put_parent(&j, s);
    lore_w_kstr_opt(&w, "author", author);
    if (!s)
        lore_w_kstr_opt(
            &w, "project", opt(&j, "project") ? opt(&j, "project") : cli->config.project);
    if (lore_args_has(args, "again"))
        lore_w_kstr(&w, "idempotency_key", lore_build_new_id(cli->arena));
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
