//! The compiled kernels of steelyard. Pure modules, a folder for each family; `py` has all of the
//! bindings. What stands beside the folders serves several families.

pub mod amounts;
pub mod coding;
pub mod curves;
pub mod elementary;
pub mod groups;
pub mod keys;
pub mod levels;
pub mod lists;
pub mod memory;
pub mod pair_areas;
pub mod pairs;
pub mod partition;
#[cfg(feature = "python")]
mod py;
pub mod rows;
pub mod sorted;
pub mod sums;
mod vectors;
pub mod workers;
