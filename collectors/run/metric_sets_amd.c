/* AMD's sets: what the formulas of service/derive/ontology.c need, and what the rules look at.
 * Names are those of rocprofiler-sdk on CDNA 3; an older chip lacks a few, which the run says. The
 * chip decides how many it counts at once, and so how often the program runs. Durations and bytes
 * per second use the time of the run without counters. */
#include <string.h>

#include "collectors/run/metric_family.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

static const char *const full[] = {
    /* basic: the first N_BASIC */
    "GRBM_GUI_ACTIVE",
    "SQ_WAVES",
    "SQ_WAVE_CYCLES",
    "SQ_BUSY_CU_CYCLES",
    "SQ_INSTS",
    "SQ_ACTIVE_INST_VALU",
    "SQ_VALU_MFMA_BUSY_CYCLES",
    "SQ_WAIT_INST_ANY",
    "TCC_BUBBLE_sum",
    "TCC_EA0_RDREQ_sum",
    "TCC_EA0_RDREQ_32B_sum",
    "TCC_EA0_WRREQ_sum",
    "TCC_EA0_WRREQ_64B_sum",
    "TCC_HIT_sum",
    "TCC_MISS_sum",
    "TCC_REQ_sum",
    /* full */
    "SQ_ACTIVE_INST_SCA",
    "SQ_ACTIVE_INST_LDS",
    "SQ_ACTIVE_INST_VMEM",
    "SQ_THREAD_CYCLES_VALU",
    "SQ_WAIT_ANY",
    "SQ_INSTS_VALU",
    "SQ_INSTS_MFMA",
    "SQ_INSTS_LDS",
    "SQ_INSTS_VMEM_RD",
    "SQ_INSTS_VMEM_WR",
    "SQ_INSTS_VALU_ADD_F16",
    "SQ_INSTS_VALU_MUL_F16",
    "SQ_INSTS_VALU_FMA_F16",
    "SQ_INSTS_VALU_TRANS_F16",
    "SQ_INSTS_VALU_ADD_F32",
    "SQ_INSTS_VALU_MUL_F32",
    "SQ_INSTS_VALU_FMA_F32",
    "SQ_INSTS_VALU_TRANS_F32",
    "SQ_INSTS_VALU_ADD_F64",
    "SQ_INSTS_VALU_MUL_F64",
    "SQ_INSTS_VALU_FMA_F64",
    "SQ_INSTS_VALU_TRANS_F64",
    "SQ_INSTS_VALU_MFMA_MOPS_F16",
    "SQ_INSTS_VALU_MFMA_MOPS_BF16",
    "SQ_INSTS_VALU_MFMA_MOPS_F32",
    "SQ_INSTS_VALU_MFMA_MOPS_F64",
    "SQ_INSTS_VALU_MFMA_MOPS_I8",
    "SQ_INSTS_VALU_MFMA_MOPS_F8",
    "SQ_LDS_BANK_CONFLICT",
    "SQ_LDS_IDX_ACTIVE",
    "TCP_TOTAL_CACHE_ACCESSES_sum",
    "TCP_TCC_READ_REQ_sum",
    "TCP_TCC_WRITE_REQ_sum",
    "TCP_TCC_ATOMIC_WITH_RET_REQ_sum",
    "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum",
    "TCC_EA0_RDREQ_LEVEL_sum",
    "TA_TA_BUSY_max",
};
#define N_BASIC 16

static const struct lore_metric_set sets[] = {
    {"none", "No counters: durations alone, in one run of the program.", NULL, 0},
    {"basic",
        "Memory traffic, L2 hits, occupancy, instructions, busy vector and matrix units; a few "
        "more "
        "executions of the program.",
        full, N_BASIC},
    {"full", "Also operations by type, LDS conflicts, L1, waits and latency; more executions.",
        full, sizeof full / sizeof *full},
};

/* Whether NAME is in the catalogue, or begins with a hardware block that has counters. */
static bool
has_form(const char *name)
{
    static const char *const blocks[] = {
        "CPC_", "CPF_", "GRBM_", "SPI_", "SQC_", "SQ_", "TA_", "TCA_", "TCC_", "TCP_", "TD_"};
    const struct lore_metric_def *known;
    size_t n;

    if (name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")])
        return false;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (lore_starts(name, blocks[i]))
            return true;
    known = lore_metrics(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(known[i].vendor, "amd") == 0 && strcmp(known[i].name, name) == 0)
            return true;
    return false;
}

const struct lore_metric_family lore_metric_family_amd = {
    "amd", sets, sizeof sets / sizeof *sets, has_form};
