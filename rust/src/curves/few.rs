//! The curve of one slice whose scores have few distinct values: rows are counted, none is moved.

use crate::amounts::{Amount, Counted, Weight};
use crate::curves::part::{Point, SliceSums};
use crate::keys::{Bits, Score};
use crate::memory::{self, Grow, filled, gathered};
use crate::partition::bins::sample_step;
use crate::rows::{self, Chunk};
use crate::workers::Workers;

const ENOUGH: usize = 1 << 15; // rows: fewer are one or two parts
const SLOTS: u32 = 15; // bits: tables stay in the second cache
const MOST: usize = 1 << (SLOTS - 2); // distinct scores: probes stay short

/// The sums of all rows as those of one part, and its points.
pub type OnePart<A, S> = (SliceSums<A, S>, Vec<Point<A, S>>);

/// What rows of each class have at a score.
struct Counts<B, A> {
    scores: Vec<B>,
    sums: Vec<[A; 2]>,
    used: usize,
}

impl<B: Bits, A: Amount> Counts<B, A> {
    fn new() -> Self {
        let slots = 1 << SLOTS;
        Counts {
            scores: filled(B::default(), slots),
            sums: filled(Default::default(), slots),
            used: 0,
        }
    }

    /// False where there are too many scores. None has the number 0, which is a free slot.
    #[inline(always)]
    fn add(&mut self, word: B, class: usize, weight: A) -> bool {
        const MASK: usize = (1 << SLOTS) - 1;
        let mixed = (word.index() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut slot = (mixed >> (u64::BITS - SLOTS)) as usize;
        while self.scores[slot] != word {
            if self.scores[slot] == B::default() {
                self.scores[slot] = word;
                self.used += 1;
                break;
            }
            slot = (slot + 1) & MASK;
        }
        let sum = &mut self.sums[slot][class];
        *sum = sum.plus(weight);
        self.used <= MOST
    }
}

/// The sums of all rows, and the points where they are wanted; None where a sample has too many
/// distinct scores, or the rows, or the call was interrupted.
pub fn counted<S: Score, W: Counted<A>, A: Amount>(
    chunks: &[Chunk<S, W>],
    scale: f64,
    points: bool,
    workers: &Workers,
) -> Option<OnePart<A, S>> {
    let count = rows::count(chunks);
    if count < ENOUGH || !seem_few(chunks, 8 * sample_step(count)) {
        return None;
    }
    counted_all(chunks, scale, points, workers)
}

/// Whether a sample has each score more than once, mostly: 2,048 rows have 1,500 of 4,000 scores.
fn seem_few<S: Score, W: Weight>(chunks: &[Chunk<S, W>], step: usize) -> bool {
    let scores = chunks.iter().flat_map(|chunk| chunk.scores.iter().step_by(step));
    let mut sample = gathered(scores.map(|score| score.bits()));
    let rows = sample.len();
    sample.sort_unstable();
    sample.dedup();
    4 * sample.len() < 3 * rows
}

/// The same without a look at a sample.
pub fn counted_all<S: Score, W: Counted<A>, A: Amount>(
    chunks: &[Chunk<S, W>],
    scale: f64,
    points: bool,
    workers: &Workers,
) -> Option<OnePart<A, S>> {
    let count = rows::count(chunks);
    let found = workers.run(|worker| {
        let mut counts = Counts::<S::Bits, A>::new();
        for (chunk, rows) in
            rows::blocks(chunks, rows::share(count, worker.number, workers.threads))
        {
            let columns = chunk.scores[rows.clone()].iter().zip(&chunk.positive[rows.clone()]);
            for ((score, positive), weight) in columns.zip(&chunk.weights[rows]) {
                let weight = weight.amount(scale);
                // A score that has rows, but no weight, would not be told from one without rows.
                if (!W::ONE && weight.wide() == 0)
                    || !counts.add(score.bits(), (*positive == 0) as usize, weight)
                {
                    return None;
                }
            }
            if !worker.goes_on() {
                return None;
            }
        }
        Some(counts)
    });
    let mut all = Vec::new();
    for counts in found {
        let counts = counts?;
        let used = counts.scores.into_iter().zip(counts.sums);
        all.put_all(used.filter(|(word, _)| *word != S::Bits::default()));
    }
    all.sort_unstable_by_key(|(word, _)| *word);
    sums_of(&all, points)
}

/// The sums and points of counts by rising score, of which one may come several times.
fn sums_of<S: Score, A: Amount>(
    counts: &[(S::Bits, [A; 2])],
    wanted: bool,
) -> Option<OnePart<A, S>> {
    let mut sums = SliceSums {
        code: 0,
        positives: A::default(),
        negatives: A::default(),
        doubled_area: A::Area::default(),
        tied_pairs: A::Area::default(),
        lowest: S::from_bits(counts.first()?.0),
        highest: S::from_bits(counts.last()?.0),
        points: 0,
    };
    let mut points = memory::reserved(if wanted { counts.len() } else { 0 })?;
    for same in counts.chunk_by(|one, next| one.0 == next.0) {
        let sum =
            |class: usize| same.iter().fold(A::default(), |sum, other| sum.plus(other.1[class]));
        let (positives, tied, below) = (sum(0), sum(1), sums.negatives);
        // A score that only negatives have is no point.
        if positives.wide() > 0 {
            sums.points += 1;
            if wanted {
                points.put(Point { score: S::from_bits(same[0].0), positives, below, tied });
            }
        }
        let sides = below.plus(below).plus(tied);
        sums.doubled_area = A::plus_area(sums.doubled_area, positives.product(sides));
        sums.tied_pairs = A::plus_area(sums.tied_pairs, positives.product(tied));
        sums.positives = sums.positives.plus(positives);
        sums.negatives = sums.negatives.plus(tied);
    }
    Some((sums, points))
}
