/* Units and numbers as profilers print them, and what a file says about chip and machine. */
#include "collectors/import/profilers/profilers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

/* ---- units ---- */

double
lore_profiler_unit(double value, const char **unit)
{
    static const struct {
        const char *unit;
        double ns;
    } times[] = {{"ns", 1}, {"nsecond", 1}, {"us", 1e3}, {"usecond", 1e3}, {"ms", 1e6},
        {"msecond", 1e6}, {"s", 1e9}, {"second", 1e9}};
    static const char prefixes[] = "KMGTP";
    const char *u = *unit;

    if (!u || !*u) {
        *unit = NULL;
        return value;
    }
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (lore_streq(u, times[i].unit)) {
            *unit = "ns";
            return value * times[i].ns;
        }
    const char *prefix = strchr(prefixes, *u);
    if (!prefix || (!lore_starts(u + 1, "byte") && !lore_streqi(u + 1, "hz")))
        return value;
    *unit = u + 1;
    return value * pow(1000, (double)(prefix - prefixes) + 1);
}

/* ---- numbers ---- */

/* The length of a group mark at P: a blank, a no-break space, an apostrophe. */
static size_t
group_mark(const char *p)
{
    static const char *const marks[] = {"\xe2\x80\xaf", "\xc2\xa0", " ", "'", "\xe2\x80\x99"};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (lore_starts(p, marks[i]))
            return strlen(marks[i]);
    return 0;
}

void
lore_locale_learn(struct lore_locale *l, const char *text)
{
    const char *comma = strrchr(text, ','), *point = strrchr(text, '.');
    const char *last = comma && (!point || comma > point) ? comma : point;

    if (l->certain || !last || text[strspn(text, "0123456789.,-+ '\xc2\xa0\xe2\x80\xaf\x99")])
        return;
    size_t digits = strspn(last + 1, "0123456789");
    bool both = comma && point, repeated = strchr(text, *last) != last;
    size_t before = strcspn(text + (*text == '-'), ".,");
    if (both || digits != 3 || before > 3 || before == 0 || (*text == '0' && before == 1)) {
        l->comma = *last == ','; /* the decimal mark */
        l->certain = !repeated;
    } else if (repeated) {
        l->comma = *last == '.'; /* a group mark */
        l->certain = true;
    }
}

bool
lore_locale_number(const struct lore_locale *l, const char *text, double *out)
{
    char plain[64], *end;
    size_t n = 0, skip;

    for (const char *p = text; *p; p += skip) {
        skip = group_mark(p);
        if (skip > 0)
            continue;
        skip = 1;
        if (*p == (l->comma ? '.' : ','))
            continue;
        if (n + 1 == sizeof plain || !strchr("0123456789.,+-eE", *p))
            return false;
        plain[n++] = *p == ',' ? '.' : *p;
    }
    plain[n] = '\0';
    if (n == 0 || !strpbrk(plain, "0123456789"))
        return false;
    *out = strtod(plain, &end);
    return *end == '\0' && isfinite(*out);
}

/* ---- chip and environment ---- */

/* A product by its name, with its maker's name before it and a build number behind it left out:
 * "NVIDIA H200", "Tesla T4", "MI300X_A1", "AMD Instinct MI300X OAM". */
static const struct lore_chip *
product(struct lore_arena *arena, const char *device)
{
    static const char *const before[] = {"NVIDIA ", "AMD ", "Instinct ", "Tesla "};
    const char *name = device;
    const struct lore_chip *chip = lore_chip_find(name);

    for (size_t i = 0; !chip && i < sizeof before / sizeof *before; i++)
        if (lore_starts(name, before[i])) {
            name += strlen(before[i]);
            chip = lore_chip_find(name);
        }
    for (size_t n = strlen(name); !chip && n > 0; n--)
        if (strchr(" _-", name[n - 1]) && !lore_chip_variant(name + n, strcspn(name + n, " _-")))
            chip = lore_chip_find(lore_strndup(arena, name, n - 1));
    return chip;
}

const char *
lore_profiler_chip(struct lore_import *in, const char *device, const char *isa)
{
    const char *file = in->at ? in->at->path : in->unit;
    const struct lore_chip *chip = device && *device ? product(in->arena, device) : NULL;

    if (chip) {
        lore_import_note(in, LORE_IL_NAMES, "chip %s, from \"%.80s\"", chip->name, device);
        return chip->name;
    }
    if (device && *device)
        lore_import_note(
            in, LORE_IL_DOUBTS, "%s: the chip \"%.80s\" is not in the catalogue", file, device);
    if (in->chip && (chip = lore_chip_find(in->chip))) {
        lore_import_note(in, LORE_IL_NAMES, "chip %s, from --chip", chip->name);
        return chip->name;
    }
    if (isa && *isa && (chip = lore_chip_find(isa))) {
        lore_import_note(in, LORE_IL_NAMES,
            "chip %s: only the instruction set is named; --chip NAME names the product",
            chip->name);
        return chip->name;
    }
    lore_import_note(
        in, LORE_IL_DOUBTS, "%s: the file does not name the chip; name it with --chip", file);
    return NULL;
}

const char *
lore_profiler_hashed(struct lore_arena *arena, const char *name)
{
    char hex[LORE_HASH_HEX];

    if (!name || !*name)
        return NULL;
    lore_hash_hex(name, strlen(name), hex);
    return lore_format(arena, "blake2b:%.16s", hex); /* as of a run's environment */
}

void
lore_profiler_set(
    struct lore_arena *arena, struct lore_kvs *list, const char *key, const char *value)
{
    if (value && *value)
        lore_kvs_set(arena, list, key, lore_kvs_quote(arena, value));
}

const char *
lore_profiler_environment(struct lore_import *in, const char *chip, const struct lore_kvs *hard,
    const struct lore_kvs *soft)
{
    char hard_hash[33], soft_hash[33];
    struct lore_submission *doc = in->doc;

    if (hard->n == 0 && soft->n == 0)
        return NULL;
    lore_kvs_hash(hard, hard_hash);
    lore_kvs_hash(soft, soft_hash);
    const char *id =
        lore_build_id(in->arena, 0, "environment|%s|%s|%s", chip ? chip : "", hard_hash, soft_hash);
    for (size_t i = 0; i < doc->n_environments; i++)
        if (lore_streq(doc->environments[i].id, id))
            return id;
    *LORE_PUSH(in->arena, doc->environments, doc->n_environments, doc->cap_environments) =
        (struct lore_environment){.id = id, .chip = chip, .hard = *hard, .soft = *soft};
    return id;
}

/* ---- rows ---- */

/* Whether NAME is among WORDS. */
static bool
among(const char *words, const char *name)
{
    for (const char *p = words; *p; p += p[strcspn(p, "|")] == '|') {
        size_t n = strcspn(p, "|");
        bool begins = n > 0 && p[n - 1] == '*';
        if (begins ? strncmp(name, p, n - 1) == 0 : strlen(name) == n && memcmp(name, p, n) == 0)
            return true;
        p += n;
    }
    return false;
}

static void
say(struct lore_import *in, const char *const *columns, size_t n, const char *words,
    const char *how)
{
    LORE_BUF list = {.max = 8 << 10};

    for (size_t i = 0; i < n; i++)
        if (among(words, columns[i]))
            lore_buf_printf(&list, "%s%s", list.len > 0 ? ", " : "", columns[i]);
    if (list.len > 0)
        lore_import_note(in, LORE_IL_EXTRA, "%s: columns %s: %s", in->at->path, how, list.data);
}

void
lore_profiler_say_columns(struct lore_import *in, const char *const *columns, size_t n,
    const char *unread, const char *reworded)
{
    say(in, columns, n, unread, "not read");
    say(in, columns, n, reworded, "kept in other words, not as they are");
}

const struct lore_json *
lore_row_any(const struct lore_json *row, const char *columns)
{
    char name[128];
    const struct lore_json *node = NULL;

    for (const char *p = columns; !node && *p; p += p[strcspn(p, "|")] == '|') {
        size_t n = strcspn(p, "|");
        if (n < sizeof name) {
            memcpy(name, p, n);
            name[n] = '\0';
            node = lore_json_get(row, name);
        }
        p += n;
    }
    return node;
}

const char *
lore_row_text(const struct lore_json *row, const char *column)
{
    const struct lore_json *node = lore_row_any(row, column);

    return node && (node->type == LORE_J_STRING || node->type == LORE_J_NUMBER) ? node->str : NULL;
}

bool
lore_row_i64(const struct lore_json *row, const char *column, int64_t *out)
{
    const struct lore_json *node = lore_row_any(row, column);

    if (!node || node->type != LORE_J_NUMBER || (!node->is_int && fabs(node->f) > 9e15))
        return false;
    *out = node->is_int ? node->i : (int64_t)node->f;
    return true;
}

bool
lore_row_f64(const struct lore_json *row, const char *column, double *out)
{
    const struct lore_json *node = lore_row_any(row, column);

    if (!node || node->type != LORE_J_NUMBER)
        return false;
    *out = node->f;
    return true;
}
