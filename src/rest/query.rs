//! Query strings: repeated and comma-joined lists, scalars given once, and no unknown names.

use std::{collections::BTreeMap, fmt::Display, str::FromStr};

use crate::{
    db::page::{DEFAULT_PAGE, MAX_PAGE},
    error::{Error, Result},
};

fn out_of_range(name: &str, max: i64) -> Error {
    Error::OutOfRange { field: name.to_owned(), min: 0, max }
}

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
        let elements =
            values.iter().flat_map(|value| value.split(',')).filter(|value| !value.is_empty());
        let elements = elements
            .map(|value| value.trim().parse().map_err(|error| Error::invalid(name, error)))
            .collect::<Result<Vec<T>>>()?;
        Ok((!elements.is_empty()).then_some(elements))
    }

    /// The size of a page; more than [`MAX_PAGE`] is applied as that, and 0 is all.
    pub fn limit(&mut self, name: &'static str) -> Result<u64> {
        let limit = self.number(name, MAX_PAGE.cast_signed())?;
        Ok(limit.unwrap_or(DEFAULT_PAGE).min(MAX_PAGE))
    }

    /// The rows before a page, up to 2^31-1.
    pub fn offset(&mut self, name: &'static str) -> Result<u64> {
        const MAX: i64 = i32::MAX as i64;
        let offset = self.number(name, MAX)?.unwrap_or(0);
        if offset > MAX.cast_unsigned() { Err(out_of_range(name, MAX)) } else { Ok(offset) }
    }

    /// A whole number of 0 or more, however long.
    fn number(&mut self, name: &'static str, max: i64) -> Result<Option<u64>> {
        let Some(text) = self.one::<String>(name)? else { return Ok(None) };
        let digits = text.strip_prefix('-').unwrap_or(&text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Error::invalid(name, "use a whole number"));
        }
        if digits.len() < text.len() && digits.bytes().any(|byte| byte != b'0') {
            return Err(out_of_range(name, max));
        }
        Ok(Some(digits.parse().unwrap_or(u64::MAX)))
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
