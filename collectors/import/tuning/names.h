/* Names in tuning files: what a parameter stands for, the chip of a device, kernel and operator. */
#ifndef LORE_IMPORT_TUNING_NAMES_H
#define LORE_IMPORT_TUNING_NAMES_H

#include "collectors/import/import.h"
#include "collectors/import/tuning/search_config.h"

/* The meaning of PARAM; NULL when it is not in the table. */
const struct lore_search_meaning *lore_search_meaning(const char *param);

/* The chip of DEVICE (NULL: the file names none): the longest product name in it, else --chip, else
 * the file's name, in which the word SKIP (may be NULL) is no chip. The report says which. */
const char *lore_tuning_chip(struct lore_import *in, const char *device, const char *skip);
/* The words of the file's name without those of a chip, extensions and SKIP; "unclassified". */
const char *lore_tuning_file_words(struct lore_import *in, const char *skip);
/* KERNEL without a "_kernel" at its end, and the operator whose name it contains, else its own. */
const char *lore_tuning_kernel(struct lore_import *in, const char *kernel, const char **op);

#endif
