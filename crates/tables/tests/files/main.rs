//! Reads files of the kinds that programs write, and crafted ones.

#![cfg(test)]

mod bombs;
mod common;
mod csv;
mod hostile;
mod json;
mod text;
mod workbook;
mod xlsx;
