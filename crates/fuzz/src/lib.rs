//! Fuzz targets: what clients can send is read without a panic, whatever it is, and means one
//! thing. They are tests, in `tests/targets`; `corpus` has a folder of inputs for each.
