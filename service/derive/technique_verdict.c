/* technique-verdict@3, which the header states. Each rule is one return of judge() or judge_gain(),
 * in order, with the reason that is shown with the verdict. A changed rule needs a new policy
 * name. */
#include "service/derive/technique_verdict.h"

#include "service/base/text.h"

static const char *const isa_names[LORE_SIG_COUNT] = {
    [LORE_SIG_NOT_CHECKED] = "not_checked",
    [LORE_SIG_VERIFIED] = "verified",
    [LORE_SIG_MISSING] = "missing",
    [LORE_SIG_NOT_APPLICABLE] = "not_applicable",
    [LORE_SIG_UNAVAILABLE] = "unavailable",
    [LORE_SIG_INCONCLUSIVE] = "inconclusive",
};
static const char *const verdict_names[LORE_TV_COUNT] = {
    [LORE_TV_NOT_MEASURED] = "not_measured",
    [LORE_TV_EFFECTIVE] = "effective",
    [LORE_TV_INEFFECTIVE] = "ineffective",
    [LORE_TV_IMPLEMENTATION_FAILED] = "implementation_failed",
    [LORE_TV_UNATTRIBUTED] = "unattributed",
};

const char *
lore_signature_state_name(enum lore_signature_state s)
{
    return s < LORE_SIG_COUNT ? isa_names[s] : "unknown";
}

enum lore_signature_state
lore_signature_state_find(const char *name)
{
    enum lore_signature_state s = LORE_SIG_NOT_CHECKED;

    if (!name || !*name)
        return s;
    while (s < LORE_SIG_COUNT && !lore_streq(name, isa_names[s]))
        s++;
    return s;
}

const char *
lore_technique_verdict_name(enum lore_technique_verdict v)
{
    return v < LORE_TV_COUNT ? verdict_names[v] : "unknown";
}

struct ruling {
    enum lore_technique_verdict verdict;
    const char *reason;
};

/* Judge a technique of a version that gained and has no failed check. */
static struct ruling
judge_gain(const struct lore_technique_facts *f, bool alone)
{
    bool traceless =
        f->isa == LORE_SIG_NOT_APPLICABLE || (f->isa == LORE_SIG_NOT_CHECKED && f->no_signature);

    if (f->correctness != LORE_C_PASS)
        return (struct ruling){LORE_TV_NOT_MEASURED, "correctness was not checked"};
    if (f->claimed)
        return (struct ruling){LORE_TV_NOT_MEASURED, "a claim: its times are only stated"};
    if (!alone && f->contributed == LORE_CONTRIB_UNKNOWN)
        return (struct ruling){
            LORE_TV_UNATTRIBUTED, "several techniques, and no ablation of this one"};
    if (f->isa == LORE_SIG_NOT_CHECKED && !f->no_signature)
        return (struct ruling){LORE_TV_UNATTRIBUTED,
            "a gain, but the machine code was not searched for its signature"};
    if (f->isa != LORE_SIG_VERIFIED && !traceless)
        return (struct ruling){
            LORE_TV_UNATTRIBUTED, "a gain, but no proof of the technique in the machine code"};
    if (f->contributed == LORE_CONTRIB_YES)
        return (struct ruling){LORE_TV_EFFECTIVE,
            traceless ? "slower without it; the technique has no signature in the machine code"
                      : "slower without it"};
    if (traceless)
        return (struct ruling){LORE_TV_EFFECTIVE, "the only change, and faster than before; the "
                                                  "technique has no signature in the machine "
                                                  "code"};
    return (struct ruling){LORE_TV_EFFECTIVE, "the only change, and faster than before"};
}

static struct ruling
judge(const struct lore_technique_facts *f)
{
    bool alone = f->n_techniques <= 1;

    if (f->isa == LORE_SIG_MISSING)
        return (struct ruling){
            LORE_TV_IMPLEMENTATION_FAILED, "its signature is not in the machine code"};
    if (f->correctness == LORE_C_FAIL || f->correctness == LORE_C_TIMEOUT) {
        if (alone)
            return (struct ruling){LORE_TV_IMPLEMENTATION_FAILED, "the version is not correct"};
        return (struct ruling){
            LORE_TV_UNATTRIBUTED, "the version is not correct; it has several techniques"};
    }
    if (f->effect == LORE_X_NOT_MEASURED || f->effect >= LORE_X_COUNT)
        return (struct ruling){LORE_TV_NOT_MEASURED, "the experiment was not measured"};
    if (f->effect == LORE_X_INCONCLUSIVE)
        return (struct ruling){LORE_TV_NOT_MEASURED, "the measurements are inconclusive"};
    if (f->contributed == LORE_CONTRIB_NO)
        return (struct ruling){LORE_TV_INEFFECTIVE, "as fast without it"};
    if (f->effect != LORE_X_WIN) {
        if (alone)
            return (struct ruling){LORE_TV_INEFFECTIVE, "the experiment did not gain"};
        return (struct ruling){
            LORE_TV_UNATTRIBUTED, "the experiment did not gain; it has several techniques"};
    }
    return judge_gain(f, alone);
}

enum lore_technique_verdict
lore_technique_judge(const struct lore_technique_facts *facts, const char **reason)
{
    struct ruling r = judge(facts);

    if (reason)
        *reason = r.reason;
    return r.verdict;
}
