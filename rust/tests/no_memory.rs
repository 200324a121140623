//! Each kernel is called again and again, and each time another of its allocations fails: the call ends
//! with `NoMemory`, or goes without. An allocation that nobody asked for with care ends this process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use steelyard_rust::coding::texts::Characters;
use steelyard_rust::coding::words::Words;
use steelyard_rust::coding::{Keys, code_keys, grouped, rank_words};
use steelyard_rust::curves::areas::curve_points;
use steelyard_rust::curves::blocks::{Points, Whole};
use steelyard_rust::curves::few::counted_all;
use steelyard_rust::curves::most::{Measure, curve_most};
use steelyard_rust::curves::output::{Columns as PointColumns, fill};
use steelyard_rust::curves::plain::classes;
use steelyard_rust::curves::rare::total_of;
use steelyard_rust::curves::terms::{Term as CurveTerm, curve_sums};
use steelyard_rust::groups::areas::group_areas;
use steelyard_rust::groups::by_slice::slice_order;
use steelyard_rust::groups::rows::{Grades, GroupedRows, Ones};
use steelyard_rust::keys::{Plain, Sliced};
use steelyard_rust::levels::Reading;
use steelyard_rust::levels::bins::{Masses, level_bins};
use steelyard_rust::levels::cells::level_cells;
use steelyard_rust::levels::hull::level_hull;
use steelyard_rust::levels::sums::{Term as LevelTerm, level_sums};
use steelyard_rust::lists::ranks::{Lists, Ties, in_order, rank_lists};
use steelyard_rust::lists::terms::{RankedLists, Term as ListTerm, numbers};
use steelyard_rust::memory::{NoMemory, gathered};
use steelyard_rust::pair_areas::{ScoredRows, point_areas};
use steelyard_rust::pairs::inversions;
use steelyard_rust::partition::scatter::Row;
use steelyard_rust::partition::slices::SliceFacts;
use steelyard_rust::rows::{Chunk, Codes};
use steelyard_rust::sorted::areas::sorted_areas;
use steelyard_rust::sorted::line_areas::line_areas;
use steelyard_rust::sorted::lines::sorted_line_areas;
use steelyard_rust::sorted::placements::{Placed, placements};
use steelyard_rust::sorted::runs::{Run, Weights as RunWeights};
use steelyard_rust::sorted::sort_rows::{Side, gather, sort_rows};
use steelyard_rust::sums::coded::{bin_codes, count_codes, sums_by_code};
use steelyard_rust::sums::formulas::Formula;
use steelyard_rust::sums::row_terms::{Columns, Line, Scores, Term, Weights, add_terms};
use steelyard_rust::sums::units::lowest_bit;
use steelyard_rust::workers::Workers;

/// What fails: the allocation of this number, of those that are not small.
struct Failing;

static ARMED: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicUsize = AtomicUsize::new(0);
static FAILS: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Bytes: what does not grow with rows, slices, groups or keys is smaller.
const SMALL: usize = 900;

fn fails(size: usize) -> bool {
    size > SMALL && ARMED.load(SeqCst) && ASKED.fetch_add(1, SeqCst) == FAILS.load(SeqCst)
}

// SAFETY: it is the system's allocator, which may fail as it likes.
unsafe impl GlobalAlloc for Failing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promised.
        if fails(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if fails(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promised.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if fails(size) {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promised.
        unsafe { System.realloc(start, layout, size) }
    }
    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Failing = Failing;

/// Each allocation of a kernel fails, some of which it has.
fn check(name: &str, kernel: impl FnMut(&Workers)) {
    for (failed, calls) in failures(name, kernel) {
        assert!(failed > 0, "{name}: of {calls} allocations none failed");
    }
}

/// Calls a kernel until none of its allocations is left to fail, with one thread and with two: how
/// many calls ended, and how many there were.
fn failures(name: &str, mut kernel: impl FnMut(&Workers)) -> [(usize, usize); 2] {
    [1, 2].map(|threads| {
        let workers = || Workers::new(threads, &|| false);
        let (mut failed, mut calls) = (0, 0);
        loop {
            ASKED.store(0, SeqCst);
            FAILS.store(calls, SeqCst);
            ARMED.store(true, SeqCst);
            let made = catch_unwind(AssertUnwindSafe(|| kernel(&workers())));
            ARMED.store(false, SeqCst);
            if let Err(why) = made {
                assert!(why.is::<NoMemory>(), "{name}: a panic of another kind");
                failed += 1;
            }
            if ASKED.load(SeqCst) <= calls {
                break;
            }
            calls += 1;
        }
        (failed, calls)
    })
}

/// What a kernel that has no answer would end with.
fn some<T>(made: Option<T>) -> T {
    made.unwrap_or_else(|| steelyard_rust::memory::give_up())
}

const ROWS: usize = 9_000;
const SLICES: usize = 700;
/// Rows that several threads share.
const MANY: usize = 1_000_000;

struct Drawn {
    codes: Vec<u32>,
    keys: Vec<u64>,
    scores: Vec<f64>,
    positive: Vec<u8>,
    weights: Vec<f64>,
}

fn draw() -> Drawn {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 33
    };
    Drawn {
        codes: (0..ROWS).map(|_| (next() % SLICES as u64) as u32).collect(),
        keys: (0..ROWS).map(|_| (next() % 5000).wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect(),
        scores: (0..ROWS).map(|_| next() as f64 / (1u64 << 31) as f64).collect(),
        positive: (0..ROWS).map(|_| (next() % 3 == 0) as u8).collect(),
        weights: (0..ROWS).map(|_| (next() % 1000) as f64 / 8.0).collect(),
    }
}

/// One test, since the allocator serves all threads.
#[test]
fn every_kernel_ends_where_there_is_no_memory() {
    let drawn = draw();
    of_curves(&drawn);
    of_groups(&drawn);
    of_keys(&drawn);
    of_sorted_rows(&drawn);
    of_sums(&drawn);
}

fn of_curves(drawn: &Drawn) {
    let Drawn { codes, scores, positive, weights, .. } = drawn;
    let chunk = [Chunk { codes: Codes::U32(codes), scores, positive, weights }];
    let ones = vec![(); ROWS];
    let plain = [Chunk { codes: Codes::One, scores, positive, weights: &ones }];
    check("curve_points of one slice", |workers| {
        let facts = SliceFacts::one(ROWS);
        some(curve_points::<Plain<f64>, (), u32>(&plain, &facts, 1.0, true, workers));
    });
    check("curve_points of a rare class", |workers| {
        some(total_of(&plain, true, ROWS, 1.0, workers));
    });
    let rounded: Vec<f64> = scores.iter().map(|score| (score * 1000.0).round()).collect();
    let few = [Chunk { codes: Codes::One, scores: &rounded, positive, weights: &ones }];
    check("curve_points of few scores", |workers| {
        some(counted_all::<_, (), u32>(&few, 1.0, true, workers));
    });
    check("curve_points", |workers| {
        let facts = SliceFacts::new(&chunk, SLICES, workers);
        let made = curve_points::<Sliced<f64, u128>, f64, u64>(&chunk, &facts, 8.0, true, workers);
        let (rows, columns) = (ROWS, PointColumns::new(some(made)));
        ARMED.store(false, SeqCst);
        let mut into = vec![0.0; rows];
        let mut numbers = [vec![0i64; rows], vec![0i64; rows], vec![0i64; rows]];
        let [a, b, c] = &mut numbers;
        ARMED.store(true, SeqCst);
        fill(&columns, &mut into, [a, b, c], workers).unwrap();
    });
    let starts: Vec<i64> = (0..=SLICES).map(|slice| (ROWS * slice / SLICES) as i64).collect();
    let (ups, downs) = (vec![1 << 20; SLICES], vec![1 << 20; SLICES]);
    let points = Points {
        starts: &starts,
        positives: None,
        below: Whole::U32(codes),
        tied: None,
        upwards: (&ups, &downs),
    };
    check("curve_sums", |workers| {
        curve_sums(&points, CurveTerm::DoubledFp, workers);
    });
    check("curve_most", |workers| {
        curve_most(&points, Measure::Gain, &ups, &downs, workers);
    });
    check("plain classes", |_| {
        classes(positive);
    });
}

fn of_groups(drawn: &Drawn) {
    let Drawn { codes, scores, positive, .. } = drawn;
    let mut rising = codes.clone();
    rising.sort_unstable();
    let slices: Vec<u32> = codes.iter().map(|code| code * 7 % 90).collect();
    let other: Vec<u32> = codes.iter().map(|code| code * 5 % 80).collect();
    for codes in [codes, &rising] {
        let rows = GroupedRows {
            codes: Codes::U32(codes),
            groups: SLICES as u32,
            scores,
            grades: Grades::U8(positive),
            least: 1.0,
            unscored: None,
            tags: None,
        };
        let columns = [Codes::U32(&slices), Codes::U32(&other)];
        for given in [&columns[..0], &columns[..1], &columns] {
            check("group_areas", |workers| {
                let made = group_areas::<f64, (), u32>(&rows, &Ones, None, given, workers);
                some(made).iter().for_each(|areas| drop(slice_order(&areas.slices)));
            });
            check("rank_lists", |workers| {
                let made = some(rank_lists(&rows, Ties::Expected, given, workers));
                let parts: Vec<&Lists> = made.iter().map(|part| &part[0]).collect();
                in_order(&parts, true);
            });
        }
        let numbers: Vec<i64> = (0..ROWS as i64).rev().collect();
        check("rank_lists by key", |workers| {
            some(rank_lists(&rows, Ties::Keys(&numbers), &[], workers));
        });
    }
    // Long groups have memory of their own: sorted rows, ranks.
    let few: Vec<u32> = codes.iter().map(|code| code % 3).collect();
    let rows = GroupedRows {
        codes: Codes::U32(&few),
        groups: 3,
        scores,
        grades: Grades::U8(positive),
        least: 1.0,
        unscored: None,
        tags: None,
    };
    let columns = [Codes::U32(&slices), Codes::U32(&other)];
    check("long groups", |workers| {
        some(group_areas::<f64, (), u32>(&rows, &Ones, None, &columns, workers));
    });
    check("long lists", |workers| {
        some(rank_lists(&rows, Ties::Expected, &columns, workers));
    });
    let starts: Vec<i64> = (0..=SLICES).map(|list| (ROWS * list / SLICES) as i64).collect();
    let (above, tied) = (vec![0; ROWS], vec![1; ROWS]);
    // Grades that are bytes are counted; others are sorted, in memory of the list's length.
    let grades: Vec<f64> = positive.iter().map(|grade| f64::from(*grade)).collect();
    let lists = RankedLists {
        starts: &starts,
        grades: Grades::F64(&grades),
        above: &above,
        tied: &tied,
        judged: None,
    };
    let discounts = vec![1.0; ROWS];
    let term = ListTerm {
        name: "ideal_gain",
        depth: 10,
        rel: 1.0,
        exp2: false,
        p: 0.5,
        discounts: &discounts,
    };
    let whole = RankedLists { starts: &[0, ROWS as i64], ..lists };
    let mut made = [0.0];
    check("list terms", |workers| {
        numbers(&whole, &term, &mut made, workers);
    });
}

fn of_keys(drawn: &Drawn) {
    let Drawn { codes, keys, .. } = drawn;
    let rows = || gathered(codes.iter().map(|&word| Row { word, weight: () }));
    check("inversions", |workers| {
        some(inversions::<(), u32>(&mut rows(), &[0, ROWS as i64], workers));
    });
    let mut made = vec![0; ROWS];
    let columns = [Keys::Words(Words::U64(keys)), Keys::Words(Words::U32(codes))];
    check("code_keys", |workers| {
        some(code_keys(&columns, &mut made, workers));
    });
    check("rank_words", |workers| {
        some(rank_words(&Words::U64(keys), &mut made, workers));
    });
    check("rank_words in a narrow range", |workers| {
        some(rank_words(&Words::U32(codes), &mut made, workers));
    });
    let width = 40;
    let points: Vec<u32> = keys
        .iter()
        .flat_map(|key| (0..width).map(move |at| 97 + (key >> (at % 16) & 15) as u32))
        .collect();
    let data: Vec<u8> = points.iter().map(|point| *point as u8).collect();
    let starts: Vec<i64> = (0..ROWS).map(|row| (row * width as usize) as i64).collect();
    let lengths = vec![width as i64; ROWS];
    let texts = [
        Characters::Bytes { starts: &starts, lengths: &lengths, data: &data },
        Characters::Points { points: &points, width: width as usize },
    ];
    for texts in texts {
        check("code_keys of texts", |workers| {
            some(code_keys(&[Keys::Texts(texts)], &mut made, workers));
        });
    }
    let (mut low, mut high) = (vec![0u64; SLICES], vec![0u64; SLICES]);
    check("group_ends", |workers| {
        grouped::ends(&Words::U32(codes), keys, (&mut low, &mut high), workers);
    });
    let (mut starts, mut order) = (vec![0; SLICES + 1], vec![0; ROWS]);
    check("bring_together", |workers| {
        grouped::bring_together(&Words::U32(codes), &mut starts, &mut order, workers);
    });
}

fn of_sorted_rows(drawn: &Drawn) {
    let Drawn { codes, scores, positive, .. } = drawn;
    let carried: Vec<u32> = (0..ROWS as u32).collect();
    let count = |class| positive.iter().filter(|own| **own == class).count();
    let rows = [count(1), count(0)];
    let mut starts = [vec![0i64; SLICES + 1], vec![0i64; SLICES + 1]];
    let (mut sorted, mut places) = (rows.map(|rows| vec![0.0; rows]), rows.map(|n| vec![0u32; n]));
    let chunk = [Chunk { codes: Codes::U32(codes), scores, positive, weights: &carried }];
    check("sort_scores", |workers| {
        let facts = SliceFacts::new(&chunk, SLICES, workers);
        let ([a, b], [c, d], [e, f]) = (starts.each_mut(), sorted.each_mut(), places.each_mut());
        let sides = [
            Side { starts: &mut a[..], scores: &mut c[..], carried: &mut e[..] },
            Side { starts: &mut b[..], scores: &mut d[..], carried: &mut f[..] },
        ];
        some(sort_rows::<Sliced<f64, u128>, u32>(&chunk, &facts, sides, workers).ok());
    });
    let lines: Vec<u32> = carried.iter().map(|row| row * 7 % 1000).collect();
    let of_lines = [Chunk { weights: &lines[..], ..chunk[0] }];
    check("line_areas", |workers| {
        let facts = SliceFacts::new(&of_lines, SLICES, workers);
        some(line_areas::<Sliced<f64, u128>>(&of_lines, &facts, 1000, workers));
    });
    let of_one = [Chunk { codes: Codes::One, ..of_lines[0] }];
    check("line_areas of one slice", |workers| {
        some(line_areas::<Plain<f64>>(&of_one, &SliceFacts::one(ROWS), 1000, workers));
    });
    let mut taken = vec![0u32; rows[1]];
    let most = vec![3u32; MANY];
    let mut all = vec![0u32; MANY];
    check("gather", |workers| {
        gather(&carried, &places[1], &mut taken, workers);
        gather(&carried, &most, &mut all, workers);
    });
    let run = |class: usize| Run {
        starts: &starts[class],
        scores: &sorted[class],
        weights: RunWeights::Ones,
    };
    let by_slice = [run(0), run(1)];
    let mut of_one = sorted.clone();
    of_one.iter_mut().for_each(|scores| scores.sort_unstable_by(f64::total_cmp));
    let ends = rows.map(|rows| [0, rows as i64]);
    let whole = |class: usize| Run {
        starts: &ends[class],
        scores: &of_one[class],
        weights: RunWeights::Ones,
    };
    let one = [whole(0), whole(1)];
    for (name, runs) in [("of slices", &by_slice), ("of one slice", &one)] {
        let slices = runs[0].slices();
        let (totals, none, bits) =
            (vec![(ROWS / slices) as u64; slices], vec![0; slices], vec![40; slices]);
        let masses = Masses { totals: &totals, below: &none, bins: 200 };
        let reading = Reading { downsampled: None, clip: None };
        check(&format!("level_bins {name}"), |workers| {
            some(level_bins(runs, masses, workers));
        });
        check(&format!("level_hull {name}"), |workers| {
            some(level_hull(runs, workers));
        });
        check(&format!("level_cells {name}"), |workers| {
            some(level_cells(runs, &bits, reading, workers));
        });
        let bounds: Vec<i64> = (0..=rows[1] as i64).collect();
        check(&format!("level_sums {name}"), |workers| {
            level_sums(&runs[1], &bounds, LevelTerm::Squares, reading, workers).unwrap();
        });
    }
    let edges: Vec<i64> = (0..=ROWS as i64).collect();
    let scored = ScoredRows { edges: &edges, positive, codes, weights: RunWeights::Ones };
    check("pair_areas", |workers| {
        some(point_areas::<u128>(&scored, true, SLICES, workers));
    });
    check("sorted_areas", |workers| {
        some(sorted_areas(&by_slice, workers));
    });
    check("sorted_line_areas", |workers| {
        let own = [&lines[..rows[0]], &lines[rows[0]..]];
        some(sorted_line_areas::<_, u128>(&by_slice, own, 1000, workers));
    });
    // So many rows make pieces enough.
    let (scores, starts): (Vec<f64>, _) =
        ((0..MANY).map(|row| row as f64).collect(), [0, MANY as i64]);
    let side = || Run { starts: &starts, scores: &scores, weights: RunWeights::Ones };
    let runs = [side(), side()];
    let mut columns = [vec![0u32; MANY], vec![0u32; MANY]];
    let mut others = columns.clone();
    check("placements", |workers| {
        let ([a, b], [c, d]) = (columns.each_mut(), others.each_mut());
        let placed = [Placed { below: a, tied: c }, Placed { below: b, tied: d }];
        some(placements(&runs, placed, workers));
    });
}

fn of_sums(drawn: &Drawn) {
    let Drawn { codes, scores, positive, weights, .. } = drawn;
    let line = Line { codes: Codes::U32(codes), size: SLICES };
    check("sums_by_code", |workers| {
        let (values, weights) = (Weights::Double(scores), Weights::Double(weights));
        sums_by_code(line, ROWS, values, weights, workers).into_digits();
    });
    // It needs no memory that grows.
    let found = failures("lowest_bit", |workers| {
        some(lowest_bit(weights, workers));
    });
    assert!(found.iter().all(|(failed, _)| *failed == 0));
    check("count_codes", |workers| {
        count_codes(line, ROWS, Some(positive), workers);
    });
    let mut columns = Columns::of_scores(ROWS, Scores::Double(scores));
    columns.positive = positive;
    columns.clip = Some(1e-15);
    let mut made = vec![0; ROWS];
    check("bin_codes", |workers| bin_codes(&columns, 300, &mut made, workers));
    columns.weight = Weights::Double(weights);
    let formula = |name: &str| Formula::parsed(name, |_| None).unwrap();
    let terms =
        ["positive", "log", "square"].map(|name| Term { formula: formula(name), weighted: true });
    check("add_terms", |workers| {
        add_terms(&[line], &columns, &terms, workers);
    });
}
