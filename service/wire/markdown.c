/* The field tables as Markdown, for docs/submission.md: one table per record with name, type and
 * help. A test compares the page with what this writes, so the page cannot fall behind. */
#include <string.h>

#include "service/catalogue/catalogue.h"
#include "service/wire/fields.h"

#define MAX_SHOWN 80

static void
add_number(struct lore_buf *out, double v)
{
    if (v == LORE_MAX_NS)
        lore_buf_puts(out, "2⁵³");
    else
        lore_buf_printf(out, "%.15g", v);
}

static void
add_choices(struct lore_buf *out, const struct lore_choices *c)
{
    bool first = true;

    for (size_t i = 0; i < c->n; i++) {
        if (!c->names[i])
            continue;
        lore_buf_printf(out, "%s`%s`", first ? "" : ", ", c->names[i]);
        first = false;
    }
}

static void
add_bytes(struct lore_buf *out, double max)
{
    if (max >= 1 << 20)
        lore_buf_printf(out, "text, ≤ %.0f MiB", max / (1 << 20));
    else if (max >= 1 << 10 && (int64_t)max % 1024 == 0)
        lore_buf_printf(out, "text, ≤ %.0f KiB", max / (1 << 10));
    else
        lore_buf_printf(out, "text, ≤ %.0f bytes", max);
}

static void
add_range(struct lore_buf *out, const struct lore_field *f, const char *type)
{
    lore_buf_puts(out, type);
    if (f->min >= f->max)
        return;
    lore_buf_puts(out, ", ");
    add_number(out, f->min);
    lore_buf_puts(out, " … ");
    add_number(out, f->max);
}

/* Types without limits or choices. */
static const char *const plain_types[] = {
    [LORE_F_TIME] = "time, RFC 3339",
    [LORE_F_ID] = "ULID",
    [LORE_F_BOOL] = "boolean",
    [LORE_F_FORMAT] = "1",
    [LORE_F_LABELS] = "text or list of texts",
    [LORE_F_RAW] = "any object",
    [LORE_F_CHIP] = "chip of the catalogue, any known spelling",
    [LORE_F_OPERATOR] = "name or alias",
    [LORE_F_TECHNIQUE] = "name or alias",
};

/* Lists and objects, with the most items they may have. */
static void
add_collection(struct lore_buf *out, const struct lore_field *f)
{
    switch (f->type) {
    case LORE_F_REFS:
        lore_buf_printf(out, "list of ids of %s, ≤ %.0f", lore_kind_plural(f->kind), f->max);
        break;
    case LORE_F_SAMPLES:
        lore_buf_printf(out, "list of integers, ≤ %.0f, each 0 … 2⁵³", f->max);
        break;
    case LORE_F_TEXTS:
        lore_buf_printf(out, "list of texts, ≤ %.0f", f->max);
        break;
    case LORE_F_KVS:
        lore_buf_printf(out, "object of numbers, texts, booleans, ≤ %.0f", f->max);
        break;
    case LORE_F_OBJECT:
        lore_buf_printf(out, "[%s](#%s)", f->sub->name, f->sub->name);
        break;
    case LORE_F_METRICS:
        lore_buf_printf(out, "object: name to [metric](#metric), ≤ %.0f", f->max);
        break;
    default:
        lore_buf_printf(out, "list of [%s](#%s), ≤ %.0f", f->sub->name, f->sub->name, f->max);
        break;
    }
}

static void
add_type(struct lore_buf *out, const struct lore_field *f)
{
    switch (f->type) {
    case LORE_F_TEXT:
    case LORE_F_BODY:
        add_bytes(out, f->max);
        break;
    case LORE_F_BASE64:
        add_bytes(out, f->max);
        lore_buf_puts(out, ", base64");
        break;
    case LORE_F_REF:
        lore_buf_printf(out, "id of %s %s",
            strchr("aeiou", lore_kind_name(f->kind)[0]) != NULL ? "an" : "a",
            lore_kind_name(f->kind));
        break;
    case LORE_F_ENUM:
    case LORE_F_CHOICE:
        add_choices(out, f->choices);
        break;
    case LORE_F_LANGUAGE:
        add_choices(out, f->choices);
        lore_buf_puts(out, "; any known spelling");
        break;
    case LORE_F_I64:
        add_range(out, f, "integer");
        break;
    case LORE_F_F64:
    case LORE_F_PLAIN:
        add_range(out, f, "number");
        break;
    default:
        if (f->type < sizeof plain_types / sizeof *plain_types && plain_types[f->type])
            lore_buf_puts(out, plain_types[f->type]);
        else
            add_collection(out, f);
        break;
    }
}

static void
add_record(struct lore_buf *out, const struct lore_record *r)
{
    lore_buf_printf(
        out, "\n### %s\n\n%s\n\n| field | type | what |\n|---|---|---|\n", r->name, r->help);
    for (size_t i = 0; i < r->n; i++) {
        lore_buf_printf(
            out, "| `%s`%s | ", r->fields[i].name, r->fields[i].required ? " (required)" : "");
        add_type(out, &r->fields[i]);
        lore_buf_printf(out, " | %s |\n", r->fields[i].help);
    }
}

static void
add_labels(struct lore_buf *out)
{
    lore_buf_puts(out, "\n### Bottleneck labels\n\n");
    for (unsigned l = 0; l < LORE_L_COUNT; l++)
        lore_buf_printf(out, "%s`%s`", l > 0 ? ", " : "", lore_label_name((enum lore_label)l));
    lore_buf_puts(out, "\n");
}

void
lore_wire_markdown(struct lore_buf *out)
{
    const struct lore_record *records[MAX_SHOWN];
    size_t n = lore_records(records, MAX_SHOWN);

    for (size_t i = 0; i < n; i++)
        add_record(out, records[i]);
    add_labels(out);
}
