//! The bindings of ranked lists.

use super::groups::{Given, Held, Output, bytes};
use super::{Column, checked, guarded};
use crate::curves::output::Number;
use crate::groups::rows::{Grades, GroupedRows};
use crate::keys::Score;
use crate::lists::ranks::{List, Lists, Ties, in_order, rank_lists as lists_of};
use crate::lists::terms::{RankedLists, Term, counts, numbers};
use crate::memory::gathered;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// The columns of ranked lists, in the order of the interface; those of judged rows are the last.
type Table<'py> = Vec<Output<'py>>;

/// The lists of each table; ties: expected, optimistic, pessimistic, or keys with int64 numbers.
#[pyfunction]
fn rank_lists<'py>(
    py: Python<'py>,
    rows: Given<'py>,
    ties: &str,
    keys: Option<Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<Vec<Table<'py>>> {
    let held = Held::new(&rows)?;
    let keys = keys.as_ref().map(Column::new).transpose()?;
    let keys = keys.as_ref().map(|column| column.read::<i64>()).transpose()?;
    let ties = match (ties, keys) {
        ("expected", _) => Ties::Expected,
        ("optimistic", _) => Ties::Optimistic,
        ("pessimistic", _) => Ties::Pessimistic,
        (_, Some(keys)) if keys.len() == held.count() => Ties::Keys(keys),
        _ => return Err(PyValueError::new_err("a key for each row was expected")),
    };
    match held.score_kind() {
        b'f' => checked(|| tables::<f32>(py, &held, ties, threads)),
        _ => checked(|| tables::<f64>(py, &held, ties, threads)),
    }
}

fn tables<'py, S: Score + Number>(
    py: Python<'py>,
    held: &Held,
    ties: Ties,
    threads: usize,
) -> PyResult<Vec<Table<'py>>> {
    let (rows, slices) = held.rows::<S>(f64::from_bits(1))?; // the lowest number above 0
    let made = guarded(py, threads, |workers| lists_of(&rows, ties, &slices, workers))?;
    let made = made.ok_or_else(|| PyMemoryError::new_err("the rows in parts"))?;
    (0..=slices.len())
        .map(|number| {
            let parts: Vec<_> = made.iter().map(|part| &part[number]).collect();
            let order = in_order(&parts, number > 0);
            Columns { py, parts, order, by_slice: number > 0 }.table(&rows)
        })
        .collect()
}

/// What is written: the lists in an order, each a part and a place there.
struct Columns<'a, 'py> {
    py: Python<'py>,
    parts: Vec<&'a Lists>,
    order: Vec<(u32, u32)>,
    by_slice: bool,
}

impl<'py> Columns<'_, 'py> {
    fn table<S: Score>(&self, rows: &GroupedRows<S>) -> PyResult<Table<'py>> {
        let (entries, judged) = (|list: &List| list.entries, |list: &List| list.judged);
        let mut table = vec![
            self.of_lists(|list| list.code)?,
            self.of_lists(|list| list.slice)?,
            self.of_lists(|list| list.rows)?,
            self.of_lists(|list| list.size)?,
            self.starts(entries)?,
            self.grades(rows.grades, entries, |part| &part.grades)?,
            (self.of_entries(entries, |part| &part.above, u32::to_ne_bytes)?, 'I'),
            (self.of_entries(entries, |part| &part.tied, u32::to_ne_bytes)?, 'I'),
        ];
        if rows.unscored.is_some() {
            table.push(self.starts(judged)?);
            table.push(self.grades(rows.grades, judged, |part| &part.judged)?);
        }
        Ok(table)
    }

    fn lists(&self) -> impl Iterator<Item = &List> {
        self.order.iter().map(|&(part, place)| &self.parts[part as usize].lists[place as usize])
    }

    fn of_lists(&self, number: impl Fn(&List) -> u32) -> PyResult<Output<'py>> {
        let numbers = self.lists().map(|list| (number(list) as i64).to_ne_bytes());
        Ok((bytes(self.py, self.order.len(), numbers)?, 'q'))
    }

    fn starts(&self, count: impl Fn(&List) -> u32) -> PyResult<Output<'py>> {
        let mut sum = 0i64;
        let ends = self.lists().map(|list| {
            sum += count(list) as i64;
            sum
        });
        let starts = [0].into_iter().chain(ends).map(i64::to_ne_bytes);
        Ok((bytes(self.py, self.order.len() + 1, starts)?, 'q'))
    }

    fn grades(
        &self,
        grades: Grades,
        count: impl Fn(&List) -> u32,
        column: impl Fn(&Lists) -> &[f64],
    ) -> PyResult<Output<'py>> {
        Ok(match grades {
            Grades::U8(_) => (self.of_entries(count, column, |grade| [grade as u8])?, 'B'),
            Grades::F64(_) => (self.of_entries(count, column, f64::to_ne_bytes)?, 'd'),
        })
    }

    /// A column of the entries of all lists.
    fn of_entries<T: Copy, const N: usize>(
        &self,
        count: impl Fn(&List) -> u32,
        column: impl Fn(&Lists) -> &[T],
        number: impl Fn(T) -> [u8; N],
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let total: usize = self.parts.iter().map(|part| column(part).len()).sum();
        let pieces = |bytes: &mut [u8]| {
            let mut places = bytes.as_chunks_mut::<N>().0.iter_mut();
            let mut write = |numbers: &[T]| {
                for (each, place) in numbers.iter().zip(&mut places) {
                    *place = number(*each);
                }
            };
            if !self.by_slice {
                self.parts.iter().for_each(|part| write(column(part)));
                return;
            }
            let starts: Vec<_> = self.parts.iter().map(|part| starts(part, &count)).collect();
            for &(part, place) in &self.order {
                let (part, place) = (part as usize, place as usize);
                write(&column(self.parts[part])[starts[part][place]..starts[part][place + 1]]);
            }
        };
        PyByteArray::new_with(self.py, total * N, |bytes| {
            pieces(bytes);
            Ok(())
        })
    }
}

/// Where the entries of each list of a part start, and the end.
fn starts(part: &Lists, count: impl Fn(&List) -> u32) -> Vec<usize> {
    let mut sum = 0;
    let ends = part.lists.iter().map(|list| {
        sum += count(list) as usize;
        sum
    });
    gathered([0].into_iter().chain(ends))
}

/// The columns of ranked lists: starts, grades, above, tied, and of judged rows starts and grades.
type Ranked<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
);

/// Name, depth, rel, whether gains are exp2, p, and the discount of each rank.
type GivenTerm<'py> = (String, u64, f64, bool, f64, Bound<'py, PyAny>);

fn grades(column: &Column) -> PyResult<Grades<'_>> {
    Ok(if column.kind() == b'd' { Grades::F64(column.read()?) } else { Grades::U8(column.read()?) })
}

/// A term of all lists, into float64, or as pairs of int64. False: the kernel does not have it.
#[pyfunction]
fn list_gains(
    py: Python,
    lists: Ranked,
    term: GivenTerm,
    result: &Bound<PyAny>,
    threads: usize,
) -> PyResult<bool> {
    let (starts, graded, above, tied, judged) = &lists;
    let held = [starts, graded, above, tied].map(Column::new);
    let [starts, graded, above, tied] = held;
    let (starts, graded, above, tied) = (starts?, graded?, above?, tied?);
    let judged = judged
        .as_ref()
        .map(|(starts, grades)| Ok::<_, PyErr>((Column::new(starts)?, Column::new(grades)?)))
        .transpose()?;
    let judged = judged
        .as_ref()
        .map(|(starts, given)| Ok::<_, PyErr>((starts.read::<i64>()?, grades(given)?)));
    let lists = RankedLists {
        starts: starts.read()?,
        grades: grades(&graded)?,
        above: above.read()?,
        tied: tied.read()?,
        judged: judged.transpose()?,
    };
    let (name, depth, rel, exp2, p, discounts) = &term;
    let discounts = Column::new(discounts)?;
    let (depth, rel, exp2, p) = (*depth, *rel, *exp2, *p);
    let term = Term { name, depth, rel, exp2, p, discounts: discounts.read()? };
    let mut result = Column::new(result)?;
    let entries = [lists.grades.len(), lists.tied.len()];
    let count = lists.starts.len().saturating_sub(1);
    if entries.iter().any(|length| *length != lists.above.len())
        || lists.judged.is_some_and(|(starts, _)| starts.len() != count + 1)
        || term.discounts.is_empty()
    {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    if result.kind() == b'd' {
        let into = result.write::<f64>()?;
        check(into.len(), count)?;
        return guarded(py, threads, |workers| numbers(&lists, &term, into, workers));
    }
    let into = result.write::<i64>()?;
    check(into.len(), 2 * count)?;
    let into = into.as_chunks_mut::<2>().0;
    guarded(py, threads, |workers| counts(&lists, &term, into, workers))
}

fn check(length: usize, wanted: usize) -> PyResult<()> {
    if length == wanted { Ok(()) } else { Err(PyValueError::new_err("a result of another length")) }
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(rank_lists, module)?)?;
    module.add_function(wrap_pyfunction!(list_gains, module)?)
}
