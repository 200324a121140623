//! The rows of a group by slice.

use crate::groups::parts::Group;
use crate::groups::rows::CLASSES;
use crate::keys::Bits;
use crate::memory::{Grow, filled, gathered};
use crate::partition::scatter::Row;
use crate::rows::Codes;
use std::ops::RangeInclusive;

/// The slice of each row.
pub enum Slices<'a> {
    /// Its tag.
    Tags,
    Column(Codes<'a>),
}

/// The slices of tables: one column may be the tags of rows.
pub fn slices_of<'a>(columns: &[Codes<'a>], tagged: bool) -> Vec<Slices<'a>> {
    let of_column = |codes: &Codes<'a>| if tagged { Slices::Tags } else { Slices::Column(*codes) };
    columns.iter().map(of_column).collect()
}

/// Memory that is used again for the next group.
pub struct Split<B, W> {
    slices: [Vec<u64>; CLASSES],
    rows: [Vec<Row<B, W>>; CLASSES],
    numbers: [Vec<u32>; CLASSES],
    counts: Vec<u32>,
    sorted: Vec<u64>,
}

impl<B, W> Default for Split<B, W> {
    fn default() -> Self {
        Split {
            slices: [vec![], vec![], vec![]],
            rows: [vec![], vec![], vec![]],
            numbers: [vec![], vec![], vec![]],
            counts: vec![],
            sorted: vec![],
        }
    }
}

impl<B: Bits, W: Copy> Split<B, W> {
    /// Runs `work` on the rows of each slice, by rising slice.
    pub fn by_slice(
        &mut self,
        group: &Group<B, W>,
        slices: &Slices,
        mut work: impl FnMut(u32, &Group<B, W>),
    ) {
        let (mut least, mut most) = (u32::MAX, 0);
        for (keys, numbers) in self.slices.iter_mut().zip(group.numbers) {
            keys.clear();
            keys.put_all(numbers.iter().enumerate().map(|(place, &number)| {
                let slice = match slices {
                    Slices::Tags => number,
                    Slices::Column(codes) => codes.at(number as usize),
                };
                (least, most) = (least.min(slice), most.max(slice));
                (slice as u64) << 32 | place as u64
            }));
        }
        if least == most {
            return work(least, group);
        }
        for class in 0..CLASSES {
            let (keys, rows) = (&mut self.slices[class], group.rows[class]);
            sort(keys, least..=most, &mut self.counts, &mut self.sorted);
            self.rows[class].clear();
            self.rows[class].put_all(keys.iter().map(|key| rows[*key as u32 as usize]));
            self.numbers[class].clear();
            let numbers = keys.iter().map(|key| group.numbers[class][*key as u32 as usize]);
            self.numbers[class].put_all(numbers);
        }
        let mut starts = [0; CLASSES];
        while let Some(slice) = self.next_slice(&starts) {
            let mut ends = starts;
            for (end, keys) in ends.iter_mut().zip(&self.slices) {
                *end += keys[*end..].iter().take_while(|key| (*key >> 32) as u32 == slice).count();
            }
            let class = |class: usize| starts[class]..ends[class];
            work(
                slice,
                &Group {
                    rows: [0, 1, 2].map(|number| &self.rows[number][class(number)]),
                    numbers: [0, 1, 2].map(|number| &self.numbers[number][class(number)]),
                },
            );
            starts = ends;
        }
    }

    /// The lowest slice of the rows from `starts` on.
    fn next_slice(&self, starts: &[usize; CLASSES]) -> Option<u32> {
        let firsts = self.slices.iter().zip(starts).filter_map(|(keys, &start)| keys.get(start));
        firsts.min().map(|key| (key >> 32) as u32)
    }
}

/// Sorts keys by slice, their upper half; these are counted where there are more rows.
fn sort(
    keys: &mut Vec<u64>,
    slices: RangeInclusive<u32>,
    counts: &mut Vec<u32>,
    sorted: &mut Vec<u64>,
) {
    let (least, count) = (*slices.start(), (slices.end() - slices.start()) as usize + 1);
    if count > keys.len() {
        return keys.sort_unstable();
    }
    counts.clear();
    counts.grow_to(count + 1, 0);
    for key in keys.iter() {
        counts[((key >> 32) as u32 - least) as usize + 1] += 1;
    }
    for slice in 0..count {
        counts[slice + 1] += counts[slice];
    }
    sorted.clear();
    sorted.grow_to(keys.len(), 0);
    for key in keys.iter() {
        let next = &mut counts[((key >> 32) as u32 - least) as usize];
        sorted[*next as usize] = *key;
        *next += 1;
    }
    std::mem::swap(keys, sorted);
}

/// The order of groups by slice, for groups that are by code; ties stay in order.
pub fn slice_order(slices: &[u32]) -> Vec<u32> {
    let highest = slices.iter().copied().max().unwrap_or(0) as usize;
    if highest > 2 * slices.len() + 1024 {
        let mut order = gathered(0..slices.len() as u32);
        order.sort_unstable_by_key(|&place| (slices[place as usize], place));
        return order;
    }
    let mut next = filled(0u32, highest + 2);
    for &slice in slices {
        next[slice as usize + 1] += 1;
    }
    for slice in 0..highest {
        next[slice + 1] += next[slice];
    }
    let mut order = filled(0, slices.len());
    for (place, &slice) in slices.iter().enumerate() {
        let to = &mut next[slice as usize];
        order[*to as usize] = place as u32;
        *to += 1;
    }
    order
}
