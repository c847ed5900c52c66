//! Unset variables: the arguments and fields that they would fill are left out (GraphQL, 3.10 and
//! 5.6.1), which is different from null where null clears.

use std::collections::{HashMap, HashSet};

use async_graphql::{
    Name, Positioned, Variables,
    parser::types::{
        Directive, DocumentOperations, ExecutableDocument, Field, FragmentDefinition,
        OperationDefinition, OperationType, Selection, SelectionSet, Type,
    },
};
use async_graphql_value::{ConstValue, Value};
use toposcope_types::json_path;

use super::{
    filter_cost::FILTER,
    takes::{InputValue, Takes},
};
use crate::error::{Error, Result};

/// Removes the arguments and input fields that unset variables would fill, from an operation and
/// the fragments it uses. Rejects an unset variable within a filter, where a missing comparison
/// would match everything. Anything that the schema does not know, or types differently, stays for
/// validation to report. The inputs of the schema are only asked for if a variable is unset.
pub fn leave_out<'a>(
    document: &mut ExecutableDocument,
    operation: Option<&str>,
    variables: &Variables,
    takes: impl FnOnce() -> &'a Takes,
) -> Result<()> {
    let fragments = &mut document.fragments;
    let chosen = operations(&mut document.operations)
        .into_iter()
        .find(|(name, _)| operation.is_none() || name.as_ref().map(Name::as_str) == operation);
    let Some((_, chosen)) = chosen else { return Ok(()) };
    let definitions = chosen.variable_definitions.iter().map(|definition| &definition.node);
    let unset: HashMap<Name, Type> = definitions
        .filter(|one| one.var_type.node.nullable && one.default_value.is_none())
        .filter(|one| !variables.contains_key(&one.name.node))
        .map(|one| (one.name.node.clone(), one.var_type.node.clone()))
        .collect();
    if unset.is_empty() {
        return Ok(());
    }
    let root = match chosen.ty {
        OperationType::Query => "Query",
        OperationType::Mutation => "Mutation",
        OperationType::Subscription => "Subscription",
    };
    let mut walk =
        Walk { unset: &unset, variables, takes: takes(), gone: HashSet::new(), spread: Vec::new() };
    walk.selections(&mut chosen.selection_set.node, root)?;
    let mut seen = HashSet::new();
    while let Some(name) = walk.spread.pop() {
        if seen.insert(name.clone())
            && let Some(fragment) = fragments.get_mut(&name)
        {
            let on = fragment.node.type_condition.node.on.node.clone();
            walk.selections(&mut fragment.node.selection_set.node, &on)?;
        }
    }
    let gone = walk.gone;
    for (_, operation) in operations(&mut document.operations) {
        forget_unused(operation, &document.fragments, &gone);
    }
    Ok(())
}

/// Returns the operations with their names.
fn operations(all: &mut DocumentOperations) -> Vec<(Option<Name>, &mut OperationDefinition)> {
    match all {
        DocumentOperations::Single(only) => vec![(None, &mut only.node)],
        DocumentOperations::Multiple(all) => {
            all.iter_mut().map(|(name, one)| (Some(name.clone()), &mut one.node)).collect()
        }
    }
}

/// A walk through the selections of an operation, except those that it skips.
struct Walk<'a> {
    /// The unset variables, with their types.
    unset: &'a HashMap<Name, Type>,
    variables: &'a Variables,
    takes: &'a Takes,
    /// The unset variables whose argument or field was left out.
    gone: HashSet<Name>,
    /// The fragments in use.
    spread: Vec<Name>,
}

impl Walk<'_> {
    fn selections(&mut self, set: &mut SelectionSet, of: &str) -> Result<()> {
        for selection in &mut set.items {
            if self.is_skipped(selection.node.directives()) {
                continue;
            }
            match &mut selection.node {
                Selection::Field(field) => {
                    let takes = self.takes;
                    let known = takes.field(of, &field.node.name.node);
                    if let Some(known) = known {
                        self.arguments(&mut field.node, &known.arguments)?;
                        self.selections(&mut field.node.selection_set.node, &known.of)?;
                    }
                }
                Selection::InlineFragment(fragment) => {
                    let on = fragment.node.type_condition.as_ref();
                    let of = on.map_or(of, |on| on.node.on.node.as_str()).to_owned();
                    self.selections(&mut fragment.node.selection_set.node, &of)?;
                }
                Selection::FragmentSpread(spread) => {
                    self.spread.push(spread.node.fragment_name.node.clone());
                }
            }
        }
        Ok(())
    }

    /// Returns whether `@skip` or `@include` excludes a selection.
    fn is_skipped(&self, directives: &[Positioned<Directive>]) -> bool {
        directives.iter().any(|directive| {
            let skipped = match directive.node.name.node.as_str() {
                "skip" => true,
                "include" => false,
                _ => return false,
            };
            let said = match directive.node.get_argument("if").map(|value| &value.node) {
                Some(Value::Boolean(said)) => Some(*said),
                Some(Value::Variable(name)) => match self.variables.get(name) {
                    Some(ConstValue::Boolean(said)) => Some(*said),
                    _ => None,
                },
                _ => None,
            };
            said == Some(skipped)
        })
    }

    fn arguments(&mut self, field: &mut Field, known: &HashMap<Name, InputValue>) -> Result<()> {
        field.arguments.retain(|(name, value)| self.stays(&value.node, known.get(&name.node)));
        for (name, value) in &mut field.arguments {
            let filter = (name.node.as_str() == FILTER).then_some(FILTER);
            if let Some(input_value) = known.get(&name.node) {
                self.value(&mut value.node, input_value, filter)?;
            }
        }
        Ok(())
    }

    fn stays(&mut self, value: &Value, input_value: Option<&InputValue>) -> bool {
        let Value::Variable(name) = value else { return true };
        let leaves = input_value
            .zip(self.unset.get(name))
            .is_some_and(|(input_value, of)| input_value.may_be_left_out_by(of));
        if leaves {
            self.gone.insert(name.clone());
        }
        !leaves
    }

    /// Removes unset fields from a value. `filter` is the path of the value in a filter, if it is
    /// in one.
    fn value(
        &mut self,
        value: &mut Value,
        input_value: &InputValue,
        filter: Option<&str>,
    ) -> Result<()> {
        match value {
            Value::Object(fields) => {
                let takes = self.takes;
                let Some(known) = takes.input(input_value.name()) else { return Ok(()) };
                for (key, value) in fields.iter_mut() {
                    let within = filter.map(|filter| json_path::of_key(filter, key));
                    if let Some(input_value) = known.get(key) {
                        self.value(value, input_value, within.as_deref())?;
                    }
                }
                fields.retain(|key, value| self.stays(value, known.get(key)));
            }
            Value::List(elements) => {
                for (nth, value) in elements.iter_mut().enumerate() {
                    let within = filter.map(|filter| json_path::of_element(filter, nth));
                    self.value(value, input_value, within.as_deref())?;
                }
            }
            Value::Variable(name) => {
                let within = filter.filter(|filter| *filter != FILTER);
                if let Some(filter) = within.filter(|_| self.unset.contains_key(name)) {
                    let reason = format!(
                        "the variable `${name}` is not set: set it, or leave the comparison out; \
                         `eq: null` matches what has no value"
                    );
                    return Err(Error::invalid(filter, reason));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Removes the definitions of these variables that nothing uses any more, which would be an error.
fn forget_unused(
    operation: &mut OperationDefinition,
    fragments: &HashMap<Name, Positioned<FragmentDefinition>>,
    gone: &HashSet<Name>,
) {
    let mut found = Uses { used: HashSet::new(), spread: Vec::new() };
    found.of_directives(&operation.directives);
    found.of_selections(&operation.selection_set.node);
    let mut seen = HashSet::new();
    while let Some(name) = found.spread.pop() {
        if let Some(fragment) = fragments.get(&name).filter(|_| seen.insert(name)) {
            found.of_directives(&fragment.node.directives);
            found.of_selections(&fragment.node.selection_set.node);
        }
    }
    let used = found.used;
    operation.variable_definitions.retain(|definition| {
        let name = &definition.node.name.node;
        !gone.contains(name) || used.contains(name)
    });
}

/// The variables and fragments in use.
struct Uses {
    used: HashSet<Name>,
    spread: Vec<Name>,
}

impl Uses {
    fn of_selections(&mut self, set: &SelectionSet) {
        for selection in &set.items {
            self.of_directives(selection.node.directives());
            match &selection.node {
                Selection::Field(field) => {
                    field.node.arguments.iter().for_each(|(_, value)| self.of_value(&value.node));
                    self.of_selections(&field.node.selection_set.node);
                }
                Selection::InlineFragment(fragment) => {
                    self.of_selections(&fragment.node.selection_set.node);
                }
                Selection::FragmentSpread(spread) => {
                    self.spread.push(spread.node.fragment_name.node.clone());
                }
            }
        }
    }

    fn of_directives(&mut self, directives: &[Positioned<Directive>]) {
        for directive in directives {
            directive.node.arguments.iter().for_each(|(_, value)| self.of_value(&value.node));
        }
    }

    fn of_value(&mut self, value: &Value) {
        match value {
            Value::Variable(name) => {
                self.used.insert(name.clone());
            }
            Value::Object(fields) => fields.values().for_each(|value| self.of_value(value)),
            Value::List(elements) => elements.iter().for_each(|value| self.of_value(value)),
            _ => {}
        }
    }
}
