//! The compiled kernels of steelyard. Pure modules; `py` has all of the bindings.
//!
//! `curve` is what a caller needs; it partitions the rows by slice and score (`bins`, `scatter`),
//! then finishes each part in the cache (`part`) and joins the parts (`join`).

pub mod amounts;
pub mod bins;
pub mod curve;
pub mod elementary;
pub mod group_areas;
pub mod group_slices;
pub mod grouped_rows;
pub mod groups;
pub mod join;
pub mod keys;
pub mod list_terms;
pub mod memory;
pub mod output;
pub mod pages;
pub mod part;
#[cfg(feature = "python")]
mod py;
pub mod ranked;
pub mod rows;
pub mod scatter;
pub mod slices;
pub mod workers;
