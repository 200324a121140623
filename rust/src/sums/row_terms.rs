//! Row terms: formulas of a row's columns, and their exact sums by code, in one pass.
//!
//! The formulas are those of `kernels/interface/terms.py`, operation by operation.

use crate::elementary::log_chances;
use crate::memory::filled;
use crate::rows::{BLOCK, Codes, share};
use crate::sums::digits::DigitColumns;
use crate::sums::exact::{At, TermSums};
use crate::sums::formulas::{Error, Formula};
use crate::sums::stage::Stage;
use crate::vectors::with_avx2;
use crate::workers::Workers;
use std::ops::Range;

#[derive(Clone, Copy)]
pub enum Scores<'a> {
    None,
    Single(&'a [f32]),
    Double(&'a [f64]),
}

/// Weights from 0, or other numbers; none: 1 each.
#[derive(Clone, Copy)]
pub enum Weights<'a> {
    One,
    Single(&'a [f32]),
    Double(&'a [f64]),
    Whole32(&'a [u32]),
    Whole64(&'a [u64]),
}

/// The columns that formulas read; those that none reads are empty.
pub struct Columns<'a> {
    pub rows: usize,
    pub weight: Weights<'a>,
    pub count: Weights<'a>,
    pub scores: Scores<'a>,
    pub positive: &'a [u8],
    pub outside: bool,
    pub downsampled: Option<f64>,
    pub clip: Option<f64>,
    pub amounts: Vec<&'a [f64]>,
    pub truth: &'a [f64],
    pub prediction: &'a [f64],
}

pub struct Term {
    pub formula: Formula,
    pub weighted: bool,
}

/// The codes of all rows, below `size`.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    pub codes: Codes<'a>,
    pub size: usize,
}

impl<'a> Columns<'a> {
    pub fn of_scores(rows: usize, scores: Scores<'a>) -> Self {
        Columns {
            rows,
            weight: Weights::One,
            count: Weights::One,
            scores,
            positive: &[],
            outside: false,
            downsampled: None,
            clip: None,
            amounts: Vec::new(),
            truth: &[],
            prediction: &[],
        }
    }

    /// The formula with limits of the scores' type, as 0.3 is another number in float32.
    pub fn rounded(&self, formula: Formula) -> Formula {
        match (self.scores, formula) {
            (Scores::Single(_), Formula::Called(limit)) => Formula::Called(f64::from(limit as f32)),
            (Scores::Single(_), Formula::Hit(limit)) => Formula::Hit(f64::from(limit as f32)),
            (_, formula) => formula,
        }
    }

    /// Whether there are the columns that a formula reads, as long as the rows.
    pub fn have(&self, formula: &Formula) -> bool {
        let rows = self.rows;
        let scores = match self.scores {
            Scores::None => false,
            Scores::Single(scores) => scores.len() == rows,
            Scores::Double(scores) => scores.len() == rows,
        };
        use Formula::*;
        (scores || !formula.reads_score())
            && (self.positive.len() == rows || !formula.reads_class())
            && ((self.truth.len() == rows && self.prediction.len() == rows)
                || !formula.reads_errors())
            && match formula {
                Amount(place) | EarnedAmount(place) | ExpectedAmount(place) => {
                    self.amounts[*place].len() == rows
                }
                _ => true,
            }
    }
}

impl Weights<'_> {
    pub fn rows(&self) -> Option<usize> {
        match self {
            Weights::One => None,
            Weights::Single(weights) => Some(weights.len()),
            Weights::Double(weights) => Some(weights.len()),
            Weights::Whole32(weights) => Some(weights.len()),
            Weights::Whole64(weights) => Some(weights.len()),
        }
    }

    /// The weights of a block as float64; where these do not hold them, their low 32 bits, and what
    /// is above in `high`: then the result is true.
    /// Without weights nothing is written.
    pub fn read(&self, rows: Range<usize>, into: &mut [f64], high: &mut [f64]) -> bool {
        fn copy<T: Copy>(from: &[T], into: &mut [f64], float: impl Fn(T) -> f64) {
            into.iter_mut().zip(from).for_each(|(to, from)| *to = float(*from));
        }
        match self {
            Weights::One => {}
            Weights::Single(weights) => copy(&weights[rows], into, f64::from),
            Weights::Double(weights) => copy(&weights[rows], into, |weight| weight),
            Weights::Whole32(weights) => copy(&weights[rows], into, f64::from),
            Weights::Whole64(weights) => {
                let weights = &weights[rows];
                if weights.iter().fold(0, |all, weight| all | weight) >> 53 != 0 {
                    copy(weights, into, |weight| f64::from(weight as u32));
                    copy(weights, high, |weight| (weight >> 32 << 32) as f64);
                    return true;
                }
                copy(weights, into, |weight| weight as f64);
            }
        }
        false
    }
}

/// Columns of a block of rows.
struct Block<'a> {
    scores: &'a [f64],
    chances: &'a [f64],
    logs: &'a [f64],
    positive: &'a [u8],
    amounts: Vec<&'a [f64]>,
    truth: &'a [f64],
    prediction: &'a [f64],
}

/// The exact sums of every term by line; the columns have been found to be there.
pub fn add_terms(
    lines: &[Line],
    columns: &Columns,
    terms: &[Term],
    workers: &Workers,
) -> Vec<Vec<DigitColumns>> {
    let made = workers.run(|worker| {
        let mut adder = Adder::new(lines, columns, terms);
        let rows = share(columns.rows, worker.number, workers.threads);
        for first in rows.clone().step_by(BLOCK) {
            adder.add(first..(first + BLOCK).min(rows.end));
            if !worker.goes_on() {
                break;
            }
        }
        adder.finish()
    });
    let mut made = made.into_iter();
    let mut sums = made.next().unwrap_or_default();
    for more in made {
        let pairs = sums.iter_mut().flatten().zip(more.into_iter().flatten());
        pairs.for_each(|(sum, more)| sum.merge(more));
    }
    let of_line = |sums: Vec<TermSums>| sums.into_iter().map(TermSums::into_digits).collect();
    sums.into_iter().map(of_line).collect()
}

/// One thread's sums, and its scratch columns.
struct Adder<'a> {
    lines: &'a [Line<'a>],
    columns: &'a Columns<'a>,
    terms: &'a [Term],
    sums: Vec<(Stage, Vec<TermSums>)>,
    codes: Vec<[u32; BLOCK]>,
    scratch: Vec<[f64; BLOCK]>,
    reads_scores: bool,
    reads_log: bool,
    reads_class: bool,
    reads_errors: bool,
}

impl<'a> Adder<'a> {
    fn new(lines: &'a [Line], columns: &'a Columns, terms: &'a [Term]) -> Self {
        let some = |reads: fn(&Formula) -> bool| terms.iter().any(|term| reads(&term.formula));
        Adder {
            lines,
            columns,
            terms,
            sums: (lines.iter())
                .map(|line| {
                    let sums = terms.iter().map(|_| TermSums::new(line.size));
                    (Stage::of_terms(line.size, terms.len()), sums.collect())
                })
                .collect(),
            codes: filled([0; BLOCK], lines.len()),
            scratch: filled([0.0; BLOCK], 9),
            reads_scores: some(Formula::reads_score),
            reads_log: some(Formula::reads_log),
            reads_class: some(Formula::reads_class),
            reads_errors: some(Formula::reads_errors),
        }
    }

    fn add(&mut self, rows: Range<usize>) {
        let (columns, length) = (self.columns, rows.len());
        let mut scratch = self.scratch.iter_mut().map(|column| &mut column[..length]);
        let mut next = || scratch.next().unwrap_or_default();
        let (scores, chances, clipped, logs, values) = (next(), next(), next(), next(), next());
        let weights = [(next(), next()), (next(), next())];
        for (line, codes) in self.lines.iter().zip(&mut self.codes) {
            line.read(rows.clone(), codes);
        }
        let positive = if self.reads_class { &columns.positive[rows.clone()] } else { &[] };
        if self.reads_scores {
            read_scores(columns, rows.clone(), scores, chances);
        }
        if self.reads_log {
            clip(chances, columns.clip, clipped);
            log_chances(clipped, positive, logs);
        }
        let of_errors = |column: &'a [f64]| {
            if self.reads_errors { &column[rows.clone()] } else { &[] }
        };
        let block = Block {
            scores,
            chances,
            logs,
            positive,
            amounts: columns.amounts.iter().map(|amount| &amount[rows.clone()]).collect(),
            truth: of_errors(columns.truth),
            prediction: of_errors(columns.prediction),
        };
        let [weight, count] = weights;
        let split = [
            columns.weight.read(rows.clone(), weight.0, weight.1),
            columns.count.read(rows.clone(), count.0, count.1),
        ];
        for (place, term) in self.terms.iter().enumerate() {
            let (column, (low, high), split) = match term.weighted {
                true => (&columns.weight, &weight, split[0]),
                false => (&columns.count, &count, split[1]),
            };
            let factors = match column {
                Weights::One => vec![],
                _ if split => vec![&**low, &**high],
                _ => vec![&**low],
            };
            let last = self.lines.len() - 1;
            if let ([], [line]) = (&factors[..], self.lines)
                && matches!(line.codes, Codes::One)
                && let Some(found) = counted(&term.formula, &block, values.len())
            {
                self.sums[last].1[place].add_whole(0, found as i128, 0);
                continue;
            }
            compute(&term.formula, &block, values);
            for (number, (line, codes)) in self.lines.iter().zip(&self.codes).enumerate() {
                let (stage, sums) = &mut self.sums[number];
                let (at, sums) = (line.at(&codes[..values.len()]), &mut sums[place]);
                match factors[..] {
                    [] if number == last => sums.add_block(at, values, stage),
                    [] => {
                        let mut block = [0.0; BLOCK];
                        let block = &mut block[..values.len()];
                        block.copy_from_slice(values);
                        sums.add_block(at, block, stage);
                    }
                    _ => {
                        let products =
                            |factor: &&[f64]| sums.add_products(at, values, factor, stage);
                        factors.iter().for_each(products);
                    }
                }
            }
        }
        for ((stage, _), (line, codes)) in
            self.sums.iter_mut().zip(self.lines.iter().zip(&self.codes))
        {
            stage.add(line.at(&codes[..length]));
        }
    }

    fn finish(self) -> Vec<Vec<TermSums>> {
        let of_line = |(mut stage, mut sums): (Stage, Vec<TermSums>)| {
            sums.iter_mut().for_each(|sum| sum.empty_layers(&mut stage));
            sums
        };
        self.sums.into_iter().map(of_line).collect()
    }
}

/// The sum of a formula that counts rows of a block, without a number for each.
fn counted(formula: &Formula, block: &Block, rows: usize) -> Option<usize> {
    match formula {
        Formula::One => Some(rows),
        Formula::Positive => Some(count_positive(block.positive)),
        _ => None,
    }
}

impl Line<'_> {
    /// The codes of a block, which were read into a column.
    pub fn at<'b>(&self, codes: &'b [u32]) -> At<'b> {
        match self.codes {
            Codes::One => At::One(0),
            _ => At::Each(codes),
        }
    }

    /// The codes of a block, none of which is too large.
    pub fn read(&self, rows: Range<usize>, codes: &mut [u32; BLOCK]) {
        self.codes.read(rows, self.size.saturating_sub(1) as u32, codes);
    }
}

with_avx2! {
    fn count_positive, count_positive_plain, count_positive_avx2(positive: &[u8]) -> usize {
        let mut count = 0;
        for rows in positive.chunks(u8::MAX as usize) {
            let mut sum = 0u8; // of bytes, which vectors have most of
            for up in rows {
                sum += u8::from(*up != 0);
            }
            count += sum as usize;
        }
        count
    }

    /// The scores of a block as probabilities, and as they are.
    pub fn read_scores, read_scores_plain, read_scores_avx2(
        columns: &Columns<'_>, rows: Range<usize>, scores: &mut [f64], chances: &mut [f64]
    ) -> () {
        match columns.scores {
            Scores::None => return,
            Scores::Single(from) => {
                for (score, from) in scores.iter_mut().zip(&from[rows]) {
                    *score = f64::from(*from);
                }
            }
            Scores::Double(from) => scores.copy_from_slice(&from[rows]),
        }
        chances.copy_from_slice(scores);
        if columns.outside {
            for chance in chances.iter_mut() {
                *chance = chance.clamp(0.0, 1.0);
            }
        }
        if let Some(share) = columns.downsampled {
            for chance in chances.iter_mut() {
                *chance /= (1.0 - *chance) / share + *chance;
            }
        }
    }

    /// Probabilities as logarithms read them.
    fn clip, clip_plain, clip_avx2(
        chances: &[f64], clip: Option<f64>, clipped: &mut [f64]
    ) -> () {
        let Some(clip) = clip else { return clipped.copy_from_slice(chances) };
        for (clipped, chance) in clipped.iter_mut().zip(chances) {
            *clipped = chance.max(clip).min(1.0 - clip);
        }
    }

    /// The values of a formula for the rows of a block.
    fn compute, compute_plain, compute_avx2(
        formula: &Formula, block: &Block<'_>, values: &mut [f64]
    ) -> () {
        // Plain loops over slices of the same length, which the compiler makes vectors of.
        macro_rules! each {
            ($value:expr; $($name:ident in $column:expr),+) => {{
                $(let $name = &$column[..values.len()];)+
                for (row, made) in values.iter_mut().enumerate() {
                    $(let $name = $name[row];)+
                    *made = $value;
                }
            }};
        }
        let number = |condition: bool| f64::from(u8::from(condition));
        let (up, chances, scores) = (block.positive, block.chances, block.scores);
        let (truth, prediction) = (block.truth, block.prediction);
        match formula {
            Formula::One => values.fill(1.0),
            Formula::Positive => each!(number(up != 0); up in up),
            Formula::Score => values.copy_from_slice(scores),
            Formula::Probability => values.copy_from_slice(chances),
            Formula::Log => values.copy_from_slice(block.logs),
            Formula::Infinite => each!(number(log == f64::NEG_INFINITY); log in block.logs),
            Formula::Square => each!({
                let gap = if up != 0 { 1.0 - q } else { q };
                gap * gap
            }; up in up, q in chances),
            Formula::Surplus => {
                each!((number(up != 0) - q) * (1.0 - 2.0 * q); up in up, q in chances)
            }
            Formula::SurplusVariance => each!({
                let slant = 1.0 - 2.0 * q;
                (slant * slant) * (q * (1.0 - q))
            }; q in chances),
            Formula::Variance => each!(q * (1.0 - q); q in chances),
            Formula::Called(limit) => each!(number(score >= *limit); score in scores),
            Formula::Hit(limit) => {
                each!(number((score >= *limit) & (up != 0)); score in scores, up in up)
            }
            Formula::Amount(place) => values.copy_from_slice(block.amounts[*place]),
            Formula::EarnedAmount(place) => {
                each!(if up != 0 { amount } else { 0.0 }; up in up, amount in block.amounts[*place])
            }
            Formula::ExpectedAmount(place) => {
                each!(q * amount; q in chances, amount in block.amounts[*place])
            }
            Formula::Error(error) => compute_error(*error, truth, prediction, values),
            Formula::Zeros => each!(number(y == 0.0); y in truth),
            Formula::BelowZero => {
                each!(number((y < 0.0) | (p < 0.0)); y in truth, p in prediction)
            }
            Formula::OffPoisson => {
                each!(number((y < 0.0) | (p <= 0.0)); y in truth, p in prediction)
            }
            Formula::Beyond(errors) => {
                values.fill(0.0);
                let mut found = [0.0; BLOCK];
                for error in errors {
                    compute_error(*error, truth, prediction, &mut found[..values.len()]);
                    for (made, value) in values.iter_mut().zip(&found) {
                        *made = if value.is_finite() { *made } else { 1.0 };
                    }
                }
            }
        }
    }
}

/// A formula of truth and prediction for the rows of a block.
#[inline(always)]
fn compute_error(error: Error, truth: &[f64], prediction: &[f64], values: &mut [f64]) {
    let rows = values.iter_mut().zip(truth.iter().zip(prediction));
    // A loop for each of the common ones: otherwise each row would ask which it is.
    match error {
        Error::Absolute => rows.for_each(|(made, (y, p))| *made = Error::Absolute.of(*y, *p)),
        Error::Squared => rows.for_each(|(made, (y, p))| *made = Error::Squared.of(*y, *p)),
        error => rows.for_each(|(made, (y, p))| *made = error.of(*y, *p)),
    }
}
