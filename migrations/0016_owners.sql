-- Who brought a document, by id: only they and a curator may retract its records. The actor of a
-- document is a label for readers, and two tokens can share one.
CREATE TABLE fact_document_owner (
    document INTEGER PRIMARY KEY NOT NULL REFERENCES fact_document (seq), -- which
    owner TEXT NOT NULL                                                   -- id of the token or agent
) STRICT;

-- Of documents from before this table, those of agents have their owner in the receipt. Nobody noted which token brought the others.
INSERT INTO fact_document_owner SELECT document, min(agent) FROM fact_receipt_line WHERE state = 's' AND document IS NOT NULL GROUP BY document;
