//! The largest power of two that divides all numbers of a column.

use crate::vectors::with_avx2;
use crate::workers::Workers;

const BLOCK: usize = 1 << 14;

macro_rules! lowest {
    ($float:ty, $bits:ty, $mantissa:expr, $plain:ident, $name:ident, $avx2:ident) => {
        with_avx2! {
            /// The power of the lowest bit in any of these numbers, counted from that of the smallest
            /// subnormal: many where all are 0. And whether one is below 0.
            fn $name, $plain, $avx2 (numbers: &[$float]) -> ($bits, bool) {
                const MANTISSA: u32 = $mantissa;
                const FIELD: $bits = (1 << MANTISSA) - 1;
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                // Beside this exponent a field is a whole number, which is exact: its own exponent,
                // once the leading bit is taken away, says where its lowest bit is.
                const WHOLE: $float = (1u64 << MANTISSA) as $float;
                let (mut lowest, mut signs) = (<$bits>::MAX >> 1, 0);
                for number in numbers {
                    let bits = number.to_bits();
                    let (field, exponent) = (bits & FIELD, (bits & !SIGN) >> MANTISSA);
                    let last = field & field.wrapping_neg();
                    let whole = <$float>::from_bits(last | WHOLE.to_bits()) - WHOLE;
                    let place = (whole.to_bits() >> MANTISSA).wrapping_sub(<$float>::MAX_EXP as $bits - 1);
                    let place = if field == 0 { MANTISSA as $bits } else { place };
                    let power = place + if exponent == 0 { 0 } else { exponent - 1 };
                    let power = if bits & !SIGN == 0 { <$bits>::MAX >> 1 } else { power };
                    lowest = if power < lowest { power } else { lowest };
                    signs |= if bits & !SIGN == 0 { 0 } else { bits & SIGN };
                }
                (lowest, signs != 0)
            }
        }
    };
}
lowest!(f32, u32, 23, lowest_narrow_plainly, lowest_narrow, lowest_narrow_with_avx2);
lowest!(f64, u64, 52, lowest_wide_plainly, lowest_wide, lowest_wide_with_avx2);

/// Numbers whose bits are looked at.
pub trait Float: Copy + Send + Sync {
    /// The power of the smallest subnormal.
    const SMALLEST: i32;
    fn lowest(numbers: &[Self]) -> (u64, bool)
    where
        Self: Sized;
}

impl Float for f32 {
    const SMALLEST: i32 = -149;
    fn lowest(numbers: &[f32]) -> (u64, bool) {
        let (lowest, below) = lowest_narrow(numbers);
        (lowest as u64, below)
    }
}

impl Float for f64 {
    const SMALLEST: i32 = -1074;
    fn lowest(numbers: &[f64]) -> (u64, bool) {
        lowest_wide(numbers)
    }
}

/// The largest u such that each number is a whole multiple of 2^u; 0 where all are 0. None where one
/// is below 0, or the call was interrupted.
pub fn lowest_bit<T: Float>(numbers: &[T], workers: &Workers) -> Option<i32> {
    const NONE: u64 = 1 << 20; // above all powers
    let found = workers.run(|worker| {
        let (mut lowest, mut negative) = (NONE, false);
        for block in numbers.chunks(BLOCK).skip(worker.number).step_by(workers.threads) {
            let (power, below) = T::lowest(block);
            (lowest, negative) = (lowest.min(power), negative | below);
            if negative || !worker.goes_on() {
                break;
            }
        }
        (lowest, negative)
    });
    let lowest = found.iter().map(|found| found.0).min().unwrap_or(NONE);
    if workers.stopped() || found.iter().any(|found| found.1) {
        return None;
    }
    Some(if lowest == NONE { 0 } else { lowest as i32 + T::SMALLEST })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<T: Float>(numbers: &[T]) -> Option<i32> {
        lowest_bit(numbers, &Workers::new(2, &|| false))
    }

    #[test]
    fn every_power_is_found() {
        for power in -1074..=1023 {
            let one = if power < -1022 {
                f64::from_bits(1 << (power + 1074))
            } else {
                f64::from_bits(((power + 1023) as u64) << 52)
            };
            assert_eq!(of(&[one, 0.0]), Some(power));
            if power <= 1021 {
                assert_eq!(of(&[2.0 * one, 3.0 * one]), Some(power));
            }
            if (-149..=127).contains(&power) {
                assert_eq!(of(&[0.0, one as f32]), Some(power));
            }
            if (-149..=125).contains(&power) {
                assert_eq!(of(&[3.0 * one as f32, 2.0 * one as f32]), Some(power));
            }
        }
        assert_eq!(of(&[f64::MAX]), Some(971));
        assert_eq!(of(&[1.0 - f64::EPSILON / 2.0]), Some(-53));
        assert_eq!(of(&[0.0f32]), Some(0));
        assert_eq!(of::<f64>(&[]), Some(0));
        assert_eq!(of(&[1.0, -1.0]), None);
        assert_eq!(of(&[-0.0, 2.0]), Some(1));
        let mut many = vec![4.0f32; 40_000];
        assert_eq!(of(&many), Some(2));
        many[39_999] = 0.75;
        assert_eq!(of(&many), Some(-2));
    }
}
