/* What the two files of the fake CUPTI share. */
#ifndef LORE_TESTS_E2E_FAKE_CUPTI_H
#define LORE_TESTS_E2E_FAKE_CUPTI_H

#include <stdbool.h>

#include <cupti.h>

extern CUpti_CallbackFunc fake_callback; /* of the subscriber; NULL: none */
extern void *fake_user;
extern bool fake_all_calls; /* the subscriber hears of every call to the driver */
/* The number in environment variable NAME. */
long fake_told(const char *name, long otherwise);

#endif
