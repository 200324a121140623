//! Exact sums against a literal computation, bit by bit.

use steelyard_rust::rows::Codes;
use steelyard_rust::sums::exact::{At, ExactSums};
use steelyard_rust::sums::formulas::Formula;
use steelyard_rust::sums::row_terms::{Columns, Line, Scores, Term, add_terms};
use steelyard_rust::workers::Workers;

const LIMBS: usize = 160;
const LOWEST: i32 = -2200;

/// A number in limbs of 32 bits.
#[derive(Clone, PartialEq, Debug)]
struct Literal(Vec<i64>);

impl Literal {
    fn zero() -> Self {
        Literal(vec![0; LIMBS])
    }

    fn add(&mut self, negative: bool, size: u128, power: i32) {
        for bit in (0..128 - size.leading_zeros()).filter(|bit| size >> bit & 1 == 1) {
            let place = (power + bit as i32 - LOWEST) as usize;
            self.0[place / 32] += if negative { -1 } else { 1 } << (place % 32);
        }
    }

    fn carried(mut self) -> Self {
        for limb in 0..LIMBS - 1 {
            let over = self.0[limb] >> 32;
            self.0[limb] -= over << 32;
            self.0[limb + 1] += over;
        }
        self
    }
}

fn parts(value: f64) -> (bool, u128, i32) {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as u128;
    let size = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    (value < 0.0, size, exponent.max(1) - 1075)
}

fn literal(codes: &[u32], count: usize, values: &[f64], weights: &[f64]) -> Vec<Literal> {
    let mut sums = vec![Literal::zero(); count];
    for ((code, value), weight) in codes.iter().zip(values).zip(weights) {
        if value.is_finite() && weight.is_finite() {
            let ((a, b, c), (d, e, f)) = (parts(*value), parts(*weight));
            sums[*code as usize].add(a != d, b * e, c + f);
        }
    }
    sums.into_iter().map(Literal::carried).collect()
}

fn of_digits(sums: ExactSums, count: usize) -> Vec<Literal> {
    let mut made = vec![Literal::zero(); count];
    for (power, column) in sums.into_digits() {
        assert_eq!(power % 31, 0);
        for (sum, digit) in made.iter_mut().zip(column) {
            assert!(digit.abs() <= 1 << 30);
            sum.add(digit < 0, digit.unsigned_abs() as u128, power);
        }
    }
    made.into_iter().map(Literal::carried).collect()
}

struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58476d1ce4e5b9);
        mixed ^ (mixed >> 32)
    }
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
    fn number(&mut self, kind: u64) -> f64 {
        match kind {
            0 => self.unit(),
            1 => f64::from_bits(self.next()),
            2 => (self.unit() - 0.5) * 1e-300 * self.unit(),
            3 => (self.unit() - 0.5) * 1.7e308,
            4 => self.unit() as f32 as f64,
            5 => (self.next() % 5) as f64 - 2.0,
            6 => {
                f64::from_bits(self.next() % 9)
                    * if self.next().is_multiple_of(2) { 1.0 } else { -1.0 }
            }
            7 => -(self.unit().ln()),
            8 => (self.unit() - 0.5) * 2f64.powi((self.next() % 300) as i32),
            _ => [0.0, -0.0, f64::NAN, f64::INFINITY, 1.0][(self.next() % 5) as usize],
        }
    }
}

fn check(seed: u64, rows: usize) {
    let mut random = Random(seed);
    let count = [1, 3, 90][(random.next() % 3) as usize];
    let (kind, other, mixed) =
        (random.next() % 10, random.next() % 10, random.next().is_multiple_of(4));
    let rows = random.next() as usize % rows + 1;
    let codes: Vec<u32> = (0..rows).map(|_| (random.next() % count) as u32).collect();
    let mut column = |kind: u64| -> Vec<f64> {
        (0..rows)
            .map(|_| {
                let kind = if mixed && random.next().is_multiple_of(50) { 1 } else { kind };
                random.number(kind)
            })
            .collect()
    };
    let (values, weights) = (column(kind), column(other));
    let ones = vec![1.0; rows];
    let (count, half) = (count as usize, rows / 2);

    let (mut found, mut second) = (ExactSums::new(count), ExactSums::new(count));
    found.add(At::Each(&codes[..half]), &values[..half]);
    second.add(At::Each(&codes[half..]), &values[half..]);
    found.merge(second);
    assert!(of_digits(found, count) == literal(&codes, count, &values, &ones), "{seed}");

    let mut found = ExactSums::new(count);
    found.add_products(At::Each(&codes), &values, &weights);
    assert!(of_digits(found, count) == literal(&codes, count, &values, &weights), "{seed}");

    let zeros = vec![0; rows];
    let (mut found, mut products) = (ExactSums::new(1), ExactSums::new(1));
    found.add(At::One(0), &values);
    products.add_products(At::One(0), &values, &weights);
    assert!(of_digits(found, 1) == literal(&zeros, 1, &values, &ones), "{seed}");
    assert!(of_digits(products, 1) == literal(&zeros, 1, &values, &weights), "{seed}");
}

#[test]
fn sums_are_those_of_the_literal_computation() {
    for seed in 0..300 {
        check(seed, 40);
    }
    for seed in 400..406 {
        check(seed, 5000);
    }
}

#[test]
fn layers_that_are_full_become_digits() {
    let rows = 1 << 20;
    let values = vec![1.0 - f64::EPSILON / 2.0; rows];
    let codes: Vec<u32> = (0..rows as u32).map(|row| row % 2).collect();
    let mut found = ExactSums::new(2);
    let times = 12;
    for _ in 0..times {
        found.add(At::Each(&codes), &values);
    }
    let mut sum = Literal::zero();
    sum.add(false, times << 19, 0);
    sum.add(true, times << 19, -53);
    let sum = sum.carried();
    assert!(of_digits(found, 2) == vec![sum.clone(), sum]);
}

#[test]
#[should_panic]
fn a_code_beyond_the_sums_is_a_panic() {
    ExactSums::new(2).add(At::Each(&[0, 1, 2, 0, 0]), &[1.0; 5]);
}

#[test]
fn many_codes_have_the_sums_of_few() {
    let (rows, most) = (5000, 1_100_000);
    let codes: Vec<u32> = (0..rows).map(|row| row * 7 % 50).collect();
    let scores: Vec<f64> =
        (0..rows).map(|row| 0.1 + (f64::from(row) * 1e-3).exp2() / 64.0).collect();
    let columns = Columns::of_scores(rows as usize, Scores::Double(&scores));
    let terms = [Formula::Score, Formula::Variance, Formula::One]
        .map(|formula| Term { formula, weighted: true });
    let sums = |size| {
        let line = Line { codes: Codes::U32(&codes), size };
        let mut made = add_terms(&[line], &columns, &terms, &Workers::new(2, &|| false));
        for (_, digits) in made.iter_mut().flatten().flatten() {
            digits.truncate(50);
        }
        made
    };
    assert_eq!(sums(most), sums(50));
}
