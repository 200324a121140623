//! The bindings of sums and maxima over the points of curves.

use super::{Column, guarded};
use crate::curves::blocks::{Points, Whole};
use crate::curves::most::{Measure, curve_most as most_of};
use crate::curves::terms::{DIGITS, LARGEST, Term, curve_sums as sums_of};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Starts, positives, below, tied, and the weights of both classes from the points upwards.
type Given<'py> = (
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    [Bound<'py, PyAny>; 2],
);

/// The columns of points, held while a kernel reads them.
struct Held {
    starts: Column,
    positives: Option<Column>,
    below: Column,
    tied: Option<Column>,
    upwards: [Column; 2],
}

impl Held {
    fn new((starts, positives, below, tied, [up, down]): &Given) -> PyResult<Self> {
        Ok(Held {
            starts: Column::new(starts)?,
            positives: positives.as_ref().map(Column::new).transpose()?,
            below: Column::new(below)?,
            tied: tied.as_ref().map(Column::new).transpose()?,
            upwards: [Column::new(up)?, Column::new(down)?],
        })
    }

    /// The columns, whose lengths are checked: a kernel reads nothing beyond them.
    fn points(&self) -> PyResult<Points<'_>> {
        let points = Points {
            starts: self.starts.read()?,
            positives: self.positives.as_ref().map(whole).transpose()?,
            below: whole(&self.below)?,
            tied: self.tied.as_ref().map(whole).transpose()?,
            upwards: (self.upwards[0].read()?, self.upwards[1].read()?),
        };
        let (count, slices) = (points.below.count(), points.starts.len().saturating_sub(1));
        let columns = [points.positives, points.tied];
        let ends = [points.starts.first(), points.starts.last()];
        if columns.iter().flatten().any(|column| column.count() != count)
            || ends != [Some(&0), Some(&(count as i64))]
            || !points.starts.is_sorted()
            || points.upwards.0.len() != slices
            || points.upwards.1.len() != slices
        {
            return Err(PyValueError::new_err("columns of different lengths"));
        }
        Ok(points)
    }
}

fn whole(column: &Column) -> PyResult<Whole<'_>> {
    Ok(match column.0.item_size() {
        4 => Whole::U32(column.read()?),
        _ => Whole::I64(column.read()?),
    })
}

/// Whether the sums were written: `DIGITS` digits for each slice. Else the kernel declines.
#[pyfunction]
fn curve_sums(
    py: Python,
    points: Given,
    term: &str,
    sums: &Bound<PyAny>,
    threads: usize,
) -> PyResult<bool> {
    let (held, mut sums) = (Held::new(&points)?, Column::new(sums)?);
    let (points, sums) = (held.points()?, sums.write::<i64>()?);
    let term = match term {
        "precision" => Term::Precision,
        "pr_segment" => Term::PrSegment,
        "doubled_fp" => Term::DoubledFp,
        _ => return Ok(false),
    };
    let slices = points.slices();
    if sums.len() != DIGITS * slices {
        return Err(PyValueError::new_err("sums of another length"));
    }
    let largest = |(up, down): (&i64, &i64)| (*up as u64).saturating_add(*down as u64);
    let totals = points.upwards.0.iter().zip(points.upwards.1);
    if totals.map(largest).any(|total| total >= LARGEST) {
        return Ok(false);
    }
    let found = guarded(py, threads, |workers| sums_of(&points, term, workers))?;
    let Some(found) = found else { return Ok(false) };
    for (slice, sum) in found.into_iter().enumerate() {
        for (place, digit) in sum.digits().into_iter().enumerate() {
            sums[place * slices + slice] = digit;
        }
    }
    Ok(true)
}

/// Writes place, TP and FP of the point that a measure chooses for each slice.
#[pyfunction]
fn curve_most(
    py: Python,
    points: Given,
    measure: &str,
    factors: [Bound<PyAny>; 2],
    chosen: [Bound<PyAny>; 3],
    threads: usize,
) -> PyResult<()> {
    let held = Held::new(&points)?;
    let points = held.points()?;
    let [places, tp, fp] = &chosen;
    let mut columns = [Column::new(places)?, Column::new(tp)?, Column::new(fp)?];
    let [places, tp, fp] = &mut columns;
    let (places, tp, fp) = (places.write::<i64>()?, tp.write::<i64>()?, fp.write::<i64>()?);
    let factors = [Column::new(&factors[0])?, Column::new(&factors[1])?];
    let (up, down) = (factors[0].read::<i64>()?, factors[1].read::<i64>()?);
    let slices = points.slices();
    if [places.len(), tp.len(), fp.len(), up.len(), down.len()] != [slices; 5] {
        return Err(PyValueError::new_err("columns of another length"));
    }
    let measure =
        Measure::named(measure).ok_or_else(|| PyValueError::new_err("an unknown measure"))?;
    let found = guarded(py, threads, |workers| most_of(&points, measure, up, down, workers))?;
    for (slice, found) in found.into_iter().flatten().enumerate() {
        (places[slice], tp[slice], fp[slice]) = (found.place, found.tp as i64, found.fp as i64);
    }
    Ok(())
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(curve_sums, module)?)?;
    module.add_function(wrap_pyfunction!(curve_most, module)?)
}
