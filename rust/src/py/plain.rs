//! The bindings of plain rows: areas and row terms.

use super::{Column, MOST_ROWS, checked, guarded};
use crate::curves::areas::curve_points;
use crate::curves::output::Number;
use crate::curves::plain::{classes, ends, grades};
use crate::keys::{Key, Plain, Score};
use crate::memory::copied;
use crate::partition::slices::SliceFacts;
use crate::rows::{Chunk, Codes};
use crate::sums::digits::DIGIT;
use crate::sums::formulas::Formula;
use crate::sums::row_terms::{Columns, Line, Scores, Term, add_terms};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// How many rows are positive, and the ends of the scores.
type Facts = (usize, f64, f64);
/// How many rows of each class, twice the area, the tied pairs.
type Area = (u128, u128, u64, u64);

/// The same of rows, and sums in multiples of 2^power; None: there is a formula that is not compiled,
/// or 128 bits do not hold a sum.
type Terms = (usize, f64, f64, i32, Option<Vec<i128>>);

pub struct Held {
    labels: Column,
    pub scores: Column,
}

impl Held {
    pub fn new(labels: &Bound<PyAny>, scores: &Bound<PyAny>) -> PyResult<Self> {
        Ok(Held { labels: Column::new(labels)?, scores: Column::new(scores)? })
    }

    /// The class of each row; None where the kernel declines.
    pub fn classes(&self) -> PyResult<Option<Vec<u8>>> {
        let labels = &self.labels;
        let made = checked(|| {
            Ok(match labels.kind() {
                b'?' | b'B' => classes(labels.read::<u8>()?),
                b'f' => classes(labels.read::<f32>()?),
                b'd' => classes(labels.read::<f64>()?),
                _ => classes(labels.read::<i64>()?),
            })
        })?;
        Ok(made.filter(|made| self.fits(made)))
    }

    /// The grade of each row; None where the kernel declines.
    pub fn grades(&self) -> PyResult<Option<Vec<u8>>> {
        let labels = &self.labels;
        let made = checked(|| {
            Ok(match labels.kind() {
                b'?' | b'B' => Some(copied(labels.read::<u8>()?)),
                b'f' => grades(labels.read::<f32>()?, |label| label as u8),
                b'd' => grades(labels.read::<f64>()?, |label| label as u8),
                _ => grades(labels.read::<i64>()?, |label| label as u8),
            })
        })?;
        Ok(made.filter(|made| self.fits(made)))
    }

    fn fits(&self, made: &[u8]) -> bool {
        let rows = self.scores.0.item_count();
        made.len() == rows && rows < MOST_ROWS
    }

    pub fn ends(&self) -> PyResult<Option<(f64, f64)>> {
        Ok(match self.scores.kind() {
            b'f' => ends(self.scores.read::<f32>()?),
            _ => ends(self.scores.read::<f64>()?),
        })
    }

    fn area<S: Score + Number>(&self, py: Python, positive: &[u8]) -> PyResult<Option<Area>>
    where
        Plain<S>: Key<Score = S>,
    {
        let (scores, weights) = (self.scores.read::<S>()?, vec![(); positive.len()]);
        let chunk = Chunk { codes: Codes::One, scores, positive, weights: &weights };
        let facts = SliceFacts::one(positive.len());
        let made = guarded(py, 1, |workers| {
            curve_points::<Plain<S>, (), u32>(&[chunk], &facts, 1.0, false, workers)
        })?;
        let Some(curves) = made else { return Err(PyMemoryError::new_err("the rows in parts")) };
        let total = &curves.joined.totals[0];
        let [area, tied] = [total.doubled_area.words()[0], total.tied_pairs.words()[0]];
        Ok(Some((total.positives, total.negatives, area, tied)))
    }
}

#[pyfunction]
fn plain_rows(labels: &Bound<PyAny>, scores: &Bound<PyAny>) -> PyResult<Option<Facts>> {
    let held = Held::new(labels, scores)?;
    let (Some(positive), Some((least, largest))) = (held.classes()?, held.ends()?) else {
        return Ok(None);
    };
    Ok(Some((positive.iter().map(|&class| class as usize).sum(), least, largest)))
}

#[pyfunction]
fn plain_area(py: Python, labels: &Bound<PyAny>, scores: &Bound<PyAny>) -> PyResult<Option<Area>> {
    let held = Held::new(labels, scores)?;
    let (Some(positive), Some(_)) = (held.classes()?, held.ends()?) else { return Ok(None) };
    match held.scores.kind() {
        b'f' => held.area::<f32>(py, &positive),
        _ => held.area::<f64>(py, &positive),
    }
}

/// The exact sums of formulas over all rows, each with a weight of 1.
#[pyfunction]
fn plain_terms(
    py: Python,
    labels: &Bound<PyAny>,
    scores: &Bound<PyAny>,
    formulas: Vec<String>,
) -> PyResult<Option<Terms>> {
    let held = Held::new(labels, scores)?;
    let (Some(positive), Some((least, largest))) = (held.classes()?, held.ends()?) else {
        return Ok(None);
    };
    let from = match held.scores.kind() {
        b'f' => Scores::Single(held.scores.read()?),
        _ => Scores::Double(held.scores.read()?),
    };
    let outside = least < 0.0 || largest > 1.0;
    let columns =
        Columns { positive: &positive, outside, ..Columns::of_scores(positive.len(), from) };
    let positives = positive.iter().map(|&class| class as usize).sum();
    let parsed = formulas.iter().map(|text| {
        let formula = columns.rounded(Formula::parsed(text, |_| None)?);
        columns.have(&formula).then_some(Term { formula, weighted: true })
    });
    let Some(terms) = parsed.collect::<Option<Vec<_>>>() else {
        return Ok(Some((positives, least, largest, 0, None)));
    };
    let line = Line { codes: Codes::One, size: 1 };
    let made = guarded(py, 1, |workers| add_terms(&[line], &columns, &terms, workers))?;
    let made: Vec<_> = made.into_iter().flatten().collect();
    let power = made.iter().flatten().map(|(power, _)| *power).min().unwrap_or(0);
    let sums = made.iter().map(|digits| whole(digits, power)).collect();
    Ok(Some((positives, least, largest, power, sums)))
}

/// The number of some digits, in multiples of 2^power; None where 128 bits may not hold it.
fn whole(digits: &[(i32, Vec<i64>)], power: i32) -> Option<i128> {
    let held = |own: &i32| own - power <= 3 * DIGIT;
    digits.iter().try_fold(0, |sum, (own, digit)| {
        held(own).then(|| sum + ((digit[0] as i128) << (own - power)))
    })
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(plain_rows, module)?)?;
    module.add_function(wrap_pyfunction!(plain_area, module)?)?;
    module.add_function(wrap_pyfunction!(plain_terms, module)?)
}
