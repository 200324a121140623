//! A hash table of numbers; whoever has it keeps the keys.

use crate::memory;
use crate::partition::pages::prefetch;
use std::hash::{BuildHasher, RandomState};

/// Secret words, so that nobody can choose keys of one hash.
#[derive(Clone, Copy)]
pub struct Seed(u64, u64);

impl Default for Seed {
    fn default() -> Self {
        let state = RandomState::new();
        Seed(state.hash_one(0), state.hash_one(1) | 1)
    }
}

impl Seed {
    /// Both halves of a product depend on all bits of both numbers.
    #[inline(always)]
    pub fn mix(&self, left: u64, right: u64) -> u64 {
        let product = (left ^ self.0) as u128 * (right ^ self.1) as u128;
        product as u64 ^ (product >> 64) as u64
    }

    #[inline(always)]
    pub fn tag(hash: u64) -> u32 {
        (hash >> 32) as u32
    }
}

/// The number of each key at the first free slot from that of its tag, 32 bits of its hash.
///
/// A slot has the tag above the number and one, 0 where it is free: 8 bytes, and half of the slots are
/// free at least.
pub struct Slots {
    slots: Vec<u64>,
    shift: u32,
    used: usize,
}

const FEWEST: usize = 1 << 6;
const FIRST: usize = 1 << 13; // slots: 64 kB

impl Slots {
    pub fn new(rows: usize) -> Self {
        Self::of_size((2 * rows).next_power_of_two().clamp(FEWEST, FIRST))
    }

    pub fn copied(&self) -> Self {
        Slots { slots: memory::copied(&self.slots), ..*self }
    }

    fn of_size(size: usize) -> Self {
        let slots = memory::zeroed(size).unwrap_or_else(|| memory::give_up());
        Slots { slots, shift: u32::BITS - size.ilog2(), used: 0 }
    }

    #[inline(always)]
    fn slot(&self, tag: u32) -> usize {
        (tag >> self.shift) as usize
    }

    /// Whether all slots, and what is kept of their keys, stay in the first caches.
    pub fn are_few(&self) -> bool {
        self.slots.len() <= FIRST
    }

    /// Asks for the slot of a key that will be looked for.
    #[inline(always)]
    pub fn expect(&self, tag: u32) {
        prefetch(self.slots.as_ptr().wrapping_add(self.slot(tag)));
    }

    /// The number that most likely is that of a key, to ask for what is kept of it.
    #[inline(always)]
    pub fn likely(&self, tag: u32) -> Option<usize> {
        (self.slots[self.slot(tag)] as u32).checked_sub(1).map(|number| number as usize)
    }

    /// The number of the key for which `is` is true; else `next`, which is added.
    #[inline(always)]
    pub fn number(&mut self, tag: u32, next: u32, is: impl Fn(u32) -> bool) -> u32 {
        let (mut slot, last) = (self.slot(tag), self.slots.len() - 1);
        loop {
            let found = self.slots[slot & last];
            if found == 0 {
                self.add(slot & last, tag, next);
                return next;
            }
            let number = (found as u32) - 1;
            if (found >> 32) as u32 == tag && is(number) {
                return number;
            }
            slot += 1;
        }
    }

    #[cold]
    fn add(&mut self, slot: usize, tag: u32, number: u32) {
        self.slots[slot] = (tag as u64) << 32 | (number as u64 + 1);
        self.used += 1;
        if 2 * self.used > self.slots.len() && self.shift > 0 {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let factor = if self.slots.len() < 1 << 22 { 4 } else { 2 };
        let mut larger = Self::of_size((self.slots.len() * factor).min(1 << 32));
        let last = larger.slots.len() - 1;
        for &found in self.slots.iter().filter(|found| **found != 0) {
            let mut slot = larger.slot((found >> 32) as u32);
            while larger.slots[slot & last] != 0 {
                slot += 1;
            }
            larger.slots[slot & last] = found;
        }
        larger.used = self.used;
        *self = larger;
    }
}
