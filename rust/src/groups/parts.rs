//! Rows by group: parts of whole groups, which fit the cache.
//!
//! Rows whose codes rise are cut into parts where they are; others are scattered by code, so that a
//! part has all rows of some codes that follow one another.

use crate::amounts::Weight;
use crate::groups::by_slice::{Slices, Split};
use crate::groups::rows::{CLASSES, GroupedRows, HITS, OTHERS, PART, UNSCORED, Weights};
use crate::keys::{Bits, Score};
use crate::memory::{Grow, Zeroed, gathered};
use crate::partition::bins::{ScoreBins, sample_step};
use crate::partition::pages::{Pages, Writer, prefetch};
use crate::partition::scatter::{Row, part_size};
use crate::rows::BLOCK;
use crate::workers::Workers;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A row that was moved to its part. Above the code there may be a tag; number: of the row, or its
/// tag where both do not fit 32 bits, or nothing.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Record<B, W, N> {
    bits: B,
    code: u32,
    number: N,
    weight: W,
}

// SAFETY: all of these are numbers, or nothing.
unsafe impl<B: Bits, W: Weight, N: Number> Zeroed for Record<B, W, N> {}

/// A number that a record has, or that stands above its code, which has `width` bits.
trait Number: Copy + Default + Send + Sync + 'static {
    fn kept(code: u32, number: u32, width: u32) -> (u32, Self);
    fn found(self, code: u32, width: u32) -> u32;
}

impl Number for () {
    #[inline(always)]
    fn kept(code: u32, number: u32, width: u32) -> (u32, Self) {
        (code | ((number as u64) << width) as u32, ())
    }
    #[inline(always)]
    fn found(self, code: u32, width: u32) -> u32 {
        ((code as u64) >> width) as u32
    }
}

impl Number for u32 {
    #[inline(always)]
    fn kept(code: u32, number: u32, _: u32) -> (u32, Self) {
        (code, number)
    }
    #[inline(always)]
    fn found(self, _: u32, _: u32) -> u32 {
        self
    }
}

/// Where the rows of each part are.
enum Places<B, W> {
    /// Codes rise: the ends of the parts.
    Adjacent(Vec<usize>),
    /// By class of a part.
    Moved(Moved<B, W, ()>),
    Numbered(Moved<B, W, u32>),
}

/// The rows of a part, by group.
pub struct PartRows<B, W> {
    pub codes: Vec<u32>,
    classes: [ClassRows<B, W>; CLASSES],
}

/// The rows of one class, by group; numbers: which rows of the call they are, or their tags.
///
/// Rows and numbers are as many as a part ever had.
struct ClassRows<B, W> {
    starts: Vec<u32>,
    rows: Vec<Row<B, W>>,
    numbers: Vec<u32>,
}

/// The rows of one group, by class; numbers are 0 where they are not wanted.
#[derive(Clone, Copy)]
pub struct Group<'a, B, W> {
    pub rows: [&'a [Row<B, W>]; CLASSES],
    pub numbers: [&'a [u32]; CLASSES],
}

impl<B: Bits, W: Weight> Default for PartRows<B, W> {
    fn default() -> Self {
        let class = || ClassRows { starts: vec![], rows: vec![], numbers: vec![] };
        PartRows { codes: vec![], classes: [class(), class(), class()] }
    }
}

impl<B: Bits, W: Weight> PartRows<B, W> {
    pub fn group(&self, place: usize) -> Group<'_, B, W> {
        let range = |class: &ClassRows<B, W>| {
            class.starts[place] as usize..class.starts[place + 1] as usize
        };
        Group {
            rows: self.classes.each_ref().map(|class| &class.rows[range(class)]),
            numbers: self.classes.each_ref().map(|class| &class.numbers[range(class)]),
        }
    }

    /// The rows so far are those of the groups before the next one.
    fn end_group(&mut self, ends: &[usize; CLASSES]) {
        for (class, &end) in self.classes.iter_mut().zip(ends) {
            class.starts.put(end as u32);
        }
    }

    fn clear(&mut self) {
        self.codes.clear();
        for class in &mut self.classes {
            class.starts.clear();
        }
    }
}

impl<B: Bits, W: Weight> ClassRows<B, W> {
    fn reserve(&mut self, count: usize) {
        if self.rows.len() < count {
            self.rows.grow_to(count, Row::default());
            self.numbers.grow_to(count, 0);
        }
    }
}

/// The parts of all rows.
pub struct GroupParts<'a, 'b, S: Score, W, G> {
    rows: &'a GroupedRows<'b, S>,
    weights: &'a G,
    places: Places<S::Bits, W>,
    count: usize,
    numbered: bool,
}

impl<'a, 'b, S: Score, W: Weight, G: Weights<W>> GroupParts<'a, 'b, S, W, G> {
    /// None where there is no memory, or the call was interrupted; numbered: whether the numbers of
    /// rows are wanted.
    pub fn new(
        rows: &'a GroupedRows<'b, S>,
        weights: &'a G,
        numbered: bool,
        workers: &Workers,
    ) -> Option<Self> {
        if rows.rise(workers) {
            let ends = rows.ends();
            let (count, places) = (ends.len() - 1, Places::Adjacent(ends));
            return Some(GroupParts { rows, weights, places, count, numbered });
        }
        let count = rows.scores.len();
        let sample = || rows.codes.sample(sample_step(count), rows.groups - 1);
        let bins = ScoreBins::of(sample, count / part_size(count, PART));
        let count = bins.count as usize;
        let of_groups = (rows.groups - 1).width();
        let beside = rows.tags.is_some_and(|tags| of_groups + tags.bits() <= u32::BITS);
        let width = if beside { of_groups } else { u32::BITS };
        let places = if numbered && !beside {
            Places::Numbered(rows.moved(weights, bins, width, workers)?)
        } else {
            Places::Moved(rows.moved(weights, bins, width, workers)?)
        };
        Some(GroupParts { rows, weights, places, count, numbered })
    }

    /// What `work` makes of each part, in the order of their codes. `work` has a scratch.
    pub fn each<C: Default, T: Send>(
        &self,
        workers: &Workers,
        work: impl Fn(&PartRows<S::Bits, W>, &mut C) -> T + Sync,
    ) -> Option<Vec<T>> {
        in_parts(self.count, workers, |number, memory: &mut Loaded<S::Bits, W, C>| {
            let (Loaded { part, places, scratch }, numbered) = (memory, self.numbered);
            part.clear();
            match &self.places {
                Places::Adjacent(ends) => {
                    let rows = ends[number]..ends[number + 1];
                    self.rows.read(rows, self.weights, numbered, part)
                }
                Places::Moved(moved) => moved.load(number, numbered, places, part),
                Places::Numbered(moved) => moved.load(number, numbered, places, part),
            }
            work(part, scratch)
        })
    }
}

/// What `work` makes of each part, in their order; its memory is that of a thread.
pub fn in_parts<C: Default, T: Send>(
    count: usize,
    workers: &Workers,
    work: impl Fn(usize, &mut C) -> T + Sync,
) -> Option<Vec<T>> {
    let next = AtomicUsize::new(0);
    let made = workers.run(|worker| {
        let (mut memory, mut made) = (C::default(), Vec::new());
        while worker.goes_on() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            made.put((number, work(number, &mut memory)));
        }
        made
    });
    if workers.stopped() {
        return None;
    }
    let mut found: Vec<_> = gathered(made.into_iter().flatten());
    found.sort_unstable_by_key(|(number, _)| *number);
    Some(gathered(found.into_iter().map(|(_, made)| made)))
}

/// Memory of one thread.
struct Loaded<B, W, C> {
    part: PartRows<B, W>,
    places: Vec<u32>,
    scratch: C,
}

impl<B: Bits, W: Weight, C: Default> Default for Loaded<B, W, C> {
    fn default() -> Self {
        Loaded { part: PartRows::default(), places: vec![], scratch: C::default() }
    }
}

impl<S: Score> GroupedRows<'_, S> {
    /// The rows of a part that are where they were.
    fn read<W: Weight>(
        &self,
        range: Range<usize>,
        weights: &impl Weights<W>,
        numbered: bool,
        part: &mut PartRows<S::Bits, W>,
    ) {
        let (mut codes, mut classes, mut numbers) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
        let mut ends = [0; CLASSES];
        part.classes.iter_mut().for_each(|class| class.reserve(range.len() + 1));
        for start in range.clone().step_by(BLOCK) {
            let rows = start..(start + BLOCK).min(range.end);
            self.codes.read(rows.clone(), self.groups - 1, &mut codes);
            self.classes(rows.clone(), &mut classes);
            if numbered {
                self.numbers(rows.clone(), &mut numbers);
            }
            let mut from = rows.start;
            for run in codes[..rows.len()].chunk_by(|left, right| left == right) {
                if part.codes.last() != Some(&run[0]) {
                    part.codes.put(run[0]);
                    part.end_group(&ends);
                }
                let (rows, own) = (from..from + run.len(), from - start..from - start + run.len());
                let tags = classes[own.clone()].iter().zip(&numbers[own]);
                self.read_run(rows.clone(), weights, tags, part, &mut ends);
                from = rows.end;
            }
        }
        part.end_group(&ends);
    }

    /// Rows of one group. Each is written to all classes, and stays in its own: no branch.
    #[inline(always)]
    fn read_run<'a, W: Weight>(
        &self,
        rows: Range<usize>,
        weights: &impl Weights<W>,
        tags: impl Iterator<Item = (&'a u8, &'a u32)>,
        part: &mut PartRows<S::Bits, W>,
        ends: &mut [usize; CLASSES],
    ) {
        let [hits, others, unscored] = &mut part.classes;
        let [mut hit, mut other, mut none] = *ends;
        for ((row, score), (&class, &number)) in rows.clone().zip(&self.scores[rows]).zip(tags) {
            let made = Row { word: score.bits(), weight: weights.of(row) };
            (hits.rows[hit], hits.numbers[hit]) = (made, number);
            hit += (class == HITS as u8) as usize;
            (others.rows[other], others.numbers[other]) = (made, number);
            other += (class == OTHERS as u8) as usize;
            if self.unscored.is_some() {
                (unscored.rows[none], unscored.numbers[none]) = (made, number);
                none += (class == UNSCORED as u8) as usize;
            }
        }
        *ends = [hit, other, none];
    }

    /// The rows by class of a part.
    fn moved<W: Weight, N: Number>(
        &self,
        weights: &impl Weights<W>,
        bins: ScoreBins<u32>,
        width: u32,
        workers: &Workers,
    ) -> Option<Moved<S::Bits, W, N>> {
        let classes = CLASSES * bins.count as usize;
        let pages = Pages::fill(self.scores.len(), classes, workers, |range, writer, worker| {
            for start in range.clone().step_by(BLOCK) {
                let rows = start..(start + BLOCK).min(range.end);
                self.scatter(rows, weights, (&bins, width), writer);
                if !worker.goes_on() {
                    break;
                }
            }
        })?;
        Some(Moved { pages, bins, width, last: self.groups - 1 })
    }

    fn scatter<W: Weight, N: Number>(
        &self,
        rows: Range<usize>,
        weights: &impl Weights<W>,
        (bins, width): (&ScoreBins<u32>, u32),
        writer: &mut Writer<Record<S::Bits, W, N>>,
    ) {
        let (mut codes, mut classes, mut places) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
        let mut numbers = [0; BLOCK];
        self.codes.read(rows.clone(), self.groups - 1, &mut codes);
        self.classes(rows.clone(), &mut classes);
        if size_of::<N>() > 0 || width < u32::BITS {
            self.numbers(rows.clone(), &mut numbers);
        }
        let stage = places.iter_mut().zip(&codes).zip(&classes);
        for ((place, &code), &class) in stage.take(rows.len()) {
            *place = writer.place(CLASSES * bins.bin(code) as usize + class as usize);
        }
        let staged = codes.iter().zip(&numbers).zip(&places);
        for ((row, score), ((&code, &number), &place)) in
            rows.clone().zip(&self.scores[rows]).zip(staged)
        {
            let ((code, number), weight) = (N::kept(code, number, width), weights.of(row));
            // SAFETY: the writer gave this place for this row.
            unsafe { writer.write(place, Record { bits: score.bits(), code, number, weight }) };
        }
    }
}

/// Pages of rows that were moved, to the parts of their codes.
struct Moved<B, W, N> {
    pages: Pages<Record<B, W, N>>,
    bins: ScoreBins<u32>,
    /// How many bits codes take, and the last of them.
    width: u32,
    last: u32,
}

impl<B: Bits, W: Weight, N: Number> Moved<B, W, N> {
    /// The first code of a part, or one above all codes.
    fn first(&self, part: usize) -> u32 {
        let (mut low, mut high) = (0, self.last as u64 + 1);
        while low < high {
            let middle = (low + high) / 2;
            if (self.bins.bin(middle as u32) as usize) < part {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low as u32
    }

    fn of(&self, part: usize, class: usize) -> impl Iterator<Item = &[Record<B, W, N>]> + Clone {
        self.pages.of(CLASSES * part + class)
    }

    /// The rows of a part; places: of the next row of each code.
    fn load(
        &self,
        number: usize,
        numbered: bool,
        places: &mut Vec<u32>,
        part: &mut PartRows<B, W>,
    ) {
        let (first, end) = (self.first(number), self.first(number + 1));
        let codes = end.saturating_sub(first) as usize;
        let mask = ((1u64 << self.width) - 1) as u32;
        places.clear();
        places.grow_to(CLASSES * codes, 0);
        if codes == 1 {
            places.iter_mut().zip(0..).for_each(|(count, class)| {
                *count = self.of(number, class).map(<[_]>::len).sum::<usize>() as u32;
            });
        } else {
            let mut all = (0..CLASSES).flat_map(|class| self.of(number, class)).peekable();
            for class in 0..CLASSES {
                let counts = &mut places[class * codes..(class + 1) * codes];
                for _ in self.of(number, class) {
                    let page = all.next().unwrap_or_default();
                    fetch(all.peek().copied().unwrap_or_default());
                    for record in page {
                        counts[((record.code & mask) - first) as usize] += 1;
                    }
                }
            }
        }
        let mut sums = [0; CLASSES];
        for code in 0..codes {
            let counts = [0, 1, 2].map(|class| places[class * codes + code]);
            if counts == [0; CLASSES] {
                continue;
            }
            part.codes.put(first + code as u32);
            for class in 0..CLASSES {
                part.classes[class].starts.put(sums[class]);
                places[class * codes + code] = sums[class];
                sums[class] += counts[class];
            }
        }
        for (class, rows) in part.classes.iter_mut().enumerate() {
            rows.starts.put(sums[class]);
            rows.reserve(sums[class] as usize);
            let next = &mut places[class * codes..(class + 1) * codes];
            let mut pages = self.of(number, class).peekable();
            let mut place = 0;
            while let Some(page) = pages.next() {
                if codes == 1 {
                    fetch(pages.peek().copied().unwrap_or_default());
                }
                for record in page {
                    if codes > 1 {
                        let next = &mut next[((record.code & mask) - first) as usize];
                        place = *next as usize;
                        *next += 1;
                    }
                    rows.rows[place] = Row { word: record.bits, weight: record.weight };
                    if numbered {
                        rows.numbers[place] = record.number.found(record.code, self.width);
                    }
                    place += 1;
                }
            }
        }
    }
}

/// Pages are all over memory: the next one is fetched while this one is read.
fn fetch<R>(page: &[R]) {
    page.iter().step_by(64 / size_of::<R>().clamp(1, 64)).for_each(|row| prefetch(row));
}

/// Runs `work` on every group of a part, in the total and in each column of slices.
pub fn each_group<B: Bits, W: Weight>(
    part: &PartRows<B, W>,
    slices: &[Slices],
    split: &mut Split<B, W>,
    mut work: impl FnMut(usize, u32, u32, &Group<B, W>),
) {
    for (place, &code) in part.codes.iter().enumerate() {
        let group = part.group(place);
        work(0, 0, code, &group);
        for (table, codes) in slices.iter().enumerate() {
            split.by_slice(&group, codes, |slice, group| work(table + 1, slice, code, group));
        }
    }
}
