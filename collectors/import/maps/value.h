/* Reads the values of one row by a map. A node that was read is marked, so that lore_take_rest
 * gives the others. */
#ifndef LORE_IMPORT_MAPS_VALUE_H
#define LORE_IMPORT_MAPS_VALUE_H

#include "collectors/import/maps/map.h"
#include "collectors/import/take.h"

struct lore_chip;
struct lore_map_row {
    struct lore_import *in;
    struct lore_arena *arena; /* of what is read */
    struct lore_take *take;
    const struct lore_json *row;    /* the record */
    const struct lore_json *outer;  /* the item of the document that it is part of; NULL */
    const struct lore_json *head;   /* the document around the items; NULL */
    struct lore_map_joined *joined; /* documents of the same folder (join.c); NULL: no joins */
    size_t line;
};
/* The member REF of the document that join NAME.REF leads to; NULL: none. */
const struct lore_json *lore_map_joined_node(const struct lore_map_row *r, const char *ref);
/* Documents for the joins of MAP, which are looked for when the first one is needed. */
struct lore_map_joined *lore_map_joined_new(struct lore_import *in, const struct lore_map *map);
/* Member "a.b" of OBJECT; "0" is the first item of a list or member of an object. */
const struct lore_json *lore_map_member(const struct lore_json *object, const char *ref);
/* The node of column REF; NULL: none. "a.b" is member b of a, "^a" of the document around the rows.
 * A column that the row lacks is looked for in its "value", then in the item that it is part of. */
const struct lore_json *lore_map_node(const struct lore_map_row *r, const char *ref);
/* The value of V (NULL: not mapped) as text in r->arena, at most MAX bytes. Words for "none" in
 * text formats ("-", "N/A", "nan") are no value. */
bool lore_map_text(
    const struct lore_map_row *r, const struct lore_map_value *v, size_t max, const char **out);
/* As a finite number with its unit (NULL: none is known): of the text, "5.1 us", of its unit
 * column, or as the map says. A value that is no number is listed in the report. */
bool lore_map_number(
    const struct lore_map_row *r, const struct lore_map_value *v, double *out, const char **unit);
/* As nanoseconds. A time without a unit, or below 0, is not read, stays for `extra`, and is listed
 * with its line; lore_map_time does not read a time of 0, either. */
bool
lore_map_time(const struct lore_map_row *r, const struct lore_map_value *v, struct lore_f64 *out);
bool
lore_map_ns(const struct lore_map_row *r, const struct lore_map_value *v, struct lore_f64 *out);
/* As a JSON scalar: a number stays one. */
bool
lore_map_scalar(const struct lore_map_row *r, const struct lore_map_value *v, const char **out);
/* Nanoseconds of one UNIT of time; 0: it is none. */
double lore_map_unit_ns(const char *unit);
/* The longest part of TEXT, between blanks and separators, that names a chip; NULL: none. */
const struct lore_chip *lore_chip_in(struct lore_arena *arena, const char *text);
/* The result of a check that TEXT states; LORE_C_NONE: not understood. */
enum lore_check lore_map_check(const char *text);
/* csv, jsonl, json or markdown, by how TEXT begins. */
const char *lore_map_format(const char *text);
/* Whether NAME fits one of the PATTERNS: "cfg_*". */
bool lore_map_like(const struct lore_texts *patterns, const char *name);

#endif
