//! The area of one part of a slice without weights: nothing is sorted.
//!
//! Keys of the smaller class stand in lines, where those of the other are looked up.

use crate::amounts::Amount;
use crate::curves::lines::{Filling, Lines, Ranks};
use crate::curves::part::SliceSums;
use crate::keys::{Bits, Key};
use crate::memory::{Grow, Zeroed};
use crate::partition::scatter::{Parts, Row, RowOf, usual_part};
use crate::rows::BLOCK;

const PAUSE: usize = 16; // parts that are not tried after one that had too many equal keys

const USUAL: usize = 8; // parts: more keys than these have rows are mostly the same, and not copied

/// Memory that is used again for the next part.
pub struct PartArea<B: Bits> {
    most: usize, // keys
    lines: Lines<B>,
    filling: Filling<B>,
    keys: Vec<B>,
    pause: usize,
}

impl<B: Bits> PartArea<B> {
    /// For the parts of so many rows.
    pub fn new(rows: usize) -> Self {
        PartArea {
            most: USUAL * usual_part(rows),
            lines: Lines::empty(),
            filling: Filling::default(),
            keys: vec![],
            pause: 0,
        }
    }

    /// What a part has; None where many keys are equal, so that others know better.
    pub fn sums<K: Key<Word = B>, W: Copy, A: Amount>(
        &mut self,
        parts: &Parts<RowOf<K, W>>,
        part: usize,
        ends: bool,
    ) -> Option<SliceSums<A, K::Score>>
    where
        Row<B, W>: Zeroed + Send,
    {
        if self.pause > 0 {
            self.pause -= 1;
            return None;
        }
        let counts = [0, 1].map(|class| parts.count(part, class));
        let rarer = (counts[1] < counts[0]) as usize;
        if counts[rarer] > self.most {
            return None;
        }
        let pages = [0, 1].map(|class| parts.pages(part, class));
        let Some(ranks) = self.ranked(pages, rarer) else {
            self.pause = PAUSE;
            return None;
        };
        let all = 2 * counts[0] as u64 * counts[1] as u64;
        let twice = 2 * ranks.below + ranks.tied;
        let (mut low, mut high) = (B::highest(), B::default());
        if ends {
            for row in [0, 1].into_iter().flat_map(|class| parts.pages(part, class)).flatten() {
                (low, high) = (low.min(row.word), high.max(row.word));
            }
        }
        let frame = Default::default();
        Some(SliceSums {
            code: 0,
            positives: A::count(counts[0]),
            negatives: A::count(counts[1]),
            doubled_area: A::area(if rarer == 0 { all - twice } else { twice }),
            tied_pairs: A::area(ranks.tied),
            lowest: K::score(&frame, low),
            highest: K::score(&frame, high),
            points: 0,
        })
    }

    /// The rows of the other class among those of the rarer.
    fn ranked<'a, W: Copy + 'a>(
        &mut self,
        pages: [impl Iterator<Item = &'a [Row<B, W>]>; 2],
        rarer: usize,
    ) -> Option<Ranks> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
            // SAFETY: the processor has what the function needs; one with BMI2 has BMI1.
            return unsafe { self.ranked_with_avx2(pages, rarer) };
        }
        self.ranked_plainly(pages, rarer)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn ranked_with_avx2<'a, W: Copy + 'a>(
        &mut self,
        pages: [impl Iterator<Item = &'a [Row<B, W>]>; 2],
        rarer: usize,
    ) -> Option<Ranks> {
        self.ranked_plainly(pages, rarer)
    }

    #[inline(always)]
    fn ranked_plainly<'a, W: Copy + 'a>(
        &mut self,
        pages: [impl Iterator<Item = &'a [Row<B, W>]>; 2],
        rarer: usize,
    ) -> Option<Ranks> {
        let [mut first, mut second] = pages;
        let (own, others): (&mut dyn Iterator<Item = _>, &mut dyn Iterator<Item = _>) =
            if rarer == 0 { (&mut first, &mut second) } else { (&mut second, &mut first) };
        self.keys.clear();
        for page in own {
            self.keys.put_all(page.iter().map(|row: &Row<B, W>| row.word));
        }
        if !self.lines.refill(&self.keys, &mut self.filling) {
            return None;
        }
        let (mut words, mut ranks) = ([B::default(); BLOCK], Ranks::default());
        for rows in others.flat_map(|page| page.chunks(BLOCK)) {
            for (word, row) in words.iter_mut().zip(rows) {
                *word = row.word;
            }
            self.lines.rank(&words[..rows.len()], &mut ranks);
        }
        Some(ranks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Plain;
    use crate::partition::scatter::partition;
    use crate::partition::slices::SliceFacts;
    use crate::rows::{Chunk, Codes};
    use crate::workers::Workers;

    #[test]
    fn a_huge_part_of_one_score_is_not_copied() {
        let rows = 300_000;
        let positive: Vec<u8> = (0..rows).map(|row| (row % 2) as u8).collect();
        let (scores, weights) = (vec![0.5f32; rows], vec![(); rows]);
        let chunk =
            Chunk { codes: Codes::One, scores: &scores, positive: &positive, weights: &weights };
        let workers = Workers::new(1, &|| false);
        let parts =
            partition::<Plain<f32>, ()>(&[chunk], &SliceFacts::one(rows), &workers).unwrap();
        let mut area = PartArea::new(rows);
        let mut largest = 0;
        for part in (0..parts.codes.len()).filter(|part| parts.count(*part, 0) > 0) {
            assert!(area.sums::<Plain<f32>, (), u32>(&parts, part, true).is_none());
            largest = largest.max(parts.count(part, 0));
        }
        assert!(largest == rows / 2 && area.keys.capacity() == 0);
    }
}
