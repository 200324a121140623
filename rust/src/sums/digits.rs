//! Columns of exact whole numbers by code, as signed digits of 31 bits.

use crate::memory::filled;

/// Bits of a digit; digits count the powers of two that are multiples of it.
pub const DIGIT: i32 = 31;
const MASK: i64 = (1 << DIGIT) - 1;

/// Columns of digits by the power of two that they count.
pub type DigitColumns = Vec<(i32, Vec<i64>)>;

/// Columns of signed digits by code, for adjacent powers of two from DIGIT·first on.
pub struct Digits {
    codes: usize,
    first: i32,
    columns: Vec<Vec<i64>>,
    /// Numbers below 2^31 that were added to a digit since digits were carried.
    added: u64,
}

impl Digits {
    pub fn new(codes: usize) -> Self {
        Digits { codes, first: 0, columns: Vec::new(), added: 0 }
    }

    pub fn codes(&self) -> usize {
        self.codes
    }

    /// Adds a whole number of less than 97 bits, times 2^power.
    #[inline]
    pub fn add(&mut self, code: usize, whole: i128, power: i32) {
        self.adds(1);
        let mut place = power.div_euclid(DIGIT);
        let mut rest = whole << power.rem_euclid(DIGIT);
        while rest != 0 {
            let digit = low_digit(rest);
            self.column(place)[code] += digit as i64;
            rest = (rest - digit) >> DIGIT;
            place += 1;
        }
    }

    /// The columns that are not all 0, by power of two, with digits of at most 2^30.
    pub fn into_columns(mut self) -> DigitColumns {
        self.carry();
        let columns = (self.first..).map(|place| place * DIGIT).zip(self.columns);
        columns.filter(|(_, column)| column.iter().any(|digit| *digit != 0)).collect()
    }

    /// Carries digits where they could overflow once so many numbers more are added to each.
    #[inline(always)]
    fn adds(&mut self, count: u64) {
        self.added += count;
        if self.added > 1 << 31 {
            self.carry();
            self.added = count + 1;
        }
    }

    #[inline(always)]
    fn column(&mut self, place: i32) -> &mut [i64] {
        let found = (place - self.first) as usize;
        if place < self.first || found >= self.columns.len() || self.columns[found].is_empty() {
            self.make_column(place);
        }
        &mut self.columns[(place - self.first) as usize]
    }

    #[cold]
    fn make_column(&mut self, place: i32) {
        if self.columns.is_empty() {
            self.first = place;
        }
        while place < self.first {
            self.columns.insert(0, Vec::new());
            self.first -= 1;
        }
        let found = (place - self.first) as usize;
        self.columns.resize_with(self.columns.len().max(found + 1), Vec::new);
        self.columns[found] = filled(0, self.codes);
    }

    /// Adds a number times 2^power for each code.
    pub fn add_column(&mut self, numbers: &[i64], power: i32) {
        self.adds(1);
        let (first, shift) = (power.div_euclid(DIGIT), power.rem_euclid(DIGIT));
        let all = numbers.iter().fold(0, |all, number| all | number.unsigned_abs());
        let bits = (u64::BITS - all.leading_zeros()) as i32 + shift;
        for place in 0..(bits + DIGIT - 1) / DIGIT {
            let below = place * DIGIT - shift; // bits of the number below this digit
            for (sum, number) in self.column(first + place).iter_mut().zip(numbers) {
                let size = number.unsigned_abs() as i64;
                let digit = if below < 0 {
                    (size & (MASK >> shift)) << shift
                } else {
                    size >> below & MASK
                };
                *sum += if *number < 0 { -digit } else { digit };
            }
        }
    }

    /// Adds the digits of another, of the same codes.
    pub fn merge(&mut self, other: Digits) {
        self.adds(other.added);
        for (place, theirs) in (other.first..).zip(other.columns) {
            if !theirs.is_empty() {
                let mine = self.column(place);
                mine.iter_mut().zip(theirs).for_each(|(mine, digit)| *mine += digit);
            }
        }
    }

    /// Brings digits back to at most 2^30.
    fn carry(&mut self) {
        const HALF: i64 = 1 << (DIGIT - 1);
        let mut place = self.first;
        while place < self.first + self.columns.len() as i32 {
            let from = (place - self.first) as usize;
            let mut column = std::mem::take(&mut self.columns[from]);
            if column.iter().any(|digit| (digit + HALF) >> DIGIT != 0) {
                for (digit, above) in column.iter_mut().zip(self.column(place + 1)) {
                    let over = (*digit + HALF) >> DIGIT;
                    *digit -= over << DIGIT;
                    *above += over;
                }
            }
            self.columns[from] = column;
            place += 1;
        }
        self.added = 1;
    }
}

/// The last digit of a whole number; the number itself where it is one, with its sign.
#[inline(always)]
fn low_digit(whole: i128) -> i128 {
    if whole.abs() <= MASK as i128 { whole } else { whole & MASK as i128 }
}
