/* The rules of process, as the verdicts name them (service/derive/process.h). */
#include "service/api/api.h"
#include "service/api/edge.h"
#include "service/derive/process.h"

enum lore_status
lore_api_rules(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    size_t n;
    const struct lore_process_rule *rules = lore_process_rules(&n);
    struct lore_jsonw w;

    (void)req;
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "name", rules[i].name);
        lore_w_kbool(&w, "breaks", rules[i].breaks);
        lore_w_kstr(&w, "help", rules[i].help);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, false, 0, err);
}
