//! Exact sums of columns and of row terms, by code.

pub mod coded;
pub mod digits;
pub mod exact;
pub mod formulas;
pub mod row_terms;
pub mod stage;
pub mod units;
