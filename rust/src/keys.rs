//! Scores as whole numbers in the same order, alone or below a slice code.

use crate::groups::compare::Compared;
use crate::memory::Zeroed;

/// An unsigned whole number in the order of scores.
pub trait Bits: Copy + Ord + Send + Sync + Default + 'static {
    const BITS: u32;
    /// Eight of them, in one line of memory where they fit.
    type Eight: Eight<Self>;
    fn minus(self, base: Self) -> Self;
    fn right(self, shift: u32) -> Self;
    /// Its lowest bits, fewer than it has.
    fn low(self, bits: u32) -> Self;
    fn index(self) -> usize;
    fn less_one(self) -> Self;
    fn highest() -> Self;
    /// How many bits it needs.
    fn width(self) -> u32;
    /// The number of a counter.
    fn of(count: u32) -> Self;
    /// A counter, one higher where something is so.
    fn one_more(self, so: bool) -> Self;
}

/// Eight numbers side by side, which are compared at one time.
pub trait Eight<B>: Zeroed + Send + Sync + 'static {
    fn all(number: B) -> Self;
    fn lanes(&self) -> &[B; 8];
    fn lanes_mut(&mut self) -> &mut [B; 8];
}

macro_rules! bits {
    ($type:ty, $eight:ident, $align:expr) => {
        #[derive(Clone, Copy)]
        #[repr(C, align($align))]
        pub struct $eight([$type; 8]);
        impl Eight<$type> for $eight {
            fn all(number: $type) -> Self {
                $eight([number; 8])
            }
            #[inline(always)]
            fn lanes(&self) -> &[$type; 8] {
                &self.0
            }
            fn lanes_mut(&mut self) -> &mut [$type; 8] {
                &mut self.0
            }
        }
        // SAFETY: they are numbers.
        unsafe impl Zeroed for $eight {}
        impl Bits for $type {
            const BITS: u32 = <$type>::BITS;
            type Eight = $eight;
            #[inline(always)]
            fn minus(self, base: Self) -> Self {
                self.saturating_sub(base)
            }
            #[inline(always)]
            fn right(self, shift: u32) -> Self {
                self >> shift
            }
            #[inline(always)]
            fn low(self, bits: u32) -> Self {
                self & (((1 as Self) << bits) - 1)
            }
            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }
            fn less_one(self) -> Self {
                self.saturating_sub(1)
            }
            fn highest() -> Self {
                <$type>::MAX
            }
            #[inline(always)]
            fn width(self) -> u32 {
                <$type>::BITS - self.leading_zeros()
            }
            fn of(count: u32) -> Self {
                count as Self
            }
            #[inline(always)]
            fn one_more(self, so: bool) -> Self {
                self.wrapping_add(so as Self)
            }
        }
    };
}
bits!(u32, Eight32, 32);
bits!(u64, Eight64, 64);
bits!(u128, Eight128, 128);

/// A finite score, float32 or float64.
pub trait Score: Copy + Send + Sync + PartialOrd + Default + 'static {
    type Bits: Compared;
    /// Whole numbers in the order of scores, above 0; -0.0 is 0.0.
    fn bits(self) -> Self::Bits;
    fn from_bits(bits: Self::Bits) -> Self;
    fn wide(self) -> f64;
}

macro_rules! score {
    ($type:ty, $bits:ty) => {
        impl Score for $type {
            type Bits = $bits;
            #[inline(always)]
            fn bits(self) -> $bits {
                const TOP: $bits = 1 << (<$bits>::BITS - 1);
                let bits = (self + 0.0).to_bits(); // -0.0 + 0.0 is 0.0
                let negative = (bits >> (<$bits>::BITS - 1)).wrapping_neg();
                bits ^ (negative | TOP)
            }
            #[inline(always)]
            fn from_bits(bits: $bits) -> Self {
                const TOP: $bits = 1 << (<$bits>::BITS - 1);
                <$type>::from_bits(if bits & TOP != 0 { bits ^ TOP } else { !bits })
            }
            #[inline(always)]
            fn wide(self) -> f64 {
                self as f64
            }
        }
    };
}
score!(f32, u32);
score!(f64, u64);

/// Where the words of slices lie: a code above `width` bits of the score, counted from `least`.
///
/// Bits of the score that no row uses would leave most buckets of a part empty.
#[derive(Clone, Copy, Default)]
pub struct Frame<B> {
    least: B,
    width: u32,
}

impl<B: Bits> Frame<B> {
    /// For scores from `lowest` to `highest`; the former must be above 0.
    pub fn new(lowest: B, highest: B) -> Self {
        let least = lowest.less_one();
        Frame { least, width: highest.max(lowest).minus(least).width() }
    }

    /// How many bits the words of so many slices need.
    pub fn bits(&self, slices: usize) -> u32 {
        self.width + (slices.max(1) as u64).width()
    }
}

pub type FrameOf<K> = Frame<<<K as Key>::Score as Score>::Bits>;

/// What rows are ordered by: the score, or the slice code and then the score.
pub trait Key: Copy + Send + Sync + 'static {
    type Score: Score;
    type Word: Bits;
    const SLICED: bool;
    fn word(frame: &FrameOf<Self>, code: u32, bits: <Self::Score as Score>::Bits) -> Self::Word;
    fn code(frame: &FrameOf<Self>, word: Self::Word) -> u32;
    fn score(frame: &FrameOf<Self>, word: Self::Word) -> Self::Score;
    /// A word below all scores of a slice and above those of the slice before.
    fn start(frame: &FrameOf<Self>, code: u32) -> Self::Word;
    fn is_start(frame: &FrameOf<Self>, word: Self::Word) -> bool;
    /// A word above all others.
    fn highest() -> Self::Word;
}

/// Keys without slices.
#[derive(Clone, Copy)]
pub struct Plain<S>(std::marker::PhantomData<S>);

/// Keys with slices, in words of a width that holds them.
#[derive(Clone, Copy)]
pub struct Sliced<S, B>(std::marker::PhantomData<(S, B)>);

macro_rules! plain {
    ($score:ty, $bits:ty) => {
        impl Key for Plain<$score> {
            type Score = $score;
            type Word = $bits;
            const SLICED: bool = false;
            #[inline(always)]
            fn word(_: &Frame<$bits>, _: u32, bits: $bits) -> $bits {
                bits
            }
            #[inline(always)]
            fn code(_: &Frame<$bits>, _: $bits) -> u32 {
                0
            }
            #[inline(always)]
            fn score(_: &Frame<$bits>, word: $bits) -> $score {
                <$score as Score>::from_bits(word)
            }
            #[inline(always)]
            fn start(_: &Frame<$bits>, _: u32) -> $bits {
                0 // the bits of a finite score are above 0
            }
            #[inline(always)]
            fn is_start(_: &Frame<$bits>, word: $bits) -> bool {
                word == 0
            }
            #[inline(always)]
            fn highest() -> $bits {
                <$bits>::MAX
            }
        }
    };
}
plain!(f32, u32);
plain!(f64, u64);

macro_rules! sliced {
    ($score:ty, $bits:ty, $word:ty) => {
        impl Key for Sliced<$score, $word> {
            type Score = $score;
            type Word = $word;
            const SLICED: bool = true;
            #[inline(always)]
            fn word(frame: &Frame<$bits>, code: u32, bits: $bits) -> $word {
                Self::start(frame, code) | bits.wrapping_sub(frame.least) as $word
            }
            #[inline(always)]
            fn code(frame: &Frame<$bits>, word: $word) -> u32 {
                (word >> frame.width) as u32
            }
            #[inline(always)]
            fn score(frame: &Frame<$bits>, word: $word) -> $score {
                let bits = word.low(frame.width) as $bits;
                <$score as Score>::from_bits(bits.wrapping_add(frame.least))
            }
            #[inline(always)]
            fn start(frame: &Frame<$bits>, code: u32) -> $word {
                (code as $word) << frame.width
            }
            #[inline(always)]
            fn is_start(frame: &Frame<$bits>, word: $word) -> bool {
                word.low(frame.width) == 0
            }
            #[inline(always)]
            fn highest() -> $word {
                <$word>::MAX
            }
        }
    };
}
sliced!(f32, u32, u64);
sliced!(f64, u64, u64);
sliced!(f64, u64, u128);
