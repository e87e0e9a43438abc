/* Lessons in words beside an answer. A memory holds hundreds for a popular operator, many of them
 * headings of imported pages; a colleague repeats the two or three that fit: the same operator,
 * chips of the same kind, the language asked about, and traps before descriptions. */
#include "service/api/lessons.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

enum { OF_PAGE = 2 }; /* a page of fifty traps is one lesson about where to look, not eight */

/* Parts of a page that a lesson's title may end in and that teach nothing by themselves. */
static const char *const housekeeping[] = {"to be added", "tbd", "todo", "stopping condition",
    "when to stop", "sources", "source", "references", "reference", "see also", "related",
    "prerequisite", "table of contents", "changelog", "framework baselines",
    "output optimization results", "overview", "further reading", "introduction", "examples",
    "example", "files", "notes"};

/* What follows the last " -- ", without "Step 5:", "12." in front; NULL: the title has no parts. */
static const char *
heading(const char *title)
{
    const char *last = NULL;

    for (const char *p = title; (p = strstr(p, " -- ")) != NULL; p += 4)
        last = p + 4;
    if (!last)
        return NULL;
    if (strncmp(last, "Step ", 5) == 0)
        last += 5;
    while (isdigit((unsigned char)*last) || *last == '.' || *last == ':' || *last == ' ')
        last++;
    return last;
}

static bool
is_housekeeping(const char *title)
{
    const char *h = title != NULL ? heading(title) : NULL;

    if (!h)
        h = title;
    if (!h || *h == '\0')
        return true;
    for (size_t i = 0; i < sizeof housekeeping / sizeof *housekeeping; i++) {
        size_t n = strlen(housekeeping[i]);
        if (strlen(h) < n || strncasecmp(h, housekeeping[i], n) != 0)
            continue;
        n += h[n] == 's';
        if (h[n] == '\0' || strncmp(h + n, " (", 2) == 0)
            return true;
    }
    return false;
}

/* Parts that say what to do, or what not, against those that describe. */
static double
heading_bears(const char *title)
{
    static const char *const tells[] = {"caveat", "pitfall", "lesson", "mistake", "avoid"};
    static const char *const describes[] = {"when to use", "characteristics", "performance",
        "results", "data format", "ladder", "architecture", "programming model", "analysis"};
    const char *h = heading(title);

    if (!h)
        return 0;
    for (size_t i = 0; i < sizeof tells / sizeof *tells; i++) {
        if (strcasestr(h, tells[i]))
            return 1;
    }
    for (size_t i = 0; i < sizeof describes / sizeof *describes; i++) {
        if (strcasestr(h, describes[i]))
            return -1;
    }
    return 0;
}

static double
kind_bears(const char *kind)
{
    static const struct {
        const char *kind;
        double value;
    } kinds[] = {{"anti_strategy", 3}, {"note", 2.5}, {"playbook", 2}, {"numerics_rule", 2},
        {"dispatch_rule", 2}, {"technique_card", 1.5}, {"symptom_card", 1}, {"doc", 0}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kind && strcmp(kind, kinds[i].kind) == 0)
            return kinds[i].value;
    }
    return 1;
}

static bool
differ(const char *a, const char *b)
{
    return a && b && strcmp(a, b) != 0;
}

/* What it was learned on; -10 closes a lesson out. */
static double
chip_bears(const struct lore_lesson *l, const struct lore_chip *asked)
{
    static const double by_travel[LORE_T_COUNT] = {4, 3.5, 3, -3, -10, 0};
    const struct lore_chip *chip = l->chip != NULL ? lore_chip_find(l->chip) : NULL;

    if (!asked)
        return 0;
    if (chip)
        return by_travel[lore_chip_travel(chip, asked)];
    if (l->arch && (lore_streqi(l->arch, asked->arch) || lore_streqi(l->arch, asked->isa)))
        return by_travel[LORE_T_SAME_ARCH];
    if (differ(l->vendor, asked->vendor))
        return by_travel[LORE_T_OTHER_VENDOR];
    return l->arch && !lore_streqi(l->arch, "any") ? by_travel[LORE_T_SAME_VENDOR] : 0;
}

double
lore_lesson_bears(const struct lore_lesson *l, const struct lore_question *q)
{
    bool same_op = q->op && lore_streq(q->op, l->op);
    bool same_family = q->family && lore_streq(q->family, l->family);
    const char *language = q->language != LORE_LANG_NONE ? lore_language_name(q->language) : NULL;
    double chip = chip_bears(l, q->chip), about = 0;

    if (is_housekeeping(l->title) || chip <= -10)
        return 0;
    if (!same_op && !same_family && q->op && (l->op || l->family) &&
        !lore_streq(l->kind, "anti_strategy"))
        return 0; /* another kernel's: a trap of the technique carries over, a recipe does not */
    if (same_op)
        about = 6;
    else if (same_family)
        about = !l->op ? 3 : 1.5;
    if (l->technique)
        about += 3; /* one of the answer, or of the operator */
    if (about <= 0)
        return 0;
    about += kind_bears(l->kind) + heading_bears(l->title) + chip;
    if (language && l->language)
        about += lore_streqi(language, l->language) ? 2 : -2;
    if (l->labels && (lore_labels_parse(l->labels, &(bool){false}) & q->labels) != 0)
        about += 2;
    return about;
}

struct ranked {
    double bears;
    const struct lore_lesson *l;
};

/* Best first; of equals the one that came first. */
static int
by_worth(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;

    if (a->bears != b->bears)
        return a->bears > b->bears ? -1 : 1;
    return a->l < b->l ? -1 : 1;
}

/* Lessons of one page begin alike. */
static bool
is_same_page(const struct lore_lesson *a, const struct lore_lesson *b)
{
    const char *end = strstr(a->title, " -- ");

    return end && strncmp(a->title, b->title, (size_t)(end - a->title) + 4) == 0;
}

/* The best of N, at most OF_PAGE of one page, to the front; how many. */
static size_t
choose(struct ranked *v, size_t n)
{
    size_t kept = 0;

    qsort(v, n, sizeof *v, by_worth);
    for (size_t i = 0; i < n && kept < LORE_LESSONS_SHOWN && v[i].bears > 0; i++) {
        size_t same = 0;
        for (size_t k = 0; k < kept; k++)
            same += is_same_page(v[i].l, v[k].l);
        if (same < OF_PAGE)
            v[kept++] = v[i];
    }
    return kept;
}

static const char **
techniques_of(const struct lore_answer *a, struct lore_arena *arena, size_t *n)
{
    const char **out = lore_alloc_array(arena, a->n_advice + a->n_avoid + 1, sizeof *out);

    *n = 0;
    for (size_t i = 0; i < a->n_advice; i++)
        out[(*n)++] = a->advice[i].technique;
    for (size_t i = 0; i < a->n_avoid; i++)
        out[(*n)++] = a->avoid[i].technique;
    return out;
}

enum lore_status
lore_lessons_find(struct lore_db *db, const struct lore_question *q, const struct lore_answer *a,
    struct lore_arena *arena, struct lore_lessons *out, struct lore_err *err)
{
    struct lore_lesson *rows = NULL;
    struct ranked *best;
    size_t n = 0, n_best, n_techniques;
    const char **techniques = techniques_of(a, arena, &n_techniques);
    enum lore_status status =
        lore_db_list_lessons(db, q->op, q->family, techniques, n_techniques, arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    best = lore_alloc_array(arena, n + 1, sizeof *best);
    for (size_t i = 0; i < n; i++)
        best[i] = (struct ranked){lore_lesson_bears(&rows[i], q), &rows[i]};
    n_best = choose(best, n);
    /* What is kept of lessons may be newer than DB's snapshot: what that has no words of is left
     * out. */
    for (size_t i = 0; status == LORE_OK && i < n_best; i++) {
        struct lore_err why = {0};
        status = lore_db_get_lesson_words(db, best[i].l->id, arena, &out->v[out->n].words, &why);
        if (status == LORE_OK)
            out->v[out->n++].l = *best[i].l;
        else if (status == LORE_NOTFOUND)
            status = LORE_OK;
        else
            *err = why;
    }
    return status;
}
