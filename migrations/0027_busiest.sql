-- By which lists tell the profiles of one program apart: the tool that made it.
ALTER TABLE fact_profile ADD COLUMN tool TEXT; -- nsys, ncu, warplore-cupti; NULL: not recorded, or stored before this column

-- And the kernel with the most time.
ALTER TABLE fact_profile ADD COLUMN busiest TEXT; -- by its name in the program; NULL: none, or stored before this column
