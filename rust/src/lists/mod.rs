//! Ranked lists: the ranks of rows with a grade, and terms of them.

pub mod ranking;
pub mod ranks;
pub mod terms;
