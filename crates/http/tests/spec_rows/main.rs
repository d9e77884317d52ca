//! Every row of `docs/spec-rows.toml` names existing tests.

#[cfg(test)]
mod rows;
