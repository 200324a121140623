//! The compiled kernels of steelyard. Pure modules; `py` has all of the bindings.
//!
//! `curve` is what a caller needs; it partitions the rows by slice and score (`bins`, `scatter`),
//! then finishes each part in the cache (`part`) and joins the parts (`join`). `coding` numbers keys.

pub mod amounts;
pub mod bins;
pub mod coded;
pub mod coding;
pub mod curve;
pub mod curve_blocks;
pub mod curve_most;
pub mod curve_terms;
pub mod digits;
pub mod elementary;
pub mod exact_sums;
pub mod formulas;
pub mod group_areas;
pub mod group_slices;
pub mod grouped_rows;
pub mod groups;
pub mod join;
pub mod keys;
pub mod levels;
pub mod list_terms;
pub mod memory;
pub mod output;
pub mod pages;
pub mod part;
pub mod placements;
pub mod plain;
#[cfg(feature = "python")]
mod py;
pub mod ranked;
pub mod rows;
pub mod runs;
pub mod scatter;
pub mod slices;
pub mod sort_rows;
pub mod sorted_areas;
pub mod sorter;
pub mod terms;
mod vectors;
pub mod workers;
