//! The bindings of walks through sorted tables: areas, placements, and areas by line.

use super::runs::{Given, Held, MOST, Words, both, by_type, held, stopped, weighed, words};
use super::sums::{Sums, digits};
use super::{Column, checked, guarded};
use crate::curves::output::{Number, WholeNumber};
use crate::keys::Score;
use crate::sorted::areas::sorted_areas as areas_of;
use crate::sorted::lines::sorted_line_areas as areas_of_lines;
use crate::sorted::placements::{Placed, heaviest, placements as placements_of};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

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

/// Of positives and of negatives the weight of each line, then the areas. codes: uint32, the line of
/// each row
#[pyfunction]
fn sorted_line_areas<'py>(
    py: Python<'py>,
    runs: (Given, Given),
    codes: [Bound<'py, PyAny>; 2],
    lines: usize,
    threads: usize,
) -> PyResult<Vec<Sums<'py>>> {
    let held = held(&runs.0, &runs.1)?;
    let codes = [Column::new(&codes[0])?, Column::new(&codes[1])?];
    by_type!(held[0].scores, lines_in, py, &held, &codes, lines, threads)
}

fn lines_in<'py, S: Score + Number>(
    py: Python<'py>,
    held: &[Held; 2],
    codes: &[Column; 2],
    lines: usize,
    threads: usize,
) -> PyResult<Vec<Sums<'py>>> {
    let (runs, total) = weighed::<S>(held)?;
    let codes = [codes[0].read::<u32>()?, codes[1].read()?];
    if [0, 1].iter().any(|class| codes[*class].len() != runs[*class].scores.len()) {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    let sums = guarded(py, threads, |workers| {
        if total < MOST {
            areas_of_lines::<S, u64>(&runs, codes, lines, workers)
        } else {
            areas_of_lines::<S, u128>(&runs, codes, lines, workers)
        }
    })?;
    sums.ok_or_else(stopped)?.into_iter().map(|columns| digits(py, columns)).collect()
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sorted_areas, module)?)?;
    module.add_function(wrap_pyfunction!(heaviest_slice, module)?)?;
    module.add_function(wrap_pyfunction!(placements, module)?)?;
    module.add_function(wrap_pyfunction!(sorted_line_areas, module)?)
}
