//! Curves against a literal computation, over the shapes of rows that kernels branch on.

use steelyard_rust::amounts::{Amount, Counted, U256};
use steelyard_rust::curves::areas::curve_points;
use steelyard_rust::curves::few;
use steelyard_rust::curves::join::{Total, join};
use steelyard_rust::curves::output::{Columns, Fill, fill};
use steelyard_rust::curves::part::Found;
use steelyard_rust::curves::rare;
use steelyard_rust::keys::{Key, Plain, Score, Sliced};
use steelyard_rust::partition::slices::SliceFacts;
use steelyard_rust::rows::{Chunk, Codes};
use steelyard_rust::workers::Workers;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 8
    }
    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }
    fn unit(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 56) as f64
    }
}

/// Kinds of scores that have gone wrong in some kernel: signs, ties, narrow and wide, outliers.
fn score(random: &mut Random, kind: u64) -> f64 {
    match kind {
        0 => random.unit(),
        1 => random.below(5) as f64 - 2.0,
        2 => random.unit() * 2.0 - 1.0,
        3 => 0.5 + random.below(1000) as f64 * 1e-12,
        4 => (random.unit() * 600.0 - 300.0).exp2() * if random.below(2) == 0 { 1.0 } else { -1.0 },
        5 => f64::from_bits(random.below(40)) * if random.below(2) == 0 { 1.0 } else { -1.0 },
        6 if random.below(500) == 0 => 1e30 - 2e30 * random.below(2) as f64,
        6 => random.unit() * 1e-3,
        _ => [0.0, -0.0, 1.0][random.below(3) as usize],
    }
}

fn check<K: Key, W: Counted<A>, A: Amount>(
    chunks: &[Chunk<K::Score, W>],
    slices: usize,
    scale: f64,
    threads: usize,
) {
    let workers = Workers::new(threads, &|| false);
    let facts = if K::SLICED {
        SliceFacts::new(chunks, slices, &workers)
    } else {
        SliceFacts::one(chunks.iter().map(|chunk| chunk.scores.len()).sum())
    };
    let made = curve_points::<K, W, A>(chunks, &facts, scale, true, &workers).unwrap();
    let totals = made.joined.totals.clone();
    let bare = curve_points::<K, W, A>(chunks, &facts, scale, false, &workers).unwrap();
    assert_eq!(bare.joined.totals, totals);
    let columns = Columns::new(made);
    let count = columns.count();
    let mut scores = vec![K::Score::default(); count];
    let mut numbers = [vec![0i64; count], vec![0i64; count], vec![0i64; count]];
    let [up, below, tied] = &mut numbers;
    fill(&columns, &mut scores, [up, below, tied], &workers).unwrap();
    let mut rows = vec![Vec::new(); slices];
    let mut codes = [0; 512];
    for chunk in chunks {
        for at in 0..chunk.scores.len() {
            chunk.codes.read(at..at + 1, slices as u32 - 1, &mut codes);
            let weight = chunk.weights[at].amount(scale).wide();
            let row = (chunk.scores[at].wide() + 0.0, chunk.positive[at] != 0, weight);
            rows[codes[0] as usize].push(row);
        }
    }
    for (code, rows) in rows.iter_mut().enumerate() {
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (total, points) = literal(rows);
        assert_eq!(totals[code], total);
        if slices == 1
            && let Some((sums, found)) = few::counted_all::<_, W, A>(chunks, scale, true, &workers)
        {
            let part = Found { slices: vec![sums], thread: 0, points: 0..found.len() };
            assert_eq!(join(&[part], 1).totals[0], total);
            let found = found.iter().map(|point| {
                let sums = [point.positives, point.below, point.tied].map(A::wide);
                (point.score.wide(), sums[0], sums[1], sums[2])
            });
            assert_eq!(found.collect::<Vec<_>>(), points);
        }
        if W::ONE && slices == 1 && rows.len() < 20_000 {
            for positives in [true, false] {
                // Of a class without rows there is no table.
                let found = rare::total_of(chunks, positives, usize::MAX, f64::MAX, &workers);
                let rare = rows.iter().any(|row| row.1 == positives);
                assert_eq!(found, rare.then_some(total));
            }
        }
        let here = columns.starts()[code] as usize..columns.starts()[code + 1] as usize;
        assert_eq!(here.len(), points.len());
        for (at, (score, weight, lower, same)) in here.zip(points) {
            assert_eq!(scores[at].wide().to_bits(), score.to_bits());
            let found = [numbers[0][at], numbers[1][at], numbers[2][at]];
            assert_eq!(found.map(|number| number as u128), [weight, lower, same]);
        }
    }
}

type Point = (f64, u128, u128, u128);

/// The totals and points of sorted rows of one slice.
fn literal(rows: &[(f64, bool, u128)]) -> (Total, Vec<Point>) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    let ends = rows.first().zip(rows.last()).map_or(none, |(first, last)| (first.0, last.0));
    let mut total = Total { lowest: ends.0, highest: ends.1, ..Total::default() };
    let mut points = Vec::new();
    for block in rows.chunk_by(|a, b| a.0 == b.0) {
        let weight = |class| block.iter().filter(|row| row.1 == class).map(|row| row.2).sum();
        let (up, down): (u128, u128) = (weight(true), weight(false));
        total.doubled_area = total.doubled_area.plus(U256::product(up, 2 * total.negatives + down));
        total.tied_pairs = total.tied_pairs.plus(U256::product(up, down));
        if block.iter().any(|row| row.1) {
            points.push((block[0].0, up, total.negatives, down));
        }
        total.positives += up;
        total.negatives += down;
    }
    (total, points)
}

#[test]
fn curves_are_those_of_a_literal_computation() {
    let mut random = Random(88172645463325252);
    for case in 0..400u64 {
        let longest =
            [3, 60, 2_000, 250_000][(case % 40 == 0) as usize * 2 + (case % 3 == 0) as usize];
        let (count, kind) = (random.below(longest + 1) as usize, case % 8);
        let share = [0.05, 0.5, 0.95, 0.0][random.below(4) as usize];
        let slices = [1, 2, 50, 3000][random.below(4) as usize];
        let wide: Vec<f64> = (0..count).map(|_| score(&mut random, kind)).collect();
        let narrow: Vec<f32> = wide.iter().map(|score| *score as f32).collect();
        let positive: Vec<u8> = (0..count).map(|_| (random.unit() < share) as u8).collect();
        let codes: Vec<u32> =
            (0..count).map(|_| (random.unit().powi(3) * slices as f64) as u32).collect();
        let weights: Vec<f64> = (0..count).map(|_| (1 + random.below(1 << 30)) as f64).collect();
        let light: Vec<f32> = weights.iter().map(|weight| *weight as f32).collect();
        let whole: Vec<u64> = weights.iter().map(|weight| *weight as u64).collect();
        let none = vec![(); count];
        let cut = random.below(count as u64 + 1) as usize; // in two chunks
        let threads = 1 + random.below(3) as usize;
        macro_rules! check_all {
            ($scores:expr, $weights:expr, $amount:ty, $score:ty, $word:ty) => {{
                let chunk = |codes, rows: std::ops::Range<usize>| Chunk {
                    codes,
                    scores: &$scores[rows.clone()],
                    positive: &positive[rows.clone()],
                    weights: &$weights[rows],
                };
                let one = [chunk(Codes::One, 0..cut), chunk(Codes::One, cut..count)];
                check::<Plain<$score>, _, $amount>(&one, 1, 1.0, threads);
                let halves = codes.split_at(cut);
                let (low, high) = (Codes::U32(halves.0), Codes::U32(halves.1));
                let two = [chunk(low, 0..cut), chunk(high, cut..count)];
                check::<Sliced<$score, $word>, _, $amount>(&two, slices, 1.0, threads);
            }};
        }
        check_all!(narrow, none, u32, f32, u64);
        check_all!(wide, none, u32, f64, u128);
        match case % 3 {
            0 => check_all!(narrow, light, u64, f32, u64),
            1 => check_all!(wide, weights, u128, f64, u128),
            _ => check_all!(narrow, whole, u64, f32, u64),
        }
    }
}

#[test]
fn scores_may_be_close_together() {
    let mut random = Random(88172645463325252);
    for close in [0.0, 0.003, 0.01, 0.03, 0.3] {
        let count = 40_000;
        let wide: Vec<f64> = (0..count)
            .map(|_| {
                let score = random.unit();
                if random.unit() < close { 0.5 + 1e-7 * score } else { score }
            })
            .collect();
        let narrow: Vec<f32> = wide.iter().map(|score| *score as f32).collect();
        let positive: Vec<u8> = (0..count).map(|_| (random.unit() < 0.4) as u8).collect();
        let (codes, weights) = (Codes::One, &vec![(); count]);
        let chunk = Chunk { codes, scores: &narrow[..], positive: &positive, weights };
        check::<Plain<f32>, _, u32>(&[chunk], 1, 1.0, 2);
        let chunk = Chunk { codes, scores: &wide[..], positive: &positive, weights };
        check::<Plain<f64>, _, u32>(&[chunk], 1, 1.0, 2);
    }
}

#[test]
fn a_rare_class_is_tried_by_what_is_looked_up() {
    let count = 20_000usize;
    // Rows of the rare class look up line 0, others their own scores.
    let of_rare = |score: fn(usize) -> f32| {
        let positive: Vec<u8> = (0..count).map(|row| (row % 11 == 0) as u8).collect();
        let other = |row: usize| 0.75 + (row * 7919 % count) as f32 / count as f32;
        let scores: Vec<f32> = (0..count)
            .map(|row| if positive[row] != 0 { score(row) } else { other(row) })
            .collect();
        let (codes, weights) = (Codes::One, &vec![(); count]);
        let chunk = Chunk { codes, scores: &scores, positive: &positive, weights };
        let workers = Workers::new(1, &|| false);
        rare::total_of(&[chunk], true, count, 1.0 / 16.0, &workers).is_some()
    };
    assert!(of_rare(|row| row as f32 / 20_000.0));
    // A chain that no row looks up.
    assert!(of_rare(|row| if row % 2 == 0 { 0.5 } else { row as f32 / 20_000.0 }));
    // A short one that every row of the rare class does.
    assert!(!of_rare(|row| (row as f32 / 20_000.0).max(0.025)));
}

#[test]
fn products_of_128_bits_are_exact() {
    let most = u128::MAX;
    assert_eq!(U256::product(most, most), U256(1, most - 1)); // (2^128 - 1)^2
    assert_eq!(U256::product(1 << 100, 1 << 100), U256(0, 1 << 72));
    assert_eq!(U256(most, 0).plus(U256(1, 0)), U256(0, 1));
    assert_eq!(U256::product(3, 5).words(), [15, 0, 0, 0]);
}

#[test]
fn wide_weights_keep_every_bit() {
    let weight = (1u64 << 53) as f64 + 2.0;
    let amount: u128 = weight.amount(2f64.powi(60));
    assert_eq!(amount, ((1u128 << 53) + 2) << 60);
}

#[test]
fn an_interrupted_call_ends() {
    let rows = 3_000_000;
    let (scores, positive) = (vec![0.5f32; rows], vec![1u8; rows]);
    let none = vec![(); rows];
    let chunk = Chunk { codes: Codes::One, scores: &scores, positive: &positive, weights: &none };
    let workers = Workers::new(2, &|| true);
    let facts = SliceFacts::one(rows);
    let mut ended = false;
    for _ in 0..200 {
        ended |=
            curve_points::<Plain<f32>, (), u32>(&[chunk], &facts, 1.0, false, &workers).is_none();
    }
    assert!(ended);
}

#[test]
fn scores_and_their_bits_have_one_order() {
    let scores = [-1e30, -1.0, -1e-45, 0.0, 1e-45, 0.5, 1.0, 1e30f32];
    assert!(scores.windows(2).all(|pair| pair[0].bits() < pair[1].bits()));
    assert!(scores.iter().all(|&score| <f32 as Score>::from_bits(score.bits()) == score));
    assert_eq!((-0.0f64).bits(), 0.0f64.bits());
}
