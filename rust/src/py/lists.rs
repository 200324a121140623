//! The bindings of ranked lists.

use super::groups::{Given, Held, Output, bytes};
use super::{Column, guarded};
use crate::groups::{Grades, GroupedRows};
use crate::keys::Score;
use crate::output::Number;
use crate::ranked::{List, Lists, Ties, in_order, rank_lists as lists_of};
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
        b'f' => tables::<f32>(py, &held, ties, threads),
        _ => tables::<f64>(py, &held, ties, threads),
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
            Columns { py, parts, order }.table(&rows)
        })
        .collect()
}

/// What is written: the lists in an order, each a part and a place there.
struct Columns<'a, 'py> {
    py: Python<'py>,
    parts: Vec<&'a Lists>,
    order: Vec<(u32, u32)>,
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
            self.grades(rows.grades, entries, |part| &part.entries)?,
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
        rows: impl Fn(&Lists) -> &[u32],
    ) -> PyResult<Output<'py>> {
        Ok(match grades {
            Grades::U8(grades) => {
                (self.of_entries(count, rows, |row| [grades[row as usize]])?, 'B')
            }
            Grades::F64(grades) => {
                (self.of_entries(count, rows, |row| grades[row as usize].to_ne_bytes())?, 'd')
            }
        })
    }

    /// A column of the entries of all lists.
    fn of_entries<const N: usize>(
        &self,
        count: impl Fn(&List) -> u32,
        column: impl Fn(&Lists) -> &[u32],
        number: impl Fn(u32) -> [u8; N],
    ) -> PyResult<Bound<'py, PyByteArray>> {
        // Where the entries of each list start within its part.
        let starts: Vec<Vec<usize>> = self.parts.iter().map(|part| starts(part, &count)).collect();
        let total = starts.iter().filter_map(|part| part.last()).sum();
        let of_list = |&(part, place): &(u32, u32)| {
            let (part, place) = (part as usize, place as usize);
            &column(self.parts[part])[starts[part][place]..starts[part][place + 1]]
        };
        let entries = self.order.iter().flat_map(of_list);
        bytes(self.py, total, entries.map(|entry| number(*entry)))
    }
}

fn starts(part: &Lists, count: impl Fn(&List) -> u32) -> Vec<usize> {
    let mut sum = 0;
    let ends = part.lists.iter().map(|list| {
        sum += count(list) as usize;
        sum
    });
    [0].into_iter().chain(ends).collect()
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(rank_lists, module)?)
}
