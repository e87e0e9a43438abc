/* A name on its way to an id: what a caller of lore_naming_find (names.h) fills. */
#ifndef LORE_API_NAMING_H
#define LORE_API_NAMING_H

#include "db/store.h"
#include "service/http/http.h"

struct lore_naming {
    struct lore_req *req; /* with a connection */
    struct lore_resp *resp;
    const char *kind; /* NULL: any */
    const char *text;
    const char *path;           /* the parameter, for errors; "": a part of the address */
    struct lore_list_filter of; /* op, language and project that its kernel has; NULL: any */
    bool own_name;              /* an operator does not name its only kernel */
    bool may_be_operator; /* the question can be about an operator: then one that has no kernel, or
                             several, is meant itself */
    const char *meant;    /* set by lore_naming_find: the operator that is meant; NULL: a record */
};

#endif
