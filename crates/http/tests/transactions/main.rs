//! Requests that are one transaction (`docs/guide/src/transactions.md`). The name of every test
//! states the expectation.

#[cfg(test)]
mod batch;
#[cfg(test)]
mod dry_run;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod idempotency;
