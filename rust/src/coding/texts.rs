//! Texts as keys, compared byte by byte.

use super::Table;
use super::slots::{Seed, Slots};
use crate::memory::{Grow, copied, gathered};
use crate::partition::pages::prefetch;
use crate::rows::BLOCK;
use std::ops::Range;

/// A column of texts.
#[derive(Clone, Copy)]
pub enum Characters<'a> {
    /// As in Arrow: where each text starts in the bytes, and how many it has.
    Bytes { starts: &'a [i64], lengths: &'a [i64], data: &'a [u8] },
    /// As in NumPy: `width` code points each, filled up with zeros.
    Points { points: &'a [u32], width: usize },
}

impl Characters<'_> {
    pub fn rows(&self) -> usize {
        match self {
            Characters::Bytes { starts, .. } => starts.len(),
            Characters::Points { points, width } => points.len() / width,
        }
    }
}

const HEAD: usize = 16; // bytes

/// A text, and its first bytes as a number.
#[derive(Clone, Copy, Default)]
struct Text<'a> {
    head: u128,
    bytes: &'a [u8],
}

impl<'a> Text<'a> {
    /// The text at a place of some bytes; bytes that are not there are left out.
    #[inline(always)]
    fn at(data: &'a [u8], start: usize, length: usize) -> Self {
        let start = start.min(data.len());
        let rest = &data[start..];
        let bytes = &rest[..length.min(rest.len())];
        let mut head = match rest.first_chunk() {
            Some(first) => u128::from_le_bytes(*first),
            None => Self::padded(rest),
        };
        if bytes.len() < HEAD {
            head &= (1 << (8 * bytes.len())) - 1;
        }
        Text { head, bytes }
    }

    #[cold]
    fn padded(rest: &[u8]) -> u128 {
        let mut first = [0; HEAD];
        first[..rest.len()].copy_from_slice(rest);
        u128::from_le_bytes(first)
    }

    fn beyond_head(&self) -> &'a [u8] {
        self.bytes.get(HEAD..).unwrap_or_default()
    }

    #[inline(always)]
    fn tag(&self, seed: &Seed) -> u32 {
        let length = self.bytes.len();
        let ends = (length as u64).rotate_left(32);
        let mut hash = seed.mix(self.head as u64 ^ ends, (self.head >> 64) as u64);
        if length > HEAD {
            hash = self.tail_hash(seed, hash);
        }
        Seed::tag(hash)
    }

    fn tail_hash(&self, seed: &Seed, mut hash: u64) -> u64 {
        let mut add = |part: &[u8]| {
            let mut both = [0; HEAD];
            both.copy_from_slice(part);
            let both = u128::from_le_bytes(both);
            hash = seed.mix(hash ^ both as u64, (both >> 64) as u64);
        };
        self.beyond_head().chunks_exact(HEAD).for_each(&mut add);
        add(&self.bytes[self.bytes.len() - HEAD..]);
        hash
    }
}

/// A distinct text; the bytes after its head are kept elsewhere.
#[derive(Clone, Copy)]
struct Kept {
    head: u128,
    length: usize,
    rest: usize,
}

/// The distinct texts of some rows.
pub struct TextTable {
    slots: Slots,
    seed: Seed,
    texts: Vec<Kept>,
    rests: Vec<u8>,
    firsts: Vec<u32>,
    encoded: Vec<u8>,
}

impl TextTable {
    #[inline(always)]
    fn number_of(&mut self, text: Text, tag: u32, row: u32) -> u32 {
        let next = self.texts.len() as u32;
        let (texts, rests) = (&self.texts, &self.rests);
        let number = self.slots.number(tag, next, |number| {
            let kept = &texts[number as usize];
            kept.head == text.head
                && kept.length == text.bytes.len()
                && (kept.length <= HEAD || {
                    let rest = text.beyond_head();
                    rests[kept.rest..kept.rest + rest.len()] == *rest
                })
        });
        if number == next {
            self.keep(text, row);
        }
        number
    }

    #[cold]
    fn keep(&mut self, text: Text, row: u32) {
        let rest = self.rests.len();
        self.rests.put_slice(text.beyond_head());
        self.texts.put(Kept { head: text.head, length: text.bytes.len(), rest });
        self.firsts.put(row);
    }

    fn number_texts<'a>(
        &mut self,
        text: impl Fn(usize) -> Text<'a>,
        first: usize,
        codes: &mut [u32],
    ) {
        if self.slots.are_few() {
            for (place, code) in codes.iter_mut().enumerate() {
                let text = text(place);
                *code = self.number_of(text, text.tag(&self.seed), (first + place) as u32);
            }
            return;
        }
        let (mut texts, mut tags) = ([Text::default(); BLOCK], [0; BLOCK]);
        for (place, (to, tag)) in texts[..codes.len()].iter_mut().zip(&mut tags).enumerate() {
            *to = text(place);
            *tag = to.tag(&self.seed);
            self.slots.expect(*tag);
        }
        for tag in &tags[..codes.len()] {
            if let Some(number) = self.slots.likely(*tag) {
                prefetch(self.texts.as_ptr().wrapping_add(number));
            }
        }
        for (place, (code, (&text, &tag))) in
            codes.iter_mut().zip(texts.iter().zip(&tags)).enumerate()
        {
            *code = self.number_of(text, tag, (first + place) as u32);
        }
    }
}

impl Table for TextTable {
    type Column<'a> = Characters<'a>;

    fn new(_: &Characters, rows: usize) -> Self {
        TextTable {
            slots: Slots::new(rows),
            seed: Seed::default(),
            texts: Vec::new(),
            rests: Vec::new(),
            firsts: Vec::new(),
            encoded: Vec::new(),
        }
    }

    fn number(&mut self, column: &Characters, rows: Range<usize>, codes: &mut [u32]) {
        match *column {
            Characters::Bytes { starts, lengths, data } => {
                let (starts, lengths) = (&starts[rows.clone()], &lengths[rows.clone()]);
                let text = |place: usize| {
                    Text::at(data, starts[place].max(0) as usize, lengths[place].max(0) as usize)
                };
                self.number_texts(text, rows.start, codes);
            }
            Characters::Points { points, width } => {
                let mut encoded = std::mem::take(&mut self.encoded);
                let mut ends = [0; BLOCK];
                encoded.clear();
                let of_rows = points[rows.start * width..rows.end * width].chunks_exact(width);
                for (points, end) in of_rows.zip(&mut ends) {
                    encode(points, &mut encoded);
                    *end = encoded.len();
                }
                encoded.grow_to(encoded.len() + HEAD, 0); // heads are read whole
                let text = |place: usize| {
                    let start = if place == 0 { 0 } else { ends[place - 1] };
                    Text::at(&encoded, start, ends[place] - start)
                };
                self.number_texts(text, rows.start, codes);
                self.encoded = encoded;
            }
        }
    }

    fn copied(&self) -> Self {
        let (slots, texts, rests) = (self.slots.copied(), copied(&self.texts), copied(&self.rests));
        let firsts = copied(&self.firsts);
        TextTable { slots, seed: self.seed, texts, rests, firsts, encoded: Vec::new() }
    }

    fn join(&mut self, later: &Self, common: usize) -> Vec<u32> {
        let mut bytes = Vec::new();
        let each = later.texts.iter().zip(&later.firsts).skip(common).map(|(kept, &first)| {
            bytes.clear();
            let head = kept.length.min(HEAD);
            bytes.put_slice(&kept.head.to_le_bytes()[..head]);
            bytes.put_slice(&later.rests[kept.rest..kept.rest + kept.length - head]);
            let text = Text { head: kept.head, bytes: &bytes };
            self.number_of(text, text.tag(&self.seed), first)
        });
        gathered(each)
    }

    fn firsts(&self) -> &[u32] {
        &self.firsts
    }
}

/// Adds bytes that only a text of these code points has; zeros at its end are no part of it.
fn encode(points: &[u32], into: &mut Vec<u8>) {
    let length = points.iter().rposition(|point| *point != 0).map_or(0, |last| last + 1);
    if points.iter().fold(0, |all, point| all | point) < 0x80 {
        into.put_all(points[..length].iter().map(|&point| point as u8));
        return;
    }
    for &point in &points[..length] {
        if point < 0x80 {
            into.put(point as u8);
        } else {
            into.put(0x80);
            into.put_slice(&point.to_le_bytes());
        }
    }
}
