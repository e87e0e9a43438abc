-- The project of a kernel: kernels of one name in two projects are two kernels.
ALTER TABLE fact_kernel ADD COLUMN project TEXT; -- name space: team/attention; NULL: none

CREATE INDEX fact_kernel_project ON fact_kernel (project) WHERE project IS NOT NULL;
