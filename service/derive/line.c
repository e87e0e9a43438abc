/* Lines of techniques (line.h). A version is computed after its parents. Its line shares the
 * entries of theirs; an entry is copied when a version takes the technique out. */
#include "service/derive/line.h"

#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/words.h"

struct computing {
    const struct lore_line_version *v;
    size_t n;
    struct lore_arena *arena;
    struct lore_line *out;
    bool *begun;
};

static size_t
find(const struct computing *c, const char *id)
{
    size_t i = 0;

    while (i < c->n && !lore_streq(c->v[i].id, id))
        i++;
    return i;
}

/* Whether the words of a use say that the technique goes out. */
static bool
removes(const struct computing *c, const struct lore_line_use *u)
{
    struct lore_words said;

    if (u->left_out)
        return true;
    lore_words_resolve(u->raw, c->arena, &said);
    for (size_t i = 0; i < said.n; i++)
        if (lore_streq(said.v[i].slug, u->technique))
            return said.v[i].negated;
    return false;
}

/* Add the entries of FROM. An entry that is in replaces the same entry that was taken out. */
static void
merge(const struct computing *c, struct lore_line *line, const struct lore_line *from)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct lore_line_technique *t = from->v[i];
        size_t k = 0;

        while (k < line->n && !(lore_streq(line->v[k]->name, t->name) && line->v[k]->in == t->in))
            k++;
        if (k == line->n)
            *LORE_PUSH(c->arena, line->v, line->n, line->cap) = t;
        else if (!t->out)
            line->v[k] = t;
    }
}

/* Take out what is in and called NAME or, with NAME NULL, what came in at AT. */
static void
take_out(const struct computing *c, struct lore_line *line, const char *name,
    const struct lore_line_version *at, const struct lore_line_technique *by)
{
    for (size_t i = 0; i < line->n; i++) {
        const struct lore_line_technique *t = line->v[i];

        if (t->out || !(name ? lore_streq(t->name, name) : t->in == at))
            continue;
        struct lore_line_technique *copy = lore_alloc(c->arena, sizeof *copy);
        *copy = *t;
        copy->out = by->in;
        copy->out_experiment = by->in_experiment;
        line->v[i] = copy;
    }
}

/* Where NAME is in LINE; line->n: it is not. */
static size_t
place_of(const struct lore_line *line, const char *name)
{
    size_t i = 0;

    while (i < line->n && (line->v[i]->out || !lore_streq(line->v[i]->name, name)))
        i++;
    return i;
}

/* Add T unless it is in already for certain. What was only perhaps in and is kept came in before.
 */
static void
add_certain(const struct computing *c, struct lore_line *line, struct lore_line_technique *t)
{
    size_t at = place_of(line, t->name);

    if (at == line->n) {
        *LORE_PUSH(c->arena, line->v, line->n, line->cap) = t;
        return;
    }
    if (line->v[at]->known & ~(unsigned)(LORE_KNOWN_LOG | LORE_KNOWN_BEFORE))
        return;
    if (t->known & LORE_KNOWN_KEPT) {
        unsigned known = t->known;
        *t = *line->v[at];
        t->known = known;
    }
    line->v[at] = t;
}

/* Whether nothing but a source says that T is in. */
static bool
is_only_shown(const struct lore_line_technique *t)
{
    return !(t->known & ~(unsigned)(LORE_KNOWN_SOURCE | LORE_KNOWN_BEFORE));
}

/* What earlier attempts of the log, up to version AT with the line FROM, gained with, and what the
 * source of its first version shows. */
static void
add_perhaps(const struct computing *c, struct lore_line *line, const struct lore_line *from,
    const struct lore_line_version *at)
{
    for (size_t i = 0; i < from->n; i++) {
        struct lore_line_technique *t = lore_alloc(c->arena, sizeof *t);

        *t = *from->v[i];
        if (t->out ||
            (t->in == at && !t->gained && (t->known & (LORE_KNOWN_TAG | LORE_KNOWN_KEPT))) ||
            (t->in == at && at->n_uses > 0 && is_only_shown(t)))
            continue;
        t->known = is_only_shown(t) ? LORE_KNOWN_BEFORE : LORE_KNOWN_LOG;
        if (place_of(line, t->name) == line->n)
            *LORE_PUSH(c->arena, line->v, line->n, line->cap) = t;
    }
}

static void
add_uses(const struct computing *c, const struct lore_line_version *v, struct lore_line *line)
{
    for (size_t i = 0; i < v->n_uses; i++) {
        const struct lore_line_use *u = &v->uses[i];
        struct lore_line_technique *t = lore_alloc(c->arena, sizeof *t);

        *t = (struct lore_line_technique){.name = u->technique,
            .in = v,
            .in_experiment = u->kept ? NULL : u->experiment,
            .known =
                (u->kept ? LORE_KNOWN_KEPT : LORE_KNOWN_TAG) | (u->verified ? LORE_KNOWN_ISA : 0),
            .gained = u->gained};
        if (v->ablation || removes(c, u))
            take_out(c, line, u->technique, NULL, t);
        else if (!u->not_applied)
            add_certain(c, line, t);
    }
}

/* The entry of NAME that is in; or, at V itself, that was taken out. NULL: none. */
static const struct lore_line_technique **
entry_of(struct lore_line *line, const char *name, const struct lore_line_version *v)
{
    for (size_t i = 0; i < line->n; i++)
        if (lore_streq(line->v[i]->name, name) && (!line->v[i]->out || line->v[i]->out == v))
            return &line->v[i];
    return NULL;
}

/* Whether V was made without NAME. */
static bool
made_without(const struct lore_line_version *v, const char *name)
{
    for (size_t i = 0; i < v->n_uses; i++)
        if (v->uses[i].left_out && lore_streq(v->uses[i].technique, name))
            return true;
    return false;
}

/* The techniques of LIST are in V by how they are KNOWN. */
static void
add_shown(const struct computing *c, const struct lore_line_version *v, const char *list,
    unsigned known, struct lore_line *line)
{
    while (list && *list) {
        size_t len = strcspn(list, ",");
        const char *name = lore_strndup(c->arena, list, len);
        const struct lore_line_technique **old = entry_of(line, name, v);
        struct lore_line_technique *t = lore_alloc(c->arena, sizeof *t);

        list += len + (list[len] == ',');
        if (made_without(v, name))
            continue;
        *t = old ? **old : (struct lore_line_technique){.name = name, .in = v};
        t->known = (t->known & ~(unsigned)LORE_KNOWN_LOG) | known;
        if (old)
            *old = t;
        else
            *LORE_PUSH(c->arena, line->v, line->n, line->cap) = t;
    }
}

/* What V shows by itself. What its source certainly lacks goes out, unless it came in here. */
static void
add_own(const struct computing *c, const struct lore_line_version *v, struct lore_line *line)
{
    const struct lore_line_technique by = {.in = v};
    const char *lacks = v->shown.lacks;

    while (lacks && *lacks) {
        size_t len = strcspn(lacks, ",");
        const char *name = lore_strndup(c->arena, lacks, len);
        const struct lore_line_technique **in = entry_of(line, name, v);

        lacks += len + (lacks[len] == ',');
        if (in && (*in)->in != v)
            take_out(c, line, name, NULL, &by);
    }
    add_shown(c, v, v->shown.source, LORE_KNOWN_SOURCE, line);
    add_shown(c, v, v->shown.params, LORE_KNOWN_PARAMETER, line);
    add_shown(c, v, v->shown.words, LORE_KNOWN_SUMMARY, line);
}

/* What the sources of ancestors show counts until V has a source: that is the whole truth. */
static void
pass_sources_on(
    const struct computing *c, const struct lore_line_version *v, struct lore_line *line)
{
    const unsigned shown = LORE_KNOWN_SOURCE | LORE_KNOWN_BEFORE;
    bool own = v->shown.source || v->shown.lacks || v->shown.moot;
    size_t n = 0;

    for (size_t i = 0; i < line->n; i++) {
        const struct lore_line_technique *t = line->v[i];
        if (!t->out && (t->known & shown)) {
            struct lore_line_technique *copy = lore_alloc(c->arena, sizeof *copy);
            *copy = *t;
            copy->known = (t->known & ~shown) | (own ? 0 : LORE_KNOWN_BEFORE);
            t = copy->known != 0 ? copy : NULL;
        }
        if (t)
            line->v[n++] = t;
    }
    line->n = n;
}

static void
compute(struct computing *c, size_t i)
{
    const struct lore_line_version *v = &c->v[i];
    const struct lore_line_technique by = {.in = v};

    if (c->begun[i])
        return;
    c->begun[i] = true;
    for (size_t p = 0; p < v->n_parents; p++) {
        size_t at = find(c, v->parents[p].version);

        if (at == c->n)
            continue;
        compute(c, at);
        struct lore_line inherited = {0};
        merge(c, &inherited, &c->out[at]);
        if (v->parents[p].kind == LORE_E_REVERT_OF)
            take_out(c, &inherited, NULL, &c->v[at], &by);
        merge(c, &c->out[i], &inherited);
    }
    for (size_t p = 0; p < v->n_compared; p++) {
        size_t at = find(c, v->compared[p].version);

        if (at == c->n)
            continue;
        compute(c, at);
        add_perhaps(c, &c->out[i], &c->out[at], &c->v[at]);
    }
    pass_sources_on(c, v, &c->out[i]);
    add_uses(c, v, &c->out[i]);
    add_own(c, v, &c->out[i]);
    c->out[i].moot = v->shown.moot;
    c->out[i].loose = v->n_compared > 0 && v->n_parents == 0;
}

void
lore_lines(
    const struct lore_line_version *v, size_t n, struct lore_arena *arena, struct lore_line *out)
{
    struct computing c = {v, n, arena, out, lore_alloc_array(arena, n + 1, sizeof(bool))};

    memset(out, 0, n * sizeof *out);
    memset(c.begun, 0, n * sizeof *c.begun);
    for (size_t i = 0; i < n; i++)
        compute(&c, i);
}

bool
lore_line_is_moot(const struct lore_line *line, const char *technique)
{
    return line->moot && lore_text_lists(line->moot, technique, strlen(technique));
}

struct lore_texts
lore_line_only(const struct lore_line *a, const struct lore_line *b, struct lore_arena *arena)
{
    struct lore_texts only = {0};

    for (size_t i = 0; i < a->n; i++)
        if (!a->v[i]->out && place_of(b, a->v[i]->name) == b->n)
            *LORE_PUSH(arena, only.v, only.n, only.cap) = a->v[i]->name;
    return only;
}
