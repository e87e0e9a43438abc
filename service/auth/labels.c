/* The check of labels of new tokens and agents. */
#include "service/auth/labels.h"

#include <stdbool.h>
#include <string.h>

#include "db/put.h"
#include "service/base/text.h"

/* Code points of two or three bytes that are invisible: C1 controls, zero-width spaces, marks that
 * reverse the text after them. With them two different labels could look the same. */
static bool
is_invisible(const unsigned char *p)
{
    if (p[0] == 0xc2)
        return p[1] < 0xa0 || p[1] == 0xad;
    if (p[0] == 0xe2 && p[1] == 0x80)
        return (p[2] >= 0x8b && p[2] <= 0x8f) || (p[2] >= 0xa8 && p[2] <= 0xae);
    if (p[0] == 0xe2 && p[1] == 0x81)
        return p[2] >= 0xa0 && p[2] <= 0xaf;
    return p[0] == 0xef && ((p[1] == 0xbb && p[2] == 0xbf) || (p[1] == 0xbf && p[2] >= 0xb9));
}

static bool
is_plain(const char *label)
{
    size_t n = strlen(label);

    if (n == 0 || label[0] == ' ' || label[n - 1] == ' ' || !lore_utf8_valid(label, n))
        return false;
    for (const unsigned char *p = (const unsigned char *)label; *p != '\0'; p++)
        if (*p < 0x20 || *p == 0x7f || (*p >= 0xc2 && is_invisible(p)))
            return false;
    return true;
}

enum lore_status
lore_label_check(const char *label, struct lore_err *err)
{
    static const char *const own[] = {LORE_ACTOR_SERVICE, LORE_ACTOR_LOAD, NULL};

    if (strlen(label) > LORE_LABEL_MAX)
        return lore_fail_at(
            err, LORE_INVALID, "too_long", "label", "label: at most %d bytes", LORE_LABEL_MAX);
    if (!is_plain(label))
        return lore_fail_at(err, LORE_INVALID, "invalid_value", "label",
            "label: expected one line of visible characters, without a space at either end");
    for (const char *const *name = own; *name != NULL; name++)
        if (lore_streqi(label, *name))
            return lore_fail_at(err, LORE_INVALID, "reserved_label", "label",
                "label: %s is the name of the service's own entries; choose another", *name);
    if (lore_starts(label, LORE_ACTOR_AGENT))
        return lore_fail_at(err, LORE_INVALID, "reserved_label", "label",
            "label: names that start with %s are those of enrolled agents", LORE_ACTOR_AGENT);
    return LORE_OK;
}

enum lore_status
lore_label_check_role(const char *label, const char *role, struct lore_err *err)
{
    if (lore_streqi(label, "admin") && !lore_streq(role, "admin"))
        return lore_fail_at(err, LORE_INVALID, "reserved_label", "label",
            "label: only a token of the role admin may have the name admin");
    return lore_label_check(label, err);
}
