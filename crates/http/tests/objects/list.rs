//! `GET /objects/`

mod cursors;
mod explain;
mod filter;
mod large_filters;
mod names;
mod pages;
mod selection;
mod sort;
mod visibility;
