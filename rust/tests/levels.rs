//! Levels, placements and areas of sorted runs against literal computations, block by block.

use steelyard_rust::levels::Reading;
use steelyard_rust::levels::bins::{Masses, level_bins};
use steelyard_rust::levels::cells::level_cells;
use steelyard_rust::levels::hull::level_hull;
use steelyard_rust::levels::sums::{Failure, Term, level_sums};
use steelyard_rust::sorted::areas::sorted_areas;
use steelyard_rust::sorted::placements::{Placed, heaviest, placements};
use steelyard_rust::sorted::runs::{Run, Weights};
use steelyard_rust::workers::Workers;

struct Side {
    starts: Vec<i64>,
    scores: Vec<f64>,
    low: Vec<u32>,
    high: Vec<u32>,
}

/// Rows of a class in three slices, of which the last may be long, with scores of `kinds` values.
fn side(sizes: [usize; 3], kinds: u64, seed: u64) -> Side {
    let mut state = seed | 1;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let mut made = Side { starts: vec![0], scores: vec![], low: vec![], high: vec![] };
    for size in sizes {
        let mut scores: Vec<f64> = (0..size).map(|_| next(kinds) as f64 / kinds as f64).collect();
        scores.sort_by(f64::total_cmp);
        made.scores.extend(scores);
        made.starts.push(made.scores.len() as i64);
    }
    made.low = made.scores.iter().map(|_| 1 + next(9) as u32).collect();
    made.high = made.scores.iter().map(|_| next(2) as u32).collect();
    made
}

fn run(side: &Side, digits: usize) -> Run<'_, f64> {
    let weights = match digits {
        0 => Weights::Ones,
        1 => Weights::One(&side.low),
        _ => Weights::Two(&side.low, &side.high),
    };
    Run { starts: &side.starts, scores: &side.scores, weights }
}

fn check(runs: &[Run<f64>; 2], workers: &Workers) {
    let slices = runs[0].slices();
    let rows = [runs[0].scores.len(), runs[1].scores.len()];
    let (mut below, mut tied) = (rows.map(|n| vec![9i64; n]), rows.map(|n| vec![9i64; n]));
    let [[a, b], [c, d]] = [below.each_mut(), tied.each_mut()];
    let columns = [Placed { below: a, tied: c }, Placed { below: b, tied: d }];
    placements(runs, columns, workers).unwrap();
    let totals: Vec<u64> =
        (0..slices).map(|s| (0..2).map(|c| runs[c].weights.sum(runs[c].rows(s))).sum()).collect();
    assert_eq!(heaviest(runs, workers).unwrap(), *totals.iter().max().unwrap());
    let none = vec![0; slices];
    let masses = Masses { totals: &totals, below: &none, bins: 7 };
    let mut bins = level_bins(runs, masses, workers).unwrap().into_iter();
    let mut corners = level_hull(runs, workers).unwrap().into_iter().peekable();
    let areas = sorted_areas(runs, workers).unwrap();
    for slice in 0..slices {
        let mut scores: Vec<f64> =
            (0..2).flat_map(|class| runs[class].scores[runs[class].rows(slice)].to_vec()).collect();
        scores.sort_by(f64::total_cmp);
        scores.dedup();
        let (mut last, mut sums, mut area) = (None, [0u64; 2], 0u128);
        let mut points = vec![(0u64, 0u64)];
        for score in scores {
            let own = [0, 1].map(|class| {
                let (rows, of) = (runs[class].rows(slice), runs[class].scores);
                let first = rows.start + of[rows.clone()].partition_point(|other| *other < score);
                let end = rows.start + of[rows].partition_point(|other| *other <= score);
                first..end
            });
            let weight = [0, 1].map(|class| runs[class].weights.sum(own[class].clone()));
            for class in 0..2 {
                for row in own[class].clone() {
                    assert_eq!(below[class][row], sums[1 - class] as i64);
                    assert_eq!(tied[class][row], weight[1 - class] as i64);
                }
            }
            let number = (7 * (2 * (sums[0] + sums[1]) + weight[0] + weight[1]) as u128
                / (2 * totals[slice]) as u128) as u64;
            if last != Some(number) {
                let bin = bins.next().unwrap();
                assert_eq!((bin.slice, bin.number), (slice, number));
                assert_eq!(bin.rows, [own[0].start, own[1].start]);
                last = Some(number);
            }
            area += weight[0] as u128 * (2 * sums[1] + weight[1]) as u128;
            sums = [sums[0] + weight[0], sums[1] + weight[1]];
            points.push((sums[1], sums[0]));
        }
        assert_eq!((areas[slice].positives, areas[slice].negatives), (sums[0], sums[1]));
        assert_eq!(areas[slice].doubled_area, area);
        let mut found = Vec::new();
        while corners.peek().is_some_and(|corner| corner.slice == slice) {
            found.push(corners.next().map(|corner| (corner.x, corner.y)).unwrap());
        }
        assert_eq!(found, if points.len() > 1 { hull(&points) } else { vec![] });
    }
    assert!(bins.next().is_none() && corners.next().is_none());
}

fn hull(points: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut found: Vec<(u64, u64)> = Vec::new();
    for c in points {
        while let [.., a, b] = found[..] {
            let turn = (b.0 - a.0) as i128 * (c.1 - b.1) as i128
                - (c.0 - b.0) as i128 * (b.1 - a.1) as i128;
            if turn > 0 {
                break;
            }
            found.pop();
        }
        found.push(*c);
    }
    found
}

#[test]
fn walks_through_both_classes() {
    let sizes = [[0, 0, 0], [3, 0, 9], [50, 700, 3000], [10, 100_000, 20], [0, 5, 300]];
    for (number, kinds) in [1, 2, 40, 1 << 10, 1 << 30].into_iter().enumerate() {
        for digits in 0..3 {
            let up = side(sizes[number], kinds, 1 + number as u64);
            let down = side(sizes[(number + digits) % 5], kinds, 77 + digits as u64);
            for threads in [1, 3] {
                check(&[run(&up, digits), run(&down, digits)], &Workers::new(threads, &|| false));
            }
        }
    }
}

/// Weights in the upper digit weigh 2^31 times as much: bins are the same, and sums a digit higher.
#[test]
fn weights_beyond_64_bits_in_total() {
    let reading = Reading { downsampled: None, clip: None };
    for (number, kinds) in [40, 1 << 30].into_iter().enumerate() {
        let mut sides = [77, 78].map(|seed| side([50, 7000, 90_000], kinds, seed + number as u64));
        let none = vec![0; 97_050];
        for side in &mut sides {
            let heavy = side.high.iter().zip(&side.low);
            side.high = heavy.map(|(one, low)| (1 << 31) - 1 - one - low).collect();
        }
        let runs = sides.each_ref().map(|side| run(side, 0));
        let [one, two] = [&sides[0].high, &sides[1].high];
        let weighed = |class: usize, weights| Run { weights, ..runs[class] };
        let narrow = [weighed(0, Weights::One(one)), weighed(1, Weights::One(two))];
        let wide = [weighed(0, Weights::Two(&none, one)), weighed(1, Weights::Two(&none, two))];
        assert!(wide[0].total() > 1 << 64);
        let totals: Vec<u64> = (0..3)
            .map(|slice| narrow.iter().map(|run| run.weights.sum(run.rows(slice))).sum())
            .collect();
        let wide_totals: Vec<u128> = totals.iter().map(|total| (*total as u128) << 31).collect();
        for threads in [1, 3] {
            let workers = Workers::new(threads, &|| false);
            let masses = Masses { totals: &totals, below: &[0; 3], bins: 15 };
            let expected = level_bins(&narrow, masses, &workers).unwrap();
            let masses = Masses { totals: &wide_totals, below: &[0; 3], bins: 15 };
            assert_eq!(level_bins(&wide, masses, &workers).unwrap(), expected);
            assert!(expected.len() > 40);
            let bounds = [0, 50, 50, 60_000, 97_050];
            let sums = |run| level_sums(run, &bounds, Term::Variance, reading, &workers).unwrap();
            let up = |(power, digits)| (power + 31, digits);
            for (one, two) in narrow.iter().zip(&wide) {
                assert_eq!(sums(two), sums(one).into_iter().map(up).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn sums_are_exact() {
    let workers = Workers::new(3, &|| false);
    let scores = [0.0, 5e-324, 2f64.powi(-80), 0.25, 0.75, 1.0];
    let side =
        Side { starts: vec![0, 6], scores: scores.to_vec(), low: vec![3; 6], high: vec![0; 6] };
    let reading = Reading { downsampled: None, clip: None };
    let sums = |digits, bounds: &[i64]| {
        let run = run(&side, digits);
        let found = level_sums(&run, bounds, Term::Expected, reading, &workers).unwrap();
        let of = |power: i32, place: usize| {
            found.iter().filter(|(p, _)| *p == power).map(|(_, column)| column[place]).sum::<i64>()
        };
        assert!(found.iter().all(|(power, _)| power % 31 == 0));
        // Everything from 1 down to 2^-31, what 2^-80 is in digits, and the smallest number.
        (0..bounds.len() - 1)
            .map(|place| {
                let whole = (of(0, place) << 31) + of(-31, place);
                (whole, of(-93, place), of(-1085, place))
            })
            .collect::<Vec<_>>()
    };
    let (smallest, small) = (1i64 << 11, 1i64 << 13);
    assert_eq!(sums(0, &[0, 6]), [(2i64 << 31, small, smallest)]);
    assert_eq!(sums(1, &[0, 6]), [(6i64 << 31, 3 * small, 3 * smallest)]);
    let parts = [(0, 0, 0), (0, small, smallest), (0, 0, 0), (2i64 << 31, 0, 0)];
    assert_eq!(sums(0, &[0, 1, 3, 3, 6]), parts);
    let wrong = Side { starts: vec![0, 1], scores: vec![1.5], low: vec![], high: vec![] };
    let found = level_sums(&run(&wrong, 0), &[0, 1], Term::Expected, reading, &workers);
    assert_eq!(found.unwrap_err(), Failure::OutOfRange);
}

#[test]
fn cells_have_the_moments_of_their_rows() {
    let (up, down) = (side([0, 90, 400], 97, 5), side([3, 0, 300], 97, 6));
    let workers = Workers::new(1, &|| false);
    let reading = Reading { downsampled: None, clip: None };
    let made = level_cells(&[run(&up, 1), run(&down, 0)], &[10; 3], reading, &workers).unwrap();
    let codes: Vec<_> = made.codes().collect();
    assert!(codes.is_sorted() && codes.windows(2).all(|pair| pair[0] != pair[1]));
    let inside = |side: &Side| side.scores.iter().filter(|score| **score > 0.0).count() as u128;
    assert_eq!(made.moments(1, 0).sum::<u128>(), inside(&down));
    let rows = (0..up.scores.len()).filter(|row| up.scores[*row] > 0.0);
    let weight: u128 = rows.map(|row| up.low[row] as u128).sum();
    assert_eq!(made.moments(0, 0).sum::<u128>(), weight);
    assert!(made.moments(0, 1).zip(made.moments(0, 0)).all(|(t, w)| t <= w << 42));
}
