//! Rows of a group compared with each other: plain loops over signed words of a fixed width, which
//! become vector instructions.

use crate::keys::Bits;
use crate::memory::Grow;
use crate::vectors::with_avx2;

/// Words that are compared many at a time: in a signed type, which vectors have comparisons of.
pub trait Compared: Bits {
    type Signed: Copy + Default + Send + Sync;
    /// Below every word of a finite score.
    const PADDING: Self::Signed;
    fn signed(self) -> Self::Signed;
    /// How many words are above each of some, and how many are not below it.
    ///
    /// Words are padded to a multiple of LANES; `from_words` does that.
    fn ranks(words: &[Self::Signed], chosen: &[Self::Signed], into: &mut [[u32; 2]]);
    /// Σ over chosen words of (words below) − (words above), the padding among them.
    fn surplus(words: &[Self::Signed], chosen: &[Self::Signed]) -> i64;
}

/// What a loop of vectors takes at a time: no number is left for a loop without.
pub const LANES: usize = 32;

/// Signed words, padded to a multiple of LANES.
pub fn signed_words<B: Compared>(
    words: impl Iterator<Item = B>,
    into: &mut Vec<<B as Compared>::Signed>,
) {
    into.clear();
    into.put_all(words.map(B::signed));
    into.grow_to(into.len().next_multiple_of(LANES), B::PADDING);
}

macro_rules! compared {
    ($bits:ty, $signed:ty, $ranks:ident, $ranks_plain:ident, $ranks_avx2:ident,
     $surplus:ident, $surplus_plain:ident, $surplus_avx2:ident) => {
        impl Compared for $bits {
            type Signed = $signed;
            const PADDING: $signed = <$signed>::MIN;
            #[inline(always)]
            fn signed(self) -> $signed {
                (self ^ (1 << (<$bits>::BITS - 1))) as $signed
            }
            fn ranks(words: &[$signed], chosen: &[$signed], into: &mut [[u32; 2]]) {
                $ranks(words, chosen, into)
            }
            fn surplus(words: &[$signed], chosen: &[$signed]) -> i64 {
                $surplus(words, chosen)
            }
        }

        with_avx2! {
            fn $ranks, $ranks_plain, $ranks_avx2(
                words: &[$signed], chosen: &[$signed], into: &mut [[u32; 2]]
            ) -> () {
                // Plain loops: arrays of lanes were sometimes taken apart, and nine times as slow.
                let count = words.len() as u32;
                for (place, &word) in chosen.iter().enumerate() {
                    let (mut above, mut below) = (0 as $signed, 0 as $signed);
                    for other in words {
                        above += (*other > word) as $signed;
                        below += (*other < word) as $signed;
                    }
                    into[place] = [above as u32, count - below as u32];
                }
            }

            fn $surplus, $surplus_plain, $surplus_avx2(
                words: &[$signed], chosen: &[$signed]
            ) -> i64 {
                let mut sum = 0;
                for word in chosen {
                    let (mut above, mut below) = (0 as $signed, 0 as $signed);
                    for other in words {
                        above += (*other > *word) as $signed;
                        below += (*other < *word) as $signed;
                    }
                    sum += (below - above) as i64;
                }
                sum
            }
        }
    };
}
compared!(
    u32,
    i32,
    ranks_u32,
    ranks_u32_plain,
    ranks_u32_avx2,
    surplus_u32,
    surplus_u32_plain,
    surplus_u32_avx2
);
compared!(
    u64,
    i64,
    ranks_u64,
    ranks_u64_plain,
    ranks_u64_avx2,
    surplus_u64,
    surplus_u64_plain,
    surplus_u64_avx2
);

#[cfg(test)]
mod tests {
    use super::*;

    fn check<B: Compared + std::fmt::Debug>(words: Vec<B>) {
        for count in [0, 1, 31, 32, 33, words.len()] {
            let (words, mut signed) = (&words[..count], vec![]);
            signed_words(words.iter().copied(), &mut signed);
            let chosen: Vec<_> = words.iter().map(|word| word.signed()).collect();
            let mut ranks = vec![[0; 2]; count];
            B::ranks(&signed, &chosen, &mut ranks);
            let count_of =
                |test: &dyn Fn(&B) -> bool| words.iter().filter(|word| test(word)).count();
            for (word, rank) in words.iter().zip(&ranks) {
                let expected = [count_of(&|other| other > word), count_of(&|other| other >= word)];
                assert_eq!(*rank, expected.map(|count| count as u32), "{word:?} of {count}");
            }
            let padding = ((signed.len() - count) * count) as i64;
            let below: i64 = words.iter().map(|word| count_of(&|other| other < word) as i64).sum();
            let above: i64 = words.iter().map(|word| count_of(&|other| other > word) as i64).sum();
            assert_eq!(B::surplus(&signed, &chosen), below - above + padding);
        }
    }

    #[test]
    fn words_are_compared_as_they_are_ordered() {
        let mixed = |row: u64| row.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        check((0..700).map(|row| (mixed(row) >> 32) as u32 | 1).collect());
        check((0..700).map(|row| (mixed(row) >> 60) as u32 + u32::MAX / 2 - 7).collect());
        check((0..700).map(|row| mixed(row) | 1).collect());
        check((0..700).map(|row| (mixed(row) >> 60) + u64::MAX / 2 - 7).collect());
    }
}
