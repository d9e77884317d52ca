//! Every row of the specification has a test: `docs/spec-rows.toml` says which.

#[cfg(test)]
mod rows;
