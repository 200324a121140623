//! Exact sums of float64, and of products of two, by code. They depend neither on the order of rows
//! nor on threads: nothing is rounded.
//!
//! To add 1.5·2^(p+52) to a number below 2^(p+51) rounds it to a multiple of 2^p, whose count is in
//! the last bits of the sum: an integer to add. What is left is at most 2^(p-1), and exact. So a
//! block of rows is split into layers without a branch, four rows at a time with AVX2.
//!
//! One code: the counts of a block give two 64-bit sums, which go to digits of 31 bits. Many codes:
//! each layer is a column of 64-bit sums by code, which become digits before one could overflow.
//! Terms of the same rows may have their layers side by side, on a stage.

use crate::sums::digits::{DigitColumns, Digits};
use crate::sums::stage::Stage;
use crate::vectors::with_avx2;

/// Rows that are split at a time: a few columns of them stay in the first cache.
pub use crate::rows::BLOCK;

/// Every finite float64 is a multiple of 2^LOWEST.
const LOWEST: i32 = -1074;
/// A number below 2^(p + REACH) can be rounded to a multiple of 2^p.
const REACH: i32 = 51;
/// Above, 1.5·2^(p+52) is beyond the largest float64.
const HIGHEST: i32 = 1023 - 52;
/// Bits from a layer by code to the next: 2^22 rows may be added before it is full.
const WIDTH: i32 = 40;
const FULL: f64 = (1u64 << 62) as f64;
/// Fewer numbers are added one by one.
const SHORT: usize = 4;

/// Exact sums by code, of which two can be merged.
pub struct ExactSums {
    term: TermSums,
    stage: Stage,
}

/// The sums of one term, whose layers are on a stage that it may share with other terms.
pub struct TermSums {
    digits: Digits,
    layers: Vec<Layer>,
    /// The power of some layer, WIDTH from the next.
    grid: Option<i32>,
}

/// Counts of 2^power by code.
#[derive(Clone, Copy)]
struct Layer {
    power: i32,
    slot: usize,
    /// No sum is farther from 0.
    most: f64,
}

/// The codes of some rows: one for all, or one for each.
#[derive(Clone, Copy)]
pub enum At<'a> {
    One(u32),
    Each(&'a [u32]),
}

impl At<'_> {
    fn part(&self, first: usize, count: usize) -> At<'_> {
        match self {
            At::One(code) => At::One(*code),
            At::Each(codes) => At::Each(&codes[first..first + count]),
        }
    }

    fn of(&self, row: usize) -> u32 {
        match self {
            At::One(code) => *code,
            At::Each(codes) => codes[row],
        }
    }
}

impl ExactSums {
    /// Sums of 0, for codes below `codes`. A code from there on is a panic in all that is added.
    pub fn new(codes: usize) -> Self {
        ExactSums { term: TermSums::new(codes), stage: Stage::new(codes, 1) }
    }

    /// Adds each number to the sum of its code; one that is not finite adds nothing.
    pub fn add(&mut self, at: At, values: &[f64]) {
        if values.len() < SHORT {
            return self.term.add_one_by_one(at, values);
        }
        let mut block = [0.0; BLOCK];
        for (number, values) in values.chunks(BLOCK).enumerate() {
            let block = &mut block[..values.len()];
            block.copy_from_slice(values);
            self.add_and_overwrite(at.part(number * BLOCK, values.len()), block);
        }
    }

    /// The same, of a column that is overwritten: without a copy.
    pub fn add_and_overwrite(&mut self, at: At, values: &mut [f64]) {
        for (number, block) in values.chunks_mut(BLOCK).enumerate() {
            let at = at.part(number * BLOCK, block.len());
            self.term.add_block(at, block, &mut self.stage);
            self.stage.add(at);
        }
    }

    /// Adds the exact product of each number and its weight; one that is not finite adds nothing.
    pub fn add_products(&mut self, at: At, values: &[f64], weights: &[f64]) {
        let weights = &weights[..values.len()];
        for (number, values) in values.chunks(BLOCK).enumerate() {
            let (first, count) = (number * BLOCK, values.len());
            let at = at.part(first, count);
            let weights = &weights[first..first + count];
            self.term.add_products(at, values, weights, &mut self.stage);
            self.stage.add(at);
        }
    }

    /// Adds one number.
    #[inline]
    pub fn add_number(&mut self, code: u32, value: f64) {
        self.term.add_number(code, value);
    }

    /// Adds the exact product of two numbers.
    pub fn add_product(&mut self, code: u32, value: f64, weight: f64) {
        self.term.add_product(code, value, weight);
    }

    /// Adds a whole number of less than 97 bits, times 2^power.
    #[inline]
    pub fn add_whole(&mut self, code: u32, whole: i128, power: i32) {
        self.term.add_whole(code, whole, power);
    }

    /// Adds the sums of another, of the same codes.
    pub fn merge(&mut self, mut other: ExactSums) {
        self.term.empty_layers(&mut self.stage);
        other.term.empty_layers(&mut other.stage);
        self.term.merge(other.term);
    }

    /// The sums: columns of signed digits of at most 2^30, by the power of two that they count.
    /// Columns of zeros are left out.
    pub fn into_digits(mut self) -> DigitColumns {
        self.term.empty_layers(&mut self.stage);
        self.term.into_digits()
    }
}

impl TermSums {
    pub fn new(codes: usize) -> Self {
        TermSums { digits: Digits::new(codes), layers: Vec::new(), grid: None }
    }

    /// Adds the sums of another, of the same codes; both have no layers.
    pub fn merge(&mut self, other: TermSums) {
        self.digits.merge(other.digits);
    }

    /// The same as of `ExactSums`; there are no layers.
    pub fn into_digits(self) -> DigitColumns {
        self.digits.into_columns()
    }

    #[inline]
    fn add_number(&mut self, code: u32, value: f64) {
        if let Some((mantissa, power)) = mantissa_and_power(value) {
            self.add_whole(code, mantissa as i128, power);
        }
    }

    fn add_product(&mut self, code: u32, value: f64, weight: f64) {
        let (Some((left, p)), Some((right, q))) =
            (mantissa_and_power(value), mantissa_and_power(weight))
        else {
            return;
        };
        // The halves of one factor apart: 128 bits hold 53 + 27 that are shifted by 30.
        let (upper, lower) = (right >> 27, right & ((1 << 27) - 1));
        self.add_whole(code, left as i128 * lower as i128, p + q);
        self.add_whole(code, left as i128 * upper as i128, p + q + 27);
    }

    #[inline]
    pub fn add_whole(&mut self, code: u32, whole: i128, power: i32) {
        self.digits.add(code as usize, whole, power);
    }

    /// Adds the exact products of a block; one that is not finite adds nothing. Some wait on stage.
    pub fn add_products(&mut self, at: At, values: &[f64], weights: &[f64], stage: &mut Stage) {
        let (mut high, mut low) = ([0.0; BLOCK], [0.0; BLOCK]);
        let (high, low) = (&mut high[..values.len()], &mut low[..values.len()]);
        if products(values, weights, high, low) {
            self.add_block(at, high, stage);
            self.add_block(at, low, stage);
        } else {
            for (row, (value, weight)) in values.iter().zip(weights).enumerate() {
                self.add_product(at.of(row), *value, *weight);
            }
        }
    }

    /// Adds a block of numbers, which are overwritten; those with codes of their own wait on stage.
    pub fn add_block(&mut self, at: At, block: &mut [f64], stage: &mut Stage) {
        let mut most = largest(block);
        if !most.is_finite() {
            block.iter_mut().filter(|value| !value.is_finite()).for_each(|value| *value = 0.0);
            most = largest(block);
        }
        if bits_before(most) >= HIGHEST + REACH {
            return self.add_one_by_one(at, block);
        }
        match at {
            At::One(code) => self.add_to_one(code, block, most),
            At::Each(codes) => self.add_to_each(codes, block, most, stage),
        }
    }

    fn add_one_by_one(&mut self, at: At, values: &[f64]) {
        for (row, value) in values.iter().enumerate() {
            self.add_number(at.of(row), *value);
        }
    }

    fn add_to_one(&mut self, code: u32, block: &mut [f64], mut most: f64) {
        while most != 0.0 {
            let first = (bits_before(most) - REACH).max(LOWEST);
            let second = (first - REACH).max(LOWEST);
            let (sums, left) = sum_two_layers(block, [first, second]);
            self.add_whole(code, sums[0] as i128, first);
            self.add_whole(code, sums[1] as i128, second);
            most = if left { largest(block) } else { 0.0 };
        }
    }

    fn add_to_each(&mut self, codes: &[u32], block: &mut [f64], mut most: f64, stage: &mut Stage) {
        while most != 0.0 {
            let layer = self.layer(bits_before(most), codes, stage);
            let left = stage.take(layer.slot, |counts| take_layer(block, layer.power, counts));
            most = if left { largest(block) } else { 0.0 };
        }
    }

    /// The lowest layer that takes some numbers of so many bits before the point.
    fn layer(&mut self, bits: i32, codes: &[u32], stage: &mut Stage) -> Layer {
        // Two bits to spare, for larger numbers in later blocks.
        let grid = *self.grid.get_or_insert(bits + 2 - WIDTH);
        let steps = (bits - REACH - grid + WIDTH - 1).div_euclid(WIDTH);
        let power = (grid + steps * WIDTH).clamp(LOWEST, HIGHEST);
        let more = codes.len() as f64 * 2f64.powi(bits - power);
        let found = self.layers.iter().position(|layer| layer.power == power);
        if found.is_some_and(|place| self.layers[place].most + more > FULL) {
            stage.add(At::Each(codes));
            self.empty_layers(stage); // it also puts the grid where the numbers are now
            return self.layer(bits, codes, stage);
        }
        let place = found.unwrap_or_else(|| {
            self.layers.push(Layer { power, slot: stage.take_slot(), most: 0.0 });
            self.layers.len() - 1
        });
        self.layers[place].most += more;
        self.layers[place]
    }

    /// Brings what is on stage to digits; nothing waits there.
    pub fn empty_layers(&mut self, stage: &mut Stage) {
        self.grid = None;
        for layer in std::mem::take(&mut self.layers) {
            self.digits.add_column(&stage.empty(layer.slot), layer.power);
        }
    }
}

/// A finite number, not 0, as a whole number times a power of two.
#[inline(always)]
fn mantissa_and_power(value: f64) -> Option<(i64, i32)> {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    if exponent == 0x7ff || value == 0.0 {
        return None;
    }
    let size = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    Some((if value < 0.0 { -size } else { size }, exponent.max(1) - 1 + LOWEST))
}

/// The bits before the point of a number from 0: the least power of two above it, for one above 0.
fn bits_before(size: f64) -> i32 {
    let bits = size.to_bits();
    let exponent = (bits >> 52) as i32;
    if exponent == 0 { (64 - bits.leading_zeros()) as i32 + LOWEST } else { exponent - 1022 }
}

/// 1.5·2^(power + 52)
fn rounder(power: i32) -> f64 {
    f64::from_bits(((power + 52 + 1023) as u64) << 52 | 1 << 51)
}

const LANES: usize = 8;

with_avx2! {
    /// The largest size of some numbers; infinite where one is not finite.
    fn largest, largest_plain, largest_avx2(values: &[f64]) -> f64 {
        // No closures: they would be functions of their own, without wide vectors.
        let (mut lanes, mut sums) = ([0f64; LANES], [0f64; LANES]);
        let (whole, rest) = values.as_chunks::<LANES>();
        for values in whole {
            for lane in 0..LANES {
                let size = values[lane].abs();
                lanes[lane] = if size > lanes[lane] { size } else { lanes[lane] };
                sums[lane] += values[lane] * 0.0; // NaN where one is not finite
            }
        }
        for (lane, value) in rest.iter().enumerate() {
            lanes[lane] = lanes[lane].max(value.abs());
            sums[lane] += value * 0.0;
        }
        let spoilt = sums.iter().any(|sum| sum.is_nan());
        if spoilt { f64::INFINITY } else { lanes.into_iter().fold(0.0, f64::max) }
    }

    /// Takes multiples of 2^power from all numbers; their counts, and whether something is left.
    fn take_layer, take_layer_plain, take_layer_avx2(
        values: &mut [f64], power: i32, counts: &mut [i64]
    ) -> bool {
        let large = rounder(power);
        let mut left = 0;
        for (value, count) in values.iter_mut().zip(counts) {
            let rounded = *value + large;
            *count = rounded.to_bits() as i64 - large.to_bits() as i64;
            *value -= rounded - large;
            left |= value.to_bits() << 1;
        }
        left != 0
    }

    /// Takes multiples of two powers, the higher first; the sums of the counts, and whether
    /// something is left.
    fn sum_two_layers, sum_two_layers_plain, sum_two_layers_avx2(
        values: &mut [f64], powers: [i32; 2]
    ) -> ([i64; 2], bool) {
        let [first, second] = powers.map(rounder);
        let (mut high, mut low, mut left) = (0i64, 0i64, 0);
        for value in values.iter_mut() {
            let rounded = *value + first;
            high += rounded.to_bits() as i64 - first.to_bits() as i64;
            let rest = *value - (rounded - first);
            let rounded = rest + second;
            low += rounded.to_bits() as i64 - second.to_bits() as i64;
            *value = rest - (rounded - second);
            left |= value.to_bits() << 1;
        }
        ([high, low], left != 0)
    }

    /// The rounded product of each pair and what rounding lost (Dekker 1971); false where float64
    /// does not hold one of them.
    fn products, products_plain, products_avx2(
        left: &[f64], right: &[f64], high: &mut [f64], low: &mut [f64]
    ) -> bool {
        const SPLITTER: f64 = ((1u64 << 27) + 1) as f64;
        let (small, large) = (2f64.powi(-900), 2f64.powi(900));
        let halves = |number: f64| {
            let upper = number * SPLITTER;
            let upper = upper - (upper - number);
            (upper, number - upper)
        };
        let mut held = true;
        for (((a, b), high), low) in left.iter().zip(right).zip(high).zip(low) {
            let product = a * b;
            let ((p, q), (r, s)) = (halves(*a), halves(*b));
            *high = product;
            *low = (((p * r - product) + p * s) + q * r) + q * s;
            held &= (product.abs() > small) | (*a == 0.0) | (*b == 0.0);
            held &= (product.abs() < large) & (a.abs() < large) & (b.abs() < large);
        }
        held
    }
}
