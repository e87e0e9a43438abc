/* Does the resolver find the techniques that people see in a text, and no others?
 *
 * The labels in tests/fixtures/words/ are those of two people who worked apart (labels, held_out)
 * or of one (further, titles; in titles, B adds what may be said as well). Held_out is never tuned
 * on, and only its totals are read. A found technique is right when one of them named it, wrong
 * when neither did; required are those that both named. A label "!slug" is a technique that the
 * text says is absent. Labels of techniques that the catalogue lacks ("NEW:…") are ignored. Texts
 * without a licence are not in the file; they are read from the data by file, line and hash. What
 * an idea says about its outcome is stripped first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "tests/eval/eval.h"
#include "tests/eval/outcome_words.h"

enum { FIELDS = 10, SOURCES = 8, LABELS = 24, FILE_BYTES = 16 << 20 };
enum field { ID, SOURCE, PATH, LINE, HASH, TEXT, A, B, A_PARAMS, B_PARAMS };

struct counts {
    size_t right, wrong, required, found;
};
struct source {
    const char *name;
    size_t texts;
    struct counts techniques, params;
};
struct table {
    struct lore_eval *e;
    struct source v[SOURCES];
    size_t n;
};

static struct source *
source_of(struct table *t, const char *name)
{
    size_t i = 0;

    while (i < t->n && !lore_streq(t->v[i].name, name))
        i++;
    if (i == SOURCES)
        return &t->v[SOURCES - 1];
    t->n += i == t->n;
    t->v[i].name = name;
    return &t->v[i];
}

/* The parts of LIST between separators that are not inside brackets. */
static size_t
split_list(struct lore_arena *arena, const char *list, const char *out[LABELS])
{
    size_t n = 0;

    while (*list != '\0' && n < LABELS) {
        size_t len = 0;
        for (int depth = 0; list[len] != '\0' && (list[len] != ',' || depth > 0); len++)
            depth += list[len] == '(' || list[len] == '[' ? 1 : 0,
                depth -= list[len] == ')' || list[len] == ']' ? 1 : 0;
        if (!(len == 1 && *list == '-')) {
            const char *label = lore_strndup(arena, list, len);
            const struct lore_technique *now =
                lore_starts(label, "NEW:") ? lore_technique_find(label + 4) : NULL;
            out[n++] = now ? now->slug : label;
        }
        list += len + (list[len] == ',');
    }
    return n;
}

static bool
has(const char *const *v, size_t n, const char *s)
{
    for (size_t i = 0; i < n; i++)
        if (lore_streq(v[i], s))
            return true;
    return false;
}

/* Count what was FOUND against the labels. Returns what is wrong or missing, as text. */
static const char *
count(struct lore_arena *arena, const char *const *found, size_t n, char *const *field,
    enum field first, struct counts *c)
{
    const char *a[LABELS], *b[LABELS], *text = "";
    size_t na = split_list(arena, field[first], a), nb = split_list(arena, field[first + 1], b);

    for (size_t i = 0; i < n; i++) {
        bool right = has(a, na, found[i]) || has(b, nb, found[i]);
        c->right += right;
        c->wrong += !right;
        if (!right)
            text = lore_format(arena, "%s +%s", text, found[i]);
    }
    for (size_t i = 0; i < na; i++) {
        if (!has(b, nb, a[i]) || lore_starts(a[i], "NEW:"))
            continue;
        bool is = has(found, n, a[i]);
        c->required++;
        c->found += is;
        if (!is)
            text = lore_format(arena, "%s -%s", text, a[i]);
    }
    return text;
}

/* "BLOCK_M=128" as "block_m=128": the canonical name, and only digits, signs and words of the
 * value. */
static const char *
canonical(struct lore_arena *arena, const char *label)
{
    size_t n = strcspn(label, "="), len = 0;
    char *name = lore_strdup(arena, lore_words_parameter(lore_strndup(arena, label, n), arena));
    char *value = lore_strdup(arena, label[n] == '=' ? label + n + 1 : "");

    for (const char *s = value; *s != '\0'; s++)
        if (lore_is_word(*s) || *s == '>')
            value[len++] = *s;
        else if (*s == ',')
            value[len++] = 'x';
    value[len] = '\0';
    len = 0;
    for (const char *s = name; *s != '\0'; s++)
        if (*s != '_')
            name[len++] = *s;
    name[len] = '\0';
    return lore_format(arena, "%s=%s", name, value);
}

static char *
canonical_list(struct lore_arena *arena, const char *list)
{
    const char *v[LABELS];
    size_t n = split_list(arena, list, v);
    char *text = lore_strdup(arena, "");

    for (size_t i = 0; i < n; i++)
        text = lore_format(arena, "%s%s%s", text, i > 0 ? "," : "", canonical(arena, v[i]));
    return text;
}

static void
judge(struct table *t, char *field[FIELDS], const char *text)
{
    struct lore_arena *arena = t->e->arena;
    const char *found[LABELS], *params[LABELS];
    size_t n = 0, n_params = 0;
    struct source *s = source_of(t, field[SOURCE]);
    struct lore_words w;

    lore_words_resolve(text, arena, &w);
    for (size_t i = 0; i < w.n && n < LABELS; i++) {
        found[n++] = lore_format(arena, "%s%s", w.v[i].negated ? "!" : "", w.v[i].slug);
        for (size_t k = 0; k < w.v[i].n_params && n_params < LABELS; k++) {
            const struct lore_word_param *p = &w.v[i].params[k];
            params[n_params++] =
                canonical(arena, lore_format(arena, "%s=%s%s%s", p->name, p->from ? p->from : "",
                                     p->from ? "->" : "", p->to));
        }
    }
    s->texts++;
    field[A_PARAMS] = canonical_list(arena, field[A_PARAMS]);
    field[B_PARAMS] = canonical_list(arena, field[B_PARAMS]);
    const char *off = count(arena, found, n, field, A, &s->techniques);
    const char *off_params = count(arena, params, n_params, field, A_PARAMS, &s->params);
    if (t->e->details && (*off != '\0' || *off_params != '\0'))
        lore_buf_printf(t->e->text, "%s %s:%s%s%s\n", field[ID], field[SOURCE], off,
            *off_params ? " params" : "", off_params);
}

/* --- texts that are not in the file of labels --- */

/* The idea in line LINE of a log; NULL when the data have another text there. */
static const char *
look_up(struct lore_eval *e, char *const *field, struct lore_err *err)
{
    LORE_BUF text = {.max = FILE_BYTES};
    struct lore_json *node;
    const char *idea = NULL;
    char hash[LORE_HASH_HEX];
    long line = strtol(field[LINE], NULL, 10);
    const char *path = lore_format(e->arena, "%s/%s", e->data, field[PATH]);

    if (lore_file_read(path, &text, err) != LORE_OK)
        return NULL;
    const char *s = text.data;
    for (long i = 1; s && i < line; i++)
        s = (s = strchr(s, '\n')) ? s + 1 : NULL;
    if (!s || lore_json_parse(s, strcspn(s, "\n"), NULL, e->arena, &node, err) != LORE_OK ||
        lore_json_text(node, "idea", &idea, err) != LORE_OK || !idea)
        return NULL;
    lore_hash_hex(idea, strlen(idea), hash);
    return lore_starts(hash, field[HASH]) ? idea : NULL;
}

static const char *
text_of(struct lore_eval *e, char *const *field, struct lore_err *err)
{
    const char *text = lore_streq(field[TEXT], "-") ? look_up(e, field, err) : field[TEXT];

    return text && lore_streq(field[SOURCE], "agent-logs") ? outcome_strip(e->arena, text) : text;
}

/* --- figures --- */

struct share {
    double value, low, high;
};

/* The share and its Wilson interval of 95 %. */
static struct share
share_of(size_t n, size_t of)
{
    const double z = 1.959964;
    double p = of > 0 ? (double)n / (double)of : NAN, d = 1 + z * z / (double)of;
    double middle = (p + z * z / (2 * (double)of)) / d;
    double half = z * sqrt(p * (1 - p) / (double)of + z * z / (4.0 * (double)of * (double)of)) / d;

    return (struct share){p, middle - half, middle + half};
}

static void
print_counts(struct lore_eval *e, const char *source, const char *what, const struct counts *c)
{
    struct share p = share_of(c->right, c->right + c->wrong), r = share_of(c->found, c->required);

    lore_buf_printf(e->text,
        "%-12s %-11s precision %3zu/%-3zu %.3f [%.3f, %.3f]  recall %3zu/%-3zu %.3f [%.3f, %.3f]\n",
        source, what, c->right, c->right + c->wrong, p.value, p.low, p.high, c->found, c->required,
        r.value, r.low, r.high);
}

static void
add(struct counts *to, const struct counts *c)
{
    to->right += c->right;
    to->wrong += c->wrong;
    to->required += c->required;
    to->found += c->found;
}

static void
print_table(struct table *t)
{
    struct counts all = {0}, params = {0};

    for (size_t i = 0; i < t->n; i++) {
        print_counts(t->e, t->v[i].name, "techniques", &t->v[i].techniques);
        add(&all, &t->v[i].techniques);
        add(&params, &t->v[i].params);
    }
    print_counts(t->e, "all", "techniques", &all);
    print_counts(t->e, "all", "parameters", &params);
    lore_eval_add(
        t->e, (struct lore_eval_figure){"words", "all", "resolver", "precision",
                  share_of(all.right, all.right + all.wrong).value, LORE_GOAL_AT_LEAST, 0.95});
    lore_eval_add(t->e, (struct lore_eval_figure){"words", "all", "resolver", "recall",
                            share_of(all.found, all.required).value, LORE_GOAL_AT_LEAST, 0.85});
}

enum lore_status
lore_eval_words(struct lore_eval *e, struct lore_err *err)
{
    LORE_BUF file = {.max = FILE_BYTES};
    struct table t = {.e = e};
    enum lore_status status = e->labels
                                  ? lore_file_read(e->labels, &file, err)
                                  : lore_fail(err, LORE_NOTFOUND, "words: needs --labels FILE");

    for (char *line = file.data; status == LORE_OK && line && *line != '\0';) {
        size_t len = strcspn(line, "\n"), n = 0;
        char *field[FIELDS], *next = line + len + (line[len] == '\n');
        line[len] = '\0';
        for (char *s = line; s && n < FIELDS; n++) {
            field[n] = s;
            s = strchr(s, '\t');
            if (s)
                *s++ = '\0';
        }
        if (n == FIELDS && lore_is_digit(field[ID][0])) {
            const char *text = text_of(e, field, err);
            if (!text)
                return lore_fail(
                    err, LORE_NOTFOUND, "%s:%s: not the labelled text", field[PATH], field[LINE]);
            judge(&t, field, text);
        }
        line = next;
    }
    if (status == LORE_OK)
        print_table(&t);
    return status;
}
