//! Matching of lists of parts with stored rows.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

use toposcope_types::Id;

use super::Part;
use crate::error::{Error, Result};

/// Finds the stored row of each part in a list: by its id, else by its natural key. Each row
/// matches once.
pub fn matched<'a, M, T, P>(
    stored: &'a [M],
    given: &[Part<T, P>],
    id: impl Fn(&M) -> Id,
    same: impl Fn(&M, &T) -> bool,
) -> Result<Vec<Option<&'a M>>> {
    let mut seen = HashSet::new();
    let mut own = given.iter().map(|part| part.id);
    if let Some(place) = own.position(|id| id.is_some_and(|id| !seen.insert(id))) {
        return Err(Error::Duplicate { field: format!("[{place}].id") });
    }
    let by_id: HashMap<Id, &M> = stored.iter().map(|row| (id(row), row)).collect();
    let mut before: Vec<Option<&M>> =
        given.iter().map(|part| part.id.and_then(|id| by_id.get(&id).copied())).collect();
    let mut taken: HashSet<Id> = before.iter().flatten().map(|row| id(row)).collect();
    for (part, before) in given.iter().zip(&mut before) {
        // A part with an id that is not stored is new, whatever its natural key.
        if before.is_some() || part.id.is_some() {
            continue;
        }
        *before = stored.iter().find(|row| same(row, &part.input) && !taken.contains(&id(row)));
        taken.extend(before.map(&id));
    }
    Ok(before)
}

/// Returns whether a changed row takes the key that another one has had until now.
pub fn swaps<M, K: Eq + Hash>(changed: &[(M, M)], key: impl Fn(&M) -> K) -> bool {
    let now: HashSet<K> = changed.iter().map(|(before, _)| key(before)).collect();
    changed.iter().any(|(before, after)| key(before) != key(after) && now.contains(&key(after)))
}

/// Returns the stored rows that no part matches.
pub fn unmatched<M: Clone>(stored: &[M], matched: &[Option<&M>], id: impl Fn(&M) -> Id) -> Vec<M> {
    let kept: HashSet<Id> = matched.iter().flatten().map(|row| id(row)).collect();
    stored.iter().filter(|row| !kept.contains(&id(row))).cloned().collect()
}

/// Sorts a row into those to create, to update or to leave as they are.
pub fn sort_in<M: Clone + PartialEq>(
    before: Option<&M>,
    mut after: M,
    created: &mut Vec<M>,
    changed: &mut Vec<(M, M)>,
    all: &mut Vec<M>,
    touch: impl FnOnce(&mut M),
) {
    match before {
        None => created.push(after.clone()),
        Some(before) if *before == after => {}
        Some(before) => {
            touch(&mut after);
            changed.push((before.clone(), after.clone()));
        }
    }
    all.push(after);
}
