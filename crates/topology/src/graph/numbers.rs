//! Sets of node or edge numbers.
//!
//! One bit per number: half a million nodes take 62 KB, cleared in microseconds, so that each query
//! can afford its own set.

use std::iter::successors;

const BITS: u32 = u64::BITS;

/// A set of node or edge numbers.
#[derive(Clone, Debug, Default)]
pub struct NumberSet {
    words: Vec<u64>,
}

impl NumberSet {
    /// Creates an empty set with room for the numbers below `count`.
    pub fn below(count: u32) -> Self {
        Self { words: vec![0; count.div_ceil(BITS) as usize] }
    }

    /// Returns whether the number is in the set.
    pub fn contains(&self, number: u32) -> bool {
        let (word, bit) = place(number);
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Inserts the number and returns whether it was new.
    pub fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = place(number);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Removes the number from the set.
    pub fn remove(&mut self, number: u32) {
        let (word, bit) = place(number);
        if let Some(bits) = self.words.get_mut(word) {
            *bits &= !bit;
        }
    }

    /// Removes the numbers from the set.
    pub fn remove_all(&mut self, numbers: &[u32]) {
        for &number in numbers {
            self.remove(number);
        }
    }

    /// Lists the numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).step_by(BITS as usize).zip(&self.words).flat_map(|(first, &bits)| {
            let rest = |bits: &u64| Some(bits & (bits - 1)).filter(|rest| *rest != 0);
            successors(Some(bits).filter(|bits| *bits != 0), rest)
                .map(move |bits| first + bits.trailing_zeros())
        })
    }
}

impl FromIterator<u32> for NumberSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = Self::default();
        set.extend(numbers);
        set
    }
}

impl Extend<u32> for NumberSet {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, numbers: I) {
        for number in numbers {
            self.insert(number);
        }
    }
}

fn place(number: u32) -> (usize, u64) {
    ((number / BITS) as usize, 1 << (number % BITS))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_holds_what_was_put_in_and_not_taken_out(
            changes in prop::collection::vec((0u32..200, any::<bool>()), 0..60)
        ) {
            let (mut set, mut expected) = (NumberSet::below(100), BTreeSet::new());
            for (number, is_in) in changes {
                if is_in {
                    prop_assert_eq!(set.insert(number), expected.insert(number));
                } else {
                    set.remove(number);
                    expected.remove(&number);
                }
            }
            prop_assert!((0..300).all(|number| set.contains(number) == expected.contains(&number)));
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), Vec::from_iter(expected));
        }
    }
}
