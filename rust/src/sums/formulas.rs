//! The formulas of row terms by name, and those of truth and prediction.

/// Formulas of the score, and of truth and prediction. Numbers of amounts are places in `amounts`.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    One,
    Positive,
    Score,
    Probability,
    Log,
    Infinite,
    Square,
    Surplus,
    SurplusVariance,
    Variance,
    Called(f64),
    Hit(f64),
    Amount(usize),
    EarnedAmount(usize),
    ExpectedAmount(usize),
    Error(Error),
    Zeros,
    BelowZero,
    OffPoisson,
    Beyond(Vec<Error>),
}

/// Formulas of truth and prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Error {
    Truth,
    Prediction,
    TruthSize,
    TruthSquared,
    Absolute,
    Over,
    Under,
    Squared,
    Relative,
    Symmetric,
}

impl Error {
    pub fn named(name: &str) -> Option<Error> {
        Some(match name {
            "truth" => Error::Truth,
            "prediction" => Error::Prediction,
            "truth_size" => Error::TruthSize,
            "truth_squared" => Error::TruthSquared,
            "absolute" => Error::Absolute,
            "over" => Error::Over,
            "under" => Error::Under,
            "squared" => Error::Squared,
            "relative" => Error::Relative,
            "symmetric" => Error::Symmetric,
            _ => return None,
        })
    }

    /// The formula for one row; infinite or NaN where float64 does not hold it.
    #[inline(always)]
    pub fn of(self, y: f64, p: f64) -> f64 {
        match self {
            Error::Truth => y,
            Error::Prediction => p,
            Error::TruthSize => y.abs(),
            Error::TruthSquared => y * y,
            Error::Absolute => (p - y).abs(),
            Error::Over => above_zero(p - y),
            Error::Under => above_zero(y - p),
            Error::Squared => (p - y) * (p - y),
            Error::Relative if y == 0.0 => 0.0,
            Error::Relative => (p - y).abs() / y.abs(),
            Error::Symmetric => symmetric(y, p),
        }
    }
}

/// The number where it is above 0, NaN where it is NaN, else 0.
#[inline(always)]
fn above_zero(number: f64) -> f64 {
    if number <= 0.0 { 0.0 } else { number }
}

#[inline(always)]
fn symmetric(y: f64, p: f64) -> f64 {
    let sum = y.abs() + p.abs();
    if sum == f64::INFINITY {
        let (y, p) = (y / 4.0, p / 4.0); // the quotient is the same
        return (p - y).abs() / (y.abs() + p.abs());
    }
    (p - y).abs() / if sum == 0.0 { 1.0 } else { sum }
}

impl Formula {
    /// The formula of a name and its argument; `amount` finds the column of an amount's name.
    pub fn parsed(text: &str, amount: impl Fn(&str) -> Option<usize>) -> Option<Formula> {
        if let Some((name, argument)) = text.split_once(' ') {
            return Some(match name {
                "called" => Formula::Called(argument.parse().ok()?),
                "hit" => Formula::Hit(argument.parse().ok()?),
                "amount" => Formula::Amount(amount(argument)?),
                "earned_amount" => Formula::EarnedAmount(amount(argument)?),
                "expected_amount" => Formula::ExpectedAmount(amount(argument)?),
                "beyond" => {
                    Formula::Beyond(argument.split(',').map(Error::named).collect::<Option<_>>()?)
                }
                _ => return None,
            });
        }
        Some(match text {
            "one" => Formula::One,
            "positive" => Formula::Positive,
            "score" => Formula::Score,
            "probability" => Formula::Probability,
            "log" => Formula::Log,
            "infinite" => Formula::Infinite,
            "square" => Formula::Square,
            "surplus" => Formula::Surplus,
            "surplus_variance" => Formula::SurplusVariance,
            "variance" => Formula::Variance,
            "zeros" => Formula::Zeros,
            "below_zero" => Formula::BelowZero,
            "off_poisson" => Formula::OffPoisson,
            _ => Formula::Error(Error::named(text)?),
        })
    }

    pub fn reads_log(&self) -> bool {
        matches!(self, Formula::Log | Formula::Infinite)
    }

    pub fn reads_probability(&self) -> bool {
        use Formula::*;
        self.reads_log()
            || matches!(
                self,
                Probability | Square | Surplus | SurplusVariance | Variance | ExpectedAmount(_)
            )
    }

    pub fn reads_errors(&self) -> bool {
        use Formula::*;
        matches!(self, Error(_) | Zeros | BelowZero | OffPoisson | Beyond(_))
    }

    pub fn reads_class(&self) -> bool {
        use Formula::*;
        self.reads_log() || matches!(self, Positive | Square | Surplus | Hit(_) | EarnedAmount(_))
    }

    pub fn reads_score(&self) -> bool {
        use Formula::*;
        self.reads_probability() || matches!(self, Score | Called(_) | Hit(_))
    }
}
