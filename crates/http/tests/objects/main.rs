//! Objects through the API (`docs/guide/src/objects.md`, `docs/guide/src/values.md`,
//! `docs/guide/src/lists.md`). The name of every test states the expectation.

#[cfg(test)]
mod aggregate;
#[cfg(test)]
mod clean;
#[cfg(test)]
mod clock;
#[cfg(test)]
mod delete;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod former_values;
#[cfg(test)]
mod history;
#[cfg(test)]
mod http_sd;
#[cfg(test)]
mod imports;
#[cfg(test)]
mod imports_columns;
#[cfg(test)]
mod imports_dry_run;
#[cfg(test)]
mod imports_names;
#[cfg(test)]
mod imports_parts;
#[cfg(test)]
mod imports_running;
#[cfg(test)]
mod imports_stored;
#[cfg(test)]
mod insert;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod labels;
#[cfg(test)]
mod large;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod list;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod read;
#[cfg(test)]
mod references;
#[cfg(test)]
mod render;
#[cfg(test)]
mod retention;
#[cfg(test)]
mod revisions;
#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod search;
#[cfg(test)]
mod search_model;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod sources_rights;
#[cfg(test)]
mod state;
#[cfg(test)]
mod strict_kinds;
#[cfg(test)]
mod unique;
#[cfg(test)]
mod update;
#[cfg(test)]
mod values;
#[cfg(test)]
mod views;
