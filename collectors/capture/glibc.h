/* Included first by every file of a capture library: binds what glibc gave a new version after 2.28
 * to its old one, so that the library also opens on older hosts. That matters most where a profiler
 * ends the program when its tool library does not open. tests/e2e/old_glibc.py finds what is
 * missing here. The old versions of functions that moved into libc.so.6 are there, too. */
#ifndef LORE_CAPTURE_GLIBC_H
#define LORE_CAPTURE_GLIBC_H

#if defined __x86_64__
#define LORE_GLIBC_BASE "GLIBC_2.2.5"
#define LORE_GLIBC_NPTL "GLIBC_2.3.3"
#elif defined __aarch64__
#define LORE_GLIBC_BASE "GLIBC_2.17"
#define LORE_GLIBC_NPTL "GLIBC_2.17"
#endif
#ifdef LORE_GLIBC_BASE
#define LORE_GLIBC(name, version) __asm__(".symver " #name "," #name "@" version)
LORE_GLIBC(dladdr, LORE_GLIBC_BASE);
LORE_GLIBC(dlerror, LORE_GLIBC_BASE);
LORE_GLIBC(dlopen, LORE_GLIBC_BASE);
LORE_GLIBC(dlsym, LORE_GLIBC_BASE);
LORE_GLIBC(pthread_attr_setstacksize, LORE_GLIBC_BASE);
LORE_GLIBC(pthread_condattr_setclock, LORE_GLIBC_NPTL);
LORE_GLIBC(pthread_create, LORE_GLIBC_BASE);
LORE_GLIBC(pthread_once, LORE_GLIBC_BASE);
LORE_GLIBC(pthread_timedjoin_np, LORE_GLIBC_NPTL);
#undef LORE_GLIBC
#undef LORE_GLIBC_BASE
#undef LORE_GLIBC_NPTL
#endif

#endif
