//! The bindings of plain rows as probabilities: bins of equal mass, and their sums.

use super::groups::bytes;
use super::guarded;
use super::plain::Held;
use crate::curves::output::Number;
use crate::keys::Score;
use crate::levels::Reading;
use crate::levels::bins::{Masses, level_bins};
use crate::levels::sums::{Failure, Term, level_sums};
use crate::memory::{Grow, filled, gathered};
use crate::sorted::runs::{Run, Weights};
use crate::workers::Workers;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::collections::BTreeMap;

/// Powers of two of the digits of two sums, and columns of int64: the number of each bin, its rows,
/// its positives, and these digits.
type Bins<'py> = (Vec<i32>, Vec<i32>, Bound<'py, PyByteArray>);

/// Digits of a sum in each bin, by power of two.
type Digits = BTreeMap<i32, Vec<i64>>;

/// Bins of equal mass that have rows; the sums are `expected` and `variance`. None: the rows are not
/// plain, or a score is no probability.
#[pyfunction]
fn plain_level_bins<'py>(
    py: Python<'py>,
    labels: &Bound<PyAny>,
    scores: &Bound<PyAny>,
    bins: u64,
) -> PyResult<Option<Bins<'py>>> {
    let held = Held::new(labels, scores)?;
    if bins == 0 {
        return Err(PyValueError::new_err("no bins"));
    }
    let (Some(positive), Some(ends)) = (held.classes()?, held.ends()?) else { return Ok(None) };
    if ends.0 < 0.0 || ends.1 > 1.0 {
        return Ok(None);
    }
    match held.scores.kind() {
        b'f' => bins_of::<f32>(py, &held, &positive, bins),
        _ => bins_of::<f64>(py, &held, &positive, bins),
    }
}

fn bins_of<'py, S: Score + Number>(
    py: Python<'py>,
    held: &Held,
    positive: &[u8],
    bins: u64,
) -> PyResult<Option<Bins<'py>>> {
    let scores = held.scores.read::<S>()?;
    let made = guarded(py, 1, |workers| columns(scores, positive, bins, workers))?;
    match made {
        Ok((powers, columns)) => {
            let [expected, variance] = powers;
            let words = columns.iter().map(|number| number.to_ne_bytes());
            Ok(Some((expected, variance, bytes(py, columns.len(), words)?)))
        }
        Err(Failure::OutOfRange) => Ok(None),
        Err(Failure::Stopped) => Err(PyMemoryError::new_err("the rows of a sorted table")),
    }
}

fn columns<S: Score>(
    scores: &[S],
    positive: &[u8],
    bins: u64,
    workers: &Workers,
) -> Result<([Vec<i32>; 2], Vec<i64>), Failure> {
    let of_class = |wanted: u8| {
        let rows = scores.iter().zip(positive).filter(|(_, class)| **class == wanted);
        let mut chosen: Vec<S> = gathered(rows.map(|(score, _)| *score));
        chosen.sort_unstable_by_key(|score| score.bits());
        chosen
    };
    let sorted = [of_class(1), of_class(0)];
    let starts = [0, 1].map(|class| [0, sorted[class].len() as i64]);
    let runs = [0, 1].map(|class| Run {
        starts: &starts[class],
        scores: &sorted[class],
        weights: Weights::Ones,
    });
    let masses = Masses { totals: &[scores.len() as u64], below: &[0], bins };
    let found = level_bins(&runs, masses, workers).ok_or(Failure::Stopped)?;
    let bounds = [0, 1].map(|class| {
        let firsts = found.iter().map(|bin| bin.rows[class] as i64);
        gathered(firsts.chain([sorted[class].len() as i64]))
    });
    let rows = |class: usize, bin: usize| bounds[class][bin + 1] - bounds[class][bin];
    let mut columns: Vec<i64> = gathered(found.iter().map(|bin| bin.number as i64));
    columns.put_all((0..found.len()).map(|bin| rows(0, bin) + rows(1, bin)));
    columns.put_all((0..found.len()).map(|bin| rows(0, bin)));
    let reading = Reading { downsampled: None, clip: None };
    let mut powers = [vec![], vec![]];
    for (term, powers) in [Term::Expected, Term::Variance].into_iter().zip(&mut powers) {
        let mut both = Digits::new();
        for class in 0..2 {
            for (power, digits) in level_sums(&runs[class], &bounds[class], term, reading, workers)?
            {
                let sums = both.entry(power).or_insert_with(|| filled(0, found.len()));
                sums.iter_mut().zip(digits).for_each(|(sum, digit)| *sum += digit);
            }
        }
        for (power, digits) in both {
            powers.put(power);
            columns.put_all(digits);
        }
    }
    Ok((powers, columns))
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(plain_level_bins, module)?)
}
