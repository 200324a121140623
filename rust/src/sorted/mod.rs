//! Sorted tables: how they are made, and walks through both of their classes.

pub mod areas;
pub mod line_areas;
pub mod lines;
pub mod placements;
pub mod runs;
pub mod sort_rows;
