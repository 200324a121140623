//! Rows by group: parts of whole groups, their slices, and the area of each group.

pub mod areas;
pub mod by_slice;
pub mod compare;
pub mod parts;
pub mod rows;
