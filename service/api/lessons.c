/* Lessons shown with an answer. A popular operator has hundreds, many of them section headings of
 * imported pages. The most relevant are shown: same operator, similar chips, requested language,
 * and pitfalls before descriptions. */
#include "service/api/lessons.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

enum { PER_PAGE = 2 }; /* lessons per imported page, so that one long page does not fill the list */

/* Section titles without content of their own. */
static const char *const boilerplate[] = {"to be added", "tbd", "todo", "stopping condition",
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
is_boilerplate(const char *title)
{
    const char *h = title != NULL ? heading(title) : NULL;

    if (!h)
        h = title;
    if (!h || *h == '\0')
        return true;
    for (size_t i = 0; i < sizeof boilerplate / sizeof *boilerplate; i++) {
        size_t n = strlen(boilerplate[i]);
        if (strlen(h) < n || strncasecmp(h, boilerplate[i], n) != 0)
            continue;
        n += h[n] == 's';
        if (h[n] == '\0' || strncmp(h + n, " (", 2) == 0)
            return true;
    }
    return false;
}

/* Prefer sections with advice to sections that describe. */
static double
heading_relevance(const char *title)
{
    static const char *const advises[] = {"caveat", "pitfall", "lesson", "mistake", "avoid"};
    static const char *const describes[] = {"when to use", "characteristics", "performance",
        "results", "data format", "ladder", "architecture", "programming model", "analysis"};
    const char *h = heading(title);

    if (!h)
        return 0;
    for (size_t i = 0; i < sizeof advises / sizeof *advises; i++) {
        if (strcasestr(h, advises[i]))
            return 1;
    }
    for (size_t i = 0; i < sizeof describes / sizeof *describes; i++) {
        if (strcasestr(h, describes[i]))
            return -1;
    }
    return 0;
}

static double
kind_relevance(const char *kind)
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

/* Relevance of the lesson's chip; -10 excludes the lesson. */
static double
chip_relevance(const struct lore_lesson *l, const struct lore_chip *asked)
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
lore_lesson_relevance(const struct lore_lesson *l, const struct lore_question *q)
{
    bool same_op = q->op && lore_streq(q->op, l->op);
    bool same_family = q->family && lore_streq(q->family, l->family);
    const char *language = q->language != LORE_LANG_NONE ? lore_language_name(q->language) : NULL;
    double chip = chip_relevance(l, q->chip), relevance = 0;

    if (is_boilerplate(l->title) || chip <= -10)
        return 0;
    if (!same_op && !same_family && q->op && (l->op || l->family) &&
        !lore_streq(l->kind, "anti_strategy"))
        return 0; /* of another operator: an anti-strategy still applies, other kinds do not */
    if (same_op)
        relevance = 6;
    else if (same_family)
        relevance = !l->op ? 3 : 1.5;
    if (l->technique)
        relevance += 3; /* likely a technique of the answer, because these select lessons, too */
    if (relevance <= 0)
        return 0;
    relevance += kind_relevance(l->kind) + heading_relevance(l->title) + chip;
    if (language && l->language)
        relevance += lore_streqi(language, l->language) ? 2 : -2;
    if (l->labels && (lore_labels_parse(l->labels, &(bool){false}) & q->labels) != 0)
        relevance += 2;
    return relevance;
}

static int
by_relevance(const void *x, const void *y)
{
    const struct lore_ranked_lesson *a = x, *b = y;

    if (a->relevance != b->relevance)
        return a->relevance > b->relevance ? -1 : 1;
    return a->l < b->l ? -1 : 1;
}

void
lore_lessons_sort(struct lore_ranked_lesson *v, size_t n)
{
    if (n > 1)
        qsort(v, n, sizeof *v, by_relevance);
}

/* Titles of lessons of one page are equal up to " -- ". */
static bool
is_same_page(const struct lore_lesson *a, const struct lore_lesson *b)
{
    const char *end = strstr(a->title, " -- ");

    return end && strncmp(a->title, b->title, (size_t)(end - a->title) + 4) == 0;
}

/* Move the best of N lessons to the front, at most PER_PAGE of one page. Returns their number. */
static size_t
choose(struct lore_ranked_lesson *v, size_t n)
{
    size_t chosen = 0;

    lore_lessons_sort(v, n);
    for (size_t i = 0; i < n && chosen < LORE_LESSONS_SHOWN && v[i].relevance > 0; i++) {
        size_t same = 0;
        for (size_t k = 0; k < chosen; k++)
            same += is_same_page(v[i].l, v[k].l);
        if (same < PER_PAGE)
            v[chosen++] = v[i];
    }
    return chosen;
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
    struct lore_ranked_lesson *best;
    size_t n = 0, n_best;
    struct lore_lesson_scope of = {.op = q->op, .family = q->family};
    enum lore_status status;

    of.techniques = techniques_of(a, arena, &of.n_techniques);
    status = lore_db_list_lessons(db, &of, arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    best = lore_alloc_array(arena, n + 1, sizeof *best);
    for (size_t i = 0; i < n; i++)
        best[i] = (struct lore_ranked_lesson){lore_lesson_relevance(&rows[i], q), &rows[i], NULL};
    n_best = choose(best, n);
    /* The cache of lessons may be newer than DB's snapshot. A lesson without text in the snapshot
     * is left out. */
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
