/* Names instead of ids. Wherever the API takes an id, in a path or a parameter, it also takes
 *
 *     softmax_cuda, team/attention/softmax_cuda     a kernel, by its name, also with its project
 *     softmax                                       the only kernel of an operator; of several, the
 *                                                   operator itself, where `operator` may be given
 *     softmax_cuda:v4, :champion, :first, :last     a version, by label, tag or number
 *     01M7ZS70X0                                    any record, by a beginning of its id
 *
 * A version's name also means the newest run of the version, and the experiment that made it, where
 * one of those is asked for. A campaign has its label. */
#ifndef LORE_API_NAMES_H
#define LORE_API_NAMES_H

#include "service/api/naming.h"

/* Replace the names in the path and in the parameters of REQ by ids, and read `fields`;
 * lore_app.resolve. Takes a connection for that, if REQ has none. Codes: not_found with the nearest
 * names, and ambiguous_name with the candidates, which become a member of the problem. */
enum lore_status lore_names_resolve(const struct lore_route *route, struct lore_req *req,
    struct lore_resp *resp, struct lore_err *err) LORE_MUST;
/* fields.c: the members that `fields` names into RESP. An unknown one has the code unknown_field,
 * and the hint has the nearest. */
enum lore_status lore_fields_read(const struct lore_route *route, struct lore_req *req,
    struct lore_resp *resp, struct lore_err *err) LORE_MUST;
/* *id: the record that F names; unchanged when F->meant says that an operator is meant. */
enum lore_status
lore_naming_find(struct lore_naming *f, const char **id, struct lore_err *err) LORE_MUST;
/* *id: the version of KERNEL, an id, with the label, tag or number WORD, or the `last` one. */
enum lore_status lore_naming_version(struct lore_naming *f, const char *kernel, const char *word,
    const char **id, struct lore_err *err) LORE_MUST;

#endif
