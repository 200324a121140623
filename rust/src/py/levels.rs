//! The bindings of kernels that take sorted runs: levels, and placements.

use super::{Column, checked, guarded};
use crate::curves::output::{Number, WholeNumber};
use crate::keys::Score;
use crate::levels::Reading;
use crate::levels::bins::{Bin, Masses, level_bins as bins_of};
use crate::levels::cells::level_cells as cells_of;
use crate::levels::hull::level_hull as hull_of;
use crate::levels::sums::{Failure, Term, level_sums as sums_of};
use crate::memory::{filled, gathered};
use crate::sorted::areas::sorted_areas as areas_of;
use crate::sorted::placements::{Placed, heaviest, placements as placements_of};
use crate::sorted::runs::{Mass, Run, Weights};
use crate::workers::Workers;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// A run: starts, scores, and up to two digits of weights.
type Given<'py> =
    (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);
/// int64, or words of 64 bits.
type Words<'py> = Bound<'py, PyByteArray>;

struct Held {
    starts: Column,
    scores: Column,
    digits: [Option<Column>; 2],
}

/// Above, a sum of weights is not held with a bit to spare.
const MOST: u128 = 1 << 62;

impl Held {
    fn new(run: &Given) -> PyResult<Self> {
        let (starts, scores, low, high) = run;
        let column = |given: &Option<Bound<PyAny>>| given.as_ref().map(Column::new).transpose();
        Ok(Held {
            starts: Column::new(starts)?,
            scores: Column::new(scores)?,
            digits: [column(low)?, column(high)?],
        })
    }

    fn run<S: Score + Number>(&self) -> PyResult<Run<'_, S>> {
        let (starts, scores) = (self.starts.read::<i64>()?, self.scores.read::<S>()?);
        let weights = match &self.digits {
            [Some(low), Some(high)] => Weights::Two(low.read()?, high.read()?),
            [Some(low), None] => Weights::One(low.read()?),
            _ => Weights::Ones,
        };
        if weights.rows().is_some_and(|rows| rows != scores.len()) {
            return Err(PyValueError::new_err("columns of different lengths"));
        }
        Ok(Run { starts, scores, weights })
    }
}

/// Both classes, and what they weigh.
fn weighed<S: Score + Number>(held: &[Held; 2]) -> PyResult<([Run<'_, S>; 2], u128)> {
    let runs = [held[0].run::<S>()?, held[1].run::<S>()?];
    if runs[0].slices() != runs[1].slices() || runs[0].starts.is_empty() {
        return Err(PyValueError::new_err("runs of different slices"));
    }
    let total = runs[0].total() + runs[1].total();
    Ok((runs, total))
}

/// Both classes; None: their weights are too wide.
fn both<S: Score + Number>(held: &[Held; 2]) -> PyResult<Option<[Run<'_, S>; 2]>> {
    let (runs, total) = weighed(held)?;
    Ok((total < MOST).then_some(runs))
}

fn held(up: &Given, down: &Given) -> PyResult<[Held; 2]> {
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

fn stopped() -> PyErr {
    PyMemoryError::new_err("the rows of a sorted table")
}

/// A column of 64 bits; byte by byte it would take ten times as long.
fn words<'py>(py: Python<'py>, numbers: impl Iterator<Item = i64>) -> PyResult<Words<'py>> {
    let numbers: Vec<i64> = gathered(numbers);
    PyByteArray::new_with(py, numbers.len() * size_of::<i64>(), |bytes| {
        for (to, number) in bytes.chunks_exact_mut(size_of::<i64>()).zip(numbers) {
            to.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    })
}

/// The numbers, up and down rows of all bins, and how many bins each slice has; None: their weights
/// are too wide. totals, below: two words for each slice, the lower one first
#[pyfunction]
fn level_bins<'py>(
    py: Python<'py>,
    runs: (Given, Given),
    totals: &Bound<PyAny>,
    below: &Bound<PyAny>,
    bins: u64,
    threads: usize,
) -> PyResult<Option<[Words<'py>; 4]>> {
    let held = held(&runs.0, &runs.1)?;
    let (totals, below) = (Column::new(totals)?, Column::new(below)?);
    let masses = [totals.read()?, below.read()?];
    by_type!(held[0].scores, bins_in, py, &held, masses, bins, threads)
}

fn bins_in<'py, S: Score + Number>(
    py: Python<'py>,
    held: &[Held; 2],
    masses: [&[u64]; 2],
    bins: u64,
    threads: usize,
) -> PyResult<Option<[Words<'py>; 4]>> {
    let (runs, rows) = weighed::<S>(held)?;
    let slices = runs[0].slices();
    if masses.iter().any(|words| words.len() != 2 * slices) || bins == 0 {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    let whole = |words: &[u64]| words[0] as u128 | (words[1] as u128) << 64;
    let of = |words: &[u64]| gathered(words.chunks_exact(2).map(whole));
    let [totals, below] = masses.map(of);
    let highest = |column: &[u128]| column.iter().copied().max().unwrap_or(0);
    let most = highest(&totals).max(highest(&below).saturating_add(rows));
    // The middle of a block times the bins, and one more bin.
    let is_held = most.checked_mul(2).and_then(|edge| edge.checked_mul(bins as u128 + 1));
    if is_held.is_none() {
        return Ok(None);
    }
    let made = if most < MOST {
        bins_by::<S, u64>(py, &runs, &totals, &below, bins, threads)?
    } else {
        bins_by::<S, u128>(py, &runs, &totals, &below, bins, threads)?
    };
    let bins = made.ok_or_else(stopped)?;
    let mut counts = filled(0, slices);
    bins.iter().for_each(|bin| counts[bin.slice] += 1);
    Ok(Some([
        words(py, counts.into_iter())?,
        words(py, bins.iter().map(|bin| bin.number as i64))?,
        words(py, bins.iter().map(|bin| bin.rows[0] as i64))?,
        words(py, bins.iter().map(|bin| bin.rows[1] as i64))?,
    ]))
}

fn bins_by<S: Score, M: Mass>(
    py: Python,
    runs: &[Run<S>; 2],
    totals: &[u128],
    below: &[u128],
    bins: u64,
    threads: usize,
) -> PyResult<Option<Vec<Bin>>> {
    let of = |column: &[u128]| -> Vec<M> { gathered(column.iter().copied().map(M::of)) };
    let (totals, below) = (of(totals), of(below));
    let masses = Masses { totals: &totals, below: &below, bins };
    guarded(py, threads, |workers| bins_of(runs, masses, workers))
}

/// Digits by power of two; None: the kernel declines.
type Sums<'py> = Option<Vec<(i32, Words<'py>)>>;

#[pyfunction]
fn level_sums<'py>(
    py: Python<'py>,
    run: Given,
    bounds: &Bound<PyAny>,
    term: &str,
    downsampled: Option<f64>,
    threads: usize,
) -> PyResult<Sums<'py>> {
    let (held, bounds) = (Held::new(&run)?, Column::new(bounds)?);
    let term = Term::named(term).ok_or_else(|| PyValueError::new_err("no such term"))?;
    let reading = Reading { downsampled, clip: None };
    by_type!(held.scores, sums_in, py, &held, bounds.read()?, term, reading, threads)
}

fn sums_in<'py, S: Score + Number>(
    py: Python<'py>,
    held: &Held,
    bounds: &[i64],
    term: Term,
    reading: Reading,
    threads: usize,
) -> PyResult<Sums<'py>> {
    let run = held.run::<S>()?;
    let sums = |workers: &Workers| sums_of(&run, bounds, term, reading, workers);
    match guarded(py, threads, sums)? {
        Ok(digits) => {
            let column = |(power, digits): (i32, Vec<i64>)| {
                words(py, digits.into_iter()).map(|digits| (power, digits))
            };
            digits.into_iter().map(column).collect::<PyResult<Vec<_>>>().map(Some)
        }
        Err(Failure::OutOfRange) => Ok(None),
        Err(Failure::Stopped) => Err(stopped()),
    }
}

/// The negatives and the positives below each corner, and how many corners each slice has.
#[pyfunction]
fn level_hull<'py>(
    py: Python<'py>,
    runs: (Given, Given),
    threads: usize,
) -> PyResult<Option<[Words<'py>; 3]>> {
    let held = held(&runs.0, &runs.1)?;
    by_type!(held[0].scores, hull_in, py, &held, threads)
}

fn hull_in<'py, S: Score + Number>(
    py: Python<'py>,
    held: &[Held; 2],
    threads: usize,
) -> PyResult<Option<[Words<'py>; 3]>> {
    let Some(runs) = both::<S>(held)? else { return Ok(None) };
    let corners = guarded(py, threads, |workers| hull_of(&runs, workers))?.ok_or_else(stopped)?;
    let mut counts = filled(0, runs[0].slices());
    corners.iter().for_each(|corner| counts[corner.slice] += 1);
    Ok(Some([
        words(py, counts.into_iter())?,
        words(py, corners.iter().map(|corner| corner.x as i64))?,
        words(py, corners.iter().map(|corner| corner.y as i64))?,
    ]))
}

/// Codes, eight moments of one or two words each, how many cells each slice has, and weights in none.
type Cells<'py> = Option<(Words<'py>, Vec<Words<'py>>, Words<'py>, Words<'py>)>;

#[pyfunction]
fn level_cells<'py>(
    py: Python<'py>,
    runs: (Given, Given),
    bits: &Bound<PyAny>,
    downsampled: Option<f64>,
    clip: Option<f64>,
    threads: usize,
) -> PyResult<Cells<'py>> {
    let (held, bits) = (held(&runs.0, &runs.1)?, Column::new(bits)?);
    let reading = Reading { downsampled, clip };
    by_type!(held[0].scores, cells_in, py, &held, bits.read()?, reading, threads)
}

fn cells_in<'py, S: Score + Number>(
    py: Python<'py>,
    held: &[Held; 2],
    bits: &[i64],
    reading: Reading,
    threads: usize,
) -> PyResult<Cells<'py>> {
    let Some(runs) = both::<S>(held)? else { return Ok(None) };
    if bits.len() != runs[0].slices() {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    let made = guarded(py, threads, |workers| cells_of(&runs, bits, reading, workers))?;
    let made = made.ok_or_else(stopped)?;
    let mut counts = filled(0, bits.len());
    made.codes().for_each(|(slice, _)| counts[slice] += 1);
    let moments = (0..8).map(|number| {
        let column = || made.moments(number / 4, number % 4);
        if column().all(|sum| sum < MOST) {
            return words(py, column().map(|sum| sum as i64));
        }
        words(py, column().flat_map(|sum| [sum as i64, (sum >> 64) as i64]))
    });
    Ok(Some((
        words(py, made.codes().map(|(_, code)| code))?,
        moments.collect::<PyResult<Vec<_>>>()?,
        words(py, counts.into_iter())?,
        words(py, made.infinite.iter().map(|weight| *weight as i64))?,
    )))
}

/// Positives and negatives of each slice, and two words each of areas and tied pairs.
#[pyfunction]
fn sorted_areas<'py>(
    py: Python<'py>,
    runs: (Given, Given),
    threads: usize,
) -> PyResult<Option<[Words<'py>; 4]>> {
    let held = held(&runs.0, &runs.1)?;
    by_type!(held[0].scores, areas_in, py, &held, threads)
}

fn areas_in<'py, S: Score + Number>(
    py: Python<'py>,
    held: &[Held; 2],
    threads: usize,
) -> PyResult<Option<[Words<'py>; 4]>> {
    let Some(runs) = both::<S>(held)? else { return Ok(None) };
    let areas = guarded(py, threads, |workers| areas_of(&runs, workers))?.ok_or_else(stopped)?;
    let halves = |number: u128| [number as i64, (number >> 64) as i64];
    Ok(Some([
        words(py, areas.iter().map(|of| of.positives as i64))?,
        words(py, areas.iter().map(|of| of.negatives as i64))?,
        words(py, areas.iter().flat_map(|of| halves(of.doubled_area)))?,
        words(py, areas.iter().flat_map(|of| halves(of.tied_pairs)))?,
    ]))
}

/// The weight of the heaviest slice; None: the kernel declines.
#[pyfunction]
fn heaviest_slice(py: Python, runs: (Given, Given), threads: usize) -> PyResult<Option<u64>> {
    let held = held(&runs.0, &runs.1)?;
    by_type!(held[0].scores, heaviest_in, py, &held, threads)
}

fn heaviest_in<S: Score + Number>(
    py: Python,
    held: &[Held; 2],
    threads: usize,
) -> PyResult<Option<u64>> {
    let Some(runs) = both::<S>(held)? else { return Ok(None) };
    guarded(py, threads, |workers| heaviest(&runs, workers))?.ok_or_else(stopped).map(Some)
}

/// Writes the placements of both classes: columns below and tied of each, uint32 or int64.
#[pyfunction]
fn placements(
    py: Python,
    runs: (Given, Given),
    columns: [[Bound<PyAny>; 2]; 2],
    threads: usize,
) -> PyResult<()> {
    let held = held(&runs.0, &runs.1)?;
    let [up, down] = &columns;
    let columns = [
        [Column::new(&up[0])?, Column::new(&up[1])?],
        [Column::new(&down[0])?, Column::new(&down[1])?],
    ];
    match (held[0].scores.kind(), columns[0][0].kind()) {
        (b'f', b'I') => place::<f32, u32>(py, &held, columns, threads),
        (b'f', _) => place::<f32, i64>(py, &held, columns, threads),
        (_, b'I') => place::<f64, u32>(py, &held, columns, threads),
        _ => place::<f64, i64>(py, &held, columns, threads),
    }
}

fn place<S: Score + Number, N: WholeNumber>(
    py: Python,
    held: &[Held; 2],
    mut columns: [[Column; 2]; 2],
    threads: usize,
) -> PyResult<()> {
    let runs = both::<S>(held)?.ok_or_else(|| PyTypeError::new_err("weights are too wide"))?;
    let [up, down] = &mut columns;
    let placed = [placed::<N>(up, runs[0].scores.len())?, placed(down, runs[1].scores.len())?];
    guarded(py, threads, |workers| placements_of(&runs, placed, workers))?.ok_or_else(stopped)
}

fn placed<N: Number>([below, tied]: &mut [Column; 2], rows: usize) -> PyResult<Placed<'_, N>> {
    let placed = Placed { below: below.write()?, tied: tied.write()? };
    if placed.below.len() != rows || placed.tied.len() != rows {
        return Err(PyValueError::new_err("columns of another length"));
    }
    Ok(placed)
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(level_bins, module)?)?;
    module.add_function(wrap_pyfunction!(level_sums, module)?)?;
    module.add_function(wrap_pyfunction!(level_hull, module)?)?;
    module.add_function(wrap_pyfunction!(level_cells, module)?)?;
    module.add_function(wrap_pyfunction!(sorted_areas, module)?)?;
    module.add_function(wrap_pyfunction!(heaviest_slice, module)?)?;
    module.add_function(wrap_pyfunction!(placements, module)?)
}
