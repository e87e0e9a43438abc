/* Chooses what fits one screen. A section's title and the empty line above it count as part of
 * the first piece of the section that is shown. */
#include "collectors/client/screen/screen.h"

#include "collectors/client/screen/print.h"
#include "service/base/text.h"

void
lore_screen_take(struct lore_cli *cli, struct lore_screen *s, const char *title, int rank)
{
    struct lore_buf *out = &cli->out;
    struct lore_piece p = {.title = title, .rank = rank};

    if (out->len == 0)
        return;
    for (size_t i = 0; i < out->len; i++)
        p.lines += out->data[i] == '\n';
    p.text = lore_strndup(cli->arena, out->data, out->len);
    lore_buf_reset(out);
    *LORE_PUSH(cli->arena, s->v, s->n, s->cap) = p;
}

/* Whether a piece of the section of V[AT] is shown already. */
static bool
is_open(const struct lore_screen *s, size_t at)
{
    for (size_t i = 0; i < s->n; i++) {
        if (i != at && s->v[i].shown && lore_streq(s->v[i].title, s->v[at].title))
            return true;
    }
    return false;
}

static size_t
cost(const struct lore_screen *s, size_t at)
{
    return s->v[at].lines + (s->v[at].title && !is_open(s, at) ? 2 : 0);
}

/* The undecided piece with the lowest rank. */
static bool
next_piece(const struct lore_screen *s, const bool *decided, size_t *out)
{
    bool found = false;

    for (size_t i = 0; i < s->n; i++) {
        if (!decided[i] && (!found || s->v[i].rank < s->v[*out].rank)) {
            *out = i;
            found = true;
        }
    }
    return found;
}

/* Whether a piece of V[AT]'s section was left out. Then later ranks stay out too, so that no
 * list has a gap and no piece stands without the one it belongs to. */
static bool
is_cut(const struct lore_screen *s, const bool *decided, size_t at)
{
    for (size_t i = 0; s->v[at].title != NULL && i < s->n; i++) {
        if (i != at && decided[i] && !s->v[i].shown && lore_streq(s->v[i].title, s->v[at].title))
            return true;
    }
    return false;
}

/* Mark the pieces that fit in LINES. Returns true when a piece was left out. */
static bool
choose(struct lore_cli *cli, struct lore_screen *s, size_t lines)
{
    bool *decided = lore_alloc(cli->arena, (s->n + 1) * sizeof *decided), left = false;
    size_t used = 0, at = 0;

    while (next_piece(s, decided, &at)) {
        decided[at] = true;
        if (s->v[at].rank > 0 && (used + cost(s, at) > lines || is_cut(s, decided, at))) {
            left = true;
            continue;
        }
        used += cost(s, at);
        s->v[at].shown = true;
    }
    return left;
}

void
lore_screen_print(struct lore_cli *cli, struct lore_screen *s, size_t lines, const char *more)
{
    bool left = choose(cli, s, lines - 1);
    const char *title = NULL;

    for (size_t i = 0; i < s->n; i++) {
        const struct lore_piece *p = &s->v[i];
        if (!p->shown)
            continue;
        if (p->title && !lore_streq(p->title, title))
            lore_buf_printf(&cli->out, "\n%s\n", lore_print_styled(cli, LORE_BOLD, p->title));
        title = p->title;
        lore_buf_puts(&cli->out, p->text);
    }
    if (left)
        lore_print_wrapped(cli, "", 0, more);
}
