/* The embedded migrations, in order, ended by a NULL name (migrations/embed.cmake makes them). */
#ifndef LORE_DB_MIGRATIONS_H
#define LORE_DB_MIGRATIONS_H

struct lore_migration {
    int version;
    const char *name, *sql;
};
extern const struct lore_migration lore_migrations[];

#endif
