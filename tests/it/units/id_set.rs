//! Lookups in a set of ids.

use std::{
    cell::Cell,
    hash::{Hash, Hasher},
    sync::OnceLock,
};

use toposcope::db::id_set::{FEW, is_among};

thread_local! {
    static COMPARED: Cell<usize> = const { Cell::new(0) };
}

/// A number that counts how often it is compared.
#[derive(Clone, Copy, Eq)]
struct Counting(usize);

impl PartialEq for Counting {
    fn eq(&self, other: &Self) -> bool {
        COMPARED.set(COMPARED.get() + 1);
        self.0 == other.0
    }
}

impl Hash for Counting {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

#[test]
fn each_of_many_is_found_by_about_one_comparison() {
    for size in [0, FEW, FEW + 1, 20_000] {
        let all: Vec<Counting> = (0..size).map(Counting).collect();
        let index = OnceLock::new();
        COMPARED.set(0);
        for number in 0..2 * size {
            assert_eq!(is_among(&all, &index, Counting(number)), number < size);
        }
        let most = if size <= FEW { 2 * FEW * FEW } else { 4 * size };
        assert!(COMPARED.get() <= most, "{size}: {}", COMPARED.get());
    }
}
