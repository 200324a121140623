//! The bindings of plain rows by group: areas, and the terms of ranked lists.

use super::coding::words;
use super::groups::bytes;
use super::plain::Held;
use super::{Column, guarded};
use crate::coding::{Keys, code_keys};
use crate::curves::output::Number;
use crate::groups::areas::{Areas, group_areas};
use crate::groups::rows::{Grades, GroupedRows, Ones};
use crate::keys::Score;
use crate::lists::ranks::{Lists, Ties, rank_lists};
use crate::lists::terms::{RankedLists, Term, counts, numbers};
use crate::memory::{self, Grow, filled, gathered};
use crate::rows::Codes;
use crate::workers::Workers;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// Columns of int64 or float64, one after another.
type Columns<'py> = Bound<'py, PyByteArray>;

/// Name, depth, rel, whether gains are exp2, and p.
type GivenTerm = (String, u64, f64, bool, f64);

/// Rows with the number of each row's group.
struct Numbered<'a> {
    codes: Vec<u32>,
    groups: u32,
    grades: &'a [u8],
}

impl<'a> Numbered<'a> {
    /// keys: None: all rows are one group. None where there is no memory.
    fn new(keys: Option<&Keys>, grades: &'a [u8], workers: &Workers) -> Option<Self> {
        let mut codes = memory::zeroed(grades.len())?;
        let groups = match keys {
            None => 1,
            Some(keys) => code_keys(std::slice::from_ref(keys), &mut codes, workers)?.len(),
        };
        Some(Numbered { codes, groups: groups as u32, grades })
    }

    fn rows<S>(&'a self, scores: &'a [S], least: f64) -> GroupedRows<'a, S> {
        let (codes, grades) = (Codes::U32(&self.codes), Grades::U8(self.grades));
        GroupedRows {
            codes,
            groups: self.groups,
            scores,
            grades,
            least,
            unscored: None,
            tags: None,
        }
    }
}

fn read_keys<'a>(column: &'a Column, rows: usize) -> PyResult<Keys<'a>> {
    let keys = Keys::Words(words(column)?);
    if keys.rows() != rows {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    Ok(keys)
}

/// The groups of rows of two classes: rows, positives, negatives and twice the area of each.
#[pyfunction]
fn plain_group_areas<'py>(
    py: Python<'py>,
    labels: &Bound<PyAny>,
    scores: &Bound<PyAny>,
    keys: &Bound<PyAny>,
) -> PyResult<Option<Columns<'py>>> {
    let (held, keys) = (Held::new(labels, scores)?, Column::new(keys)?);
    let (Some(positive), Some(_)) = (held.classes()?, held.ends()?) else { return Ok(None) };
    let keys = read_keys(&keys, positive.len())?;
    let made = match held.scores.kind() {
        b'f' => areas::<f32>(py, &held, &positive, &keys)?,
        _ => areas::<f64>(py, &held, &positive, &keys)?,
    };
    let counts = made.rows.iter().copied();
    let classes = made.positives.iter().chain(&made.negatives).map(|&count| count as u64);
    let columns = counts.chain(classes).chain(made.doubled.iter().copied());
    bytes(py, 4 * made.rows.len(), columns.map(u64::to_ne_bytes)).map(Some)
}

fn areas<S: Score + Number>(
    py: Python,
    held: &Held,
    positive: &[u8],
    keys: &Keys,
) -> PyResult<Areas<u32>> {
    let scores = held.scores.read::<S>()?;
    let made = guarded(py, 1, |workers| {
        let numbered = Numbered::new(Some(keys), positive, workers)?;
        group_areas::<S, (), u32>(&numbered.rows(scores, 1.0), &Ones, None, &[], workers)?.pop()
    })?;
    made.ok_or_else(|| PyMemoryError::new_err("the rows in parts"))
}

/// How many rows each list has, and the columns of terms, two of those that count. Empty: there is a
/// term that is not compiled. ties: expected, optimistic or pessimistic; discounts: of each rank.
#[pyfunction]
fn plain_list_terms<'py>(
    py: Python<'py>,
    labels: &Bound<PyAny>,
    scores: &Bound<PyAny>,
    keys: Option<&Bound<PyAny>>,
    ties: &str,
    terms: Vec<GivenTerm>,
    discounts: &Bound<PyAny>,
) -> PyResult<Option<Columns<'py>>> {
    let (held, keys) = (Held::new(labels, scores)?, keys.map(Column::new).transpose()?);
    let (Some(grades), Some(_)) = (held.grades()?, held.ends()?) else { return Ok(None) };
    let keys = keys.as_ref().map(|column| read_keys(column, grades.len())).transpose()?;
    let discounts = Column::new(discounts)?;
    let discounts = discounts.read::<f64>()?;
    if discounts.len() <= grades.len() {
        return Err(PyValueError::new_err("a discount for each rank was expected"));
    }
    let ties = match ties {
        "expected" => Ties::Expected,
        "optimistic" => Ties::Optimistic,
        "pessimistic" => Ties::Pessimistic,
        _ => return Err(PyValueError::new_err("a rule for ties that reads no keys was expected")),
    };
    let wanted = (ties, &terms[..], discounts);
    let made = match held.scores.kind() {
        b'f' => list_terms::<f32>(py, &held, &grades, keys.as_ref(), wanted)?,
        _ => list_terms::<f64>(py, &held, &grades, keys.as_ref(), wanted)?,
    };
    let columns = made.unwrap_or_default();
    bytes(py, columns.len(), columns.into_iter().map(u64::to_ne_bytes)).map(Some)
}

/// The columns as words; None where a term is not compiled.
fn list_terms<S: Score + Number>(
    py: Python,
    held: &Held,
    grades: &[u8],
    keys: Option<&Keys>,
    (ties, terms, discounts): (Ties, &[GivenTerm], &[f64]),
) -> PyResult<Option<Vec<u64>>> {
    let scores = held.scores.read::<S>()?;
    let made = guarded(py, 1, |workers| {
        let numbered = Numbered::new(keys, grades, workers)?;
        let rows = numbered.rows(scores, f64::from_bits(1)); // the lowest number above 0
        let mut parts = rank_lists(&rows, ties, &[], workers)?;
        let lists = joined(parts.iter_mut().filter_map(Vec::pop));
        Some(columns(&lists, terms, discounts, workers))
    })?;
    made.ok_or_else(|| PyMemoryError::new_err("the rows in parts"))
}

fn joined(parts: impl Iterator<Item = Lists>) -> Lists {
    let mut all = Lists::default();
    for part in parts {
        all.lists.put_all(part.lists);
        all.above.put_all(part.above);
        all.tied.put_all(part.tied);
        all.grades.put_all(part.grades);
    }
    all
}

fn columns(
    lists: &Lists,
    terms: &[GivenTerm],
    discounts: &[f64],
    workers: &Workers,
) -> Option<Vec<u64>> {
    let count = lists.lists.len();
    let mut columns: Vec<u64> = gathered(lists.lists.iter().map(|list| list.rows as u64));
    let mut starts = filled(0, count + 1);
    for (number, list) in lists.lists.iter().enumerate() {
        starts[number + 1] = starts[number] + list.entries as i64;
    }
    let (grades, above, tied) = (Grades::F64(&lists.grades), &lists.above[..], &lists.tied[..]);
    let ranked = RankedLists { starts: &starts, grades, above, tied, judged: None };
    let (mut whole, mut real) = (filled([0; 2], count), filled(0.0, count));
    for &(ref name, depth, rel, exp2, p) in terms {
        let term = Term { name, depth, rel, exp2, p, discounts };
        if numbers(&ranked, &term, &mut real, workers) {
            columns.put_all(real.iter().map(|number| number.to_bits()));
        } else if counts(&ranked, &term, &mut whole, workers) {
            for place in 0..2 {
                columns.put_all(whole.iter().map(|pair| pair[place] as u64));
            }
        } else {
            return None;
        }
    }
    Some(columns)
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(plain_group_areas, module)?)?;
    module.add_function(wrap_pyfunction!(plain_list_terms, module)?)
}
