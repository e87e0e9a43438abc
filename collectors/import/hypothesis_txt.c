/* The parser works line by line. A line is a labelled line ("Rationale : text"), a bullet ("-
 * Accept if: text"), or continues the text before it. In the newer format, it may also be a section
 * title at column 0 ("Risk:", its colon optional). store_bullet and store_line assign each piece of
 * text to a field; text without a field goes to extra.
 *
 * Expected metric changes are separated by commas and semicolons. Only an arrow gives a direction,
 * because a word such as "improve" means up for some metrics and down for others. Expected numbers
 * stay in the raw text. */
#include "collectors/import/hypothesis_txt.h"

#include <string.h>

#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/wire/build.h"

struct piece {
    const char *section, *key; /* key NULL: text of the section itself */
    struct lore_buf buf;       /* collects lines; finish_pieces copies it to `text` */
    const char *text;
};
struct pieces {
    struct lore_arena *arena;
    struct piece *v;
    size_t n, cap;
    const char *section;
    bool sectioned;
};

static const char *const line_labels[] = {"hypothesis", "rationale", "expected", "risk", "outcome"};
static const char *const sections[] = {"version", "current evidence", "decision link",
    "single change", "rationale", "expected metric movement", "risk", "evidence used",
    "decision rule", "hypothesis", "change", "expected", "outcome"};

static const char *
trim(struct lore_arena *arena, const char *s, size_t n)
{
    while (n > 0 && strchr(" \t\r", s[0]))
        s++, n--;
    while (n > 0 && strchr(" \t\r", s[n - 1]))
        n--;
    return lore_strndup(arena, s, n);
}

static bool
is_one_of(const char *s, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (lore_streqi(s, names[i]))
            return true;
    }
    return false;
}

static struct piece *
add_piece(struct pieces *p, const char *section, const char *key, const char *text)
{
    struct piece *piece = LORE_PUSH(p->arena, p->v, p->n, p->cap);

    piece->section = section;
    piece->key = key;
    piece->buf.max = LORE_HYPOTHESIS_MAX + 1;
    lore_buf_puts(&piece->buf, text);
    return piece;
}

static void
continue_piece(struct pieces *p, const char *text)
{
    if (!*text)
        return;
    if (p->n == 0) {
        add_piece(p, p->section ? p->section : "", NULL, text);
        return;
    }
    struct lore_buf *b = &p->v[p->n - 1].buf;
    if (b->len > 0)
        lore_buf_putc(b, ' ');
    lore_buf_puts(b, text);
}

/* "- Key: value", or a bullet without a key. */
static void
take_bullet(struct pieces *p, const char *text)
{
    const char *colon = strchr(text, ':');

    p->sectioned = true;
    if (!colon || colon - text > 60) {
        add_piece(p, p->section ? p->section : "", "", text);
        return;
    }
    const char *key = trim(p->arena, text, (size_t)(colon - text));
    add_piece(p, p->section ? p->section : "", key, trim(p->arena, colon + 1, strlen(colon + 1)));
}

static void
take_line(struct pieces *p, const char *line, size_t len)
{
    const char *text = trim(p->arena, line, len);
    bool indented = len > 0 && (line[0] == ' ' || line[0] == '\t');
    const char *colon = strchr(text, ':');

    if (text[0] == '-' && text[1] == ' ') {
        take_bullet(p, trim(p->arena, text + 1, strlen(text + 1)));
        return;
    }
    const char *label = colon ? trim(p->arena, text, (size_t)(colon - text)) : text;
    if (indented || !is_one_of(label, sections, sizeof sections / sizeof *sections)) {
        continue_piece(p, text);
        return;
    }
    p->section = label;
    if (!is_one_of(label, line_labels, sizeof line_labels / sizeof *line_labels))
        p->sectioned = true;
    add_piece(p, label, NULL, colon ? trim(p->arena, colon + 1, strlen(colon + 1)) : "");
}

static void
finish_pieces(struct pieces *p)
{
    for (size_t i = 0; i < p->n; i++) {
        struct lore_buf *b = &p->v[i].buf;
        p->v[i].text = b->data ? lore_strndup(p->arena, b->data, b->len) : "";
        lore_buf_free(b);
    }
}

/* ---- from pieces to fields ---- */

static void
append_text(struct lore_arena *arena, const char **field, const char *key, const char *text)
{
    if (!*text)
        return;
    const char *with_key = key && *key ? lore_format(arena, "%s: %s", key, text) : text;
    *field = *field ? lore_format(arena, "%s %s", *field, with_key) : with_key;
}

/* The length of S up to the next comma or semicolon outside parentheses. */
static size_t
item_length(const char *s)
{
    size_t n = 0;
    int depth = 0;

    for (; s[n]; n++) {
        if (s[n] == '(')
            depth++;
        else if (s[n] == ')')
            depth--;
        else if (depth <= 0 && (s[n] == ',' || s[n] == ';'))
            break;
    }
    return n;
}

static const char *
metric_name(struct lore_arena *arena, const char *item, const char *arrow)
{
    size_t n = arrow ? (size_t)(arrow - item) : strcspn(item, "(<>=");
    const char *name = trim(arena, item, n);
    return *name ? name : item;
}

static void
add_expected(struct lore_arena *arena, struct lore_hypothesis *h, const char *text)
{
    while (*text) {
        size_t n = item_length(text);
        const char *item = trim(arena, text, n);
        text += n + (text[n] != '\0');
        if (!*item)
            continue;
        const char *up = strstr(item, "↑"), *down = strstr(item, "↓");
        const char *arrow = up ? up : down;
        struct lore_expectation *x = LORE_PUSH(arena, h->expected, h->n_expected, h->cap_expected);
        x->metric = metric_name(arena, item, arrow);
        x->direction = up && down ? NULL : up ? "up" : down ? "down" : NULL;
        x->raw = item;
    }
}

static void
add_watch(struct lore_arena *arena, struct lore_hypothesis *h, const char *text)
{
    while (*text) {
        size_t n = item_length(text);
        const char *item = trim(arena, text, n);
        text += n + (text[n] != '\0');
        if (*item)
            lore_build_text(arena, &h->watch, item);
    }
}

/* Move the risk of a line "expectations / Risk: risk" to H and return the expectations. */
static const char *
split_risk(struct lore_arena *arena, const char *text, struct lore_hypothesis *h)
{
    const char *risk = strstr(text, "Risk:");

    if (!risk)
        return text;
    append_text(arena, &h->risk, NULL, trim(arena, risk + 5, strlen(risk + 5)));
    size_t n = (size_t)(risk - text);
    while (n > 0 && strchr(" /\t", text[n - 1]))
        n--;
    return lore_strndup(arena, text, n);
}

/* Assign the piece to its field; false when there is none. */
static bool
store_bullet(struct lore_arena *arena, const struct piece *p, struct lore_hypothesis_txt *out)
{
    struct lore_hypothesis *h = &out->h;
    const struct {
        const char *key;
        const char **field;
    } rows[] = {{"source", &out->source}, {"target", &out->target}, {"change", &h->change},
        {"things intentionally not changed", &h->not_changed}, {"accept if", &h->accept_if},
        {"reject if", &h->reject_if}, {"rollback", &h->rollback}};

    if (!*p->text)
        return true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (lore_streqi(p->key, rows[i].key)) {
            append_text(arena, rows[i].field, NULL, p->text);
            return true;
        }
    }
    if (lore_streqi(p->section, "risk"))
        append_text(arena, &h->risk, p->key, p->text);
    else if (lore_streqi(p->section, "rationale"))
        append_text(arena, &h->rationale, p->key, p->text);
    else if (lore_streqi(p->section, "decision link"))
        append_text(arena, &h->decision_link, p->key, p->text);
    else if (lore_streqi(p->key, "watch for regressions"))
        add_watch(arena, h, p->text);
    else if (lore_starts(p->section, "Expected"))
        add_expected(arena, h, p->text);
    else
        return false;
    return true;
}

static bool
store_line(struct lore_arena *arena, const struct piece *p, struct lore_hypothesis_txt *out)
{
    struct lore_hypothesis *h = &out->h;

    if (!*p->text)
        return true;
    if (lore_streqi(p->section, "hypothesis"))
        append_text(arena, &h->claim, NULL, p->text);
    else if (lore_streqi(p->section, "single change") || lore_streqi(p->section, "change"))
        append_text(arena, &h->change, NULL, p->text);
    else if (lore_streqi(p->section, "rationale"))
        append_text(arena, &h->rationale, NULL, p->text);
    else if (lore_streqi(p->section, "risk"))
        append_text(arena, &h->risk, NULL, p->text);
    else if (lore_streqi(p->section, "outcome"))
        append_text(arena, &out->outcome, NULL, p->text);
    else if (lore_starts(p->section, "Expected") || lore_starts(p->section, "expected"))
        add_expected(arena, h, split_risk(arena, p->text, h));
    else
        return false;
    return true;
}

/* The pieces without a field, as {"hypothesis_txt": [{section, key, text}, …]} in the order of the
 * file. */
static const char *
extra_of(struct lore_arena *arena, const struct pieces *p, const bool *taken)
{
    struct lore_buf b = {.max = 4 * LORE_HYPOTHESIS_MAX};
    struct lore_jsonw w;
    bool any = false;

    lore_jsonw_begin(&w, &b, false);
    lore_w_obj(&w);
    lore_w_key(&w, "hypothesis_txt");
    lore_w_arr(&w);
    for (size_t i = 0; i < p->n; i++) {
        const struct piece *piece = &p->v[i];
        if (taken[i] || !*piece->text)
            continue;
        any = true;
        lore_w_obj(&w);
        lore_w_kstr_opt(&w, "section", piece->section);
        lore_w_kstr_opt(&w, "key", piece->key);
        lore_w_kstr(&w, "text", piece->text);
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    bool good = lore_jsonw_end(&w, NULL) == LORE_OK;
    const char *out = any && good ? lore_strndup(arena, b.data, b.len) : NULL;
    lore_buf_free(&b);
    return out;
}

static void
store_all(const struct pieces *p, struct lore_hypothesis_txt *out)
{
    bool *taken = lore_alloc_array(p->arena, p->n + 1, sizeof *taken);

    for (size_t i = 0; i < p->n; i++) {
        const struct piece *piece = &p->v[i];
        taken[i] = piece->key && *piece->key ? store_bullet(p->arena, piece, out)
                                             : store_line(p->arena, piece, out);
    }
    if (!out->h.claim)
        out->h.claim = out->h.change;
    out->h.extra = extra_of(p->arena, p, taken);
    out->sectioned = p->sectioned;
}

enum lore_status
lore_hypothesis_txt_parse(const char *text, size_t len, struct lore_arena *arena,
    struct lore_hypothesis_txt *out, struct lore_err *err)
{
    struct pieces p = {.arena = arena};

    memset(out, 0, sizeof *out);
    if (len > LORE_HYPOTHESIS_MAX)
        return lore_fail(err, LORE_TOOBIG, "longer than %u KiB", LORE_HYPOTHESIS_MAX >> 10);
    if (!lore_utf8_valid(text, len) || memchr(text, '\0', len))
        return lore_fail_at(err, LORE_INVALID, "invalid_utf8", "", "not UTF-8 text");
    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        take_line(&p, text + at, n);
        at += n + 1;
    }
    finish_pieces(&p);
    store_all(&p, out);
    if (!out->h.claim)
        return lore_fail(
            err, LORE_INVALID, "names no change; add a line \"Hypothesis: …\" or \"- Change: …\"");
    out->h.raw_text = lore_strndup(arena, text, len);
    return LORE_OK;
}
