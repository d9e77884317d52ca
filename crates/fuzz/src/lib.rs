//! Fuzz targets: any input from clients must be read or refused without a panic and have one
//! meaning. They are tests in `tests/targets`; `corpus` has a folder of inputs for each.
