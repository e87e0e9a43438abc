/* Numbers count up from 1, and a program may load many thousands of kernels of which it launches
 * few. So they lie in pages of an array that are made as needed, and a name goes to the channel
 * with its first launch. The name is copied: its owner may be unloaded. */
#include "collectors/hip/kernels.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "collectors/capture/store.h"
#include "collectors/hip/agents.h"

enum { PAGE = 4096, PAGES = 1024 }; /* kernels of a page; pages: four million kernels */

static _Atomic(struct lore_hip_kernel *) pages[PAGES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
lore_kernels_add(const struct lore_rocp_kernel *k)
{
    size_t n = k->name ? strlen(k->name) : 0;
    struct lore_hip_kernel *page, kernel = {.vgprs = k->vgprs,
                                      .agprs = k->agprs,
                                      .sgprs = k->sgprs,
                                      .static_group_bytes = k->group_bytes};

    if (k->kernel >= (uint64_t)PAGE * PAGES || n == 0)
        return;
    if (n > 3 && strcmp(k->name + n - 3, ".kd") == 0) /* the descriptor's name */
        n -= 3;
    pthread_mutex_lock(&lock);
    page = atomic_load(&pages[k->kernel / PAGE]);
    if (!page)
        page = lore_store_pages(PAGE * sizeof *page);
    kernel.name = lore_store_text(k->name, n);
    if (page)
        page[k->kernel % PAGE] = kernel;
    atomic_store(&pages[k->kernel / PAGE], page);
    pthread_mutex_unlock(&lock);
}

struct lore_hip_kernel
lore_kernels_find(uint64_t id)
{
    struct lore_hip_kernel *page = NULL, none = {0};

    if (id < (uint64_t)PAGE * PAGES)
        page = atomic_load(&pages[id / PAGE]);
    return page ? page[id % PAGE] : none;
}

/* A grid in work-groups, as elsewhere: the runtime counts work-items. */
static void
set_grid(const struct lore_rocp_dispatch_info *d, struct lore_cap_shape *out)
{
    for (int i = 0; i < 3; i++) {
        uint32_t items = d->grid[i], group = d->workgroup[i];

        out->block[i] = group;
        out->grid[i] = group ? items / group + (items % group != 0) : items;
    }
}

void
lore_kernels_shape(
    struct lore_channel *c, const struct lore_rocp_dispatch_info *d, struct lore_cap_shape *out)
{
    struct lore_hip_kernel k = lore_kernels_find(d->kernel);

    memset(out, 0, sizeof *out);
    out->name = lore_channel_name(c, k.name ? k.name : "(kernel without a name)");
    out->device = lore_agents_ordinal(d->agent);
    out->known = LORE_CAP_HAS_SHARED | LORE_CAP_HAS_LOCAL;
    set_grid(d, out);
    out->static_shared_bytes = d->group_bytes;
    out->local_bytes_per_thread = d->private_bytes;
    if (!k.name)
        return;
    out->known |= LORE_CAP_HAS_REGISTERS;
    out->registers = k.vgprs + k.agprs;
    if (k.static_group_bytes < d->group_bytes) {
        out->static_shared_bytes = k.static_group_bytes;
        out->dynamic_shared_bytes = d->group_bytes - k.static_group_bytes;
    }
}
