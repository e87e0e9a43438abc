/* Bottleneck labels. People and tools write them in many ways ("Memory-Bound", "memory", "DRAM
 * MEMORY BOUND"); here each becomes a bit of a set. Words such as "mixed" give no bit and count as
 * known. Any other word is unknown: there is no guessing from substrings. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "service/catalogue/catalogue.h"
#include "service/catalogue/names.h"

static const char *const label_names[LORE_L_COUNT] = {"memory", "compute", "latency", "sync",
    "occupancy", "launch", "tail", "divergence", "register_pressure", "bank_conflict", "atomics",
    "cache"};

#define B(l) (1u << LORE_L_##l)
/* A part is looked up as it stands, then without "bound" or "limited" at its end. */
static const struct {
    uint32_t bits;
    const char *spellings;
} spellings[] = {
    {B(MEMORY),
        "memory,mem,dram,dram_memory,bandwidth,memory_bandwidth,hbm,hbm_bandwidth,global_memory,"
        "memory_throughput,bw,uncoalesced,uncoalesced_access,coalescing"},
    {B(COMPUTE), "compute,math,alu,arithmetic,sm,tensor_core,compute_throughput,instruction,"
                 "instruction_issue,math_pipe_throttle"},
    {B(LATENCY),
        "latency,lat,long_scoreboard,long_sb,latency_long_sb,short_scoreboard,short_sb,latency_"
        "short_sb,"
        "memory_latency,pipeline_stalls,pipeline_stall,stall,stalls,dependency,latency_global,"
        "latency_shared"},
    {B(SYNC), "sync,synchronization,synchronisation,barrier,barriers,stall_barrier,barrier_stall,"
              "syncthreads,s_barrier,sync_overhead,synchronization_overhead"},
    {B(LATENCY) | B(SYNC), "latency_sync,latency_barrier"},
    {B(OCCUPANCY),
        "occupancy,occ,low_occupancy,low_sm_utilization,sm_idle,low_cu_utilization,parallelism,"
        "small_grid,under_utilization,underutilization"},
    {B(LAUNCH),
        "launch,launch_overhead,host,host_or_launch,kernel_launch,overhead,cpu,host_overhead"},
    {B(TAIL), "tail,tail_effect,grid_anomaly,wave_quantization,load_imbalance,imbalance,moe_load_"
              "imbalance"},
    {B(DIVERGENCE),
        "divergence,divergent,branch_divergence,warp_divergence,branch,thread_divergence"},
    {B(REGISTER_PRESSURE),
        "register_pressure,registers,register,register_spill,register_spilling,spill,spills,"
        "vgpr,vgpr_pressure,spilling"},
    {B(BANK_CONFLICT),
        "bank_conflict,bank_conflicts,shared_memory_bank_conflicts,smem_bank_conflict,"
        "lds_bank_conflict,lds_bank_conflicts"},
    {B(ATOMICS), "atomics,atomic,atomic_contention,atomics_contention"},
    {B(CACHE),
        "cache,l1,l2,l1_pressure,l2_pressure,cache_thrashing,l1_cache,l2_cache,cache_pressure,"
        "l2_bandwidth,lts"},
    {0, "unknown,mixed,balanced,none,na,unclear,near_peak,not_recorded"},
};
#define N_SPELLINGS (sizeof spellings / sizeof *spellings)

static struct lore_name_slot slots[512];
static struct lore_names names = {.slots = slots, .n_slots = 512};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
fill(void)
{
    for (size_t i = 0; i < N_SPELLINGS; i++)
        lore_names_add_list(&names, spellings[i].spellings, i);
}

const struct lore_names *
lore_label_names(void)
{
    pthread_once(&once, fill);
    return &names;
}

const char *
lore_label_name(enum lore_label l)
{
    return (unsigned)l < LORE_L_COUNT ? label_names[l] : NULL;
}

/* Whether S[0..N) has a letter, a digit or a non-ASCII byte. */
static bool
has_letter(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isalnum((unsigned char)s[i]) || (unsigned char)s[i] >= 0x80)
            return true;
    return false;
}

/* The length of S without separators at its end, and then without WORD, if S ends in it. */
static size_t
without_suffix(const char *s, size_t n, const char *word)
{
    size_t len = strlen(word);

    while (n > 0 && !isalnum((unsigned char)s[n - 1]))
        n--;
    return n > len && strncasecmp(s + n - len, word, len) == 0 ? n - len : n;
}

static int
find_part(const char *s, size_t n)
{
    int row = lore_names_find(lore_label_names(), s, n);
    size_t bare = without_suffix(s, without_suffix(s, n, "bound"), "limited");

    if (row < 0)
        row = lore_names_find(&names, s, bare);
    return row;
}

static uint32_t
parse_part(const char *s, size_t n, bool *unknown)
{
    const char *paren = memchr(s, '(', n);
    int row;

    if (!has_letter(s, n))
        return 0;
    row = find_part(s, n);
    if (row < 0 && paren && paren > s)
        row = find_part(s, (size_t)(paren - s));
    if (row >= 0)
        return spellings[row].bits;
    *unknown = true;
    return 0;
}

/* Length of the separator at S: one of the signs, or the word "and" between blanks; 0: none. */
static size_t
separator(const char *s)
{
    if (*s != '\0' && strchr("+,/|;&", *s))
        return 1;
    return strncasecmp(s, " and ", 5) == 0 ? 5 : 0;
}

uint32_t
lore_labels_parse(const char *text, bool *unknown)
{
    bool missed = false;
    uint32_t bits = 0;
    int whole = !text ? -1 : lore_names_find(lore_label_names(), text, strlen(text)); /* "n/a" */

    if (whole >= 0 && spellings[whole].bits == 0) {
        bits = spellings[whole].bits;
        text = NULL;
    }
    while (text && *text != '\0') {
        size_t n = 0, sep;

        while (text[n] != '\0' && separator(text + n) == 0)
            n++;
        bits |= parse_part(text, n, &missed);
        sep = text[n] == '\0' ? 0 : separator(text + n);
        text += n + sep;
    }
    if (unknown != NULL)
        *unknown = missed;
    return bits;
}

const char *
lore_labels_text(struct lore_arena *arena, uint32_t labels)
{
    char text[160] = "";
    size_t used = 0;

    for (unsigned l = 0; l < LORE_L_COUNT; l++) {
        if (!(labels >> l & 1))
            continue;
        if (used > 0)
            text[used++] = '+';
        memcpy(text + used, label_names[l], strlen(label_names[l]) + 1);
        used += strlen(label_names[l]);
    }
    return lore_strdup(arena, text);
}
