/* A name on its way to an id; for names.c and name_candidates.c. */
#ifndef LORE_API_NAMING_H
#define LORE_API_NAMING_H

#include "service/http/http.h"

struct lore_naming {
    struct lore_req *req; /* with a connection */
    struct lore_resp *resp;
    const char *kind; /* NULL: any */
    const char *text;
    const char *path; /* the parameter, for errors; "": a part of the address */
};

#endif
