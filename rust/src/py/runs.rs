//! Sorted runs as bindings take them, and columns of 64 bits as they give them.

use super::Column;
use crate::curves::output::Number;
use crate::keys::Score;
use crate::memory::gathered;
use crate::sorted::runs::{Run, Weights};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// A run: starts, scores, and up to three digits of weights.
pub type Given<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>);
/// int64, or words of 64 bits.
pub type Words<'py> = Bound<'py, PyByteArray>;

pub struct Held {
    starts: Column,
    pub scores: Column,
    digits: Vec<Column>,
}

/// Above, a sum of weights is not held with a bit to spare.
pub const MOST: u128 = 1 << 62;

impl Held {
    pub fn new(run: &Given) -> PyResult<Self> {
        let (starts, scores, digits) = run;
        Ok(Held {
            starts: Column::new(starts)?,
            scores: Column::new(scores)?,
            digits: digits.iter().map(Column::new).collect::<PyResult<_>>()?,
        })
    }

    pub fn run<S: Score + Number>(&self) -> PyResult<Run<'_, S>> {
        let (starts, scores) = (self.starts.read::<i64>()?, self.scores.read::<S>()?);
        let weights = weights(&self.digits)?;
        if weights.rows().is_some_and(|rows| rows != scores.len()) {
            return Err(PyValueError::new_err("columns of different lengths"));
        }
        Ok(Run { starts, scores, weights })
    }
}

/// Weights of up to three digits; without any each is 1.
pub fn weights(digits: &[Column]) -> PyResult<Weights<'_>> {
    Ok(match digits {
        [] => Weights::Ones,
        [low] => Weights::One(low.read()?),
        [low, high] => Weights::Two(low.read()?, high.read()?),
        [low, high, top] => Weights::Three(low.read()?, high.read()?, top.read()?),
        _ => return Err(PyTypeError::new_err("weights of too many digits")),
    })
}

/// Both classes, and what they weigh.
pub fn weighed<S: Score + Number>(held: &[Held; 2]) -> PyResult<([Run<'_, S>; 2], u128)> {
    let runs = [held[0].run::<S>()?, held[1].run::<S>()?];
    if runs[0].slices() != runs[1].slices() || runs[0].starts.is_empty() {
        return Err(PyValueError::new_err("runs of different slices"));
    }
    let total = runs[0].total() + runs[1].total();
    Ok((runs, total))
}

/// Both classes; None: their weights are too wide.
pub fn both<S: Score + Number>(held: &[Held; 2]) -> PyResult<Option<[Run<'_, S>; 2]>> {
    let (runs, total) = weighed(held)?;
    Ok((total < MOST).then_some(runs))
}

pub fn held(up: &Given, down: &Given) -> PyResult<[Held; 2]> {
    Ok([Held::new(up)?, Held::new(down)?])
}

/// Calls a generic function with the type of the scores.
macro_rules! by_type {
    ($column:expr, $function:ident, $($argument:expr),*) => {
        match $column.kind() {
            b'f' => checked(|| $function::<f32>($($argument),*)),
            _ => checked(|| $function::<f64>($($argument),*)),
        }
    };
}
pub(super) use by_type;

pub fn stopped() -> PyErr {
    PyMemoryError::new_err("the rows of a sorted table")
}

/// A column of 64 bits; byte by byte it would take ten times as long.
pub fn words<'py>(py: Python<'py>, numbers: impl Iterator<Item = i64>) -> PyResult<Words<'py>> {
    let numbers: Vec<i64> = gathered(numbers);
    PyByteArray::new_with(py, numbers.len() * size_of::<i64>(), |bytes| {
        for (to, number) in bytes.chunks_exact_mut(size_of::<i64>()).zip(numbers) {
            to.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    })
}
