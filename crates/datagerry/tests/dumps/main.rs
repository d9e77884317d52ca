//! Dumps that MongoDB's own driver wrote (`fixtures/make.py`), whole and broken.

#[cfg(test)]
mod broken;
#[cfg(test)]
mod folder;
#[cfg(test)]
mod golden;
