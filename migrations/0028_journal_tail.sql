-- Entries of a journal in a directory that may not be on its disk yet (journal_lag). A start appends those that a power cut took from it.
CREATE TABLE log_journal_tail (
    seq INTEGER NOT NULL PRIMARY KEY, -- of the entry, as first, at_us and the texts
    first INTEGER NOT NULL,           -- the entries before this one were on the disk
    at_us INTEGER NOT NULL,           -- when it was acknowledged
    kind TEXT NOT NULL,               -- document, receipt, event, token, agent, code
    actor TEXT NOT NULL,              -- who sent it
    owner TEXT NOT NULL,              -- whose it is; empty for none
    node TEXT NOT NULL,               -- the host that took it
    curator INTEGER NOT NULL,         -- 1: the actor may decide about all records
    document TEXT,                    -- the body is that of this fact_document; NULL: it is in body
    body BLOB,                        -- NULL: see document
    hash BLOB NOT NULL                -- of the entry
) STRICT;
