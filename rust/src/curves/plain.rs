//! Plain rows: labels of 0 and 1, finite scores, no weights. Whatever else a row may be is not
//! described here: the caller looks again, and says what is wrong.

use crate::memory::gathered;

/// Which labels are 1; None where one is neither 0 nor 1.
pub fn classes<T: Copy + PartialEq + From<u8>>(labels: &[T]) -> Option<Vec<u8>> {
    let (zero, one) = (T::from(0), T::from(1));
    let mut plain = true;
    let made = labels.iter().map(|&label| {
        plain &= label == zero || label == one;
        u8::from(label == one)
    });
    let made = gathered(made);
    plain.then_some(made)
}

/// Labels as grades; None where one is no whole number from 0 to 255.
pub fn grades<T: Copy + PartialEq + From<u8>>(
    labels: &[T],
    narrow: impl Fn(T) -> u8,
) -> Option<Vec<u8>> {
    let mut plain = true;
    let made = labels.iter().map(|&label| {
        let grade = narrow(label);
        plain &= T::from(grade) == label;
        grade
    });
    let made: Vec<u8> = gathered(made);
    plain.then_some(made)
}

/// Scores that are compared side by side: the processor has an instruction for so many.
const LANES: usize = 8;

/// The least and the largest score, without the sign of zero; None where one is infinite or NaN, or
/// there are none.
pub fn ends<T: Copy + Into<f64>>(scores: &[T]) -> Option<(f64, f64)> {
    let (mut least, mut largest) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    let mut rest = [0.0; LANES]; // NaN once a score of its lane is not finite
    for part in scores.chunks(LANES) {
        for (lane, &score) in part.iter().enumerate() {
            let score: f64 = score.into();
            rest[lane] += score * 0.0;
            least[lane] = if score < least[lane] { score } else { least[lane] };
            largest[lane] = if score > largest[lane] { score } else { largest[lane] };
        }
    }
    let finite = rest.iter().all(|rest| *rest == 0.0) && !scores.is_empty();
    let least = least.into_iter().fold(f64::INFINITY, f64::min);
    let largest = largest.into_iter().fold(f64::NEG_INFINITY, f64::max);
    finite.then_some((least + 0.0, largest + 0.0)) // -0.0 is 0.0 in all results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_0_or_1() {
        assert_eq!(classes(&[0i64, 1, 1]), Some(vec![0, 1, 1]));
        assert_eq!(classes(&[-0.0f64, 1.0]), Some(vec![0, 1]));
        assert_eq!(classes::<u8>(&[]), Some(vec![]));
        assert_eq!(classes(&[0i64, 1, -1]), None);
        assert_eq!(classes(&[0u8, 2]), None);
        assert_eq!(classes(&[0.0f32, f32::NAN]), None);
        assert_eq!(classes(&[0.5f64, 1.0]), None);
    }

    #[test]
    fn grades_are_from_0_to_255() {
        assert_eq!(grades(&[0i64, 255, 3], |label| label as u8), Some(vec![0, 255, 3]));
        assert_eq!(grades(&[-0.0f64, 7.0], |label| label as u8), Some(vec![0, 7]));
        for strange in [-1i64, 256, i64::MIN] {
            assert_eq!(grades(&[1, strange], |label| label as u8), None);
        }
        for strange in [0.5f64, -1.0, 256.0, f64::NAN, f64::INFINITY] {
            assert_eq!(grades(&[1.0, strange], |label| label as u8), None);
        }
    }

    #[test]
    fn scores_are_finite() {
        assert_eq!(ends(&[0.5f32, -1.5, 3.0]), Some((-1.5, 3.0)));
        assert_eq!(ends::<f64>(&[]), None);
        for zeros in [&[-0.0, 0.0], &[0.0, -0.0], &[-0.0, -0.0]] {
            let (least, largest) = ends(zeros).unwrap();
            assert!(least.is_sign_positive() && largest.is_sign_positive());
        }
        for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(ends(&[0.5, strange]), None);
        }
    }
}
