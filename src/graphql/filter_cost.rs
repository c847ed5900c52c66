//! The cost of the filters in a document: every filter is compared with every row of its list.

use async_graphql::{
    Name, Value as Constant, Variables,
    parser::types::{ExecutableDocument, Field},
};
use async_graphql_value::Value;

/// The name of the filter argument of every list.
pub(super) const FILTER: &str = "filter";
/// This many values of a list cost as much as one comparison, since the database looks them up.
const LOOKED_UP: usize = 50;

/// A counter of the comparisons in a document, given the values of its variables.
#[derive(Clone, Copy, Debug)]
pub struct FilterCost<'a> {
    document: &'a ExecutableDocument,
    variables: &'a Variables,
}

impl<'a> FilterCost<'a> {
    /// Creates a counter for the filters of a document that runs with these variables.
    pub fn new(document: &'a ExecutableDocument, variables: &'a Variables) -> Self {
        Self { document, variables }
    }

    /// Returns how many comparisons the filter of a field makes for each row.
    pub fn of(self, field: &Field) -> usize {
        let filters = field.arguments.iter().filter(|(name, _)| name.node.as_str() == FILTER);
        filters.map(|(_, value)| self.written(&value.node)).sum()
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

    /// Returns whether a value contains others, directly or through a variable.
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

    /// Returns the possible values of a variable: its value, or else its defaults.
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
