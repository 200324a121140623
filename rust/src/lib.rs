//! The compiled kernels of steelyard. Pure modules; `py` has all of the bindings.
//!
//! `curve` is what a caller needs; it partitions the rows by slice and score (`bins`, `scatter`),
//! then finishes each part in the cache (`part`) and joins the parts (`join`).

pub mod amounts;
pub mod bins;
pub mod coded;
pub mod curve;
pub mod digits;
pub mod elementary;
pub mod exact_sums;
pub mod formulas;
pub mod join;
pub mod keys;
pub mod memory;
pub mod output;
pub mod part;
#[cfg(feature = "python")]
mod py;
pub mod rows;
pub mod scatter;
pub mod slices;
pub mod terms;
mod vectors;
pub mod workers;
