/* Workloads as rows (workload.c). For the files of this folder. */
#ifndef LORE_DB_WORKLOAD_H
#define LORE_DB_WORKLOAD_H

#include "db/put_context.h"
#include "db/row_shape.h"
#include "db/rows.h"

/* log2 of the product of the DIMS (JSON; NULL: none) that are numbers. */
double lore_workload_size(const char *dims);
#define LORE_WORKLOAD_COLUMNS "w.id, w.operator, w.canonical, w.label, w.dims, w.dtype, w.layout"
/* Store W unless it is stored already. OP is the kernel's operator, and W may name only that one.
 * *id is NULL when W is empty. */
enum lore_status lore_workload_put(const struct lore_put_ctx *c, const struct lore_workload *w,
    const char *op, const char **id, struct lore_err *err) LORE_MUST;
/* The members of those columns; OF: the prefix of a member in the row, `workload.` say. */
#define LORE_WORKLOAD_MEMBERS(of)                                                                  \
    AT(of id), AT(of op), AT(of canonical), AT(of label), AT(of dims), AT(of dtype), AT(of layout)

#endif
