//! Query strings: repeated and comma-joined lists, scalars given once, and no unknown names.

use std::{collections::BTreeMap, fmt::Display, str::FromStr};

use crate::error::{Error, Result};

/// The parameters of a query string, taken out by name.
#[derive(Clone, Debug, Default)]
pub struct Query {
    values: BTreeMap<String, Vec<String>>,
    known: Vec<&'static str>,
}

impl Query {
    /// Splits a query string; an empty value means that the parameter is absent.
    pub fn parse(text: &str) -> Result<Self> {
        let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(text.as_bytes()) {
            if value.contains(char::REPLACEMENT_CHARACTER) {
                return Err(Error::invalid(name.into_owned(), "it is not UTF-8"));
            }
            values.entry(name.into_owned()).or_default().push(value.into_owned());
        }
        Ok(Self { values, known: Vec::new() })
    }

    /// A parameter that may be given once.
    pub fn one<T: FromStr<Err: Display>>(&mut self, name: &'static str) -> Result<Option<T>> {
        self.known.push(name);
        let Some(values) = self.values.remove(name) else { return Ok(None) };
        match values.as_slice() {
            [] => Ok(None),
            [value] if value.is_empty() => Ok(None),
            [value] => value.parse().map(Some).map_err(|error| Error::invalid(name, error)),
            [..] => Err(Error::invalid(name, "give it only once")),
        }
    }

    /// A parameter that is a list: repeated, joined by commas, or both.
    pub fn many<T: FromStr<Err: Display>>(&mut self, name: &'static str) -> Result<Option<Vec<T>>> {
        self.known.push(name);
        let Some(values) = self.values.remove(name) else { return Ok(None) };
        let elements = values.iter().flat_map(|value| value.split(',')).filter(|value| !value.is_empty());
        let elements = elements
            .map(|value| value.trim().parse().map_err(|error| Error::invalid(name, error)))
            .collect::<Result<Vec<T>>>()?;
        Ok((!elements.is_empty()).then_some(elements))
    }

    /// A whole number of 0 or more, up to 2^31-1.
    pub fn number(&mut self, name: &'static str) -> Result<Option<u64>> {
        let Some(text) = self.one::<String>(name)? else { return Ok(None) };
        let number: i64 = text.parse().map_err(|_| Error::invalid(name, "use a whole number"))?;
        match u64::try_from(number) {
            Ok(number) if number <= i32::MAX as u64 => Ok(Some(number)),
            _ => Err(Error::OutOfRange { field: name.to_owned(), min: 0, max: i32::MAX.into() }),
        }
    }

    /// Refuses what nobody has taken.
    pub fn finish(self) -> Result<()> {
        match self.values.into_keys().next() {
            None => Ok(()),
            Some(parameter) => {
                let known = if self.known.is_empty() {
                    "none".to_owned()
                } else {
                    self.known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
                };
                Err(Error::UnknownParameter { parameter, known })
            }
        }
    }
}
