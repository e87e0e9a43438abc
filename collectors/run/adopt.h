/* Makes a run of a line of a profile, when somebody says what the kernel computes. */
#ifndef LORE_RUN_ADOPT_H
#define LORE_RUN_ADOPT_H

#include "collectors/run/collected.h"

/* The name of a kernel without return type, name spaces and arguments:
 * "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int, float*)"
 * becomes "vectorized_elementwise_kernel<4, AddFunctor<float>>". In ARENA. */
const char *lore_kernel_short_name(struct lore_arena *arena, const char *name);

/* Which part of a profile: its line and the line's shape, from 1. */
struct lore_adopted {
    const struct lore_program_profile *profile;
    size_t line, shape;
};
/* Make the document of one run with the samples, launch, method, environment and counters of a
 * shape. WHAT names operator, dims, type, language and source; its kernel, when not given, is named
 * like the kernel of the line. The ids follow from the profile and from WHAT, so the same again is
 * a duplicate. The samples are those of the busiest process; the method says the profile's median,
 * which is of all processes, too. A shape with metrics alone, of a profiler that replays launches,
 * becomes a run without a time. LORE_INVALID: the options name no operator, or the shape has
 * neither samples nor metrics. */
enum lore_status lore_adopt_run(const struct lore_run_options *what, const struct lore_adopted *of,
    struct lore_arena *arena, struct lore_submission *out, struct lore_err *err) LORE_MUST;
/* The options that the range of shape S proposes: "--operator gemm --dims M=128,K=256,N=512"; NULL:
 * its text names no operator. In ARENA. */
const char *lore_adopt_proposal(const struct lore_profile_shape *s, struct lore_arena *arena);
/* "gemm M=128 K=256 N=512" of it, else the text of its range; NULL: it has none. */
const char *lore_adopt_computes(const struct lore_profile_shape *s, struct lore_arena *arena);
/* "median 48.67 us over 319 samples of the process with the most time; the profile's 39.07 us is
 * over all 560 launches of 2 processes": the end only when the medians differ. In ARENA. */
const char *lore_adopt_medians(
    const struct lore_adopted *of, const struct lore_run *run, struct lore_arena *arena);

#endif
