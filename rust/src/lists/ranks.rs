//! `rank_lists`: the rank of every row with a grade in its list, and the size of its tied block.
//!
//! Only rows with a grade are compared with their list; the others are never sorted.

use crate::groups::by_slice::{Split, slice_order, slices_of};
use crate::groups::compare::Compared;
use crate::groups::parts::{Group, GroupParts, each_group, in_parts};
use crate::groups::rows::{Grades, GroupedRows, HITS, OTHERS, Ones, UNSCORED};
use crate::keys::Score;
use crate::lists::ranking::{Entry, Ranking};
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
    if let (RowGrades::Tags(grades), None) = (&grades, rows.unscored)
        && rows.rise(workers)
    {
        return rank_adjacent(rows, grades, ties, workers);
    }
    let (rows, slices) = (&GroupedRows { tags, ..*rows }, slices_of(slices, false));
    let parts = GroupParts::new(rows, &Ones, true, workers)?;
    parts.each(workers, |part, memory: &mut Memory<S::Bits>| {
        let mut found = gathered((0..=slices.len()).map(|_| Lists::default()));
        let Memory { split, ranking, .. } = memory;
        each_group(part, &slices, split, |table, slice, code, group| {
            ranking.rank_group(group, &grades, ties);
            found[table].add_group((slice, code), group, &grades, &ranking.entries);
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
struct Memory<B: Compared> {
    split: Split<B, ()>,
    ranking: Ranking<B>,
    /// Where rows with a grade are in a list.
    places: Vec<u32>,
}

impl<B: Compared> Default for Memory<B> {
    fn default() -> Self {
        Memory { split: Split::default(), ranking: Ranking::default(), places: vec![] }
    }
}

impl Grades<'_> {
    #[inline(always)]
    pub fn at(&self, row: usize) -> f64 {
        match self {
            Grades::U8(grades) => grades[row] as f64,
            Grades::F64(grades) => grades[row],
        }
    }
}

impl<B: Compared> Ranking<B> {
    fn rank_group(&mut self, group: &Group<B, ()>, grades: &RowGrades, ties: Ties) {
        let words = |class: usize| group.rows[class].iter().map(|row| row.word);
        let numbered = |class: usize| words(class).zip(group.numbers[class].iter().copied());
        let entry = |row: u32| Entry { above: 0, tied: 0, grade: grades.of(row), row };
        let hits = numbered(HITS).map(|(word, row)| (word, entry(row)));
        self.read(words(HITS).chain(words(OTHERS)), hits);
        self.rank(ties, numbered(OTHERS));
    }
}

impl Lists {
    /// Adds a list, of which `judged` rows have been added.
    fn add(&mut self, (slice, code): (u32, u32), sizes: [u32; 2], entries: &[Entry], judged: u32) {
        self.above.put_all(entries.iter().map(|entry| entry.above));
        self.tied.put_all(entries.iter().map(|entry| entry.tied));
        self.grades.put_all(entries.iter().map(|entry| entry.grade));
        let ([rows, size], entries) = (sizes, entries.len() as u32);
        self.lists.put(List { code, slice, rows, size, entries, judged });
    }

    fn add_group(
        &mut self,
        place: (u32, u32),
        group: &Group<impl Compared, ()>,
        grades: &RowGrades,
        entries: &[Entry],
    ) {
        let before = self.judged.len();
        let unscored = group.numbers[UNSCORED].iter().map(|row| grades.of(*row));
        self.judged.put_all(unscored.filter(|grade| *grade > 0.0));
        let [hits, others, none] = group.rows.map(|rows| rows.len() as u32);
        let sizes = [hits + others + none, hits + others];
        self.add(place, sizes, entries, (self.judged.len() - before) as u32);
    }
}

/// The lists of the total where codes rise, so that rows are ranked where they are.
fn rank_adjacent<S: Score>(
    rows: &GroupedRows<S>,
    grades: &[u8],
    ties: Ties,
    workers: &Workers,
) -> Option<Vec<Vec<Lists>>> {
    let ends = rows.ends();
    let parts = in_parts(ends.len() - 1, workers, |number, memory: &mut Memory<S::Bits>| {
        let (mut lists, Memory { ranking, places, .. }) = (Lists::default(), memory);
        rows.each_run(ends[number]..ends[number + 1], |code, list| {
            let (scores, grades) = (&rows.scores[list.clone()], &grades[list.clone()]);
            if places.len() < list.len() {
                places.grow_to(list.len(), 0);
            }
            let mut count = 0;
            for (place, grade) in (0..).zip(grades) {
                places[count] = place; // the next one takes it, where this row has no grade
                count += (*grade != 0) as usize;
            }
            let hits = places[..count].iter().map(|place| *place as usize).map(|place| {
                let grade = grades[place] as f64;
                (scores[place].bits(), Entry { above: 0, tied: 0, grade, row: 0 })
            });
            ranking.read(scores.iter().map(|score| score.bits()), hits);
            ranking.rank(ties, std::iter::empty());
            lists.add((0, code), [list.len() as u32; 2], &ranking.entries, 0);
        });
        lists
    });
    Some(parts?.into_iter().map(|lists| vec![lists]).collect())
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
