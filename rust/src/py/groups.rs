//! The bindings of rows by group.

use super::{Column, checked, curves::codes, guarded};
use crate::amounts::{Amount, Counted};
use crate::curves::output::Number;
use crate::groups::areas::{Areas, group_areas as areas_of};
use crate::groups::by_slice::slice_order;
use crate::groups::rows::{Grades, GroupedRows, Ones, Weights};
use crate::keys::Score;
use crate::memory::{filled, gathered};
use crate::rows::Codes;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// The columns of grouped rows, held for a call.
pub struct Held {
    codes: Option<Column>,
    groups: usize,
    scores: Column,
    grades: Column,
    unscored: Option<Column>,
    slices: Vec<Option<Column>>,
}

/// Codes, how many groups, scores, grades, the rows without a score, and columns of slices.
pub type Given<'py> = (
    Bound<'py, PyAny>,
    usize,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Vec<Bound<'py, PyAny>>,
);

impl Held {
    pub fn new(rows: &Given) -> PyResult<Self> {
        let (codes, groups, scores, grades, unscored, slices) = rows;
        let slices = slices.iter().map(|column| Ok(Some(Column::new(column)?)));
        Ok(Held {
            codes: Some(Column::new(codes)?),
            groups: *groups,
            scores: Column::new(scores)?,
            grades: Column::new(grades)?,
            unscored: unscored.as_ref().map(Column::new).transpose()?,
            slices: slices.collect::<PyResult<_>>()?,
        })
    }

    pub fn score_kind(&self) -> u8 {
        self.scores.kind()
    }

    pub fn count(&self) -> usize {
        self.scores.0.item_count()
    }

    /// The rows and the slices; least: the lowest grade of a hit.
    pub fn rows<S: Score + Number>(
        &self,
        least: f64,
    ) -> PyResult<(GroupedRows<'_, S>, Vec<Codes<'_>>)> {
        let scores = self.scores.read::<S>()?;
        let (grades, count) = match self.grades.kind() {
            b'd' => {
                let grades = self.grades.read()?;
                (Grades::F64(grades), grades.len())
            }
            _ => {
                let grades = self.grades.read()?;
                (Grades::U8(grades), grades.len())
            }
        };
        let unscored = self.unscored.as_ref().map(|column| column.read::<u8>()).transpose()?;
        let slices = self.slices.iter().map(codes).collect::<PyResult<Vec<_>>>()?;
        let codes = codes(&self.codes)?;
        let fits = |codes: &Codes| codes.rows() == Some(scores.len());
        if count != scores.len()
            || unscored.is_some_and(|rows| rows.len() != scores.len())
            || ![codes].iter().chain(&slices).all(fits)
        {
            return Err(PyValueError::new_err("columns of different lengths"));
        }
        if (self.groups == 0 && count > 0) || self.groups.max(count) > u32::MAX as usize {
            return Err(PyValueError::new_err("rows without groups, or too many"));
        }
        let groups = self.groups as u32;
        Ok((GroupedRows { codes, groups, scores, grades, least, unscored, tags: None }, slices))
    }
}

/// Numbers in bytes, and their type: I and q as in NumPy, Q for words of 128 bits, two each.
pub type Output<'py> = (Bound<'py, PyByteArray>, char);

/// Whole numbers in an order: of 32 bits where these hold their sum, of 64 where they hold the double
/// of each.
fn whole<'py, T: Copy>(
    py: Python<'py>,
    order: &[u32],
    column: &[T],
    wide: impl Fn(T) -> u128,
) -> PyResult<Output<'py>> {
    let (mut total, mut most) = (0u128, 0u128);
    for number in column {
        let number = wide(*number);
        (total, most) = (total.saturating_add(number), most.max(number));
    }
    let (count, numbers) = (order.len(), order.iter().map(|place| wide(column[*place as usize])));
    if total < 1 << 32 {
        Ok((bytes(py, count, numbers.map(|number| (number as u32).to_ne_bytes()))?, 'I'))
    } else if most < 1 << 62 {
        Ok((bytes(py, count, numbers.map(|number| (number as u64).to_ne_bytes()))?, 'q'))
    } else {
        Ok((bytes(py, count, numbers.map(u128::to_le_bytes))?, 'Q'))
    }
}

/// Numbers in bytes, one after another.
pub fn bytes<'py, const N: usize>(
    py: Python<'py>,
    count: usize,
    numbers: impl Iterator<Item = [u8; N]>,
) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, count * N, |bytes| {
        for (to, number) in bytes.as_chunks_mut::<N>().0.iter_mut().zip(numbers) {
            *to = number;
        }
        Ok(())
    })
}

/// Weights by row, in multiples of 2**unit.
enum Multiples<'a> {
    F32(&'a [f32], f64),
    F64(&'a [f64], f64),
    U64(&'a [u64]),
}

impl Weights<u64> for Multiples<'_> {
    #[inline(always)]
    fn of(&self, row: usize) -> u64 {
        match self {
            Multiples::F32(weights, scale) => weights[row].amount(*scale),
            Multiples::F64(weights, scale) => weights[row].amount(*scale),
            Multiples::U64(weights) => weights[row],
        }
    }
}

impl Multiples<'_> {
    /// About their sum.
    fn rough(&self) -> f64 {
        match self {
            Multiples::F32(weights, scale) => sum(weights.iter().map(|w| *w as f64)) * scale,
            Multiples::F64(weights, scale) => sum(weights.iter().copied()) * scale,
            Multiples::U64(weights) => sum(weights.iter().map(|w| *w as f64)),
        }
    }

    /// About the weight of the heaviest group.
    fn heaviest_group(&self, held: &Held) -> PyResult<f64> {
        let codes = codes(&held.codes)?;
        let groups = held.groups.max(1);
        checked(|| {
            let mut sums = filled(0.0, groups);
            for row in 0..self.rows() {
                let (weight, scale) = match self {
                    Multiples::F32(weights, scale) => (f64::from(weights[row]), *scale),
                    Multiples::F64(weights, scale) => (weights[row], *scale),
                    Multiples::U64(weights) => (weights[row] as f64, 1.0),
                };
                sums[(codes.at(row) as usize).min(groups - 1)] += weight * scale;
            }
            Ok(sums.iter().fold(0.0, |most: f64, sum| most.max(*sum)) * 1.01)
        })
    }

    fn rows(&self) -> usize {
        match self {
            Multiples::F32(weights, _) => weights.len(),
            Multiples::F64(weights, _) => weights.len(),
            Multiples::U64(weights) => weights.len(),
        }
    }
}

fn sum(weights: impl Iterator<Item = f64>) -> f64 {
    let mut lanes = [0.0; 8]; // one sum would wait for itself
    for (place, weight) in weights.enumerate() {
        lanes[place % 8] += weight;
    }
    lanes.iter().sum::<f64>() * 1.01
}

const MOST: f64 = (1u64 << 62) as f64;

/// Codes, slices, rows, positive rows, positives, negatives and doubled areas of a table.
type Table<'py> = Vec<Output<'py>>;

/// The groups of each table; weights: float32, float64, or uint64 in multiples of 2**unit. None:
/// the kernel declines.
#[pyfunction]
fn group_areas<'py>(
    py: Python<'py>,
    rows: Given<'py>,
    weights: Option<Bound<'py, PyAny>>,
    unit: i32,
    counts: Option<Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<Option<Vec<Table<'py>>>> {
    let held = Held::new(&rows)?;
    let weights = weights.as_ref().map(Column::new).transpose()?;
    let counts = counts.as_ref().map(Column::new).transpose()?;
    let call = Call { py, held: &held, counts: counts.as_ref(), threads };
    match (&weights, held.score_kind()) {
        (None, b'f') => call.run::<f32, (), u32>(&Ones).map(Some),
        (None, _) => call.run::<f64, (), u32>(&Ones).map(Some),
        (Some(column), kind) => {
            let scale = 2f64.powi(-unit);
            let weights = match column.kind() {
                b'f' => Multiples::F32(column.read()?, scale),
                b'd' => Multiples::F64(column.read()?, scale),
                _ => Multiples::U64(column.read()?),
            };
            if weights.rows() != held.count() {
                return Err(PyValueError::new_err("columns of different lengths"));
            }
            if weights.rough() >= MOST && weights.heaviest_group(&held)? >= MOST {
                return Ok(None);
            }
            match kind {
                b'f' => call.run::<f32, u64, u64>(&weights).map(Some),
                _ => call.run::<f64, u64, u64>(&weights).map(Some),
            }
        }
    }
}

struct Call<'a, 'py> {
    py: Python<'py>,
    held: &'a Held,
    counts: Option<&'a Column>,
    threads: usize,
}

impl<'py> Call<'_, 'py> {
    fn run<S: Score + Number, W: Counted<A>, A: Amount>(
        &self,
        weights: &impl Weights<W>,
    ) -> PyResult<Vec<Table<'py>>> {
        let (rows, slices) = self.held.rows::<S>(1.0)?;
        let counts = self.counts.map(|column| column.read::<i64>()).transpose()?;
        if counts.is_some_and(|counts| counts.len() != rows.scores.len()) {
            return Err(PyValueError::new_err("columns of different lengths"));
        }
        let made = guarded(self.py, self.threads, |workers| {
            areas_of::<S, W, A>(&rows, weights, counts, &slices, workers)
        })?;
        let made = made.ok_or_else(|| PyMemoryError::new_err("the rows in parts"))?;
        let tables = made.iter().enumerate();
        checked(|| tables.map(|(place, areas)| table(self.py, areas, place > 0)).collect())
    }
}

fn table<'py, A: Amount>(
    py: Python<'py>,
    areas: &Areas<A>,
    by_slice: bool,
) -> PyResult<Table<'py>> {
    let count = areas.codes.len();
    let order = if by_slice { slice_order(&areas.slices) } else { gathered(0..count as u32) };
    let places = order.iter().map(|place| *place as usize);
    let of_codes = |codes: &[u32]| {
        let numbers = places.clone().map(|place| (codes[place] as i64).to_ne_bytes());
        Ok::<_, PyErr>((bytes(py, count, numbers)?, 'q'))
    };
    Ok(vec![
        of_codes(&areas.codes)?,
        of_codes(&areas.slices)?,
        whole(py, &order, &areas.rows, u128::from)?,
        whole(py, &order, &areas.positive_rows, u128::from)?,
        whole(py, &order, &areas.positives, A::wide)?,
        whole(py, &order, &areas.negatives, A::wide)?,
        whole(py, &order, &areas.doubled, |area| A::wide_area(area).0)?,
    ])
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(group_areas, module)?)
}
