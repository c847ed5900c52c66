//! A list of a document, of which elements may be left out.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The valid elements of a list, each with its place in the document.
#[derive(Debug)]
pub struct List<T> {
    elements: Vec<(usize, T)>,
    /// Whether nothing is left out.
    is_whole: bool,
}

impl<T> List<T> {
    /// Creates a list with nothing in it and nothing left out.
    pub(super) const fn new() -> Self {
        Self { elements: Vec::new(), is_whole: true }
    }

    /// Adds the element at a place, or notes that it is left out.
    pub(super) fn push(&mut self, place: usize, element: Option<T>) {
        match element {
            Some(element) => self.elements.push((place, element)),
            None => self.is_whole = false,
        }
    }

    /// Creates an empty list from which as much is left out as from another.
    pub(super) const fn like<U>(other: &List<U>) -> Self {
        Self { elements: Vec::new(), is_whole: other.is_whole }
    }

    /// Returns whether nothing is left out: only then is what the list lacks gone.
    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the elements without their places.
    pub(super) fn elements(&self) -> impl Iterator<Item = &T> + Clone {
        self.elements.iter().map(|(_, element)| element)
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self { elements: elements.into_iter().enumerate().collect(), is_whole: true }
    }
}

impl<T> IntoIterator for List<T> {
    type Item = (usize, T);
    type IntoIter = std::vec::IntoIter<(usize, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
    }
}

impl<T: Serialize> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.elements())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from_iter)
    }
}
