//! The program as an operator sees it: real processes with their output, signals and files.

#[cfg(test)]
mod client;
#[cfg(test)]
mod process;
#[cfg(test)]
mod volume;

#[cfg(test)]
mod backup;
#[cfg(test)]
mod check;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod configuration;
#[cfg(test)]
mod files;
#[cfg(test)]
mod first_start;
#[cfg(test)]
mod full_disk;
#[cfg(test)]
mod guide;
#[cfg(test)]
mod help;
#[cfg(test)]
mod import_datagerry;
#[cfg(test)]
mod key;
#[cfg(test)]
mod lifecycle;
#[cfg(test)]
mod listeners;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod metrics;
#[cfg(test)]
mod migrate_store;
#[cfg(test)]
mod moving_in;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod restart;
#[cfg(test)]
mod scheduled_backups;
#[cfg(test)]
mod secrets;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod system_calls;
#[cfg(test)]
mod token;
#[cfg(test)]
mod user;
