//! The bindings of levels.

use super::runs::{Given, Held, MOST, Words, both, by_type, held, stopped, weighed, words};
use super::{Column, checked, guarded};
use crate::curves::output::Number;
use crate::keys::Score;
use crate::levels::Reading;
use crate::levels::bins::{Bin, Masses, level_bins as bins_of};
use crate::levels::cells::level_cells as cells_of;
use crate::levels::hull::level_hull as hull_of;
use crate::levels::sums::{Failure, Term, level_sums as sums_of};
use crate::memory::{filled, gathered};
use crate::sorted::runs::{Mass, Run, Weights};
use crate::workers::Workers;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

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
    if let Weights::Three(..) = run.weights {
        return Ok(None);
    }
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

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(level_bins, module)?)?;
    module.add_function(wrap_pyfunction!(level_sums, module)?)?;
    module.add_function(wrap_pyfunction!(level_hull, module)?)?;
    module.add_function(wrap_pyfunction!(level_cells, module)?)
}
