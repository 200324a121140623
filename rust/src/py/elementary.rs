//! The bindings of logarithms and the exponential function.

use super::{Column, guarded};
use crate::elementary::{exp, log, log_chances};
use crate::memory::gathered;
use crate::workers::Workers;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Mutex;

/// Rows that a thread takes at a time.
const BLOCK: usize = 1 << 14;

/// One function of each number into `result`; happened: of chances alone, a boolean for each.
#[pyfunction]
fn elementary(
    py: Python,
    function: &str,
    values: &Bound<PyAny>,
    happened: Option<&Bound<PyAny>>,
    result: &Bound<PyAny>,
    threads: usize,
) -> PyResult<()> {
    let happened = happened.map(Column::new).transpose()?;
    let (values, mut result) = (Column::new(values)?, Column::new(result)?);
    let (values, result) = (values.read::<f64>()?, result.write::<f64>()?);
    let happened = happened.as_ref().map(|column| column.read::<u8>()).transpose()?;
    if result.len() != values.len() || happened.is_some_and(|rows| rows.len() != values.len()) {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    guarded(py, threads, |workers| match (function, happened) {
        ("log", _) => by_block(workers, result, |first, block| apply(values, first, block, log)),
        ("exp", _) => by_block(workers, result, |first, block| apply(values, first, block, exp)),
        (_, None) => by_block(workers, result, |first, block| {
            log_chances(&values[first..first + block.len()], &[0; BLOCK][..block.len()], block)
        }),
        (_, Some(happened)) => by_block(workers, result, |first, block| {
            let rows = first..first + block.len();
            log_chances(&values[rows.clone()], &happened[rows], block)
        }),
    })
}

fn apply(values: &[f64], first: usize, block: &mut [f64], function: impl Fn(f64) -> f64) {
    for (made, value) in block.iter_mut().zip(&values[first..]) {
        *made = function(*value);
    }
}

/// Runs `work` on each block of the result, with the number of its first row.
fn by_block(workers: &Workers, result: &mut [f64], work: impl Fn(usize, &mut [f64]) + Sync) {
    let blocks: Vec<_> = gathered(result.chunks_mut(BLOCK).map(Mutex::new));
    workers.each(blocks.len(), |number| {
        let mut block = blocks[number].lock().unwrap_or_else(|e| e.into_inner());
        work(number * BLOCK, &mut block);
    });
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(elementary, module)?)
}
