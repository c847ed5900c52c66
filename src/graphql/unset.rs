//! Variables that are not set: what they were to fill is left out (GraphQL, 3.10 and 5.6.1), which is
//! something else than null where null clears.

use std::collections::HashSet;

use async_graphql::{
    Name, Variables,
    parser::types::{
        Directive, DocumentOperations, ExecutableDocument, Field, OperationDefinition, Selection,
        SelectionSet, VariableDefinition,
    },
};
use async_graphql_value::Value;

use super::filter_cost::FILTER;
use crate::error::{Error, Result};

/// Leaves out of an operation, and of the fragments that it may use, the arguments and fields of inputs
/// that variables were to fill which are not set. In a filter that is refused: a comparison that is
/// left out lets everything pass.
pub(super) fn leave_out(
    document: &mut ExecutableDocument,
    operation: Option<&str>,
    variables: &Variables,
) -> Result<()> {
    let is_unset = |definition: &VariableDefinition| {
        let nullable = definition.var_type.node.nullable && definition.default_value.is_none();
        nullable && !variables.contains_key(&definition.name.node)
    };
    let chosen = document.operations.iter().find(|(name, _)| match operation {
        Some(wanted) => name.is_some_and(|name| name.as_str() == wanted),
        None => true,
    });
    let Some((_, chosen)) = chosen else { return Ok(()) };
    let definitions = chosen.node.variable_definitions.iter().map(|definition| &definition.node);
    let unset: HashSet<Name> = definitions
        .filter(|definition| is_unset(definition))
        .map(|definition| definition.name.node.clone())
        .collect();
    if unset.is_empty() {
        return Ok(());
    }
    let mut gone = HashSet::new();
    let mut walk = Walk { unset: &unset, gone: &mut gone };
    for (name, other) in operations(&mut document.operations) {
        let is_chosen = operation.is_none() || name.as_ref().map(Name::as_str) == operation;
        if is_chosen {
            walk.selections(&mut other.selection_set.node)?;
        }
    }
    for fragment in document.fragments.values_mut() {
        walk.selections(&mut fragment.node.selection_set.node)?;
    }
    forget_unused(document, &gone);
    Ok(())
}

/// The operations with their names.
fn operations(all: &mut DocumentOperations) -> Vec<(Option<Name>, &mut OperationDefinition)> {
    match all {
        DocumentOperations::Single(only) => vec![(None, &mut only.node)],
        DocumentOperations::Multiple(all) => {
            all.iter_mut().map(|(name, one)| (Some(name.clone()), &mut one.node)).collect()
        }
    }
}

/// Goes through what an operation asks.
struct Walk<'a> {
    unset: &'a HashSet<Name>,
    /// Those that were to fill something which is left out.
    gone: &'a mut HashSet<Name>,
}

impl Walk<'_> {
    fn selections(&mut self, set: &mut SelectionSet) -> Result<()> {
        for selection in &mut set.items {
            match &mut selection.node {
                Selection::Field(field) => {
                    self.arguments(&mut field.node)?;
                    self.selections(&mut field.node.selection_set.node)?;
                }
                Selection::InlineFragment(fragment) => {
                    self.selections(&mut fragment.node.selection_set.node)?;
                }
                Selection::FragmentSpread(_) => {}
            }
        }
        Ok(())
    }

    fn arguments(&mut self, field: &mut Field) -> Result<()> {
        field.arguments.retain(|(_, value)| self.stays(&value.node));
        for (name, value) in &mut field.arguments {
            let place = (name.node.as_str() == FILTER).then_some(FILTER);
            self.value(&mut value.node, place)?;
        }
        Ok(())
    }

    fn stays(&mut self, value: &Value) -> bool {
        match value {
            Value::Variable(name) if self.unset.contains(name) => {
                self.gone.insert(name.clone());
                false
            }
            _ => true,
        }
    }

    /// `filter` is where in a filter the value stands, if it stands in one.
    fn value(&mut self, value: &mut Value, filter: Option<&str>) -> Result<()> {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields.iter_mut() {
                    let place = filter.map(|place| format!("{place}.{key}"));
                    self.value(value, place.as_deref())?;
                }
                fields.retain(|_, value| self.stays(value));
            }
            Value::List(elements) => {
                for (nth, value) in elements.iter_mut().enumerate() {
                    let place = filter.map(|place| format!("{place}[{nth}]"));
                    self.value(value, place.as_deref())?;
                }
            }
            Value::Variable(name) => {
                if let Some(place) = filter.filter(|_| self.unset.contains(name)) {
                    let reason = format!(
                        "the variable `${name}` is not set: set it, or leave the comparison out; \
                         `eq: null` matches what has no value"
                    );
                    return Err(Error::invalid(place, reason));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Takes away the definitions of such variables that nothing uses any more, which would be an error.
fn forget_unused(document: &mut ExecutableDocument, gone: &HashSet<Name>) {
    let mut in_fragments = HashSet::new();
    for fragment in document.fragments.values() {
        of_directives(fragment.node.directives.iter().map(|one| &one.node), &mut in_fragments);
        of_selections(&fragment.node.selection_set.node, &mut in_fragments);
    }
    let in_fragments: HashSet<Name> = in_fragments.into_iter().cloned().collect();
    for (_, operation) in operations(&mut document.operations) {
        let OperationDefinition { selection_set, directives, variable_definitions, .. } = operation;
        let mut used = HashSet::new();
        of_directives(directives.iter().map(|one| &one.node), &mut used);
        of_selections(&selection_set.node, &mut used);
        variable_definitions.retain(|definition| {
            let name = &definition.node.name.node;
            !gone.contains(name) || used.contains(name) || in_fragments.contains(name)
        });
    }
}

fn of_selections<'a>(set: &'a SelectionSet, used: &mut HashSet<&'a Name>) {
    for selection in &set.items {
        let (directives, below) = match &selection.node {
            Selection::Field(field) => {
                field.node.arguments.iter().for_each(|(_, value)| of_value(&value.node, used));
                (&field.node.directives, Some(&field.node.selection_set.node))
            }
            Selection::InlineFragment(fragment) => {
                (&fragment.node.directives, Some(&fragment.node.selection_set.node))
            }
            Selection::FragmentSpread(spread) => (&spread.node.directives, None),
        };
        of_directives(directives.iter().map(|one| &one.node), used);
        if let Some(below) = below {
            of_selections(below, used);
        }
    }
}

fn of_directives<'a>(
    directives: impl Iterator<Item = &'a Directive>,
    used: &mut HashSet<&'a Name>,
) {
    for directive in directives {
        directive.arguments.iter().for_each(|(_, value)| of_value(&value.node, used));
    }
}

fn of_value<'a>(value: &'a Value, used: &mut HashSet<&'a Name>) {
    match value {
        Value::Variable(name) => {
            used.insert(name);
        }
        Value::Object(fields) => fields.values().for_each(|value| of_value(value, used)),
        Value::List(elements) => elements.iter().for_each(|value| of_value(value, used)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is left of the arguments of the first field, as text.
    fn left(text: &str, operation: Option<&str>, variables: serde_json::Value) -> String {
        let mut document = async_graphql::parser::parse_query(text).expect("it parses");
        let variables = Variables::from_json(variables);
        if let Err(error) = leave_out(&mut document, operation, &variables) {
            return error.to_string();
        }
        let mut operations = document.operations.iter();
        let chosen =
            operations.find(|(name, _)| operation.is_none() || name.map(Name::as_str) == operation);
        let chosen = &chosen.expect("there is one").1.node;
        let Selection::Field(field) = &chosen.selection_set.node.items[0].node else {
            return String::new();
        };
        let arguments = field.node.arguments.iter();
        let arguments = arguments.map(|(name, value)| format!("{name}: {}", value.node));
        let defined =
            chosen.variable_definitions.iter().map(|one| format!("${}", one.node.name.node));
        arguments.chain(defined).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_not_set_is_left_out_and_what_is_null_is_null() {
        let text = "mutation ($a: T, $b: T, $c: T = 1, $d: T!) { m(x: {a: $a, l: [{b: $b}, $b], c: $c}, y: $b, d: $d) }";
        assert_eq!(left(text, None, json!({})), "x: {l: [{}, $b], c: $c} d: $d $b $c $d");
        let given = json!({ "a": null, "b": 1 });
        assert_eq!(
            left(text, None, given),
            "x: {a: $a, l: [{b: $b}, $b], c: $c} y: $b d: $d $a $b $c $d"
        );
    }

    #[test]
    fn in_a_filter_it_is_refused_but_a_filter_as_a_whole() {
        let one = "query ($x: T) { l(filter: {or: [{not: {a: {eq: $x}}}]}) { b } }";
        let refused = left(one, None, json!({}));
        assert!(refused.contains("filter.or[0].not.a.eq") && refused.contains("`$x`"), "{refused}");
        for given in [json!({ "x": null }), json!({ "x": "a" })] {
            assert!(left(one, None, given).starts_with("filter: "));
        }
        let default = "query ($x: T = \"a\") { l(filter: {a: {eq: $x}}) { b } }";
        assert!(left(default, None, json!({})).starts_with("filter: "));
        assert_eq!(left("query ($f: F) { l(filter: $f) { b } }", None, json!({})), "");
        let fragment =
            "query ($x: T) { m { ...F } } fragment F on A { l(filter: {a: {in: $x}}) { b } }";
        assert!(left(fragment, None, json!({})).contains("filter.a.in"));
    }

    #[test]
    fn what_nothing_used_before_is_left_to_the_validation() {
        assert_eq!(left("query ($a: Nothing, $b: T) { m(x: $b) }", None, json!({})), "$a");
    }

    #[test]
    fn only_the_operation_that_runs_counts() {
        let two = "query A { l { b } } query B($x: T) { l(filter: {a: {eq: $x}}) { b } }";
        assert_eq!(left(two, Some("A"), json!({})), "");
        assert!(left(two, Some("B"), json!({})).contains("`$x`"));
        let default = "query A($x: T) { l(filter: {a: {eq: $x}}) { b } } query B($x: T = 1) { l(filter: {a: {eq: $x}}) { b } }";
        assert!(left(default, Some("A"), json!({})).contains("`$x`"));
        assert!(left(default, Some("B"), json!({})).starts_with("filter: "));
    }
}
