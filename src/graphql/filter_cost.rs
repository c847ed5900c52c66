//! What the filters of a document say and cost: each of them is held against every row of its list.

use async_graphql::{
    Name, Value as Constant, Variables,
    parser::types::{ExecutableDocument, Field},
};
use async_graphql_value::Value;

use crate::error::{Error, Result};

/// The argument that all lists call so.
const FILTER: &str = "filter";
/// So many values of a list cost as much as one comparison: the database looks them up.
const LOOKED_UP: usize = 50;

/// Checks and counts comparisons, with the values that variables have.
#[derive(Clone, Copy, Debug)]
pub struct FilterCost<'a> {
    document: &'a ExecutableDocument,
    variables: &'a Variables,
}

impl<'a> FilterCost<'a> {
    /// The cost of filters in a document that is run with these variables.
    pub fn new(document: &'a ExecutableDocument, variables: &'a Variables) -> Self {
        Self { document, variables }
    }

    /// How many comparisons the filter of a field makes for each row.
    pub fn of(self, field: &Field) -> usize {
        let filters = field.arguments.iter().filter(|(name, _)| name.node.as_str() == FILTER);
        filters.map(|(_, value)| self.written(&value.node)).sum()
    }

    /// Refuses a comparison with nothing. GraphQL takes a variable that is not set for a field that is
    /// not there, and so a filter by it would let everything pass.
    pub fn check(self, field: &Field) -> Result<()> {
        let filters = field.arguments.iter().filter(|(name, _)| name.node.as_str() == FILTER);
        for (_, filter) in filters {
            match &filter.node {
                // A filter as a whole may be left out.
                Value::Null => {}
                Value::Variable(name) => {
                    let mut values = self.values(name).filter(|value| **value != Constant::Null);
                    values.try_for_each(|value| check_given(FILTER, value))?;
                }
                filter => self.check_written(FILTER, filter)?,
            }
        }
        Ok(())
    }

    fn check_written(self, place: &str, value: &Value) -> Result<()> {
        match value {
            Value::Variable(name) => {
                let mut values = self.values(name).peekable();
                if values.peek().is_none() {
                    let reason = format!("the variable `${name}` is not set: {REMEDY}");
                    return Err(Error::invalid(place, reason));
                }
                values.try_for_each(|value| check_given(place, value))
            }
            Value::Null => check_null(place),
            Value::Object(fields) => fields
                .iter()
                .try_for_each(|(key, value)| self.check_written(&format!("{place}.{key}"), value)),
            Value::List(elements) => elements
                .iter()
                .enumerate()
                .try_for_each(|(nth, one)| self.check_written(&format!("{place}[{nth}]"), one)),
            _ => Ok(()),
        }
    }

    fn written(self, value: &Value) -> usize {
        match value {
            Value::Variable(name) => self.variable(name),
            Value::Null => 0,
            Value::Object(fields) => fields.values().map(|value| self.written(value)).sum(),
            Value::List(elements) => {
                let of_each: usize = elements.iter().map(|value| self.written(value)).sum();
                if elements.iter().any(|one| self.is_nested(one)) { of_each } else { list(of_each) }
            }
            _ => 1,
        }
    }

    /// Whether a value holds others, itself or by a variable.
    fn is_nested(self, value: &Value) -> bool {
        match value {
            Value::Variable(name) => self.values(name).any(is_nested),
            Value::Object(_) | Value::List(_) => true,
            _ => false,
        }
    }

    fn variable(self, name: &Name) -> usize {
        self.values(name).map(given).max().unwrap_or_default()
    }

    /// What a variable may stand for: its value, or else its defaults.
    fn values(self, name: &Name) -> impl Iterator<Item = &'a Constant> {
        let value = self.variables.get(name);
        let name = name.clone();
        let defined = self.document.operations.iter().flat_map(|(_, operation)| {
            operation.node.variable_definitions.iter().map(|definition| &definition.node)
        });
        let defaults = defined
            .filter(move |definition| value.is_none() && definition.name.node == name)
            .filter_map(|definition| definition.default_value.as_ref());
        value.into_iter().chain(defaults.map(|value| &value.node))
    }
}

/// What to do about a comparison with nothing.
const REMEDY: &str = "set it, or leave the comparison out; `eq: null` matches what has no value";

/// Refuses null, but where it says that there is no value.
fn check_null(place: &str) -> Result<()> {
    if place.rsplit('.').next() == Some("eq") {
        return Ok(());
    }
    Err(Error::invalid(place, format!("null compares nothing: {REMEDY}")))
}

fn check_given(place: &str, value: &Constant) -> Result<()> {
    match value {
        Constant::Null => check_null(place),
        Constant::Object(fields) => {
            fields.iter().try_for_each(|(key, value)| check_given(&format!("{place}.{key}"), value))
        }
        Constant::List(elements) => elements
            .iter()
            .enumerate()
            .try_for_each(|(nth, one)| check_given(&format!("{place}[{nth}]"), one)),
        _ => Ok(()),
    }
}

fn given(value: &Constant) -> usize {
    match value {
        Constant::Null => 0,
        Constant::Object(fields) => fields.values().map(given).sum(),
        Constant::List(elements) => {
            let of_each: usize = elements.iter().map(given).sum();
            if elements.iter().any(is_nested) { of_each } else { list(of_each) }
        }
        _ => 1,
    }
}

const fn is_nested(value: &Constant) -> bool {
    matches!(value, Constant::Object(_) | Constant::List(_))
}

fn list(values: usize) -> usize {
    1 + values / LOOKED_UP
}
