//! Sorted tables against a plain sort.

use steelyard_rust::amounts::U256;
use steelyard_rust::keys::{Key, Plain, Score, Sliced};
use steelyard_rust::partition::slices::SliceFacts;
use steelyard_rust::rows::{Chunk, Codes};
use steelyard_rust::sorted::line_areas::{LineSums, line_areas};
use steelyard_rust::sorted::lines::sorted_line_areas;
use steelyard_rust::sorted::runs::{Run, Weights};
use steelyard_rust::sorted::sort_rows::{Failure, Side, sort_rows};
use steelyard_rust::sums::digits::Digits;
use steelyard_rust::workers::Workers;

fn columns(rows: usize, seed: u64) -> (Vec<u32>, Vec<f64>, Vec<u8>, Vec<u32>) {
    let mut state = seed | 1;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let codes = (0..rows).map(|_| (next(9) * next(9) / 8) as u32).collect();
    let scores = (0..rows).map(|_| next(1 << (seed % 30)) as f64 / 64.0 - 1.0).collect();
    let positive = (0..rows).map(|_| next(4) as u8 / 3).collect();
    (codes, scores, positive, (0..rows as u32).collect())
}

fn check<K: Key<Score = f64>>(rows: usize, seed: u64, slices: usize) {
    let (codes, scores, positive, carried) = columns(rows, seed);
    let code = |row: u32| if K::SLICED { codes[row as usize] } else { 0 };
    let codes_of = if K::SLICED { Codes::U32(&codes) } else { Codes::One };
    let chunk = Chunk { codes: codes_of, scores: &scores, positive: &positive, weights: &carried };
    for threads in [1, 3] {
        let workers = Workers::new(threads, &|| false);
        let facts = if K::SLICED {
            SliceFacts::new(&[chunk], slices, &workers)
        } else {
            SliceFacts::one(rows)
        };
        let mut expected = [1, 0].map(|class| {
            let own = carried.iter().copied().filter(|row| positive[*row as usize] == class);
            own.collect::<Vec<u32>>()
        });
        for side in &mut expected {
            side.sort_by_key(|row| (code(*row), scores[*row as usize].bits(), *row));
        }
        let mut starts = [vec![9; slices + 1], vec![9; slices + 1]];
        let mut sorted = [vec![0.0; expected[0].len()], vec![0.0; expected[1].len()]];
        let mut places = [vec![0; expected[0].len()], vec![0; expected[1].len()]];
        let columns = starts.iter_mut().zip(&mut sorted).zip(&mut places);
        let sides: Vec<_> =
            columns.map(|((starts, scores), carried)| Side { starts, scores, carried }).collect();
        sort_rows::<K, u32>(&[chunk], &facts, sides.try_into().ok().unwrap(), &workers).unwrap();
        assert_eq!(places, expected);
        for (class, side) in expected.iter().enumerate() {
            let bits: Vec<_> = side.iter().map(|row| scores[*row as usize].to_bits()).collect();
            assert_eq!(sorted[class].iter().map(|score| score.to_bits()).collect::<Vec<_>>(), bits);
            let first = |slice| side.partition_point(|row| code(*row) < slice) as i64;
            assert_eq!(starts[class], (0..=slices as u32).map(first).collect::<Vec<_>>());
        }
    }
}

#[test]
fn rows_are_in_order() {
    for seed in 0..60 {
        let rows = [0, 1, 7, 300, 4000][seed as usize % 5];
        check::<Plain<f64>>(rows, seed, 1);
        check::<Sliced<f64, u128>>(rows, seed, 12);
    }
    check::<Plain<f64>>(100_000, 25, 1);
    check::<Sliced<f64, u128>>(100_000, 20, 12);
}

#[test]
fn a_class_of_another_size_is_an_error() {
    let (_, scores, positive, carried) = columns(10, 3);
    let chunk =
        Chunk { codes: Codes::One, scores: &scores, positive: &positive, weights: &carried };
    let (mut starts, mut more) = ([0; 2], [0; 2]);
    let (mut sorted, mut places) = (vec![0.0; 10], vec![0; 10]);
    let up = Side { starts: &mut starts, scores: &mut sorted, carried: &mut places };
    let down = Side { starts: &mut more, scores: &mut [][..], carried: &mut [][..] };
    let workers = Workers::new(1, &|| false);
    let made = sort_rows::<Plain<f64>, u32>(&[chunk], &SliceFacts::one(10), [up, down], &workers);
    assert_eq!(made, Err(Failure::Changed));
}

fn check_areas<K: Key<Score = f64>>(rows: usize, seed: u64, slices: usize) {
    let (codes, scores, positive, _) = columns(rows, seed);
    let code = |row: usize| if K::SLICED { codes[row] } else { 0 };
    let codes_of = if K::SLICED { Codes::U32(&codes) } else { Codes::One };
    let lines: Vec<u32> = (0..rows).map(|row| 3 * code(row) + row as u32 % 3).collect();
    let count = 3 * slices;
    let mut expected = vec![LineSums::default(); count];
    for row in 0..rows {
        let class = usize::from(positive[row] == 0);
        let sum = &mut expected[lines[row] as usize];
        sum.rows[class] += 1;
        for other in 0..rows {
            if code(other) == code(row) && positive[other] != positive[row] {
                let (up, down) = if class == 0 { (row, other) } else { (other, row) };
                sum.areas[class] += 2 * u64::from(scores[up] > scores[down]);
                sum.areas[class] += u64::from(scores[up] == scores[down]);
            }
        }
    }
    let chunk = Chunk { codes: codes_of, scores: &scores, positive: &positive, weights: &lines };
    for threads in [1, 3] {
        let workers = Workers::new(threads, &|| false);
        let facts = if K::SLICED {
            SliceFacts::new(&[chunk], slices, &workers)
        } else {
            SliceFacts::one(rows)
        };
        assert_eq!(line_areas::<K>(&[chunk], &facts, count, &workers).unwrap(), expected);
        check_sorted_areas(&chunk, slices, &expected, &workers);
    }
}

/// A sorted table of the same rows has the same sums; with weights of many bits, their multiples.
fn check_sorted_areas(
    chunk: &Chunk<f64, u32>,
    slices: usize,
    expected: &[LineSums],
    workers: &Workers,
) {
    let code = |row: usize| match chunk.codes {
        Codes::U32(codes) => codes[row],
        _ => 0,
    };
    let sides = [1, 0].map(|class| {
        let mut rows: Vec<usize> =
            (0..chunk.scores.len()).filter(|row| chunk.positive[*row] == class).collect();
        rows.sort_by_key(|row| (code(*row), chunk.scores[*row].bits()));
        let first = |slice| rows.partition_point(|row| code(*row) < slice) as i64;
        let starts: Vec<i64> = (0..=slices as u32).map(first).collect();
        let scores: Vec<f64> = rows.iter().map(|row| chunk.scores[*row]).collect();
        let lines: Vec<u32> = rows.iter().map(|row| chunk.weights[*row]).collect();
        (starts, scores, lines)
    });
    let codes = [&sides[0].2[..], &sides[1].2[..]];
    let most = sides.iter().map(|side| side.1.len()).max().unwrap();
    let (low, high, top) = (vec![5; most], vec![3; most], vec![1 << 30; most]);
    let weight = 5 + (3 << 31) + (1 << 92);
    for (is_wide, weight) in [(false, 1), (true, weight)] {
        let runs = [0, 1].map(|class| {
            let (starts, scores, _) = &sides[class];
            let digit = |column| &Vec::as_slice(column)[..scores.len()];
            let wide = Weights::Three(digit(&low), digit(&high), digit(&top));
            Run { starts, scores, weights: if is_wide { wide } else { Weights::Ones } }
        });
        let found = if is_wide {
            sorted_line_areas::<_, u128>(&runs, codes, expected.len(), workers)
        } else {
            sorted_line_areas::<_, u64>(&runs, codes, expected.len(), workers)
        };
        let mut all = [0, 1, 2, 3].map(|_| Digits::new(expected.len()));
        let square = U256::product(weight, weight).words();
        for (line, sums) in expected.iter().enumerate() {
            for class in [0, 1] {
                all[class].add(line, (weight * u128::from(sums.rows[class])) as i128, 0);
                for (place, word) in square.into_iter().enumerate() {
                    let product = i128::from(word) * i128::from(sums.areas[class]);
                    all[2 + class].add(line, product, 64 * place as i32);
                }
            }
        }
        assert_eq!(found.unwrap(), all.map(Digits::into_columns));
    }
}

#[test]
fn lines_have_the_areas_of_their_rows() {
    for seed in 0..30 {
        let rows = [0, 1, 7, 300, 2000][seed as usize % 5];
        check_areas::<Plain<f64>>(rows, seed, 1);
        check_areas::<Sliced<f64, u128>>(rows, seed, 9);
    }
}
