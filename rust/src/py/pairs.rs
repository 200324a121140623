//! The bindings of pairs of rows.

use super::runs::{MOST, stopped, weights as weights_of};
use super::{Column, guarded};
use crate::amounts::U256;
use crate::memory::gathered;
use crate::pair_areas::{PointAreas, ScoredRows, point_areas};
use crate::pairs::inversions as inversions_of;
use crate::partition::scatter::Row;
use crate::sorted::runs::Mass;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// Weights of pairs in the wrong order, words of 128 bits for each slice. codes: uint32; weights:
/// uint64, in all below 2^62; starts: the first row of each slice, and the end of all.
#[pyfunction]
fn inversions<'py>(
    py: Python<'py>,
    codes: &Bound<PyAny>,
    weights: Option<&Bound<PyAny>>,
    starts: &Bound<PyAny>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let (codes, starts) = (Column::new(codes)?, Column::new(starts)?);
    let weights = weights.map(Column::new).transpose()?;
    let (codes, starts) = (codes.read::<u32>()?, starts.read::<i64>()?);
    let weights = weights.as_ref().map(|column| column.read::<u64>()).transpose()?;
    if starts.first() != Some(&0)
        || starts.last() != Some(&(codes.len() as i64))
        || !starts.is_sorted()
        || weights.is_some_and(|weights| weights.len() != codes.len())
        || codes.len() >= 1 << 31
    {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    let made = guarded(py, 1, |workers| match weights {
        None => {
            let rows = codes.iter().map(|&word| Row { word, weight: () });
            inversions_of::<(), u32>(&mut gathered(rows), starts, workers)
        }
        Some(weights) => {
            let rows = codes.iter().zip(weights).map(|(&word, &weight)| Row { word, weight });
            inversions_of::<u64, u64>(&mut gathered(rows), starts, workers)
        }
    })?;
    let sums = made.ok_or_else(|| PyMemoryError::new_err("the rows of pairs"))?;
    super::groups::bytes(py, sums.len(), sums.iter().map(|sum| sum.to_le_bytes()))
}

/// Words of 256 bits: the weights of points by slice, those of the other class, and the areas of each
/// pair of slices, by slice of the point. positive_points: their
/// class; digits: up to three
#[pyfunction]
fn pair_areas<'py>(
    py: Python<'py>,
    edges: &Bound<PyAny>,
    positive: &Bound<PyAny>,
    codes: &Bound<PyAny>,
    count: usize,
    digits: Vec<Bound<PyAny>>,
    positive_points: bool,
) -> PyResult<Bound<'py, PyByteArray>> {
    let (edges, positive) = (Column::new(edges)?, Column::new(positive)?);
    let codes = Column::new(codes)?;
    let digits = digits.iter().map(Column::new).collect::<PyResult<Vec<_>>>()?;
    let rows = ScoredRows {
        edges: edges.read()?,
        positive: positive.read()?,
        codes: codes.read()?,
        weights: weights_of(&digits)?,
    };
    let length = rows.codes.len();
    if rows.edges.first() != Some(&0)
        || rows.edges.last() != Some(&(length as i64))
        || !rows.edges.is_sorted()
        || rows.positive.len() != length
        || rows.weights.rows().is_some_and(|rows| rows != length)
    {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    let found: Option<Vec<U256>> = guarded(py, 1, |workers| {
        if rows.weights.total(0..length) < MOST {
            point_areas::<u64>(&rows, positive_points, count, workers).map(wide)
        } else {
            point_areas::<u128>(&rows, positive_points, count, workers).map(wide)
        }
    })?;
    let found = found.ok_or_else(stopped)?;
    let words = found.iter().flat_map(|number| number.words()).map(u64::to_le_bytes);
    super::groups::bytes(py, 4 * found.len(), words)
}

fn wide<M: Mass>(found: PointAreas<M>) -> Vec<U256> {
    let weights = found.weights.iter().flatten().map(|weight| U256(weight.wide(), 0));
    gathered(weights.chain(found.areas.iter().map(|area| M::wide_area(*area))))
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(inversions, module)?)?;
    module.add_function(wrap_pyfunction!(pair_areas, module)?)
}
