-- How far the database has applied the journal that it is made from, and the credentials that came with it.
CREATE TABLE log_journal (
    name TEXT NOT NULL PRIMARY KEY, -- applied, or a credential: token:ID, agent:ID, code:HASH
    seq INTEGER NOT NULL,           -- of applied: the last entry; of a credential: 0
    hash BLOB NOT NULL              -- of applied: the hash of that entry; of a credential: BLAKE2b-256 of its row
) STRICT;
