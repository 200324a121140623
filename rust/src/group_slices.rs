//! The rows of a group by slice.

use crate::groups::{CLASSES, Group};
use crate::keys::Bits;
use crate::rows::Codes;
use crate::scatter::Row;

/// Memory that is used again for the next group.
pub struct Split<B, W> {
    slices: [Vec<u64>; CLASSES],
    rows: [Vec<Row<B, W>>; CLASSES],
    numbers: [Vec<u32>; CLASSES],
}

impl<B, W> Default for Split<B, W> {
    fn default() -> Self {
        let numbers = [vec![], vec![], vec![]];
        Split { slices: [vec![], vec![], vec![]], rows: [vec![], vec![], vec![]], numbers }
    }
}

impl<B: Bits, W: Copy> Split<B, W> {
    /// Runs `work` on the rows of each slice, by rising slice.
    pub fn by_slice(
        &mut self,
        group: &Group<B, W>,
        codes: &Codes,
        mut work: impl FnMut(u32, &Group<B, W>),
    ) {
        let (mut least, mut most) = (u32::MAX, 0);
        for (keys, numbers) in self.slices.iter_mut().zip(group.numbers) {
            keys.clear();
            keys.extend(numbers.iter().enumerate().map(|(place, &row)| {
                let slice = codes.at(row as usize);
                (least, most) = (least.min(slice), most.max(slice));
                (slice as u64) << 32 | place as u64
            }));
        }
        if least == most {
            return work(least, group);
        }
        for class in 0..CLASSES {
            let (keys, rows) = (&mut self.slices[class], group.rows[class]);
            keys.sort_unstable();
            self.rows[class].clear();
            self.rows[class].extend(keys.iter().map(|key| rows[*key as u32 as usize]));
            self.numbers[class].clear();
            let numbers = keys.iter().map(|key| group.numbers[class][*key as u32 as usize]);
            self.numbers[class].extend(numbers);
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

/// The order of groups by slice, for groups that are by code; ties stay in order.
pub fn slice_order(slices: &[u32]) -> Vec<u32> {
    let highest = slices.iter().copied().max().unwrap_or(0) as usize;
    if highest > 2 * slices.len() + 1024 {
        let mut order: Vec<u32> = (0..slices.len() as u32).collect();
        order.sort_by_key(|&place| slices[place as usize]);
        return order;
    }
    let mut next = vec![0u32; highest + 2];
    for &slice in slices {
        next[slice as usize + 1] += 1;
    }
    for slice in 0..highest {
        next[slice + 1] += next[slice];
    }
    let mut order = vec![0; slices.len()];
    for (place, &slice) in slices.iter().enumerate() {
        let to = &mut next[slice as usize];
        order[*to as usize] = place as u32;
        *to += 1;
    }
    order
}
