//! The bindings of plain rows.

use super::{Column, checked, guarded};
use crate::curves::areas::curve_points;
use crate::curves::output::Number;
use crate::curves::plain::{classes, ends};
use crate::keys::{Key, Plain, Score};
use crate::partition::slices::SliceFacts;
use crate::rows::{Chunk, Codes};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// How many rows are positive, and the ends of the scores.
type Facts = (usize, f64, f64);
/// How many rows of each class, twice the area, the tied pairs.
type Area = (u128, u128, u64, u64);

const MOST_ROWS: usize = 1 << 31;

struct Held {
    labels: Column,
    scores: Column,
}

impl Held {
    fn new(labels: &Bound<PyAny>, scores: &Bound<PyAny>) -> PyResult<Self> {
        Ok(Held { labels: Column::new(labels)?, scores: Column::new(scores)? })
    }

    /// The class of each row; None where the kernel declines.
    fn classes(&self) -> PyResult<Option<Vec<u8>>> {
        let labels = &self.labels;
        let made = checked(|| {
            Ok(match labels.kind() {
                b'?' | b'B' => classes(labels.read::<u8>()?),
                b'f' => classes(labels.read::<f32>()?),
                b'd' => classes(labels.read::<f64>()?),
                _ => classes(labels.read::<i64>()?),
            })
        });
        let rows = self.scores.0.item_count();
        Ok(made?.filter(|made| made.len() == rows && rows < MOST_ROWS))
    }

    fn ends(&self) -> PyResult<Option<(f64, f64)>> {
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

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(plain_rows, module)?)?;
    module.add_function(wrap_pyfunction!(plain_area, module)?)
}
