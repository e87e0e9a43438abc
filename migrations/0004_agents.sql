-- Agents: programs on GPU hosts that sign what they send. Their keys and the receipts of the service
-- are facts: years later they say who vouched for a record, and that none was added or taken away.

-- Agents that were enrolled. Who may send today is in auth.db; this is who ever could.
CREATE TABLE fact_agent (
    seq INTEGER PRIMARY KEY NOT NULL, -- order of enrolment
    id TEXT NOT NULL UNIQUE,          -- ULID
    label TEXT NOT NULL,              -- its submissions have the actor agent:LABEL
    public_key BLOB NOT NULL UNIQUE,  -- Ed25519, 32 bytes
    enrolled_us INTEGER NOT NULL      -- service time
) STRICT;

-- Agents whose key is accepted no more.
CREATE TABLE fact_agent_revoked (
    agent TEXT NOT NULL PRIMARY KEY REFERENCES fact_agent (id), -- which
    revoked_us INTEGER NOT NULL                                 -- when somebody said so
) STRICT;

-- Receipts: one per accepted batch, chained per agent, signed by the service.
CREATE TABLE fact_receipt (
    seq INTEGER PRIMARY KEY NOT NULL,                 -- order of arrival
    agent TEXT NOT NULL REFERENCES fact_agent (id),   -- who sent the batch
    number INTEGER NOT NULL,                          -- 1, 2, 3 … of this agent
    batch TEXT NOT NULL UNIQUE,                       -- ULID of the request: used once
    previous BLOB NOT NULL,                           -- hash of the receipt before; zeroes for the first
    hash BLOB NOT NULL,                               -- BLAKE2b-256, see collectors/wire/signing.h
    signature BLOB NOT NULL,                          -- Ed25519 over the hash
    service_key BLOB NOT NULL,                        -- the public key that it is of
    received_us INTEGER NOT NULL,                     -- service time
    UNIQUE (agent, number)
) STRICT;

-- What became of each record of a batch, with the agent's signature over it.
CREATE TABLE fact_receipt_line (
    receipt INTEGER NOT NULL REFERENCES fact_receipt (seq), -- which receipt
    position INTEGER NOT NULL,                              -- order in the batch
    agent TEXT NOT NULL REFERENCES fact_agent (id),         -- as in the receipt
    record INTEGER NOT NULL,                                -- the agent's number for the record
    hash BLOB NOT NULL,                                     -- BLAKE2b-256 of the document as sent
    signature BLOB NOT NULL,                                -- Ed25519 over agent, record and hash
    state TEXT NOT NULL,                                    -- s stored, d here already, r refused
    document INTEGER REFERENCES fact_document (seq),        -- where it is; NULL: refused
    code TEXT,                                              -- why it was refused
    PRIMARY KEY (receipt, position)
) STRICT;
CREATE INDEX fact_receipt_line_record ON fact_receipt_line (agent, record);
CREATE INDEX fact_receipt_line_document ON fact_receipt_line (document);
