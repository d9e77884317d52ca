//! Types, rights, users, groups, settings, views, sessions and tokens through the API
//! (`docs/guide/src/authentication.md`, `docs/guide/src/types.md`). The name of every test states
//! the expectation.

#[cfg(test)]
mod api_tokens;
#[cfg(test)]
mod api_tokens_ceiling;
#[cfg(test)]
mod api_tokens_limits;
#[cfg(test)]
mod api_tokens_trail;
#[cfg(test)]
mod backups;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod cookies;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod groups;
#[cfg(test)]
mod groups_delete;
#[cfg(test)]
mod history;
#[cfg(test)]
mod login;
#[cfg(test)]
mod me;
#[cfg(test)]
mod names;
#[cfg(test)]
mod passwords;
#[cfg(test)]
mod record_import;
#[cfg(test)]
mod record_import_round_trip;
#[cfg(test)]
mod retired_ids;
#[cfg(test)]
mod revoked;
#[cfg(test)]
mod rights;
#[cfg(test)]
mod service_accounts;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod settings_limits;
#[cfg(test)]
mod settings_paths;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod takeover;
#[cfg(test)]
mod token_shares;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod types;
#[cfg(test)]
mod types_definition;
#[cfg(test)]
mod types_follow;
#[cfg(test)]
mod types_limits;
#[cfg(test)]
mod types_list;
#[cfg(test)]
mod types_preview;
#[cfg(test)]
mod types_preview_random;
#[cfg(test)]
mod types_removed;
#[cfg(test)]
mod types_renamed;
#[cfg(test)]
mod users;
#[cfg(test)]
mod users_list;
#[cfg(test)]
mod views;
#[cfg(test)]
mod views_audience;
#[cfg(test)]
mod views_cascade;
#[cfg(test)]
mod views_history;
#[cfg(test)]
mod warnings;
