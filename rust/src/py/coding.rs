//! The bindings of keys.

use super::{Column, guarded};
use crate::coding::texts::Characters;
use crate::coding::words::Words;
use crate::coding::{Keys, code_keys as code, grouped, rank_words};
use crate::curves::output::Number;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// A column of keys: whole numbers; texts, as starts, lengths and bytes; code points, `width` a text.
#[derive(FromPyObject)]
enum Given<'py> {
    Texts(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>),
    Points(Bound<'py, PyAny>, usize),
    Words(Bound<'py, PyAny>),
}

enum Held {
    Words(Column),
    Points(Column, usize),
    Texts([Column; 3]),
}

impl Held {
    fn new(given: &Given) -> PyResult<Self> {
        Ok(match given {
            Given::Words(words) => Held::Words(Column::new(words)?),
            Given::Points(points, width) => Held::Points(Column::new(points)?, *width),
            Given::Texts(starts, lengths, data) => {
                Held::Texts([Column::new(starts)?, Column::new(lengths)?, Column::new(data)?])
            }
        })
    }

    fn read(&self) -> PyResult<Keys<'_>> {
        Ok(match self {
            Held::Words(column) => Keys::Words(words(column)?),
            Held::Points(column, width) => {
                let (points, width) = (column.read()?, *width);
                if width == 0 || points.len() % width > 0 {
                    return Err(PyValueError::new_err("texts of another width"));
                }
                Keys::Texts(Characters::Points { points, width })
            }
            Held::Texts([starts, lengths, data]) => {
                let (starts, lengths) = (starts.read()?, lengths.read()?);
                if starts.len() != lengths.len() {
                    return Err(PyValueError::new_err("columns of different lengths"));
                }
                Keys::Texts(Characters::Bytes { starts, lengths, data: data.read()? })
            }
        })
    }
}

pub fn words(column: &Column) -> PyResult<Words<'_>> {
    Ok(match (column.kind(), column.0.item_size()) {
        (b'B' | b'?', 1) => Words::U8(column.read()?),
        (b'H', 2) => Words::U16(column.read()?),
        (b'I' | b'L', 4) => Words::U32(column.read()?),
        (b'L' | b'Q', 8) => Words::U64(column.read()?),
        (_, 1) => Words::I8(column.read()?),
        (_, 2) => Words::I16(column.read()?),
        (_, 4) => Words::I32(column.read()?),
        _ => Words::I64(column.read()?),
    })
}

/// The number of each row's key into `codes`; the first row of each number, as bytes of int64.
#[pyfunction]
fn code_keys<'py>(
    py: Python<'py>,
    columns: Vec<Given<'py>>,
    codes: &Bound<PyAny>,
    threads: usize,
) -> PyResult<Bound<'py, PyByteArray>> {
    let held = columns.iter().map(Held::new).collect::<PyResult<Vec<_>>>()?;
    let keys = held.iter().map(Held::read).collect::<PyResult<Vec<_>>>()?;
    let mut codes = Column::new(codes)?;
    let codes = codes.write::<u32>()?;
    if keys.is_empty() || keys.iter().any(|column| column.rows() != codes.len()) {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    if codes.len() >= u32::MAX as usize {
        return Err(PyValueError::new_err("more rows than numbers"));
    }
    let firsts = guarded(py, threads, |workers| code(&keys, codes, workers))?
        .ok_or_else(|| PyMemoryError::new_err("keys"))?;
    as_bytes(py, &firsts, |first| (*first as i64).to_ne_bytes())
}

fn as_bytes<'py, T>(
    py: Python<'py>,
    numbers: &[T],
    bytes: impl Fn(&T) -> [u8; 8],
) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, size_of::<i64>() * numbers.len(), |made| {
        for (to, number) in made.chunks_exact_mut(size_of::<i64>()).zip(numbers) {
            to.copy_from_slice(&bytes(number));
        }
        Ok(())
    })
}

/// The rank of left · width + right of each row into `ranks`; the distinct ones, as bytes of int64.
#[pyfunction]
fn rank_keys<'py>(
    py: Python<'py>,
    left: &Bound<PyAny>,
    right: Option<&Bound<PyAny>>,
    width: u64,
    ranks: &Bound<PyAny>,
    threads: usize,
) -> PyResult<Bound<'py, PyByteArray>> {
    let (left, right) = (Column::new(left)?, right.map(Column::new).transpose()?);
    let mut ranks = Column::new(ranks)?;
    let (left, ranks) = (words(&left)?, ranks.write::<u32>()?);
    let right = right.as_ref().map(words).transpose()?;
    let other = right.as_ref().unwrap_or(&left);
    if left.rows() != ranks.len() || other.rows() != ranks.len() {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    let keys = match &right {
        Some(right) => Words::Pairs { left: &left, right, width },
        None => left,
    };
    let found = guarded(py, threads, |workers| rank_words(&keys, ranks, workers))?
        .ok_or_else(|| PyMemoryError::new_err("keys"))?;
    as_bytes(py, &found, |word| word.to_ne_bytes())
}

/// The lowest and the highest number of each code, of float64, uint32, int64 or uint64.
#[pyfunction]
fn group_ends(
    py: Python,
    codes: &Bound<PyAny>,
    column: &Bound<PyAny>,
    low: &Bound<PyAny>,
    high: &Bound<PyAny>,
    threads: usize,
) -> PyResult<()> {
    let (codes, column) = (Column::new(codes)?, Column::new(column)?);
    let (mut low, mut high) = (Column::new(low)?, Column::new(high)?);
    match (column.kind(), column.0.item_size()) {
        (b'd', _) => ends::<f64>(py, &codes, &column, &mut low, &mut high, threads),
        (b'I' | b'L', 4) => ends::<u32>(py, &codes, &column, &mut low, &mut high, threads),
        (b'L' | b'Q', _) => ends::<u64>(py, &codes, &column, &mut low, &mut high, threads),
        _ => ends::<i64>(py, &codes, &column, &mut low, &mut high, threads),
    }
}

fn ends<N: Number + grouped::Ordered>(
    py: Python,
    codes: &Column,
    column: &Column,
    low: &mut Column,
    high: &mut Column,
    threads: usize,
) -> PyResult<()> {
    let (codes, column) = (words(codes)?, column.read::<N>()?);
    let ends = (low.write::<N>()?, high.write::<N>()?);
    if codes.rows() != column.len() || ends.0.len() != ends.1.len() {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    guarded(py, threads, |workers| grouped::ends(&codes, column, ends, workers))
}

/// The rows of each code into `order`, and where each starts, and the end, into `starts`: int64.
#[pyfunction]
fn bring_together(
    py: Python,
    codes: &Bound<PyAny>,
    starts: &Bound<PyAny>,
    order: &Bound<PyAny>,
) -> PyResult<()> {
    let codes = Column::new(codes)?;
    let (mut starts, mut order) = (Column::new(starts)?, Column::new(order)?);
    let (codes, starts, order) = (words(&codes)?, starts.write::<i64>()?, order.write::<i64>()?);
    if codes.rows() != order.len() {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    guarded(py, 1, |workers| grouped::bring_together(&codes, starts, order, workers))
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(bring_together, module)?)?;
    module.add_function(wrap_pyfunction!(code_keys, module)?)?;
    module.add_function(wrap_pyfunction!(group_ends, module)?)?;
    module.add_function(wrap_pyfunction!(rank_keys, module)?)
}
