/* What a brief says in other people's words: lessons, and ideas that notes hold. */
#include <string.h>

#include "db/lesson.h"
#include "service/api/brief_say.h"
#include "service/base/text.h"

enum { LESSONS = 4, IDEAS = 2 };

/* The part of a wiki card's text that says most; "**Lesson.** Do not …". Its goal repeats the
 * title. NULL: TEXT has no such parts. */
static const char *
best_part(struct saying *s, const char *text)
{
    static const char *const names[] = {"Lesson", "What", "Root cause", "Summary"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *mark = lore_format(s->arena, "**%s.** ", names[i]);
        const char *at = strstr(text, mark);

        if (!at)
            continue;
        at += strlen(mark);
        at += strspn(at, "> \n");
        if (*at && strncmp(at, "**", 2) != 0)
            return lore_strndup(s->arena, at, strcspn(at, "\n"));
    }
    return lore_starts(text, "**Goal.**") ? "" : NULL;
}

/* TEXT without the marks of bold text. */
static const char *
without_marks(struct saying *s, const char *text)
{
    char *out = lore_strdup(s->arena, text), *to = out;

    for (const char *p = out; *p; p++)
        if (p[0] == '*' && p[1] == '*')
            p++;
        else
            *to++ = *p;
    *to = '\0';
    return out;
}

void
lore_brief_say_lessons(struct saying *s)
{
    const struct lore_lessons *l = &s->f->x.lessons;

    for (size_t i = 0; i < l->n && i < LESSONS; i++) {
        const char *part = best_part(s, l->v[i].words);
        const char *words =
            lore_brief_sentence(s->arena, without_marks(s, part ? part : l->v[i].words));
        bool trap = lore_streq(l->v[i].l.kind, "anti_strategy");
        bool same = !*words || lore_starts(words, l->v[i].l.title);

        SAY(s, LORE_BRIEF_LESSONS, "%s%s%s%s [%s].", trap ? "Trap: " : "", l->v[i].l.title,
            same ? "" : ": ", same ? "" : words, l->v[i].l.id);
    }
}

/* Whether IDEA may still be tried at the place: not on another vendor's chip, and not in the
 * version already. */
static bool
may_be_tried(struct saying *s, const struct lore_noted_idea *idea)
{
    const struct lore_question *q = &s->f->x.question;

    if (q->chip && idea->chip &&
        lore_chip_travel(lore_chip_find(idea->chip), q->chip) == LORE_T_OTHER_VENDOR)
        return false;
    for (size_t i = 0; idea->technique && i < q->has.n; i++)
        if (lore_streq(q->has.v[i], idea->technique))
            return false;
    return true;
}

enum lore_status
lore_brief_say_noted(struct saying *s, struct lore_err *err)
{
    struct lore_noted_idea *v = NULL;
    size_t n = 0, said = 0;
    enum lore_status status = LORE_OK;

    if (s->f->x.question.op)
        status = lore_db_list_noted(s->f->req->db, s->f->x.question.op, s->arena, &v, &n, err);
    for (size_t i = 0; status == LORE_OK && i < n && said < IDEAS; i++) {
        if (!may_be_tried(s, &v[i]))
            continue;
        SAY(s, LORE_BRIEF_NEXT, "Idea of the notes%s%s%s: %s [%s].", v[i].technique ? " (" : "",
            v[i].technique ? v[i].technique : "", v[i].technique ? ")" : "",
            lore_brief_sentence(s->arena, v[i].claim), v[i].id);
        said++;
    }
    return status;
}
