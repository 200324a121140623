//! Rows in parts that fit the cache, in the order of their keys: which parts, where each row goes, and how a part is sorted.

pub mod bins;
pub mod pages;
pub mod scatter;
pub mod slices;
pub mod sorter;
