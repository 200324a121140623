//! Numbers of keys against a literal computation.

use std::collections::HashMap;
use std::hash::Hash;
use steelyard_rust::coding::slots::Slots;
use steelyard_rust::coding::texts::Characters;
use steelyard_rust::coding::words::Words;
use steelyard_rust::coding::{Keys, code_keys};
use steelyard_rust::workers::Workers;

fn check<K: Eq + Hash>(columns: &[Keys], keys: impl Iterator<Item = K>) {
    let mut numbers = HashMap::new();
    let mut firsts = Vec::new();
    let expected: Vec<u32> = keys
        .enumerate()
        .map(|(row, key)| {
            let next = numbers.len() as u32;
            let number = *numbers.entry(key).or_insert(next);
            if number == next {
                firsts.push(row as u32);
            }
            number
        })
        .collect();
    for threads in 1..4 {
        let mut codes = vec![0; expected.len()];
        let found = code_keys(columns, &mut codes, &Workers::new(threads, &|| false));
        assert!(codes == expected && found.as_ref() == Some(&firsts), "{threads}");
    }
}

/// Words that look random, of which `distinct` differ.
fn words(rows: u64, distinct: u64) -> Vec<u64> {
    let mixed = |n: u64| (n ^ n >> 7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (0..rows).map(|row| mixed(mixed(row) % distinct)).collect()
}

#[test]
fn words_near_and_far() {
    for (rows, distinct) in [(0, 1), (1, 1), (700, 3), (5000, 300), (20_000, 15_000)] {
        let far = words(rows, distinct);
        let near: Vec<i32> = far.iter().map(|word| (word % distinct) as i32 - 50).collect();
        let mixed: Vec<u32> = far.iter().map(|&w| if w % 99 == 0 { u32::MAX } else { 7 }).collect();
        check(&[Keys::Words(Words::U64(&far))], far.iter());
        check(&[Keys::Words(Words::I32(&near))], near.iter());
        let columns = [Words::I32(&near), Words::U32(&mixed), Words::U64(&far)].map(Keys::Words);
        check(&columns, near.iter().zip(&mixed).zip(&far));
    }
}

#[test]
fn words_in_runs_and_new_ones_in_later_shares() {
    let of = |row: u64, run: u64, distinct: u64| (row / run).wrapping_mul(2_654_435_761) % distinct;
    for (run, distinct) in [(1, 900), (3, 900), (5, 40_000), (100, 40_000), (4000, 7)] {
        let runs: Vec<u64> = (0..20_000).map(|row| of(row, run, distinct)).collect();
        // A few far words among near ones, then as many far ones as near ones.
        let some = |row: &(usize, &u64)| if row.0 % 601 == 3 { row.1 << 40 } else { *row.1 };
        let far: Vec<u64> = runs.iter().enumerate().map(|row| some(&row)).collect();
        let late: Vec<u64> = (0..20_000).map(|row| of(row, run, 1 + row / 50)).collect();
        let wild: Vec<u64> = late.iter().map(|word| word << (20 * (word % 2))).collect();
        for words in [&runs, &far, &late, &wild] {
            check(&[Keys::Words(Words::U64(words))], words.iter());
        }
    }
}

#[test]
fn texts_in_both_forms() {
    for (rows, distinct) in [(0, 1), (700, 3), (5000, 300), (9000, 7000)] {
        let texts: Vec<String> = words(rows, distinct)
            .iter()
            .map(|word| "é".repeat(*word as usize % 20) + &word.to_string())
            .collect();
        let (mut starts, mut data, mut points) = (Vec::new(), Vec::new(), Vec::new());
        for text in &texts {
            starts.push(data.len() as i64);
            data.extend_from_slice(text.as_bytes());
            let row: Vec<u32> = text.chars().map(u32::from).collect();
            points.extend((0..45).map(|place| row.get(place).copied().unwrap_or(0)));
        }
        let lengths: Vec<i64> = texts.iter().map(|text| text.len() as i64).collect();
        let bytes = Characters::Bytes { starts: &starts, lengths: &lengths, data: &data };
        check(&[Keys::Texts(bytes)], texts.iter());
        check(&[Keys::Texts(Characters::Points { points: &points, width: 45 })], texts.iter());
    }
}

/// Keys whose hashes have the same 32 bits are told apart by the keys themselves.
#[test]
fn keys_of_one_hash() {
    let mut slots = Slots::new(10);
    for round in 0..2 {
        for key in 0..1000u32 {
            let next = if round == 0 { key } else { 1000 };
            assert_eq!(slots.number(u32::MAX, next, |number| number == key), key);
        }
    }
}
