//! Cells of rows with about the same logit: exact moments of the place in a cell.

use super::Reading;
use crate::keys::Score;
use crate::memory::{Grow, filled, room};
use crate::sorted::runs::{Piece, Run, by_piece, pieces};
use crate::workers::Workers;
use std::ops::Range;

/// The sums of one class in a cell: of the weight, and of the weight times t, t² and t³.
pub type Moments = [u128; 4];

/// A cell of one class.
#[derive(Clone, Copy)]
struct Cell {
    slice: u32,
    code: i64,
    moments: Moments,
}

/// The cells that have rows, by slice and code; and for each slice the weight of rows in none.
pub struct Cells {
    classes: [Vec<Cell>; 2],
    /// The cell of each class, NONE: it has no rows there.
    places: Vec<[u32; 2]>,
    pub infinite: Vec<u64>,
}

const NONE: u32 = u32::MAX;

impl Cells {
    pub fn codes(&self) -> impl Iterator<Item = (usize, i64)> {
        self.places.iter().map(|places| {
            let class = (places[0] == NONE) as usize;
            let cell = &self.classes[class][places[class] as usize];
            (cell.slice as usize, cell.code)
        })
    }

    /// One moment of a class in every cell.
    pub fn moments(&self, class: usize, number: usize) -> impl Iterator<Item = u128> {
        let cells = &self.classes[class];
        let moment = move |cell: &Cell| cell.moments[number];
        self.places.iter().map(move |places| cells.get(places[class] as usize).map_or(0, moment))
    }
}

const MANTISSA: u32 = 52;
const LIFT: f64 = (1u64 << 60) as f64;
const TOP: i64 = 1 << 61; // the code of a cell of 1 − q is subtracted from it
const LIFTED: i64 = 1 << 60; // is subtracted from the code of a cell of lifted numbers
const PLACES: f64 = (1u64 << 31) as f64;

/// None where the call was interrupted. bits: of each slice, from 1 to 52
pub fn level_cells<S: Score>(
    runs: &[Run<S>; 2],
    bits: &[i64],
    reading: Reading,
    workers: &Workers,
) -> Option<Cells> {
    let pieces: Vec<Piece> = pieces(runs, workers);
    let found = by_piece(&pieces, workers, |piece| cells_of(runs, piece, bits, reading))?;
    let mut infinite = filled(0, bits.len());
    let mut classes = [Vec::new(), Vec::new()];
    for piece in found {
        for (cells, more) in classes.iter_mut().zip(piece.classes) {
            cells.put_all(more);
        }
        piece.infinite.into_iter().for_each(|(slice, weight)| infinite[slice] += weight);
    }
    classes.iter_mut().for_each(unite);
    let places = join(&classes)?;
    Some(Cells { classes, places, infinite })
}

/// What is found in a piece: cells of both classes, and the weight of rows in none by slice.
#[derive(Default)]
struct Found {
    classes: [Vec<Cell>; 2],
    infinite: Vec<(usize, u64)>,
}

fn cells_of<S: Score>(runs: &[Run<S>; 2], piece: &Piece, bits: &[i64], reading: Reading) -> Found {
    let mut found = Found::default();
    for slice in piece.slices.clone() {
        let place = MANTISSA - bits[slice].clamp(1, MANTISSA as i64) as u32;
        for (class, rows) in piece.of(runs, slice).into_iter().enumerate() {
            let cells = &mut found.classes[class];
            let none = add_rows(&runs[class], rows, place, reading, slice as u32, cells);
            if none > 0 {
                found.infinite.put((slice, none));
            }
        }
    }
    found
}

/// Brings the cells of a class in order, each once: pieces may share one, and probabilities of
/// downsampled scores may fall where they were rounded.
fn unite(cells: &mut Vec<Cell>) {
    let key = |cell: &Cell| (cell.slice, cell.code);
    if !cells.is_sorted_by_key(key) {
        cells.sort_unstable_by_key(key);
    }
    cells.dedup_by(|next, cell| {
        let same = key(next) == key(cell);
        if same {
            cell.moments.iter_mut().zip(next.moments).for_each(|(sum, more)| *sum += more);
        }
        same
    });
}

/// The places of the cells of both classes; None where there are more than fit.
fn join([up, down]: &[Vec<Cell>; 2]) -> Option<Vec<[u32; 2]>> {
    if up.len().max(down.len()) >= NONE as usize {
        return None;
    }
    let mut places = room(up.len().max(down.len()));
    let key = |cell: Option<&Cell>| cell.map_or((NONE, 0), |cell| (cell.slice, cell.code));
    let (mut own, mut other) = (0, 0);
    while own < up.len() || other < down.len() {
        let order = key(up.get(own)).cmp(&key(down.get(other)));
        let (first, second) = (order.is_le(), order.is_ge());
        places
            .put([if first { own as u32 } else { NONE }, if second { other as u32 } else { NONE }]);
        own += first as usize;
        other += second as usize;
    }
    Some(places)
}

/// Adds the cells of a slice's rows of one class; the weight of rows in none.
fn add_rows<S: Score>(
    run: &Run<S>,
    rows: Range<usize>,
    place: u32,
    reading: Reading,
    slice: u32,
    cells: &mut Vec<Cell>,
) -> u64 {
    let mut none = 0;
    let scale = f64::from_bits(((1023 - place) as u64) << MANTISSA); // 2^-place
    let mut cell = Cell { slice, code: 0, moments: Moments::default() };
    for row in rows {
        let (q, weight) = (reading.clipped(run.scores[row].wide()), run.weights.at(row));
        if q <= 0.0 || q >= 1.0 {
            none += weight;
            continue;
        }
        let (code, terms) = position(q, place, scale);
        if code != cell.code {
            if cell.moments[0] > 0 {
                cells.put(cell);
            }
            cell = Cell { slice, code, moments: Moments::default() };
        }
        cell.moments[0] += weight as u128;
        for (sum, term) in cell.moments[1..].iter_mut().zip(terms) {
            *sum += weight as u128 * term as u128;
        }
    }
    if cell.moments[0] > 0 {
        cells.put(cell);
    }
    none
}

/// The code of a cell, and t, t² and t³ in whole multiples of a power of two.
#[inline(always)]
fn position(q: f64, place: u32, scale: f64) -> (i64, [u64; 3]) {
    let (above, tiny) = (q >= 0.5, q < f64::MIN_POSITIVE);
    let number = if above {
        1.0 - q
    } else if tiny {
        q * LIFT
    } else {
        q
    };
    let bits = number.to_bits() as i64;
    let code = bits >> place;
    let code = if above {
        TOP - code
    } else if tiny {
        code - LIFTED
    } else {
        code
    };
    let rest = (bits & ((1 << place) - 1)) as u64;
    let t = rest as f64 * scale;
    let square = t * t;
    let cube = square * t;
    (code, [rest, (square * PLACES) as i64 as u64, (cube * PLACES) as i64 as u64])
}
