//! Reads a document element by element, and leaves out those that cannot be read.
//!
//! The rule: an element is read by itself, then each list in it in the same way. So a fault concerns
//! the innermost element around it, and faults within what is left out are not told.

use std::collections::HashSet;

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, MapAccess, Visitor, value::MapDeserializer},
};
use serde_json::value::RawValue;
use serde_path_to_error::Segment;
use toposcope_types::json_path;

use super::{left_out::Faults, list::List, malformed::malformed};
use crate::error::{Error, Result};

/// A part of a document that is read by itself.
pub(super) trait Element: DeserializeOwned {
    /// The keys of the parts that are read by themselves.
    const PARTS: &'static [&'static str] = &[];
    /// The keys of which the first given value names the element.
    const NAMES: &'static [&'static str] = &[];

    /// Reads one of its parts.
    fn read_part(&mut self, _key: &str, _part: Part<'_, '_>) -> Result<()> {
        Ok(())
    }
}

/// The text of a part.
pub(super) struct Part<'s, 't> {
    sieve: &'s mut Sieve<'t>,
    raw: &'t RawValue,
    path: String,
}

impl Part<'_, '_> {
    /// Reads a list of elements; a fault of one leaves it out.
    pub(super) fn list<T: Element>(self) -> Result<Option<List<T>>> {
        let Self { sieve, raw, path } = self;
        let Some(elements) = sieve.split::<Option<Vec<&RawValue>>>(raw)? else {
            return Ok(None);
        };
        let mut list = List::new();
        for (nth, raw) in elements.into_iter().enumerate() {
            list.push(nth, sieve.element(raw, &json_path::of_element(&path, nth)));
        }
        Ok(Some(list))
    }

    /// Reads an object that is no element: its own fault is that of what it is in.
    pub(super) fn object<T: Element>(self) -> Result<Option<T>> {
        if self.raw.get() == "null" {
            return Ok(None);
        }
        self.sieve.object(self.raw, &self.path).map(Some)
    }
}

/// A reader that leaves out what it cannot read.
pub(super) struct Sieve<'t> {
    text: &'t str,
    /// A place in the text and the number of lines before it, from where to count.
    counted: (usize, usize),
    faults: Faults,
    unknown: Vec<String>,
}

impl<'t> Sieve<'t> {
    /// Reads a whole document; returns it with the paths of unknown keys and with what is left out.
    pub(super) fn read_all<T: Element>(text: &'t str) -> Result<(T, Vec<String>, Faults)> {
        let faults = Faults::new(true);
        let mut sieve = Self { text, counted: (0, 0), faults, unknown: Vec::new() };
        let mut json = serde_json::Deserializer::from_str(text);
        let raw = <&RawValue>::deserialize(&mut json).and_then(|raw| json.end().map(|()| raw));
        let raw = raw.map_err(|error| malformed("", &error, error.to_string()))?;
        let document = sieve.object(raw, "")?;
        Ok((document, sieve.unknown, sieve.faults))
    }

    /// Reads an element, or leaves it out.
    fn element<T: Element>(&mut self, raw: &'t RawValue, path: &str) -> Option<T> {
        let (faults, unknown) = (self.faults.count(), self.unknown.len());
        match self.object(raw, path) {
            Ok(element) => Some(element),
            Err(error) => {
                self.faults.truncate(faults);
                self.unknown.truncate(unknown);
                self.faults.leave_out(path.to_owned(), name::<T>(raw), error);
                None
            }
        }
    }

    /// Reads the element at a path, and its parts. An error is relative to the path.
    fn object<T: Element>(&mut self, raw: &'t RawValue, path: &str) -> Result<T> {
        if T::PARTS.is_empty() {
            return self.read(raw, |_| raw, path);
        }
        let Pairs(pairs) = self.split(raw)?;
        let (parts, rest): (Vec<_>, Vec<_>) =
            pairs.into_iter().partition(|(key, _)| T::PARTS.contains(&key.as_str()));
        let mut keys = HashSet::new();
        if let Some((key, _)) = parts.iter().find(|(key, _)| !keys.insert(key.as_str())) {
            return Err(Error::invalid("", format!("duplicate field `{key}`")));
        }
        let fields = rest.iter().map(|(key, raw)| (key.as_str(), *raw));
        let start_of =
            |key: &str| rest.iter().find(|(one, _)| one == key).map_or(raw, |(_, raw)| *raw);
        let mut element: T = self.read(MapDeserializer::new(fields), start_of, path)?;
        for (key, raw) in parts {
            let path = json_path::of_key(path, &key);
            let read = element.read_part(&key, Part { sieve: self, raw, path });
            read.map_err(|error| error.within(&key))?;
        }
        Ok(element)
    }

    /// Reads the texts of the elements of a list, or of the values of an object.
    fn split<T: Deserialize<'t>>(&mut self, raw: &'t RawValue) -> Result<T> {
        serde_json::from_str(raw.get()).map_err(|error| {
            let message = self.placed(&error, raw);
            malformed("", &error, message)
        })
    }

    /// Reads a value. The positions in the errors of its reader are counted from the start of the
    /// value of a key.
    fn read<T: Deserialize<'t>, D: Deserializer<'t, Error = serde_json::Error>>(
        &mut self,
        reader: D,
        start_of: impl Fn(&str) -> &'t RawValue,
        path: &str,
    ) -> Result<T> {
        let unknown = &mut self.unknown;
        let mut note = |ignored: serde_ignored::Path<'_>| {
            unknown.push(json_path::of_key(path, &json_path::of_ignored(&ignored)));
        };
        let reader = serde_ignored::Deserializer::new(reader, &mut note);
        serde_path_to_error::deserialize(reader).map_err(|error| {
            let key = match error.path().iter().next() {
                Some(Segment::Map { key }) => key.as_str(),
                _ => "",
            };
            let message = self.placed(error.inner(), start_of(key));
            malformed(&error.path().to_string(), error.inner(), message)
        })
    }

    /// Returns the words of an error with its position in the whole text.
    fn placed(&mut self, error: &serde_json::Error, start: &RawValue) -> String {
        let message = error.to_string();
        let Some((fault, _)) = message.rsplit_once(" at line ").filter(|_| error.line() > 0) else {
            return message;
        };
        let start = start.get().as_ptr() as usize - self.text.as_ptr() as usize;
        let (from, lines) = self.counted;
        let breaks = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
        let before = if from <= start {
            lines + breaks(&self.text[from..start])
        } else {
            lines - breaks(&self.text[start..from])
        };
        self.counted = (start, before);
        let column = match error.line() {
            1 => start - self.text[..start].rfind('\n').map_or(0, |nth| nth + 1) + error.column(),
            _ => error.column(),
        };
        format!("{fault} at line {} column {column}", before + error.line())
    }
}

/// Returns the name of an element that cannot be read.
fn name<T: Element>(raw: &RawValue) -> Option<String> {
    let Pairs(pairs) = serde_json::from_str(raw.get()).ok()?;
    T::NAMES.iter().find_map(|name| {
        let (_, raw) = pairs.iter().find(|(key, _)| key == name)?;
        let text = raw.get();
        let name = match text.as_bytes().first()? {
            b'"' => serde_json::from_str(text).ok()?,
            b'{' | b'[' | b'n' => return None,
            _ => text.to_owned(),
        };
        Some(name).filter(|name: &String| !name.is_empty())
    })
}

/// The keys of an object with the texts of their values.
struct Pairs<'t>(Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;

        impl<'de> Visitor<'de> for Keys {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(Keys)
    }
}
