/* Macros for rows of the field tables (fields.h). Only tables*.c use them. */
#ifndef LORE_WIRE_FIELD_ROWS_H
#define LORE_WIRE_FIELD_ROWS_H

#include "service/wire/fields.h"

/* A field of struct S: its name in JSON, its type, its member. */
#define FIELD(S, json, kind_of, member) .name = json, .type = LORE_F_##kind_of, LORE_AT(S, member)
/* A list of structs: member, n_member and cap_member of S, each item described by R. */
#define ITEMS(S, member, r, most)                                                                  \
    .name = #member, .type = LORE_F_LIST, .max = most, .sub = &r,                                  \
    LORE_ITEMS(S, member, n_##member, cap_##member)
#define TEXT(S, json, member, most) FIELD(S, json, TEXT, member), .max = most
#define TEXTS(S, json, member, most) FIELD(S, json, TEXTS, member), .max = most
#define CHOICE(S, json, member, list) FIELD(S, json, CHOICE, member), .choices = &list
#define F64(S, json, member) FIELD(S, json, F64, member)
#define COUNT(S, json, member) FIELD(S, json, I64, member), .min = 0, .max = 1e9
#define DURATION(S, json, member) F64(S, json, member), .min = 0, .max = LORE_MAX_NS
#define TIME(S, json, member) FIELD(S, json, TIME, member)
#define REF(S, member, k) FIELD(S, #member, REF, member), .kind = k
#define OBJECT(S, json, member, r) FIELD(S, json, OBJECT, member), .sub = &r
#define ID(S)                                                                                      \
    FIELD(S, "id", ID, id), .required = true, .help = "The record's ULID, made by the client."
#define EXTRA(S)                                                                                   \
    FIELD(S, "extra", RAW, extra), .help = "Members that no field covers, stored as submitted."
#define PROVENANCE(S)                                                                              \
    OBJECT(S, "provenance", provenance, lore_provenance_record),                                   \
        .help = "Origin of an imported record."
#define RECORD(json, what, rows, S)                                                                \
    .name = json, .help = what, .fields = rows, .n = sizeof(rows) / sizeof *(rows),                \
    .size = sizeof(struct S)

#endif
