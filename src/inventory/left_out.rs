//! The elements of a document that an import leaves out.

use std::{
    collections::HashMap,
    fmt::{self, Display, Formatter},
};

use crate::error::{Error, Result};

/// The maximum number of characters of a name to show.
const SHOWN: usize = 80;

/// An element of a document that an import left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path in the document, such as `hosts[3].if_entries[7]`.
    pub place: String,
    /// Its name, if it has one, or what is used for one, such as an address.
    pub name: Option<String>,
    /// The reason.
    pub reason: String,
}

impl LeftOut {
    /// Returns whether it is a host with everything on it.
    pub(super) fn is_host(&self) -> bool {
        self.place.starts_with("hosts[") && !self.place.contains('.')
    }
}

impl Display for LeftOut {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place)?;
        if let Some(name) = &self.name {
            // An invalid name may hold anything.
            let shown: String = name.chars().filter(|one| !one.is_control()).take(SHOWN).collect();
            write!(f, " `{shown}`")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// The faults of a document: each refuses it, or leaves an element out.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// Whether to leave out what is invalid.
    skips: bool,
    left_out: Vec<LeftOut>,
    /// The elements by the paths of their lists and by their names.
    named: HashMap<(String, String), usize>,
}

impl Faults {
    pub(super) fn new(skips: bool) -> Self {
        Self { skips, ..Self::default() }
    }

    /// Returns a name that is needed only if an element is left out.
    pub(super) fn name(&self, name: impl FnOnce() -> Option<String>) -> Option<String> {
        if self.skips { name() } else { None }
    }

    /// Returns what an element is made into, unless it is left out. An error is relative to `place`.
    pub(super) fn sift<T>(
        &mut self,
        place: impl FnOnce() -> String,
        name: Option<String>,
        made: Result<T>,
    ) -> Result<Option<T>> {
        match made {
            Ok(made) => Ok(Some(made)),
            Err(error) if self.skips => {
                self.leave_out(place(), name, error);
                Ok(None)
            }
            Err(error) => Err(error.within(&place())),
        }
    }

    /// Leaves an element out.
    pub(super) fn leave_out(&mut self, place: String, name: Option<String>, error: Error) {
        let mut reason = error.to_string();
        if reason.starts_with("``") {
            reason = error.within(&place).to_string();
        }
        let name = name.filter(|name| !name.trim().is_empty());
        if let Some(name) = &name {
            let list = place.rsplit_once('[').map_or("", |(list, _)| list).to_owned();
            let key = (list, name.trim().to_owned());
            self.named.entry(key).or_insert(self.left_out.len());
        }
        self.left_out.push(LeftOut { place, name, reason });
    }

    /// Returns the path of the element of a list that has a name and is left out.
    pub(super) fn place_of(&self, list: &str, name: &str) -> Option<&str> {
        if self.left_out.is_empty() {
            return None;
        }
        let nth = self.named.get(&(list.to_owned(), name.to_owned()))?;
        Some(&self.left_out[*nth].place)
    }

    /// Returns the elements of a list that are left out.
    pub(super) fn of(&self, list: &str) -> impl Iterator<Item = &LeftOut> {
        self.left_out.iter().filter(move |one| {
            let inside = one.place.strip_prefix(list).and_then(|rest| rest.strip_prefix('['));
            inside.is_some_and(|rest| !rest.contains('.'))
        })
    }

    /// Returns a fault of what refers to an element that is left out, and the fault that it has
    /// otherwise.
    pub(super) fn referring(&self, list: &str, name: &str, error: Error) -> Error {
        let Some(place) = self.place_of(list, name) else { return error };
        let field = match &error {
            Error::InvalidFormat { field, .. } => field.clone(),
            _ => String::new(),
        };
        Error::invalid(field, refers(place))
    }

    /// Returns how many elements are left out.
    pub(super) fn count(&self) -> usize {
        self.left_out.len()
    }

    /// Forgets all but the first elements.
    pub(super) fn truncate(&mut self, count: usize) {
        if count < self.left_out.len() {
            self.left_out.truncate(count);
            self.named.retain(|_, nth| *nth < count);
        }
    }

    /// Returns all elements that are left out, in the order of their discovery.
    pub(super) fn into_left_out(self) -> Vec<LeftOut> {
        self.left_out
    }
}

/// Says that an element refers to another that is left out.
pub(super) fn refers(place: &str) -> String {
    format!("it refers to `{place}`, which is left out")
}
