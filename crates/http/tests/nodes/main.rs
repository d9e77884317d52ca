//! Several nodes in front of one database server, and its replicas.

#[cfg(test)]
mod api_tokens;
#[cfg(test)]
mod catalog;
#[cfg(test)]
mod clock;
#[cfg(test)]
mod disk;
#[cfg(test)]
mod feed;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod idempotency;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod leases;
#[cfg(test)]
mod login;
#[cfg(test)]
mod loss;
#[cfg(test)]
mod races;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod release;
#[cfg(test)]
mod replicas;
#[cfg(test)]
mod table_sizes;
#[cfg(test)]
mod unique;
