//! Lists of parts held against the rows that are stored.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

use toposcope_types::Id;

use super::Part;
use crate::error::{Error, Result};

/// For each part of a list the stored row that it means: that with its id, else that with the same
/// natural key; each row once.
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
        // One with an id of its own that is not stored is new, whatever it looks like.
        if before.is_some() || part.id.is_some() {
            continue;
        }
        *before = stored.iter().find(|row| same(row, &part.input) && !taken.contains(&id(row)));
        taken.extend(before.map(&id));
    }
    Ok(before)
}

/// Whether one of the changed rows takes what another one has until now.
pub fn swaps<M, K: Eq + Hash>(changed: &[(M, M)], key: impl Fn(&M) -> K) -> bool {
    let now: HashSet<K> = changed.iter().map(|(before, _)| key(before)).collect();
    changed.iter().any(|(before, after)| key(before) != key(after) && now.contains(&key(after)))
}

/// The stored rows that no part means.
pub fn unmatched<M: Clone>(stored: &[M], matched: &[Option<&M>], id: impl Fn(&M) -> Id) -> Vec<M> {
    let kept: HashSet<Id> = matched.iter().flatten().map(|row| id(row)).collect();
    stored.iter().filter(|row| !kept.contains(&id(row))).cloned().collect()
}

/// Sorts a row among those that are made, changed or left as they are.
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
