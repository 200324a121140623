//! Probability levels: both classes by slice and rising score, for calibration metrics.

pub mod bins;
pub mod blocks;
pub mod cells;
pub mod hull;
pub mod sums;

/// How scores are read as probabilities.
#[derive(Clone, Copy)]
pub struct Reading {
    /// The share of the negatives that the model was trained on.
    pub downsampled: Option<f64>,
    /// Where probabilities are cut for logarithms.
    pub clip: Option<f64>,
}

impl Reading {
    /// The probability that a score stands for: each operation rounded, as the contract says.
    #[inline(always)]
    pub fn probability(&self, score: f64) -> f64 {
        let Some(share) = self.downsampled else { return score };
        score / ((1.0 - score) / share + score)
    }

    /// The same, as logarithms read it.
    #[inline(always)]
    pub fn clipped(&self, score: f64) -> f64 {
        let chance = self.probability(score);
        let Some(clip) = self.clip else { return chance };
        let chance = if chance < clip { clip } else { chance };
        if chance > 1.0 - clip { 1.0 - clip } else { chance }
    }
}
