//! The bindings of curves.

use super::{Column, MOST_ROWS, guarded};
use crate::amounts::{Amount, Counted, Weight};
use crate::curves::areas::{Curves, curve_points as curves_of};
use crate::curves::join::Total;
use crate::curves::output::{Fill, Number, WholeNumber, fill};
use crate::keys::{Key, Plain, Score, Sliced};
use crate::memory::{Grow, room};
use crate::partition::slices::SliceFacts;
use crate::rows::{Chunk, Codes, rough_weight};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The chunks of a call: codes, scores, classes and weights.
type Given<'py> = Vec<(
    Option<Bound<'py, PyAny>>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
)>;

pub fn codes(column: &Option<Column>) -> PyResult<Codes<'_>> {
    let Some(column) = column else { return Ok(Codes::One) };
    Ok(match column.0.item_size() {
        1 => Codes::U8(column.read()?),
        2 => Codes::U16(column.read()?),
        4 => Codes::U32(column.read()?),
        _ => Codes::U64(column.read()?),
    })
}

/// The points of a call, to be written into columns of `len(points)` numbers.
#[pyclass(frozen, module = "steelyard.kernels._rust")]
struct Points(Box<dyn Fill>);

#[pymethods]
impl Points {
    fn __len__(&self) -> usize {
        self.0.count()
    }

    /// Whether some positive score has negatives at it.
    #[getter]
    fn tied(&self) -> bool {
        self.0.tied()
    }

    /// starts: int64; scores in the type of the rows; others uint32 or int64.
    fn fill(
        &self,
        py: Python,
        starts: &Bound<PyAny>,
        scores: &Bound<PyAny>,
        amounts: [Bound<PyAny>; 3],
        threads: usize,
    ) -> PyResult<()> {
        let (mut starts, mut scores) = (Column::new(starts)?, Column::new(scores)?);
        let [up, below, tied] = &amounts;
        let mut columns = [Column::new(up)?, Column::new(below)?, Column::new(tied)?];
        starts.write::<i64>()?.copy_from_slice(self.0.starts());
        match (scores.kind(), columns[0].kind()) {
            (b'f', b'I') => self.write::<f32, u32>(py, &mut scores, &mut columns, threads),
            (b'f', _) => self.write::<f32, i64>(py, &mut scores, &mut columns, threads),
            (_, b'I') => self.write::<f64, u32>(py, &mut scores, &mut columns, threads),
            _ => self.write::<f64, i64>(py, &mut scores, &mut columns, threads),
        }
    }
}

impl Points {
    fn write<S: Score + Number, N: WholeNumber>(
        &self,
        py: Python,
        scores: &mut Column,
        columns: &mut [Column; 3],
        threads: usize,
    ) -> PyResult<()> {
        let scores = scores.write::<S>()?;
        let [up, below, tied] = columns;
        let columns = [up.write::<N>()?, below.write::<N>()?, tied.write::<N>()?];
        if columns.iter().any(|column| column.len() != self.0.count())
            || scores.len() != self.0.count()
        {
            return Err(PyValueError::new_err("columns of another length"));
        }
        guarded(py, threads, |workers| fill(&*self.0, scores, columns, workers))?
            .map_err(PyTypeError::new_err)
    }
}

/// Totals of each slice, 14 words of 64 bits each, and the points; None: the kernel declines.
type Answer<'py> = Option<(Bound<'py, PyBytes>, Option<Points>)>;

/// The curves of all slices; weights are float32, float64, or uint64 in multiples of 2**unit.
#[pyfunction]
fn curve_points<'py>(
    py: Python<'py>,
    chunks: Given<'py>,
    slices: usize,
    unit: i32,
    points: bool,
    threads: usize,
) -> PyResult<Answer<'py>> {
    let held = chunks
        .iter()
        .map(|(codes, scores, positive, weights)| {
            Ok((
                codes.as_ref().map(Column::new).transpose()?,
                Column::new(scores)?,
                Column::new(positive)?,
                weights.as_ref().map(Column::new).transpose()?,
            ))
        })
        .collect::<PyResult<Vec<_>>>()?;
    let call = Call { py, held: &held, slices, unit, points, threads };
    match held.first().map_or(b'd', |chunk| chunk.1.kind()) {
        b'f' => call.weighted::<f32>(),
        _ => call.weighted::<f64>(),
    }
}

type Held = (Option<Column>, Column, Column, Option<Column>);

struct Call<'a, 'py> {
    py: Python<'py>,
    held: &'a [Held],
    slices: usize,
    unit: i32,
    points: bool,
    threads: usize,
}

/// Scores with the keys that slices need.
trait Sliceable: Score + Number {
    fn sliced<'py, W: Counted<A>, A: Amount>(
        call: &Call<'_, 'py>,
        chunks: &[Chunk<Self, W>],
    ) -> PyResult<Answer<'py>>;
    fn plain<'py, W: Counted<A>, A: Amount>(
        call: &Call<'_, 'py>,
        chunks: &[Chunk<Self, W>],
    ) -> PyResult<Answer<'py>>;
}

impl Sliceable for f32 {
    fn sliced<'py, W: Counted<A>, A: Amount>(
        call: &Call<'_, 'py>,
        chunks: &[Chunk<f32, W>],
    ) -> PyResult<Answer<'py>> {
        let facts = call.facts(chunks)?;
        call.run::<Sliced<f32, u64>, W, A>(chunks, &facts)
    }
    fn plain<'py, W: Counted<A>, A: Amount>(
        call: &Call<'_, 'py>,
        chunks: &[Chunk<f32, W>],
    ) -> PyResult<Answer<'py>> {
        call.run::<Plain<f32>, W, A>(chunks, &SliceFacts::one(crate::rows::count(chunks)))
    }
}

impl Sliceable for f64 {
    fn sliced<'py, W: Counted<A>, A: Amount>(
        call: &Call<'_, 'py>,
        chunks: &[Chunk<f64, W>],
    ) -> PyResult<Answer<'py>> {
        let facts = call.facts(chunks)?;
        if facts.frame.bits(call.slices) <= u64::BITS {
            return call.run::<Sliced<f64, u64>, W, A>(chunks, &facts);
        }
        call.run::<Sliced<f64, u128>, W, A>(chunks, &facts)
    }
    fn plain<'py, W: Counted<A>, A: Amount>(
        call: &Call<'_, 'py>,
        chunks: &[Chunk<f64, W>],
    ) -> PyResult<Answer<'py>> {
        call.run::<Plain<f64>, W, A>(chunks, &SliceFacts::one(crate::rows::count(chunks)))
    }
}

const NARROW: f64 = (1u64 << 62) as f64;
const WIDE: f64 = NARROW * NARROW;

impl<'py> Call<'_, 'py> {
    fn weighted<S: Sliceable>(&self) -> PyResult<Answer<'py>> {
        let first = self.held.first().and_then(|chunk| chunk.3.as_ref());
        match first.map_or(0, Column::kind) {
            0 => {
                let ones: Vec<Vec<()>> =
                    self.held.iter().map(|chunk| vec![(); chunk.1.0.item_count()]).collect();
                let chunks = self.chunks::<S, ()>(|number| Ok(&ones[number]))?;
                self.slice::<S, (), u32>(&chunks)
            }
            b'f' => self.counted::<S, f32>(),
            b'd' => self.counted::<S, f64>(),
            _ => self.counted::<S, u64>(),
        }
    }

    fn counted<S: Sliceable, W>(&self) -> PyResult<Answer<'py>>
    where
        W: Number + Weight + Counted<u64> + Counted<u128>,
    {
        let chunks = self.chunks::<S, W>(|number| match &self.held[number].3 {
            Some(column) => column.read::<W>(),
            None => Err(PyTypeError::new_err("all chunks have weights, or none")),
        })?;
        let rough = guarded(self.py, self.threads, |workers| rough_weight(&chunks, workers))?;
        let most = rough * self.scale() * 1.01;
        if most < NARROW {
            return self.slice::<S, W, u64>(&chunks);
        }
        if most < WIDE && !self.points {
            return self.slice::<S, W, u128>(&chunks);
        }
        Ok(None)
    }

    fn scale(&self) -> f64 {
        2f64.powi(-self.unit)
    }

    fn chunks<'b, S: Number, W: Weight>(
        &'b self,
        weights: impl Fn(usize) -> PyResult<&'b [W]>,
    ) -> PyResult<Vec<Chunk<'b, S, W>>> {
        let chunks =
            self.held.iter().enumerate().map(|(number, (of_slice, scores, positive, _))| {
                let (scores, positive) = (scores.read::<S>()?, positive.read::<u8>()?);
                let (codes, weights) = (codes(of_slice)?, weights(number)?);
                let lengths = [positive.len(), weights.len(), codes.rows().unwrap_or(scores.len())];
                if lengths.iter().any(|length| *length != scores.len()) {
                    return Err(PyValueError::new_err("columns of different lengths"));
                }
                Ok(Chunk { codes, scores, positive, weights })
            });
        chunks.collect()
    }

    fn slice<S: Sliceable, W: Counted<A>, A: Amount>(
        &self,
        chunks: &[Chunk<S, W>],
    ) -> PyResult<Answer<'py>> {
        if crate::rows::count(chunks) >= MOST_ROWS || self.slices == 0 || self.slices >= MOST_ROWS {
            return Ok(None);
        }
        if self.slices == 1 {
            S::plain::<W, A>(self, chunks)
        } else {
            S::sliced::<W, A>(self, chunks)
        }
    }

    fn facts<S: Score, W: Weight>(&self, chunks: &[Chunk<S, W>]) -> PyResult<SliceFacts<S::Bits>> {
        let slices = self.slices;
        guarded(self.py, self.threads, |workers| SliceFacts::new(chunks, slices, workers))
    }

    fn run<K: Key, W: Counted<A>, A: Amount>(
        &self,
        chunks: &[Chunk<K::Score, W>],
        facts: &SliceFacts<<K::Score as Score>::Bits>,
    ) -> PyResult<Answer<'py>> {
        let (scale, points) = (self.scale(), self.points);
        let made = guarded(self.py, self.threads, |workers| {
            let curves = curves_of::<K, W, A>(chunks, facts, scale, points, workers)?;
            Some((words(&curves.joined.totals), points.then(|| Points(boxed(curves)))))
        })?;
        let (totals, points) = made.ok_or_else(|| PyMemoryError::new_err("the rows in parts"))?;
        let bytes = PyBytes::new_with(self.py, totals.len(), |bytes| {
            bytes.copy_from_slice(&totals);
            Ok(())
        })?;
        Ok(Some((bytes, points)))
    }
}

fn boxed<A: Amount, S: Score>(curves: Curves<A, S>) -> Box<dyn Fill> {
    Box::new(crate::curves::output::Columns::new(curves))
}

fn words(totals: &[Total]) -> Vec<u8> {
    let mut bytes = room(totals.len() * 14 * size_of::<u64>());
    for total in totals {
        let halves = |number: u128| [number as u64, (number >> 64) as u64];
        let ends = [total.lowest.to_bits(), total.highest.to_bits()];
        let sums = [halves(total.positives), halves(total.negatives)];
        let areas = [total.doubled_area.words(), total.tied_pairs.words()];
        let words = ends.iter().chain(sums.as_flattened()).chain(areas.as_flattened());
        words.for_each(|word| bytes.put_slice(&word.to_ne_bytes()));
    }
    bytes
}

pub fn add(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_class::<Points>()?;
    module.add_function(wrap_pyfunction!(curve_points, module)?)
}
