//! The bindings of sorted tables.

use super::curves::codes;
use super::{Column, MOST_ROWS, guarded};
use crate::amounts::Weight;
use crate::curves::output::Number;
use crate::keys::{Key, Plain, Score, Sliced};
use crate::partition::slices::SliceFacts;
use crate::rows::{Chunk, count};
use crate::sorted::line_areas::line_areas as areas_of_lines;
use crate::sorted::sort_rows::{Failure, Side, gather as gather_rows, sort_rows};
use crate::workers::Workers;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The chunks of a call: codes, scores, classes and a number of 32 bits to carry.
type Given<'py> = Vec<(
    Option<Bound<'py, PyAny>>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
)>;
/// The columns of one class to be written: starts, scores, and what is carried.
type Wanted<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

struct Held {
    codes: Option<Column>,
    scores: Column,
    positive: Column,
    carried: Option<Column>,
}

struct Written {
    starts: Column,
    scores: Column,
    carried: Option<Column>,
}

/// What a row carries: nothing, or a number of 32 bits.
trait Carried: Weight + Ord {
    fn read(column: &Option<Column>, rows: usize) -> PyResult<&[Self]>;
    fn write(column: &mut Option<Column>, rows: usize) -> PyResult<&mut [Self]>;
}

/// As many rows as nothing takes no memory for.
static NOTHING: [(); MOST_ROWS] = [(); MOST_ROWS];

impl Carried for () {
    fn read(_: &Option<Column>, rows: usize) -> PyResult<&[()]> {
        NOTHING.get(..rows).ok_or_else(|| PyValueError::new_err("too many rows"))
    }
    fn write(_: &mut Option<Column>, rows: usize) -> PyResult<&mut [()]> {
        Ok(vec![(); rows].leak()) // which has no memory either
    }
}

impl Carried for u32 {
    fn read(column: &Option<Column>, _: usize) -> PyResult<&[u32]> {
        column
            .as_ref()
            .ok_or_else(|| PyTypeError::new_err("all chunks carry a number, or none"))?
            .read()
    }
    fn write(column: &mut Option<Column>, _: usize) -> PyResult<&mut [u32]> {
        column
            .as_mut()
            .ok_or_else(|| PyTypeError::new_err("both classes carry a number, or none"))?
            .write()
    }
}

/// Writes the rows of both classes by slice and rising score; False: the kernel declines.
#[pyfunction]
fn sort_scores(
    py: Python,
    chunks: Given,
    slices: usize,
    sides: [Wanted; 2],
    threads: usize,
) -> PyResult<bool> {
    let held = held(chunks)?;
    let [up, down] = sides.map(|(starts, scores, carried)| {
        Ok::<_, PyErr>(Written {
            starts: Column::new(&starts)?,
            scores: Column::new(&scores)?,
            carried: carried.as_ref().map(Column::new).transpose()?,
        })
    });
    let carries = held.first().is_some_and(|chunk| chunk.carried.is_some());
    let is_float = held.first().is_some_and(|chunk| chunk.scores.kind() == b'f');
    let call = Call { py, held: &held, slices, threads };
    let mut sorting = Sorting { sides: [up?, down?] };
    match (is_float, carries) {
        (true, false) => call.narrow::<(), _>(&mut sorting),
        (true, true) => call.narrow::<u32, _>(&mut sorting),
        (false, false) => call.wide::<(), _>(&mut sorting),
        (false, true) => call.wide::<u32, _>(&mut sorting),
    }
}

/// For each line, its rows and what they add to the area, of both classes, into columns of int64;
/// False: the kernel declines.
#[pyfunction]
fn line_areas(
    py: Python,
    chunks: Given,
    slices: usize,
    columns: [[Bound<PyAny>; 2]; 2],
    threads: usize,
) -> PyResult<bool> {
    let held = held(chunks)?;
    let is_float = held.first().is_some_and(|chunk| chunk.scores.kind() == b'f');
    let call = Call { py, held: &held, slices, threads };
    let [rows, areas] =
        columns.map(|[up, down]| Ok::<_, PyErr>([Column::new(&up)?, Column::new(&down)?]));
    let mut adding = Adding { rows: rows?, areas: areas? };
    if is_float { call.narrow::<u32, _>(&mut adding) } else { call.wide::<u32, _>(&mut adding) }
}

fn held(chunks: Given) -> PyResult<Vec<Held>> {
    let columns = chunks.iter().map(|(codes, scores, positive, carried)| {
        Ok(Held {
            codes: codes.as_ref().map(Column::new).transpose()?,
            scores: Column::new(scores)?,
            positive: Column::new(positive)?,
            carried: carried.as_ref().map(Column::new).transpose()?,
        })
    });
    columns.collect()
}

/// What is done with the rows of a call; False: it declines.
trait Work<W: Carried> {
    fn run<K: Key>(
        &mut self,
        call: &Call,
        chunks: &[Chunk<K::Score, W>],
        facts: &SliceFacts<<K::Score as Score>::Bits>,
    ) -> PyResult<bool>
    where
        K::Score: Number;
}

struct Sorting {
    sides: [Written; 2],
}

struct Adding {
    rows: [Column; 2],
    areas: [Column; 2],
}

struct Call<'a, 'py> {
    py: Python<'py>,
    held: &'a [Held],
    slices: usize,
    threads: usize,
}

impl<'a> Call<'a, '_> {
    fn narrow<W: Carried, T: Work<W>>(&self, work: &mut T) -> PyResult<bool> {
        let chunks = self.chunks::<f32, W>()?;
        if self.slices == 1 {
            return work.run::<Plain<f32>>(self, &chunks, &SliceFacts::one(count(&chunks)));
        }
        work.run::<Sliced<f32, u64>>(self, &chunks, &self.facts(&chunks)?)
    }

    fn wide<W: Carried, T: Work<W>>(&self, work: &mut T) -> PyResult<bool> {
        let chunks = self.chunks::<f64, W>()?;
        if self.slices == 1 {
            return work.run::<Plain<f64>>(self, &chunks, &SliceFacts::one(count(&chunks)));
        }
        let facts = self.facts(&chunks)?;
        if facts.frame.bits(self.slices) <= u64::BITS {
            return work.run::<Sliced<f64, u64>>(self, &chunks, &facts);
        }
        work.run::<Sliced<f64, u128>>(self, &chunks, &facts)
    }

    fn chunks<S: Number, W: Carried>(&self) -> PyResult<Vec<Chunk<'a, S, W>>> {
        let chunks = self.held.iter().map(|chunk| {
            let (scores, positive) = (chunk.scores.read::<S>()?, chunk.positive.read::<u8>()?);
            let codes = codes(&chunk.codes)?;
            let weights = W::read(&chunk.carried, scores.len())?;
            let lengths = [positive.len(), weights.len(), codes.rows().unwrap_or(scores.len())];
            if lengths.iter().any(|length| *length != scores.len()) {
                return Err(PyValueError::new_err("columns of different lengths"));
            }
            Ok(Chunk { codes, scores, positive, weights })
        });
        chunks.collect()
    }

    fn facts<S: Score, W: Weight>(&self, chunks: &[Chunk<S, W>]) -> PyResult<SliceFacts<S::Bits>> {
        if self.slices == 0 || self.slices >= MOST_ROWS {
            return Err(PyValueError::new_err("slices out of range"));
        }
        let slices = self.slices;
        guarded(self.py, self.threads, |workers| SliceFacts::new(chunks, slices, workers))
    }
}

impl<W: Carried> Work<W> for Sorting {
    fn run<K: Key>(
        &mut self,
        call: &Call,
        chunks: &[Chunk<K::Score, W>],
        facts: &SliceFacts<<K::Score as Score>::Bits>,
    ) -> PyResult<bool>
    where
        K::Score: Number,
    {
        if count(chunks) >= MOST_ROWS {
            return Ok(false);
        }
        let [up, down] = self.sides.each_mut().map(|side| {
            let (starts, scores) = (side.starts.write::<i64>()?, side.scores.write()?);
            let carried = W::write(&mut side.carried, scores.len())?;
            if starts.len() != call.slices + 1 || carried.len() != scores.len() {
                return Err(PyValueError::new_err("columns of another length"));
            }
            Ok(Side { starts, scores, carried })
        });
        let sides = [up?, down?];
        let sorted = |workers: &Workers| sort_rows::<K, W>(chunks, facts, sides, workers);
        match guarded(call.py, call.threads, sorted)? {
            Ok(()) => Ok(true),
            Err(Failure::Stopped) => Err(PyMemoryError::new_err("the rows in parts")),
            Err(Failure::Changed) => {
                Err(PyRuntimeError::new_err("columns that do not fit the rows"))
            }
        }
    }
}

impl Work<u32> for Adding {
    fn run<K: Key>(
        &mut self,
        call: &Call,
        chunks: &[Chunk<K::Score, u32>],
        facts: &SliceFacts<<K::Score as Score>::Bits>,
    ) -> PyResult<bool>
    where
        K::Score: Number,
    {
        if count(chunks) >= MOST_ROWS {
            return Ok(false);
        }
        let mut columns = Vec::with_capacity(4);
        for column in self.rows.iter_mut().chain(&mut self.areas) {
            columns.push(column.write::<i64>()?);
        }
        let lines = columns[0].len();
        if lines == 0 || columns.iter().any(|column| column.len() != lines) {
            return Err(PyValueError::new_err("columns of different lengths, or of none"));
        }
        let work = |workers: &Workers| areas_of_lines::<K>(chunks, facts, lines, workers);
        let Some(sums) = guarded(call.py, call.threads, work)? else {
            return Err(PyMemoryError::new_err("the sums of lines"));
        };
        for (line, sum) in sums.iter().enumerate() {
            for class in [0, 1] {
                columns[class][line] = sum.rows[class] as i64;
                columns[2 + class][line] = sum.areas[class] as i64;
            }
        }
        Ok(true)
    }
}

/// Takes the numbers of a column at some places; columns are of unsigned words.
#[pyfunction]
fn gather(
    py: Python,
    column: &Bound<PyAny>,
    places: &Bound<PyAny>,
    result: &Bound<PyAny>,
    threads: usize,
) -> PyResult<()> {
    let (column, places, mut result) =
        (Column::new(column)?, Column::new(places)?, Column::new(result)?);
    let places = places.read::<u32>()?;
    match column.0.item_size() {
        1 => taken::<u8>(py, &column, places, &mut result, threads),
        2 => taken::<u16>(py, &column, places, &mut result, threads),
        4 => taken::<u32>(py, &column, places, &mut result, threads),
        _ => taken::<u64>(py, &column, places, &mut result, threads),
    }
}

fn taken<T: Number>(
    py: Python,
    column: &Column,
    places: &[u32],
    result: &mut Column,
    threads: usize,
) -> PyResult<()> {
    let (column, result) = (column.read::<T>()?, result.write::<T>()?);
    if result.len() != places.len() || (column.is_empty() && !places.is_empty()) {
        return Err(PyValueError::new_err("columns of different lengths"));
    }
    guarded(py, threads, |workers| gather_rows(column, places, result, workers))
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sort_scores, module)?)?;
    module.add_function(wrap_pyfunction!(line_areas, module)?)?;
    module.add_function(wrap_pyfunction!(gather, module)?)
}
