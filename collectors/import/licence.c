/* Finds the licence of a file: the nearest LICENSE, recognised by its text. An unrecognised
 * licence counts as none; the user can name it with --licence. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "collectors/import/tree.h"
#include "service/base/text.h"
#include "service/wire/build.h"

bool
lore_tree_is_licence(const char *path)
{
    static const char *const stems[] = {"LICENSE", "LICENCE", "COPYING", "NOTICE"};
    const char *name = lore_build_basename(path);

    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        size_t n = strlen(stems[i]);
        if (strncasecmp(name, stems[i], n) != 0)
            continue;
        if (!name[n] || lore_streqi(name + n, ".txt") || lore_streqi(name + n, ".md"))
            return true;
    }
    return false;
}

static bool
is_licence_text(const char *path)
{
    return lore_tree_is_licence(path) && strncasecmp(lore_build_basename(path), "NOTICE", 6) != 0;
}

static const struct lore_import_file *
licence_in(const struct lore_import_tree *t, const char *dir)
{
    static const char *const names[] = {"LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE",
        "LICENCE.txt", "LICENCE.md", "COPYING", "COPYING.txt", "License", "license.txt"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct lore_import_file *f = lore_tree_file(t, dir, names[i]);
        if (f)
            return f;
    }
    return NULL;
}

const struct lore_import_file *
lore_tree_licence(const struct lore_import_tree *t, const char *path)
{
    char dir[4096];

    if ((size_t)snprintf(dir, sizeof dir, "%s", path) >= sizeof dir)
        dir[0] = '\0';
    for (;;) {
        const struct lore_import_file *f = licence_in(t, dir);
        if (f)
            return f;
        if (!dir[0])
            break;
        char *slash = strrchr(dir, '/');
        *(slash ? slash : dir) = '\0';
    }
    for (size_t i = 0; i < t->n_outer; i++) {
        if (is_licence_text(t->outer[i].path))
            return &t->outer[i];
    }
    return NULL;
}

const struct lore_import_file *
lore_tree_notice(const struct lore_import_tree *t, const struct lore_import_file *licence)
{
    const char *slash = strrchr(licence->path, '/');
    char dir[4096] = "";

    if (t->outer && licence >= t->outer && licence < t->outer + t->n_outer) {
        for (size_t i = 0; i < t->n_outer; i++) {
            if (strcmp(t->outer[i].path, "NOTICE") == 0)
                return &t->outer[i];
        }
        return NULL;
    }
    if (slash && (size_t)(slash - licence->path) < sizeof dir)
        memcpy(dir, licence->path, (size_t)(slash - licence->path));
    return lore_tree_file(t, dir, "NOTICE");
}

/* Text that identifies a licence. The first match counts, so specific licences come before general
 * ones. */
static const struct {
    const char *words, *name;
} licences[] = {
    {"GNU AFFERO GENERAL PUBLIC LICENSE", "AGPL-3.0"},
    {"GNU LESSER GENERAL PUBLIC LICENSE", "LGPL"},
    {"GNU GENERAL PUBLIC LICENSE Version 2", "GPL-2.0"},
    {"GNU GENERAL PUBLIC LICENSE Version 3", "GPL-3.0"},
    {"Mozilla Public License Version 2.0", "MPL-2.0"},
    {"Apache License Version 2.0", "Apache-2.0"},
    {"Boost Software License - Version 1.0", "BSL-1.0"},
    {"Permission is hereby granted, free of charge, to any person obtaining a copy of this "
     "software and associated documentation files",
        "MIT"},
    {"Neither the name of", "BSD-3-Clause"},
    {"Redistributions in binary form must reproduce", "BSD-2-Clause"},
    {"CC0 1.0 Universal", "CC0-1.0"},
    {"Attribution 4.0 International", "CC-BY-4.0"},
    {"This is free and unencumbered software released into the public domain", "Unlicense"},
};

/* Whether TEXT begins with WORDS. A blank in WORDS matches any run of white space and commas. */
static bool
begins_with(const char *text, const char *words)
{
    while (*words) {
        size_t n = *words == ' ' ? strspn(text, " \t\r\n,") : *words == *text;
        if (n == 0)
            return false;
        text += n, words++;
    }
    return true;
}

/* Whether TEXT contains WORDS, even across line breaks. */
static bool
contains(const char *text, const char *words)
{
    for (; *text; text++) {
        if (begins_with(text, words))
            return true;
    }
    return false;
}

const char *
lore_licence_name(const char *text)
{
    for (size_t i = 0; i < sizeof licences / sizeof *licences; i++) {
        if (contains(text, licences[i].words))
            return licences[i].name;
    }
    return NULL;
}
