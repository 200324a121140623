//! Curves: areas, points, and what is read off points.

pub mod areas;
pub mod blocks;
pub mod few;
pub mod join;
pub mod lines;
pub mod most;
pub mod output;
pub mod part;
pub mod part_area;
pub mod plain;
pub mod rare;
pub mod terms;
