/* Memory limit, complaints, ids and names for reading one capture file. */
#include "collectors/run/trace_file.h"

enum { MOST_PROBLEMS = 64 };
/* Arena bytes reserved for collecting and encoding after the trace is read. */
static const size_t keep_room = (size_t)192 << 20;

bool
lore_trace_has_room(const struct lore_trace_file *f, size_t bytes)
{
    size_t room = lore_arena_room(f->arena);
    return room > keep_room && room - keep_room > bytes;
}

void
lore_trace_problem(struct lore_trace *t, struct lore_arena *arena, const char *text)
{
    if (t->problems.n < MOST_PROBLEMS)
        *LORE_PUSH(arena, t->problems.v, t->problems.n, t->problems.cap) = text;
}

void
lore_trace_complain(
    struct lore_trace_file *f, enum lore_trace_complaint what, const char *text, size_t at)
{
    if (f->complained & (1u << what))
        return;
    f->complained |= 1u << what;
    lore_trace_problem(
        f->trace, f->arena, lore_format(f->arena, "%s: %s at byte %zu", f->name, text, at));
}

/* SIZE is a power of two. */
static size_t
slot_of(uint64_t id, size_t size)
{
    return (size_t)((id ^ id >> 32) * 2654435761u) & (size - 1);
}

int64_t
lore_trace_ids_find(const struct lore_trace_ids *m, uint64_t id)
{
    if (m->size == 0)
        return -1;
    for (size_t i = slot_of(id, m->size);; i = (i + 1) & (m->size - 1)) {
        if (m->slots[2 * i + 1] == 0)
            return -1;
        if (m->slots[2 * i] == id)
            return (int64_t)m->slots[2 * i + 1] - 1;
    }
}

static void
put_in(uint64_t *slots, size_t size, uint64_t id, uint64_t index)
{
    size_t i = slot_of(id, size);

    while (slots[2 * i + 1] != 0 && slots[2 * i] != id)
        i = (i + 1) & (size - 1);
    slots[2 * i] = id;
    slots[2 * i + 1] = index;
}

void
lore_trace_ids_put(struct lore_trace_ids *m, struct lore_arena *arena, uint64_t id, size_t index)
{
    if (2 * (m->n + 1) > m->size) {
        size_t size = m->size ? 2 * m->size : 64;
        uint64_t *slots = lore_alloc_array(arena, size, 2 * sizeof *slots);
        for (size_t i = 0; i < m->size; i++) {
            if (m->slots[2 * i + 1] != 0)
                put_in(slots, size, m->slots[2 * i], m->slots[2 * i + 1]);
        }
        m->slots = slots;
        m->size = size;
    }
    put_in(m->slots, m->size, id, index + 1);
    m->n++;
}

struct lore_trace_text *
lore_trace_name(struct lore_trace_file *f, uint32_t id)
{
    int64_t at = lore_trace_ids_find(&f->name_ids, id);
    return at < 0 ? NULL : &f->names[at];
}
