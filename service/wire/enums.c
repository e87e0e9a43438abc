/* Enums of the submission format and their text. One array of names per enum, indexed by value; the
 * tables, the schema and the docs use the same arrays through lore_choices. lore_language_find also
 * knows other spellings of languages. Nothing here allocates. */
#include "service/base/text.h"
#include "service/catalogue/names.h"
#include "service/wire/fields.h"

static const char *const language_names[LORE_LANG_COUNT] = {NULL, "hip", "cuda", "triton", "ck",
    "cutlass", "cute_dsl", "gluon", "flydsl", "tilelang", "helion", "croqtile", "mojo", "pallas",
    "thunderkittens", "cutile", "numba", "opencl", "sycl", "asm", "library", "other"};
static const char *const evidence_names[LORE_EV_COUNT] = {
    NULL, "confirmed", "measured", "imported", "claimed"};
static const char *const version_kind_names[LORE_V_COUNT] = {
    NULL, "baseline", "candidate", "branch", "ablation", "revert", "library"};
static const char *const edge_kind_names[LORE_E_COUNT] = {
    NULL, "derived_from", "ablation_of", "branch_of", "revert_of", "merged_from", "restart_from"};
static const char *const check_names[LORE_C_COUNT] = {
    NULL, "pass", "fail", "timeout", "not_checked"};
static const char *const missing_names[LORE_MISS_COUNT] = {NULL, "not_collected",
    "tool_unavailable", "permission_denied", "counter_unsupported", "not_applicable", "no_source",
    "lost"};
static const char *const base_names[LORE_BASE_COUNT] = {
    NULL, "parent", "first", "best_so_far", "library", "previous"};
static const char *const run_role_names[LORE_ROLE_COUNT] = {
    NULL, "candidate", "baseline", "reference", "ablation", "branch"};

#define CHOICES(names)                                                                             \
    {                                                                                              \
        names, sizeof(names) / sizeof *(names)                                                     \
    }
const struct lore_choices lore_language_choices = CHOICES(language_names);
const struct lore_choices lore_evidence_choices = CHOICES(evidence_names);
const struct lore_choices lore_version_kind_choices = CHOICES(version_kind_names);
const struct lore_choices lore_edge_kind_choices = CHOICES(edge_kind_names);
const struct lore_choices lore_check_choices = CHOICES(check_names);
const struct lore_choices lore_missing_choices = CHOICES(missing_names);
const struct lore_choices lore_base_choices = CHOICES(base_names);
const struct lore_choices lore_run_role_choices = CHOICES(run_role_names);

static const char *
name_of(const struct lore_choices *c, unsigned v)
{
    return v < c->n ? c->names[v] : NULL;
}

const char *
lore_language_name(enum lore_language v)
{
    return name_of(&lore_language_choices, v);
}

const char *
lore_language_vendor(enum lore_language v)
{
    switch (v) {
    case LORE_LANG_HIP:
    case LORE_LANG_CK:
    case LORE_LANG_FLYDSL:
        return "amd";
    case LORE_LANG_CUDA:
    case LORE_LANG_CUTLASS:
    case LORE_LANG_CUTE_DSL:
    case LORE_LANG_CUTILE:
        return "nvidia";
    default:
        return NULL;
    }
}

const char *
lore_evidence_name(enum lore_evidence v)
{
    return name_of(&lore_evidence_choices, v);
}

const char *
lore_version_kind_name(enum lore_version_kind v)
{
    return name_of(&lore_version_kind_choices, v);
}

const char *
lore_edge_kind_name(enum lore_edge_kind v)
{
    return name_of(&lore_edge_kind_choices, v);
}

bool
lore_check_is_shown(const struct lore_correctness *c)
{
    bool numbers = c->atol.set || c->rtol.set || c->rel_err.set || c->max_abs_err.set ||
                   c->rel_err_limit.set || c->mismatches.set || c->n_tensors > 0;

    return (c->reference && *c->reference && numbers) || c->n_sanitizers > 0 ||
           (c->status == LORE_C_TIMEOUT && c->timeout_s.set);
}

const char *
lore_check_name(enum lore_check v)
{
    return name_of(&lore_check_choices, v);
}

const char *
lore_missing_name(enum lore_missing v)
{
    return name_of(&lore_missing_choices, v);
}

const char *
lore_base_name(enum lore_base v)
{
    return name_of(&lore_base_choices, v);
}

const char *
lore_run_role_name(enum lore_run_role v)
{
    return name_of(&lore_run_role_choices, v);
}

/* Other spellings in use; lore_names_equal ignores case and separators. */
static const struct {
    const char *spelling;
    enum lore_language language;
} language_aliases[] = {
    {"amdgcn", LORE_LANG_ASM},
    {"assembly", LORE_LANG_ASM},
    {"ptx", LORE_LANG_ASM},
    {"sass", LORE_LANG_ASM},
    {"composable_kernel", LORE_LANG_CK},
    {"cuda_c", LORE_LANG_CUDA},
    {"cuda_cpp", LORE_LANG_CUDA},
    {"cuda_c++", LORE_LANG_CUDA},
    {"cu", LORE_LANG_CUDA},
    {"cute", LORE_LANG_CUTE_DSL},
    {"cutlass_python", LORE_LANG_CUTE_DSL},
    {"nvidia_cute_dsl", LORE_LANG_CUTE_DSL},
    {"cutlass_cpp", LORE_LANG_CUTLASS},
    {"cutlass_c++", LORE_LANG_CUTLASS},
    {"cute_cpp", LORE_LANG_CUTLASS},
    {"croq", LORE_LANG_CROQTILE},
    {"croktile", LORE_LANG_CROQTILE},
    {"choreo", LORE_LANG_CROQTILE},
    {"cuda_tile", LORE_LANG_CUTILE},
    {"cutile_python", LORE_LANG_CUTILE},
    {"cl", LORE_LANG_OPENCL},
    {"dpcpp", LORE_LANG_SYCL},
    {"dpc++", LORE_LANG_SYCL},
    {"jax_pallas", LORE_LANG_PALLAS},
    {"mosaic_gpu", LORE_LANG_PALLAS},
    {"modular", LORE_LANG_MOJO},
    {"numba_cuda", LORE_LANG_NUMBA},
    {"pytorch_helion", LORE_LANG_HELION},
    {"tk", LORE_LANG_THUNDERKITTENS},
    {"hipkittens", LORE_LANG_THUNDERKITTENS},
    {"ck_tile", LORE_LANG_CK},
    {"cutlass_dsl", LORE_LANG_CUTE_DSL},
    {"ptx_asm", LORE_LANG_ASM},
    {"inline_ptx", LORE_LANG_ASM},
    {"cublas", LORE_LANG_LIBRARY},
    {"cudnn", LORE_LANG_LIBRARY},
    {"hipblaslt", LORE_LANG_LIBRARY},
    {"rocblas", LORE_LANG_LIBRARY},
    {"nvcc", LORE_LANG_CUDA},
    {"cuda_python", LORE_LANG_CUDA},
    {"hip_rocm", LORE_LANG_HIP},
    {"hipcc", LORE_LANG_HIP},
    {"triton_lang", LORE_LANG_TRITON},
    {"cute_python", LORE_LANG_CUTE_DSL},
    {"fly_dsl", LORE_LANG_FLYDSL},
    {"hip_cpp", LORE_LANG_HIP},
    {"hip_c++", LORE_LANG_HIP},
    {"rocm_hip", LORE_LANG_HIP},
    {"lib", LORE_LANG_LIBRARY},
    {"vendor_library", LORE_LANG_LIBRARY},
    {"tile_lang", LORE_LANG_TILELANG},
    {"openai_triton", LORE_LANG_TRITON},
    {"triton_python", LORE_LANG_TRITON},
};

enum lore_language
lore_language_find(const char *s)
{
    for (unsigned v = 1; s != NULL && v < LORE_LANG_COUNT; v++)
        if (lore_names_equal(s, language_names[v]))
            return (enum lore_language)v;
    for (size_t i = 0; s != NULL && i < sizeof language_aliases / sizeof *language_aliases; i++)
        if (lore_names_equal(s, language_aliases[i].spelling))
            return language_aliases[i].language;
    return LORE_LANG_NONE;
}
