//! Areas of groups and ranks of lists against a literal computation: every pair of rows.

use std::collections::BTreeMap;
use steelyard_rust::groups::areas::group_areas;
use steelyard_rust::groups::rows::{Grades, GroupedRows, Ones, Weights};
use steelyard_rust::lists::ranks::{Ties, rank_lists};
use steelyard_rust::rows::Codes;
use steelyard_rust::workers::Workers;

struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16) % count
    }
}

/// Whole weights.
struct Whole<'a>(&'a [u64]);

impl Weights<u64> for Whole<'_> {
    fn of(&self, row: usize) -> u64 {
        self.0[row]
    }
}

struct Drawn {
    codes: Vec<u32>,
    groups: u32,
    scores: Vec<f32>,
    grades: Vec<u8>,
    slices: Vec<u8>,
    weights: Vec<u64>,
}

fn draw(seed: u64) -> Drawn {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1);
    let count = [0, 1, 40, 700, 30_000][random.below(5) as usize];
    let wanted = [1, 3, 200, 9000][random.below(4) as usize];
    let mut codes: Vec<u32> =
        (0..count).map(|_| random.below(wanted).min(random.below(wanted)) as u32).collect();
    let mut present = codes.clone();
    present.sort_unstable();
    present.dedup();
    codes.iter_mut().for_each(|code| *code = present.binary_search(code).unwrap() as u32);
    if random.below(2) == 0 {
        codes.sort_unstable();
    }
    let ties = [3, 1 << 20][random.below(2) as usize];
    Drawn {
        groups: present.len() as u32,
        scores: (0..count).map(|_| random.below(ties) as f32 - ties as f32 / 2.0).collect(),
        grades: (0..count).map(|_| random.below(8).saturating_sub(5) as u8).collect(),
        slices: (0..count).map(|_| random.below(3) as u8).collect(),
        weights: (0..count).map(|_| random.below(1 << 40)).collect(),
        codes,
    }
}

impl Drawn {
    fn rows(&self, unscored: Option<&'static [u8]>) -> GroupedRows<'_, f32> {
        GroupedRows {
            codes: Codes::U32(&self.codes),
            groups: self.groups,
            scores: &self.scores,
            grades: Grades::U8(&self.grades),
            least: 1.0,
            unscored,
            tags: None,
        }
    }

    /// The rows of each slice and group.
    fn members(&self, by_slice: bool) -> BTreeMap<(u32, u32), Vec<usize>> {
        let mut members = BTreeMap::<_, Vec<usize>>::new();
        for (row, &code) in self.codes.iter().enumerate() {
            let slice = if by_slice { self.slices[row] as u32 } else { 0 };
            members.entry((slice, code)).or_default().push(row);
        }
        members
    }

    fn doubled(&self, rows: &[usize], weight: impl Fn(usize) -> u128) -> u128 {
        let mut doubled = 0;
        for &hit in rows.iter().filter(|row| self.grades[**row] > 0) {
            for &other in rows.iter().filter(|row| self.grades[**row] == 0) {
                let (above, below) = (self.scores[hit], self.scores[other]);
                let points = 2 * (above > below) as u128 + (above == below) as u128;
                doubled += points * weight(hit) * weight(other);
            }
        }
        doubled
    }
}

#[test]
fn areas_are_those_of_all_pairs() {
    for seed in 0..60 {
        let drawn = draw(seed);
        if drawn.codes.len() > 1000 && drawn.groups < 200 {
            continue; // too many pairs
        }
        let slices = [Codes::U8(&drawn.slices)];
        for threads in [1, 3] {
            let workers = Workers::new(threads, &|| false);
            let (rows, weights) = (drawn.rows(None), Whole(&drawn.weights));
            let plain = group_areas::<_, (), u32>(&rows, &Ones, None, &slices, &workers).unwrap();
            let heavy =
                group_areas::<_, u64, u64>(&rows, &weights, None, &slices, &workers).unwrap();
            for (table, (plain, heavy)) in plain.iter().zip(&heavy).enumerate() {
                let members = drawn.members(table > 0);
                assert_eq!(plain.codes.len(), members.len());
                for place in 0..members.len() {
                    let rows = &members[&(plain.slices[place], plain.codes[place])];
                    assert_eq!(plain.rows[place] as usize, rows.len());
                    assert_eq!(plain.doubled[place] as u128, drawn.doubled(rows, |_| 1));
                    let weight = |row: usize| drawn.weights[row] as u128;
                    assert_eq!(heavy.doubled[place], drawn.doubled(rows, weight));
                }
            }
        }
    }
}

#[test]
fn ranks_are_those_of_all_comparisons() {
    for seed in 0..60 {
        let drawn = draw(seed);
        if drawn.codes.len() > 1000 && drawn.groups < 200 {
            continue;
        }
        let workers = Workers::new(2, &|| false);
        let parts = rank_lists(&drawn.rows(None), Ties::Expected, &[], &workers).unwrap();
        let members = drawn.members(false);
        let mut groups = members.values();
        for lists in parts.iter().map(|tables| &tables[0]) {
            let mut entries = lists.above.iter().zip(&lists.tied).zip(&lists.grades);
            for list in &lists.lists {
                let rows = groups.next().unwrap();
                let mut wanted: Vec<_> = rows
                    .iter()
                    .filter(|row| drawn.grades[**row] > 0)
                    .map(|&hit| {
                        let count = |test: &dyn Fn(f32) -> bool| {
                            rows.iter().filter(|row| test(drawn.scores[**row])).count() as u32
                        };
                        let own = drawn.scores[hit];
                        let above = count(&|score| score > own);
                        (above, -(drawn.grades[hit] as i32), count(&|score| score == own))
                    })
                    .collect();
                wanted.sort_unstable();
                let found = entries.by_ref().take(list.entries as usize);
                let found: Vec<_> =
                    found.map(|((&above, &tied), &grade)| (above, -grade as i32, tied)).collect();
                assert_eq!(found, wanted, "seed {seed}");
            }
        }
        assert!(groups.next().is_none());
    }
}
