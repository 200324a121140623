//! The bindings of keys.

use super::{Column, guarded};
use crate::coding::texts::Characters;
use crate::coding::words::Words;
use crate::coding::{Keys, code_keys as code};
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

fn words(column: &Column) -> PyResult<Words<'_>> {
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
    PyByteArray::new_with(py, firsts.len() * size_of::<i64>(), |bytes| {
        for (to, first) in bytes.chunks_exact_mut(size_of::<i64>()).zip(&firsts) {
            to.copy_from_slice(&(*first as i64).to_ne_bytes());
        }
        Ok(())
    })
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(code_keys, module)?)
}
