//! Rendering, case by case: what an object, its type and a context become.

#[cfg(test)]
mod document;
#[cfg(test)]
mod external;
#[cfg(test)]
mod hops;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod section;
#[cfg(test)]
mod summary;
#[cfg(test)]
mod support;
