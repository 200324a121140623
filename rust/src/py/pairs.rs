//! The bindings of pairs of rows.

use super::{Column, guarded};
use crate::memory::gathered;
use crate::pairs::inversions as inversions_of;
use crate::partition::scatter::Row;
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

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(inversions, module)?)
}
