//! `rank_lists`: the rank of every row with a grade in its list, and the size of its tied block.
//!
//! Only rows with a grade are compared with their list; the others are never sorted.

use crate::groups::by_slice::{Split, slice_order, slices_of};
use crate::groups::parts::{Group, GroupParts, each_group};
use crate::groups::rows::{Grades, GroupedRows, HITS, OTHERS, Ones, UNSCORED};
use crate::keys::{Bits, Score};
use crate::memory::{Grow, gathered};
use crate::rows::Codes;
use crate::workers::Workers;

/// How rows of equal score are ordered.
#[derive(Clone, Copy)]
pub enum Ties<'a> {
    Expected,
    Optimistic,
    Pessimistic,
    /// By rising number, then by falling grade.
    Keys(&'a [i64]),
}

/// One list: how many rows, ranked rows, entries and judged rows.
#[derive(Clone, Copy)]
pub struct List {
    pub code: u32,
    pub slice: u32,
    pub rows: u32,
    pub size: u32,
    pub entries: u32,
    pub judged: u32,
}

/// The lists of one table, in the order of codes; entries are those of list after list.
#[derive(Default)]
pub struct Lists {
    pub lists: Vec<List>,
    pub above: Vec<u32>,
    pub tied: Vec<u32>,
    pub grades: Vec<f64>,
    /// The grades of unscored rows.
    pub judged: Vec<f64>,
}

/// The lists of the total and of each column of slices, part by part; None where there is no
/// memory, or the call was interrupted.
pub fn rank_lists<S: Score>(
    rows: &GroupedRows<S>,
    ties: Ties,
    slices: &[Codes],
    workers: &Workers,
) -> Option<Vec<Vec<Lists>>> {
    let grades = match rows.grades {
        // The grade goes with the row, where nothing else of it is looked up.
        Grades::U8(grades) if slices.is_empty() && !matches!(ties, Ties::Keys(_)) => {
            RowGrades::Tags(grades)
        }
        _ => RowGrades::Column(rows.grades),
    };
    let tags = match grades {
        RowGrades::Tags(grades) => Some(Codes::U8(grades)),
        RowGrades::Column(_) => None,
    };
    let (rows, slices) = (&GroupedRows { tags, ..*rows }, slices_of(slices, false));
    let parts = GroupParts::new(rows, &Ones, true, workers)?;
    parts.each(workers, |part, memory: &mut Memory<S::Bits>| {
        let mut found = gathered((0..=slices.len()).map(|_| Lists::default()));
        let Memory { split, ranking } = memory;
        each_group(part, &slices, split, |table, slice, code, group| {
            ranking.rank(group, &grades, ties);
            ranking.add_to(&mut found[table], (slice, code), group, &grades);
        });
        found
    })
}

/// The grade of each row.
enum RowGrades<'a> {
    /// Its tag.
    Tags(&'a [u8]),
    Column(Grades<'a>),
}

impl RowGrades<'_> {
    #[inline(always)]
    fn of(&self, number: u32) -> f64 {
        match self {
            RowGrades::Tags(_) => number as f64,
            RowGrades::Column(grades) => grades.at(number as usize),
        }
    }
}

/// Memory of one thread.
struct Memory<B> {
    split: Split<B, ()>,
    ranking: Ranking<B>,
}

impl<B: Bits> Default for Memory<B> {
    fn default() -> Self {
        let ranking = Ranking { entries: vec![], hits: vec![], others: vec![], all: vec![] };
        Memory { split: Split::default(), ranking }
    }
}

/// A row with a grade.
#[derive(Clone, Copy)]
struct Entry {
    above: u32,
    tied: u32,
    grade: f64,
    row: u32,
}

struct Ranking<B> {
    entries: Vec<Entry>,
    /// Of a long list the words of its hits, and how many others are above each and at it.
    hits: Vec<B>,
    others: Vec<[u32; 2]>,
    all: Vec<(B, i64, Entry)>,
}

/// Pairs for each row up to which all are compared.
const FEW: usize = 24;

impl Grades<'_> {
    #[inline(always)]
    pub fn at(&self, row: usize) -> f64 {
        match self {
            Grades::U8(grades) => grades[row] as f64,
            Grades::F64(grades) => grades[row],
        }
    }
}

impl<B: Bits> Ranking<B> {
    /// The entries of a list, by rank and falling grade.
    fn rank(&mut self, group: &Group<B, ()>, grades: &RowGrades, ties: Ties) {
        let [hits, others] = [HITS, OTHERS].map(|class| group.rows[class]);
        self.entries.clear();
        if hits.is_empty() {
            return;
        }
        if hits.len() * hits.len().max(others.len()) > FEW * (hits.len() + others.len()) {
            self.search(group);
        } else {
            self.compare(group);
        }
        for (entry, &row) in self.entries.iter_mut().zip(group.numbers[HITS]) {
            (entry.row, entry.grade) = (row, grades.of(row));
        }
        let tied = self.entries.iter().any(|entry| entry.tied > 1);
        match ties {
            Ties::Keys(keys) if tied => self.by_key(group, keys),
            _ => {
                let order =
                    |a: &Entry, b: &Entry| a.above.cmp(&b.above).then(b.grade.total_cmp(&a.grade));
                self.entries.sort_unstable_by(order);
            }
        }
        match ties {
            Ties::Optimistic if tied => self.number(|_| 0),
            Ties::Pessimistic if tied => {
                let order =
                    |a: &Entry, b: &Entry| a.above.cmp(&b.above).then(a.grade.total_cmp(&b.grade));
                self.entries.sort_unstable_by(order);
                self.number(|block| block[0].tied - block.len() as u32);
            }
            _ => {}
        }
    }

    /// Gives each entry a rank of its own; before: how many rows of a block are above all of these.
    fn number(&mut self, before: impl Fn(&[Entry]) -> u32) {
        for block in self.entries.chunk_by_mut(|a, b| a.above == b.above) {
            let first = block[0].above + before(block);
            for (place, entry) in (0..).zip(block) {
                (entry.above, entry.tied) = (first + place, 1);
            }
        }
    }

    /// Every hit is compared with all rows.
    fn compare(&mut self, group: &Group<B, ()>) {
        for hit in group.rows[HITS] {
            let (mut above, mut most) = (0, 0);
            // Sums of comparisons, not branches: they become vector instructions.
            for row in group.rows[HITS] {
                above += (row.word > hit.word) as u32;
                most += (row.word >= hit.word) as u32;
            }
            for row in group.rows[OTHERS] {
                above += (row.word > hit.word) as u32;
                most += (row.word >= hit.word) as u32;
            }
            self.entries.put(Entry { above, tied: most - above, grade: 0.0, row: 0 });
        }
    }

    /// The hits are sorted, and every other row is searched among them.
    fn search(&mut self, group: &Group<B, ()>) {
        let (hits, others) = (&mut self.hits, &mut self.others);
        hits.clear();
        hits.put_all(group.rows[HITS].iter().map(|row| row.word));
        hits.sort_unstable_by(|a, b| b.cmp(a));
        others.clear();
        others.grow_to(hits.len() + 1, [0; 2]);
        for row in group.rows[OTHERS] {
            let place = hits.partition_point(|hit| *hit > row.word);
            let tied = hits.get(place) == Some(&row.word);
            others[place][tied as usize] += 1;
        }
        // From here: how many of the others are above the hit, and tied with it.
        let mut sum = 0;
        for counts in others.iter_mut() {
            let [above, tied] = *counts;
            sum += above;
            *counts = [sum, tied];
            sum += tied;
        }
        self.entries.put_all(group.rows[HITS].iter().map(|hit| {
            let first = hits.partition_point(|other| *other > hit.word);
            let end = first + hits[first..].partition_point(|other| *other == hit.word);
            let [above, tied] = others[first];
            Entry {
                above: above + first as u32,
                tied: tied + (end - first) as u32,
                grade: 0.0,
                row: 0,
            }
        }));
    }

    /// The whole list is sorted by falling score, rising key and falling grade.
    fn by_key(&mut self, group: &Group<B, ()>, keys: &[i64]) {
        let all = &mut self.all;
        all.clear();
        let hits = group.rows[HITS].iter().zip(&self.entries);
        all.put_all(hits.map(|(row, entry)| (row.word, keys[entry.row as usize], *entry)));
        for (row, &number) in group.rows[OTHERS].iter().zip(group.numbers[OTHERS]) {
            let none = Entry { above: 0, tied: 1, grade: 0.0, row: number };
            all.put((row.word, keys[number as usize], none));
        }
        all.sort_unstable_by(|a, b| {
            b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(b.2.grade.total_cmp(&a.2.grade))
        });
        self.entries.clear();
        for (place, (_, _, entry)) in (0..).zip(all.iter()) {
            if entry.grade > 0.0 {
                self.entries.put(Entry { above: place, tied: 1, ..*entry });
            }
        }
    }

    fn add_to(
        &self,
        table: &mut Lists,
        (slice, code): (u32, u32),
        group: &Group<B, ()>,
        grades: &RowGrades,
    ) {
        for entry in &self.entries {
            table.above.put(entry.above);
            table.tied.put(entry.tied);
            table.grades.put(entry.grade);
        }
        let before = table.judged.len();
        let unscored = group.numbers[UNSCORED].iter().map(|row| grades.of(*row));
        table.judged.put_all(unscored.filter(|grade| *grade > 0.0));
        let [hits, others, none] = group.rows.map(|rows| rows.len() as u32);
        table.lists.put(List {
            code,
            slice,
            rows: hits + others + none,
            size: hits + others,
            entries: self.entries.len() as u32,
            judged: (table.judged.len() - before) as u32,
        });
    }
}

/// The order of the lists of a table: the part and the place of each, by slice and code.
pub fn in_order(parts: &[&Lists], by_slice: bool) -> Vec<(u32, u32)> {
    let places = (0..)
        .zip(parts)
        .flat_map(|(part, lists)| (0..lists.lists.len() as u32).map(move |place| (part, place)));
    let places: Vec<_> = gathered(places);
    if !by_slice {
        return places;
    }
    let slices: Vec<_> = gathered(parts.iter().flat_map(|part| &part.lists).map(|list| list.slice));
    gathered(slice_order(&slices).into_iter().map(|place| places[place as usize]))
}
