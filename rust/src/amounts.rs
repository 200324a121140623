//! Exact arithmetic of weights: counts, whole numbers below 2^62 in total, and wider ones.

/// A number below 2^256, least significant half first.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct U256(pub u128, pub u128);

impl U256 {
    pub fn plus(self, other: U256) -> U256 {
        let (low, carry) = self.0.overflowing_add(other.0);
        U256(low, self.1.wrapping_add(other.1).wrapping_add(carry as u128))
    }

    pub fn product(left: u128, right: u128) -> U256 {
        const LOW: u128 = u64::MAX as u128;
        let (a, b, c, d) = (left >> 64, left & LOW, right >> 64, right & LOW);
        let low = b * d;
        let middle = a * d + (low >> 64);
        let (middle, carry) = middle.overflowing_add(b * c);
        let high = a * c + (middle >> 64) + ((carry as u128) << 64);
        U256((middle << 64) | (low & LOW), high)
    }

    pub fn words(self) -> [u64; 4] {
        [self.0 as u64, (self.0 >> 64) as u64, self.1 as u64, (self.1 >> 64) as u64]
    }
}

/// Whole numbers that weights, sums of weights and products of two sums are held in.
pub trait Amount: Copy + Default + Send + Sync + 'static {
    type Area: Copy + Default + Send + Sync + 'static;
    fn plus(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self::Area;
    fn plus_area(left: Self::Area, right: Self::Area) -> Self::Area;
    fn wide(self) -> u128;
    fn wide_area(area: Self::Area) -> U256;
    fn count(rows: usize) -> Self;
    /// So many pairs of weight 1, or halves of them.
    fn area(pairs: u64) -> Self::Area;
}

macro_rules! amount {
    ($type:ty, $area:ty) => {
        impl Amount for $type {
            type Area = $area;
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn product(self, other: Self) -> $area {
                self as $area * other as $area
            }
            #[inline(always)]
            fn plus_area(left: $area, right: $area) -> $area {
                left.wrapping_add(right)
            }
            fn wide(self) -> u128 {
                self as u128
            }
            fn wide_area(area: $area) -> U256 {
                U256(area as u128, 0)
            }
            fn count(rows: usize) -> Self {
                rows as Self
            }
            fn area(pairs: u64) -> $area {
                pairs as $area
            }
        }
    };
}
amount!(u32, u64); // counts of fewer than 2^31 rows
amount!(u64, u128);

impl Amount for u128 {
    type Area = U256;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    fn product(self, other: Self) -> U256 {
        U256::product(self, other)
    }
    fn plus_area(left: U256, right: U256) -> U256 {
        left.plus(right)
    }
    fn wide(self) -> u128 {
        self
    }
    fn wide_area(area: U256) -> U256 {
        area
    }
    fn count(rows: usize) -> Self {
        rows as u128
    }
    fn area(pairs: u64) -> U256 {
        U256(pairs as u128, 0)
    }
}

/// Weights as they are kept in a record.
pub trait Weight: Copy + Default + Send + Sync + 'static {
    const ONE: bool = false;
    /// As a sum of them is bounded: roughly, and never less.
    fn rough(self) -> f64;
}

impl Weight for () {
    const ONE: bool = true;
    fn rough(self) -> f64 {
        1.0
    }
}
/// No weight, but a number that is carried beside a row.
impl Weight for u32 {
    fn rough(self) -> f64 {
        self as f64
    }
}
impl Weight for f32 {
    fn rough(self) -> f64 {
        self as f64
    }
}
impl Weight for f64 {
    fn rough(self) -> f64 {
        self
    }
}
impl Weight for u64 {
    fn rough(self) -> f64 {
        self as f64
    }
}

/// A weight as a whole multiple of 2^unit; `scale` is 2^-unit.
pub trait Counted<A: Amount>: Weight {
    fn amount(self, scale: f64) -> A;
}

impl Counted<u32> for () {
    #[inline(always)]
    fn amount(self, _: f64) -> u32 {
        1
    }
}
// To multiply by a power of two and to truncate is exact, and half as long as shifts, which branch.
impl Counted<u64> for f32 {
    #[inline(always)]
    fn amount(self, scale: f64) -> u64 {
        truncated(self as f64 * scale)
    }
}
impl Counted<u64> for f64 {
    #[inline(always)]
    fn amount(self, scale: f64) -> u64 {
        truncated(self * scale)
    }
}
impl Counted<u64> for u64 {
    #[inline(always)]
    fn amount(self, _: f64) -> u64 {
        self
    }
}
impl Counted<u128> for f32 {
    #[inline(always)]
    fn amount(self, scale: f64) -> u128 {
        wide(self as f64 * scale)
    }
}
impl Counted<u128> for f64 {
    #[inline(always)]
    fn amount(self, scale: f64) -> u128 {
        wide(self * scale)
    }
}
impl Counted<u128> for u64 {
    #[inline(always)]
    fn amount(self, _: f64) -> u128 {
        self as u128
    }
}

const HALF: f64 = 4611686018427387904.0; // 2^62

/// A whole number below 2^62.
#[inline(always)]
fn truncated(whole: f64) -> u64 {
    whole as i64 as u64
}

/// A whole number below 2^124, 62 bits at a time.
#[inline(always)]
fn wide(whole: f64) -> u128 {
    let high = truncated(whole * (1.0 / HALF));
    let low = truncated(whole - high as f64 * HALF);
    ((high as u128) << 62) + low as u128
}
