/* Profiles: where the GPU time of programs went. Lists read columns alone, because a record holds
 * hundreds of kernels with their samples. */
#include "db/internal.h"
#include "db/kinds.h"
#include "db/knowledge.h"

/* The lines of a profile are sorted by their time. */
LORE_KIND_BEFORE(profile)
{
    const struct lore_program_profile *r = record;

    (void)c, (void)err;
    made->text[0] = r->n_lines > 0 ? r->lines[0].kernel : NULL;
    return LORE_OK;
}

#define SELECT                                                                                     \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor, t.id, t.program, t.author, t.chip,"       \
    " t.environment, t.measured_us, t.measured_us, t.processes, t.kernels, t.launches, "           \
    "t.total_ns,"                                                                                  \
    " t.idle_pct, t.tool, t.busiest FROM fact_profile t JOIN fact_document d ON d.seq = "          \
    "t.document"

#define ROW struct lore_profile_row
static const struct lore_row_member members[] = {LORE_KNOWN_MEMBERS, AT(r.id), AT(r.program),
    AT(r.author), AT(r.chip), AT(r.environment), AT_TIME(r.measured_at), AT(measured_us),
    AT(process_count), AT(r.kernels), AT(r.launches), AT(r.total_ns), AT(r.idle_pct), AT(r.tool),
    AT(busiest)};
const struct lore_row_shape lore_profile_rows = {LORE_MEMBERS(members), .noun = "profile",
    LORE_RECORD(LORE_K_PROFILE, LORE_DECODE_WHOLE, r), .author = offsetof(ROW, r.author),
    .happened = offsetof(ROW, measured_us), .get = LORE_LITERAL(SELECT " WHERE t.id = $1"),
    .list = LORE_LITERAL(SELECT " WHERE " LORE_CHIP_COVERED("t.chip") LORE_PAGE("t"))};
