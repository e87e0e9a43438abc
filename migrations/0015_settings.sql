-- Versions with parameters by what they are set to: the same settings recorded under another kernel
-- are one configuration (docs/feedback.md). Of versions of one kernel that are set the same the
-- first, retracted or not: the others differ in something that nobody recorded.
CREATE TABLE drv_version_settings (
    version INTEGER PRIMARY KEY NOT NULL REFERENCES fact_version (seq), -- which; no library's
    kernel INTEGER NOT NULL REFERENCES fact_kernel (seq),               -- of which kernel
    settings TEXT NOT NULL                                              -- hash of operator, kernel's name and parameters
) STRICT;
CREATE UNIQUE INDEX drv_version_settings_once ON drv_version_settings (kernel, settings);

-- What was proposed, whichever version shows it.
ALTER TABLE log_advice_version ADD COLUMN configuration TEXT NOT NULL DEFAULT ''; -- settings of the version, or its id when it has none

-- And the same of a change.
ALTER TABLE log_advice_version ADD COLUMN from_configuration TEXT; -- of from_version; NULL: a version to start from
DROP INDEX log_advice_version_tried;
CREATE INDEX log_advice_version_configuration ON log_advice_version (configuration, from_configuration, chip, workload, advice);
