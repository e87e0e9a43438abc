/* The script of the fake GPU. Each line is a word with its keys, "word key=value key=\"a value\"
 * …"; '#' begins a comment. docs/collect.md lists the words and keys. Missing keys have defaults.
 * Wrong values are ignored, because a capture library cannot report errors. */
#ifndef LORE_FAKE_SCRIPT_H
#define LORE_FAKE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAKE_KERNELS = 256, FAKE_COPIES = 32, FAKE_COUNTERS = 1024, FAKE_DEVICES = 16 };

struct lore_fake_text {
    const char *p; /* points into the script; no NUL at the end */
    size_t n;
};
struct lore_fake_device {
    struct lore_fake_text name;
    uint32_t units, major, minor;
};
struct lore_fake_kernel {
    struct lore_fake_text name;
    uint32_t pad;   /* pad the name to this many bytes */
    uint32_t kinds; /* variants, each with its number appended to the name; 0: one */
    uint64_t launches;
    uint32_t grid[3], block[3], cluster[3];
    uint32_t registers, shared, dynamic, local, api, stream, streams, device;
    double base_ns, noise, drift, first, mode_share, mode_factor, step_factor;
    uint64_t step_at, gap_ns;
};
struct lore_fake_copy {
    int which; /* LORE_CAP_COPY_… */
    uint64_t count, bytes, ns;
};
struct lore_fake_counter {
    struct lore_fake_text name, kernel; /* kernel: part of a name; empty: every kernel */
    double value, spread, first; /* first: what the process's first counted launch has more */
    uint32_t missing;            /* enum lore_missing */
};
struct lore_fake_script {
    struct lore_fake_device devices[FAKE_DEVICES];
    struct lore_fake_kernel kernels[FAKE_KERNELS];
    struct lore_fake_copy copies[FAKE_COPIES];
    struct lore_fake_counter counters[FAKE_COUNTERS];
    size_t n_devices, n_kernels, n_copies, n_counters;
    struct lore_fake_text only; /* name of the only program to be active in; empty: every program */
    struct lore_fake_text remedy;  /* reason for refusing counters; empty: they are allowed */
    struct lore_fake_text too_old; /* why the library cannot count; empty: it can */
    struct lore_fake_text state_text, ending;
    uint32_t state; /* enum lore_cap_state_code; 0: attached */
    uint64_t seed, dropped, bad, passes;
};
/* Parse TEXT into *out, which the caller has zeroed. *out points into TEXT. */
void lore_fake_script_read(const char *text, size_t n, struct lore_fake_script *out);
bool lore_fake_text_is(struct lore_fake_text t, const char *word);

#endif
