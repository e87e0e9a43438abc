-- Copies: the same source, workload, chip and samples in two places are one measurement, and count once.

-- What a version is made of, for versions with sources and for those of a project.
CREATE TABLE drv_content (
    version INTEGER PRIMARY KEY NOT NULL REFERENCES fact_version (seq), -- which
    content INTEGER NOT NULL,                                           -- hash of operator, language, sources and parameters; without sources also of kernel and version names
    twin TEXT                                                           -- id of the first version of this content; NULL: this one
) STRICT;
CREATE INDEX drv_content_content ON drv_content (content);

-- Runs and experiments that repeat an earlier one of a twin. They count only while the earlier one is retracted.
CREATE TABLE drv_copy (
    record TEXT NOT NULL PRIMARY KEY, -- id of the copy
    original TEXT NOT NULL,           -- id of the earlier run or experiment
    version TEXT NOT NULL             -- id of the original's version; its own id when it names none
) STRICT, WITHOUT ROWID;
