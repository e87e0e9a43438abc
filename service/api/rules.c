/* The rules of process, as the verdicts name them (service/derive/process.h). */
#include "service/api/api.h"
#include "service/api/objects.h"
#include "service/derive/process.h"

#define ROW struct lore_process_rule
static const struct lore_object_member rule[] = {
    {"!name", AT(name)},
    {"!kind", NAMED(kind, lore_process_kind_name), NULL,
        "rule: a breach breaks the process verdict; flag: doubtful; missing: not recorded"},
    {"!help", AT(help)},
};
const struct lore_object lore_rule_object = LORE_OBJECT("Rule", rule);
#undef ROW

enum lore_status
lore_api_rules(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    size_t n;
    const struct lore_process_rule *rules = lore_process_rules(&n);

    (void)req;
    return lore_reply_rows(resp, &lore_rule_object, rules, n, NULL, err);
}
