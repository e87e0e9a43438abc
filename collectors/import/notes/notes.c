/* Notes in Markdown that no other importer reads: a team's notes.md, the diary of a kernel. A
 * sentence or bullet that names a technique and its effect becomes an insight, a draft until
 * somebody reviews it; one that names a technique and intends or expects something a hypothesis.
 * Operator and chip come from the sentence, else from the headings above it. Numbers in a sentence
 * hold under conditions that it may not state, so none becomes a claim. What is not read is
 * counted in the report; the file itself is stored. */
#include "collectors/import/notes/notes.h"

#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/markdown.h"
#include "collectors/import/prose.h"
#include "service/base/text.h"
#include "service/base/utf8.h"
#include "service/catalogue/words.h"
#include "service/wire/build.h"

enum { LEVELS = 6, SENTENCE_MAX = 2000, TITLE_MAX = 200 };

enum says { NOTHING, NO_EFFECT, QUESTION, EFFECT, INTENTION };

struct sentence {
    const char *text; /* as written, lines joined */
    size_t line;
    struct lore_words words;
    const char *effect;
    enum says says;
};

struct walk {
    struct lore_import *in;       /* NULL: only whether there is anything to read */
    struct lore_arena *arena;     /* of one paragraph */
    const char *headings[LEVELS]; /* those above, by level; NULL: none */
    bool found, fenced;
    struct lore_err *err;
    enum lore_status status;
};

/* ---- records ---- */

static const char *
heading_of(const struct walk *w)
{
    const char *last = NULL;

    for (size_t i = 0; i < LEVELS; i++)
        last = w->headings[i] ? w->headings[i] : last;
    return last;
}

static void
find_scope(const struct walk *w, const char *text, const struct lore_operator **op,
    const struct lore_chip **chip)
{
    *op = lore_notes_operator(text, false, w->arena);
    *chip = lore_notes_chip(text, w->arena);
    for (size_t i = LEVELS; i-- > 0;) {
        if (!w->headings[i])
            continue;
        *op = *op ? *op : lore_notes_operator(w->headings[i], true, w->arena);
        *chip = *chip ? *chip : lore_notes_chip(w->headings[i], w->arena);
    }
    if (!*chip && w->in->chip)
        *chip = lore_chip_find(w->in->chip);
}

/* The technique that S is filed under, the first that it does not deny ("instead of padding"); each
 * that it names is in the extra. */
static const char *
technique_of(const struct sentence *s)
{
    for (size_t i = 0; i < s->words.n; i++)
        if (!s->words.v[i].negated)
            return s->words.v[i].slug;
    return s->words.n > 0 ? s->words.v[0].slug : NULL;
}

static const char *
extra_of(const struct walk *w, const struct sentence *s, const struct lore_operator *op,
    const struct lore_chip *chip)
{
    struct lore_buf out = {.max = 64u << 10};
    struct lore_jsonw j;

    lore_jsonw_begin(&j, &out, false);
    lore_w_obj(&j);
    lore_w_key(&j, "notes");
    lore_w_obj(&j);
    lore_w_kstr(&j, "file", w->in->at->path);
    lore_w_ki64(&j, "line", (int64_t)s->line);
    if (heading_of(w))
        lore_w_kstr(&j, "heading", heading_of(w));
    if (op)
        lore_w_kstr(&j, "operator", op->name);
    if (chip)
        lore_w_kstr(&j, "chip", chip->name);
    lore_w_key(&j, "techniques");
    lore_w_arr(&j);
    for (size_t i = 0; i < s->words.n; i++)
        lore_w_str(&j, s->words.v[i].slug);
    lore_w_arr_end(&j);
    lore_w_obj_end(&j);
    lore_w_obj_end(&j);
    const char *text =
        lore_jsonw_end(&j, NULL) == LORE_OK ? lore_strndup(w->in->arena, out.data, out.len) : NULL;
    lore_buf_free(&out);
    return text;
}

static const char *
id_of(const struct walk *w, const struct sentence *s)
{
    return lore_build_id(w->in->arena, 0, "notes|%s|%zu|%s", w->in->at->path, s->line, s->text);
}

/* TEXT without the marks of bold text and code, of which a sentence may hold only one side. */
static const char *
without_marks(struct lore_arena *arena, const char *text)
{
    char *out = lore_strdup(arena, text), *to = out;

    for (const char *p = text; *p; p++) {
        if (*p == '`' || (*p == '*' && p[1] == '*')) {
            p += *p == '*';
            continue;
        }
        *to++ = *p;
    }
    *to = '\0';
    return out;
}

static void
add_insight(struct walk *w, const struct sentence *s)
{
    struct lore_import *in = w->in;
    struct lore_insight *x =
        LORE_PUSH(in->arena, in->doc->insights, in->doc->n_insights, in->doc->cap_insights);
    const struct lore_operator *op;
    const struct lore_chip *chip;

    find_scope(w, s->text, &op, &chip);
    x->id = id_of(w, s);
    x->kind = "note";
    x->title = lore_prose_cut(in->arena, without_marks(in->arena, s->text), TITLE_MAX);
    x->body = lore_strdup(in->arena, s->text);
    x->verdict = lore_strdup(in->arena, s->effect);
    x->technique = technique_of(s);
    x->op = op ? op->name : NULL;
    x->chip = chip && chip->product ? chip->name : NULL;
    x->arch = chip && !chip->product ? chip->arch : NULL;
    x->confidence = "source_reported";
    x->provenance.system = "notes";
    x->provenance.path = in->at->path;
    x->provenance.external_id = lore_format(in->arena, "line %zu", s->line);
    x->provenance.quote = x->body;
    x->extra = extra_of(w, s, op, chip);
}

static void
add_hypothesis(struct walk *w, const struct sentence *s)
{
    struct lore_import *in = w->in;
    struct lore_hypothesis *h =
        LORE_PUSH(in->arena, in->doc->hypotheses, in->doc->n_hypotheses, in->doc->cap_hypotheses);
    const struct lore_operator *op;
    const struct lore_chip *chip;

    find_scope(w, s->text, &op, &chip);
    h->id = id_of(w, s);
    h->claim = without_marks(in->arena, s->text);
    h->technique = technique_of(s);
    h->op = op ? op->name : NULL;
    h->chip = chip ? chip->name : NULL;
    h->raw_text = lore_strdup(in->arena, s->text);
    h->extra = extra_of(w, s, op, chip);
}

/* ---- sentences ---- */

static bool
is_plan(const struct walk *w)
{
    const char *heading = heading_of(w);

    return heading && lore_notes_intends(heading);
}

static void
read_sentence(const struct walk *w, struct sentence *s)
{
    lore_words_resolve(s->text, w->arena, &s->words);
    s->says = NOTHING;
    if (s->words.n == 0)
        return;
    s->effect = lore_notes_effect(s->text, w->arena);
    if (lore_notes_intends(s->text) || is_plan(w))
        s->says = INTENTION;
    else if (lore_notes_asks(s->text))
        s->says = QUESTION;
    else if (!s->effect)
        s->says = NO_EFFECT;
    else
        s->says = lore_notes_expects(s->text) ? INTENTION : EFFECT;
}

enum { QUOTED_MAX = 60 }; /* bytes of a line that is not read */

/* Add line number LINE, whose text begins with TEXT, to the list of lines that were not read. */
static void
not_read(struct walk *w, size_t line, const char *text, const char *why)
{
    size_t n = lore_utf8_prefix(text, strnlen(text, QUOTED_MAX));

    if (w->in)
        lore_import_note(w->in, LORE_IL_EXTRA,
            "%s line %zu: \"%.*s%s\": %s; in the stored file only", w->in->file, line, (int)n, text,
            text[n] ? "…" : "", why);
}

static void
table_not_read(struct walk *w, const struct lore_md_table *t)
{
    LORE_SCRATCH arena = {0};
    const char *columns = "";

    for (size_t i = 0; i < t->header.n; i++)
        columns = lore_format(&arena, "%s%s%s", columns, i > 0 ? ", " : "", t->header.cells[i]);
    lore_import_note(w->in, LORE_IL_EXTRA,
        "%s line %zu: a table of %zu rows, %s: warplore import --suggest reads it by a map",
        w->in->file, t->line, t->n, columns);
}

static void
take_sentence(struct walk *w, const char *text, size_t len, size_t line)
{
    static const char *const why[] = {[NOTHING] = "it names no technique",
        [NO_EFFECT] = "a technique, but neither effect nor intention",
        [QUESTION] = "a question"};
    LORE_SCRATCH scratch = {0};
    struct sentence s = {.line = line};

    if (len > SENTENCE_MAX) {
        not_read(w, line, "", "a sentence of more than 2,000 bytes");
        return;
    }
    w->arena = &scratch;
    s.text = lore_strndup(&scratch, text, len);
    read_sentence(w, &s);
    if (s.says < EFFECT) {
        not_read(w, line, s.text, why[s.says]);
        return;
    }
    w->found = true;
    if (!w->in)
        return;
    w->in->records++;
    lore_import_note(w->in, LORE_IL_NAMES, "%s: %s", w->in->file,
        s.says == EFFECT
            ? "sentences with a technique and its effect: insights, drafts until reviewed"
            : "intentions and expectations: hypotheses");
    if (s.says == EFFECT)
        add_insight(w, &s);
    else
        add_hypothesis(w, &s);
    w->status = lore_import_flush(w->in, w->err);
}

/* The bytes before the full stop, "!" or "?" that ends the sentence at P, else all. Marks may stand
 * between it and the space: "*2026-02-11.* Text". */
static size_t
sentence_length(const char *p)
{
    for (size_t n = strcspn(p, ".!?"); p[n]; n += 1 + strcspn(p + n + 1, ".!?")) {
        const char *next = p + n + 1;
        next += strspn(next, "*_)\"'`");
        if (!*next || *next == ' ' || *next == '\n')
            return n;
    }
    return strlen(p);
}

/* The bullet or paragraph TEXT, which begins at LINE, sentence by sentence. */
static void
take_paragraph(struct walk *w, char *text, size_t line)
{
    for (char *start = text; w->status == LORE_OK && *start;) {
        for (; *start && strchr(" \n\t-*_[]()\"'`", *start); start++)
            line += *start == '\n';
        size_t n = sentence_length(start), first = line;
        for (size_t i = 0; i < n; i++) {
            line += start[i] == '\n';
            start[i] = start[i] == '\n' ? ' ' : start[i];
        }
        if (n > 0)
            take_sentence(w, start, n + (start[n] == '?' || start[n] == '!'), first);
        start += n + (start[n] != '\0');
    }
}

static void
take_heading(struct walk *w, const char *text, int depth)
{
    size_t level = depth < LEVELS ? (size_t)depth : LEVELS;

    w->headings[level - 1] = text;
    for (size_t i = level; i < LEVELS; i++)
        w->headings[i] = NULL;
}

/* 1 or 2 when L underlines the line before it, as the heading of that level; else 0. */
static int
underlines(const struct lore_md_line *l, const struct lore_md_line *last)
{
    size_t n = strlen(l->text);

    if (n < 3 || l->line != last->line + 1)
        return 0;
    return strspn(l->text, "=") == n ? 1 : strspn(l->text, "-") == n ? 2 : 0;
}

/* Whether NEXT continues the paragraph or bullet whose last line is LAST. */
static bool
continues(const struct lore_md_line *next, const struct lore_md_line *last)
{
    return next->bullet == 0 && next->level == 0 && next->line == last->line + 1 &&
           !lore_starts(next->text, "```") && !lore_starts(next->text, "~~~");
}

static void
walk(struct walk *w, const struct lore_md *md)
{
    for (size_t i = 0; i < md->n_lines && w->status == LORE_OK && !(w->found && !w->in); i++) {
        const struct lore_md_line *l = &md->lines[i];
        struct lore_buf text = {.max = 2 * LORE_IMPORT_WHOLE};

        if (lore_starts(l->text, "```") || lore_starts(l->text, "~~~")) {
            w->fenced = !w->fenced;
        } else if (w->fenced) {
            not_read(w, l->line, l->text, "code");
        } else if (l->level > 0) {
            take_heading(w, l->text, l->level);
        } else if (i + 1 < md->n_lines && underlines(l + 1, l)) {
            take_heading(w, l->text, underlines(l + 1, l));
            i++;
        } else {
            lore_buf_puts(&text, l->text);
            for (; i + 1 < md->n_lines && continues(&md->lines[i + 1], &md->lines[i]); i++)
                lore_buf_printf(&text, "\n%s", md->lines[i + 1].text);
            if (text.data)
                take_paragraph(w, text.data, l->line);
        }
        lore_buf_free(&text);
    }
}

/* ---- the importer ---- */

static bool
is_markdown(const char *path)
{
    static const char *const ends[] = {".md", ".markdown", ".mdx"};
    size_t n = strlen(path);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (n > strlen(ends[i]) && lore_streqi(path + n - strlen(ends[i]), ends[i]))
            return true;
    return false;
}

bool
lore_notes_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    struct walk w = {0};

    if (!f || !f->whole || !f->utf8 || !is_markdown(unit))
        return false;
    LORE_SCRATCH arena = {0};
    struct lore_md md = {0};
    lore_md_parse(&arena, f->text, f->len, NULL, &md);
    walk(&w, &md);
    return w.found;
}

enum lore_status
lore_notes_read(struct lore_import *in, struct lore_err *err)
{
    struct walk w = {.in = in, .err = err};
    struct lore_md md = {0};

    lore_md_parse(lore_import_kept(in), in->text, strlen(in->text), NULL, &md);
    walk(&w, &md);
    for (size_t i = 0; i < md.n_tables; i++)
        table_not_read(&w, &md.tables[i]);
    return w.status;
}
