/* Features of instruction sets, as techniques ask for them. NVIDIA rows start from the kernelflow
 * method registry (technique_methods.c), corrected by tests with ptxas of CUDA 13.0: wgmma
 * assembles for sm_90a only; mbarrier and sparse mma from sm_80; FP8 mma from sm_89; tensor copies,
 * clusters and dependent launch for sm_120 too. AMD rows list what LLVM's assembler accepts for the
 * target. The row of gfx950 comes from its published instruction set and was not tested. An
 * instruction set that is not listed has unknown features; they are not inferred from a similar
 * one. */
#include <string.h>

#include "service/catalogue/technique_info.h"

#define TRIED "the kernelflow method registry, corrected by tests with an assembler"
#define AMD_TRIED "tests with an assembler"

static const struct {
    const char *isa, *features, *source;
} sets[] = {
    {"gfx908", "mfma,agpr,dpp,lds_permute,lds_b128,buffer_descriptor,lds_direct_load", AMD_TRIED},
    {"gfx90a",
        "mfma,agpr,dpp,lds_permute,lds_b128,buffer_descriptor,lds_direct_load,packed_fp32,unified_"
        "registers",
        AMD_TRIED},
    {"gfx942",
        "mfma,agpr,dpp,lds_permute,lds_b128,buffer_descriptor,lds_direct_load,packed_fp32,unified_"
        "registers,fp8,sparse_mfma,xf32,scratch_instructions",
        AMD_TRIED},
    {"gfx950",
        "mfma,agpr,dpp,lds_permute,lds_b128,buffer_descriptor,lds_direct_load,packed_fp32,unified_"
        "registers,fp8,sparse_mfma,scratch_instructions,block_scaling,lds_transpose,lds_direct_"
        "load_b128",
        "the published instruction set"},
    {"sm_100",
        "tensor_core,ldmatrix,cp_async,l2_persistence,fp8_e4m3,tma,mbarrier,cluster,dsmem,pdl,warp_"
        "specialization,tcgen05,tmem,block_scaling,clc,setmaxnreg,sparse_mma",
        TRIED},
    {"sm_120",
        "tensor_core,ldmatrix,cp_async,l2_persistence,fp8_e4m3,tma,mbarrier,cluster,dsmem,pdl,"
        "setmaxnreg,sparse_mma",
        TRIED},
    {"sm_70", "tensor_core", "the kernelflow method registry"},
    {"sm_75", "tensor_core,ldmatrix", TRIED},
    {"sm_80", "tensor_core,ldmatrix,cp_async,l2_persistence,mbarrier,sparse_mma", TRIED},
    {"sm_86", "tensor_core,ldmatrix,cp_async,l2_persistence,mbarrier,sparse_mma", TRIED},
    {"sm_89", "tensor_core,ldmatrix,cp_async,l2_persistence,mbarrier,sparse_mma,fp8_e4m3", TRIED},
    {"sm_90",
        "tensor_core,ldmatrix,cp_async,l2_persistence,fp8_e4m3,tma,wgmma,mbarrier,cluster,dsmem,"
        "pdl,warp_specialization,setmaxnreg,sparse_mma",
        TRIED},
};

const char *
lore_technique_isa_features(const char *isa, const char **source)
{
    for (size_t i = 0; isa != NULL && i < sizeof sets / sizeof *sets; i++)
        if (strcmp(sets[i].isa, isa) == 0) {
            if (source != NULL)
                *source = sets[i].source;
            return sets[i].features;
        }
    return NULL;
}
