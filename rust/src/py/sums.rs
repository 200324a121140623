//! The bindings of sums.

use super::{Column, checked, guarded};
use crate::rows::Codes;
use crate::sums::coded;
use crate::sums::digits::DigitColumns;
use crate::sums::formulas::Formula;
use crate::sums::row_terms::{Columns, Line, Scores, Term, Weights, add_terms as sums_of_terms};
use crate::sums::units;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

type Given<'py> = Option<Bound<'py, PyAny>>;
/// Powers of two, and the columns of digits that count them, one after another.
pub type Sums<'py> = (Vec<i32>, Bound<'py, PyByteArray>);

fn column(given: &Given) -> PyResult<Option<Column>> {
    given.as_ref().map(Column::new).transpose()
}

fn codes(column: &Option<Column>) -> PyResult<Codes<'_>> {
    let Some(column) = column else { return Ok(Codes::One) };
    Ok(match column.0.item_size() {
        1 => Codes::U8(column.read()?),
        2 => Codes::U16(column.read()?),
        4 => Codes::U32(column.read()?),
        _ => Codes::U64(column.read()?),
    })
}

fn weights(column: &Option<Column>) -> PyResult<Weights<'_>> {
    let Some(column) = column else { return Ok(Weights::One) };
    Ok(match (column.kind(), column.0.item_size()) {
        (b'f', _) => Weights::Single(column.read()?),
        (b'd', _) => Weights::Double(column.read()?),
        (_, 4) => Weights::Whole32(column.read()?),
        _ => Weights::Whole64(column.read()?),
    })
}

fn numbers(column: &Option<Column>) -> PyResult<&[f64]> {
    column.as_ref().map_or(Ok(&[]), Column::read)
}

pub fn digits<'py>(py: Python<'py>, sums: DigitColumns) -> PyResult<Sums<'py>> {
    let (powers, columns): (Vec<_>, Vec<_>) = sums.into_iter().unzip();
    let length = columns.iter().map(|column| column.len() * 8).sum();
    let bytes = PyByteArray::new_with(py, length, |bytes| {
        for (to, digit) in bytes.chunks_exact_mut(8).zip(columns.iter().flatten()) {
            to.copy_from_slice(&digit.to_ne_bytes());
        }
        Ok(())
    })?;
    Ok((powers, bytes))
}

/// Whether `add_terms` has a formula.
#[pyfunction]
fn has_formula(formula: &str) -> bool {
    Formula::parsed(formula, |_| Some(0)).is_some()
}

/// The columns of rows as in the interface: score, positive, outside, downsampled, clip, truth,
/// prediction, weight, count; amounts have names.
#[derive(FromPyObject)]
struct Rows<'py>(
    usize,
    Given<'py>,
    Given<'py>,
    bool,
    Option<f64>,
    Option<f64>,
    Given<'py>,
    Given<'py>,
    Given<'py>,
    Given<'py>,
    Vec<(String, Bound<'py, PyAny>)>,
);

/// The exact sums of each term for each line; None where a column is missing.
#[pyfunction]
fn add_terms<'py>(
    py: Python<'py>,
    lines: Vec<(Given<'py>, usize)>,
    rows: Rows<'py>,
    terms: Vec<(String, bool)>,
    threads: usize,
) -> PyResult<Option<Vec<Vec<Sums<'py>>>>> {
    let Rows(
        count,
        score,
        positive,
        outside,
        downsampled,
        clip,
        truth,
        prediction,
        weight,
        rest,
        amounts,
    ) = rows;
    let (score, positive) = (column(&score)?, column(&positive)?);
    let (truth, prediction) = (column(&truth)?, column(&prediction)?);
    let (weight, of_rows) = (column(&weight)?, column(&rest)?);
    let held = amounts.iter().map(|amount| Column::new(&amount.1)).collect::<PyResult<Vec<_>>>()?;
    let columns = Columns {
        rows: count,
        weight: weights(&weight)?,
        count: weights(&of_rows)?,
        scores: match &score {
            None => Scores::None,
            Some(column) if column.kind() == b'f' => Scores::Single(column.read()?),
            Some(column) => Scores::Double(column.read()?),
        },
        positive: positive.as_ref().map_or(Ok(&[][..]), Column::read)?,
        outside,
        downsampled,
        clip,
        amounts: held.iter().map(Column::read).collect::<PyResult<_>>()?,
        truth: numbers(&truth)?,
        prediction: numbers(&prediction)?,
    };
    let place = |name: &str| amounts.iter().position(|amount| amount.0 == name);
    let parsed = terms.iter().map(|(text, weighted)| {
        let formula = columns.rounded(Formula::parsed(text, place)?);
        Some(Term { formula, weighted: *weighted })
    });
    let Some(terms) = parsed.collect::<Option<Vec<_>>>() else { return Ok(None) };
    if !terms.iter().all(|term| columns.have(&term.formula)) {
        return Ok(None);
    }
    let held = lines.iter().map(|line| column(&line.0)).collect::<PyResult<Vec<_>>>()?;
    let lines = held
        .iter()
        .zip(&lines)
        .map(|(column, line)| Ok(Line { codes: codes(column)?, size: line.1 }));
    let lines = lines.collect::<PyResult<Vec<_>>>()?;
    let lengths = lines.iter().map(|line| line.codes.rows());
    if lengths.chain([columns.weight.rows(), columns.count.rows()]).flatten().any(|n| n != count) {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    if count > 0 && lines.iter().any(|line| line.size == 0 || line.size > 1 << 32) {
        return Err(PyTypeError::new_err("lines without codes, or with too many"));
    }
    let made = guarded(py, threads, |workers| sums_of_terms(&lines, &columns, &terms, workers))?;
    let of_line = |sums: Vec<_>| sums.into_iter().map(|sums| digits(py, sums)).collect();
    checked(|| Ok(Some(made.into_iter().map(of_line).collect::<PyResult<_>>()?)))
}

/// The exact sum of value times weight for each code; None where a column has another type.
#[pyfunction]
fn sums_by_code<'py>(
    py: Python<'py>,
    of_rows: Given<'py>,
    count: usize,
    values: Bound<'py, PyAny>,
    factors: Given<'py>,
    threads: usize,
) -> PyResult<Sums<'py>> {
    let held = (column(&of_rows)?, Some(Column::new(&values)?), column(&factors)?);
    let line = Line { codes: codes(&held.0)?, size: count };
    let (values, factors) = (weights(&held.1)?, weights(&held.2)?);
    let rows = values.rows().unwrap_or(0);
    check_lengths(rows, count, [line.codes.rows(), factors.rows()])?;
    let sums = guarded(py, threads, |workers| {
        coded::sums_by_code(line, rows, values, factors, workers).into_digits()
    })?;
    checked(|| digits(py, sums))
}

/// Rows by code, into a column of int64; chosen: of these rows alone.
#[pyfunction]
fn count_codes(
    py: Python,
    rows: usize,
    of_rows: Given,
    chosen: Given,
    counts: &Bound<PyAny>,
    threads: usize,
) -> PyResult<()> {
    let held = (column(&of_rows)?, column(&chosen)?);
    let mut counts = Column::new(counts)?;
    let (codes, counts) = (codes(&held.0)?, counts.write::<i64>()?);
    let chosen = held.1.as_ref().map(Column::read::<u8>).transpose()?;
    check_lengths(rows, counts.len(), [codes.rows(), chosen.map(<[u8]>::len)])?;
    let line = Line { codes, size: counts.len() };
    let made = guarded(py, threads, |workers| coded::count_codes(line, rows, chosen, workers))?;
    counts.copy_from_slice(&made);
    Ok(())
}

fn check_lengths<const N: usize>(
    rows: usize,
    count: usize,
    others: [Option<usize>; N],
) -> PyResult<()> {
    if others.iter().flatten().any(|length| *length != rows) {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    if rows > 0 && (count == 0 || count > 1 << 32) {
        return Err(PyTypeError::new_err("lines without codes, or with too many"));
    }
    Ok(())
}

/// The least and the largest number of a column of floats, both NaN where one is.
#[pyfunction]
fn column_ends(py: Python, values: &Bound<PyAny>, threads: usize) -> PyResult<[f64; 2]> {
    let held = Column::new(values)?;
    if held.kind() == b'f' {
        let values = held.read::<f32>()?;
        return guarded(py, threads, |workers| coded::ends(values, coded::single_ends, workers));
    }
    let values = held.read::<f64>()?;
    guarded(py, threads, |workers| coded::ends(values, coded::double_ends, workers))
}

/// The largest u such that each number of a column of floats is a whole multiple of 2**u; None: the
/// kernel declines.
#[pyfunction]
fn lowest_bit(py: Python, values: &Bound<PyAny>, threads: usize) -> PyResult<Option<i32>> {
    let held = Column::new(values)?;
    if held.kind() == b'f' {
        let values = held.read::<f32>()?;
        return guarded(py, threads, |workers| units::lowest_bit(values, workers));
    }
    let values = held.read::<f64>()?;
    guarded(py, threads, |workers| units::lowest_bit(values, workers))
}

/// The bin of each row's probability, into a column of int64.
#[pyfunction]
fn bin_codes(
    py: Python,
    score: &Bound<PyAny>,
    outside: bool,
    downsampled: Option<f64>,
    bins: usize,
    made: &Bound<PyAny>,
    threads: usize,
) -> PyResult<()> {
    let (held, mut made) = (Column::new(score)?, Column::new(made)?);
    let made = made.write::<i64>()?;
    let scores = match held.kind() {
        b'f' => Scores::Single(held.read()?),
        _ => Scores::Double(held.read()?),
    };
    if held.0.item_count() != made.len() {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    if bins == 0 {
        return Err(PyTypeError::new_err("no bins"));
    }
    let columns = Columns { outside, downsampled, ..Columns::of_scores(made.len(), scores) };
    guarded(py, threads, |workers| coded::bin_codes(&columns, bins, made, workers))
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(has_formula, module)?)?;
    module.add_function(wrap_pyfunction!(add_terms, module)?)?;
    module.add_function(wrap_pyfunction!(sums_by_code, module)?)?;
    module.add_function(wrap_pyfunction!(count_codes, module)?)?;
    module.add_function(wrap_pyfunction!(column_ends, module)?)?;
    module.add_function(wrap_pyfunction!(lowest_bit, module)?)?;
    module.add_function(wrap_pyfunction!(bin_codes, module)?)
}
