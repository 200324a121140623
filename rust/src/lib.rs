//! The compiled kernels of steelyard. Pure modules; `py` has all of the bindings.
//!
//! `curve` is what a caller needs; it partitions the rows by slice and score (`bins`, `scatter`),
//! then finishes each part in the cache (`part`) and joins the parts (`join`).

pub mod amounts;
pub mod bins;
pub mod curve;
pub mod elementary;
pub mod join;
pub mod keys;
pub mod levels;
pub mod memory;
pub mod output;
pub mod part;
pub mod placements;
#[cfg(feature = "python")]
mod py;
pub mod rows;
pub mod runs;
pub mod scatter;
pub mod slices;
pub mod sort_rows;
pub mod sorted_areas;
pub mod sorter;
pub mod workers;
