//! Times of the pure algorithm: cargo run --release --example measure
use std::time::Instant;
use steelyard_rust::amounts::{Amount, Counted};
use steelyard_rust::curves::areas::curve_points;
use steelyard_rust::keys::*;
use steelyard_rust::partition::slices::SliceFacts;
use steelyard_rust::rows::{Chunk, Codes};
use steelyard_rust::workers::Workers;

struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn timed<K: Key, W: Counted<A>, A: Amount>(
    what: &str,
    chunk: Chunk<K::Score, W>,
    slices: usize,
    scale: f64,
    points: bool,
) {
    if std::env::args().nth(1).is_some_and(|only| only != what) {
        return;
    }
    let mut best = [f64::MAX; 2];
    let mut cpu = [f64::MAX; 2];
    for _ in 0..7 {
        for threads in [1, 2] {
            let workers = Workers::new(threads, &|| false);
            let (start, used) = (Instant::now(), processor_time());
            let facts = if K::SLICED {
                SliceFacts::new(&[chunk], slices, &workers)
            } else {
                SliceFacts::one(chunk.scores.len())
            };
            let made = curve_points::<K, W, A>(&[chunk], &facts, scale, points, &workers).unwrap();
            let took = start.elapsed().as_secs_f64() * 1e3;
            best[threads - 1] = best[threads - 1].min(took);
            cpu[threads - 1] = cpu[threads - 1].min(processor_time() - used);
            std::hint::black_box(made.joined.totals[0].doubled_area);
        }
    }
    println!(
        "{what:44} {:6.1} {:6.1} ms, processor {:6.1} {:6.1} ms",
        best[0], best[1], cpu[0], cpu[1]
    );
}

fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the system fills the struct that it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

fn main() {
    let n = 10_000_000;
    let given = std::env::args().nth(2).and_then(|share| share.parse().ok());
    for share in given.map_or(vec![0.05, 0.5], |share| vec![share]) {
        let mut random = Random(88172645463325252);
        let positive: Vec<u8> = (0..n).map(|_| (random.next() < share) as u8).collect();
        let wide: Vec<f64> = positive
            .iter()
            .map(|p| {
                let sum: f64 = (0..6).map(|_| random.next()).sum::<f64>() - 3.0 + *p as f64;
                1.0 / (1.0 + (-sum - 1.0).exp())
            })
            .collect();
        let narrow: Vec<f32> = wide.iter().map(|s| *s as f32).collect();
        let logit: Vec<f32> = wide.iter().map(|s| (s / (1.0 - s)).ln() as f32).collect();
        let digits: Vec<f32> =
            wide.iter().map(|s| ((s * 1000.0).round() / 1000.0) as f32).collect();
        let weights: Vec<f64> = (0..n).map(|_| random.next()).collect();
        let narrow_weights: Vec<f32> = weights.iter().map(|w| *w as f32).collect();
        let few: Vec<u32> = (0..n).map(|_| (random.next() * 50.0) as u32).collect();
        let many: Vec<u32> = (0..n).map(|_| (random.next() * 20000.0) as u32).collect();
        let none = vec![(); n];
        let codes = Codes::One;
        let chunk =
            Chunk { codes, scores: &narrow[..], positive: &positive[..], weights: &none[..] };
        println!("{share} positive");
        timed::<Plain<f32>, (), u32>("float32", chunk, 1, 1.0, false);
        timed::<Plain<f32>, (), u32>("float32 points", chunk, 1, 1.0, true);
        timed::<Plain<f32>, (), u32>(
            "float32 logits",
            Chunk { scores: &logit[..], ..chunk },
            1,
            1.0,
            false,
        );
        timed::<Plain<f32>, (), u32>(
            "float32 3 digits",
            Chunk { scores: &digits[..], ..chunk },
            1,
            1.0,
            false,
        );
        let chunk64 =
            Chunk { codes, scores: &wide[..], positive: &positive[..], weights: &none[..] };
        timed::<Plain<f64>, (), u32>("float64", chunk64, 1, 1.0, false);
        let chunk = Chunk {
            codes,
            scores: &narrow[..],
            positive: &positive[..],
            weights: &narrow_weights[..],
        };
        timed::<Plain<f32>, f32, u64>(
            "float32, float32 weights",
            chunk,
            1,
            (1u64 << 34) as f64,
            false,
        );
        timed::<Plain<f32>, f32, u128>(
            "float32, float32 weights wide",
            chunk,
            1,
            (1u64 << 60) as f64,
            false,
        );
        let chunk =
            Chunk { codes, scores: &narrow[..], positive: &positive[..], weights: &weights[..] };
        timed::<Plain<f32>, f64, u128>(
            "float32, float64 weights",
            chunk,
            1,
            (1u64 << 53) as f64,
            false,
        );
        let chunk = Chunk {
            codes: Codes::U32(&few),
            scores: &narrow[..],
            positive: &positive[..],
            weights: &none[..],
        };
        timed::<Sliced<f32, u64>, (), u32>("float32, 50 slices", chunk, 50, 1.0, false);
        timed::<Sliced<f32, u64>, (), u32>(
            "float32, 20,000 slices",
            Chunk { codes: Codes::U32(&many), ..chunk },
            20000,
            1.0,
            false,
        );
        let chunk = Chunk {
            codes: Codes::U32(&few),
            scores: &wide[..],
            positive: &positive[..],
            weights: &none[..],
        };
        timed::<Sliced<f64, u64>, (), u32>("float64, 50 slices", chunk, 50, 1.0, false);
    }
}
