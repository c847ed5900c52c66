//! Limits on queries, checked before a query is parsed, validated or run.

use std::collections::HashMap;

use async_graphql::{
    Name, Positioned, Variables,
    parser::types::{ExecutableDocument, FragmentDefinition, Selection, SelectionSet},
};

use super::filter_cost::FilterCost;
use crate::error::{Error, Result};

/// The maximum nesting of brackets. The parser recurses on them and would overflow its stack.
const MAX_BRACKETS: usize = 100;
/// The maximum number of fields in a query, each fragment counted wherever it is used.
const MAX_FIELDS: usize = 5000;
/// The maximum number of fields with an alias.
const MAX_ALIASES: usize = 250;
/// The maximum nesting of fields and fragments. Every walk through a query recurses on them.
const MAX_NESTING: usize = 100;
/// The maximum number of directives.
const MAX_DIRECTIVES: usize = 100;

/// The maximum number of comparisons that all filters together may make for each row: each
/// comparison runs for every row of a list.
const MAX_COMPARISONS: usize = 1000;

/// How much of the schema a query may request, as [`listed`] counts; `GraphiQL` requests a third of
/// it.
const MAX_INTROSPECTION: usize = 1_000_000;

/// Rejects a text whose brackets are nested too deeply, outside strings and comments.
pub fn check_text(query: &str) -> Result<()> {
    let mut depth = 0_usize;
    let mut rest = query.as_bytes();
    while let [byte, tail @ ..] = rest {
        rest = match byte {
            b'#' => skip_past(tail, |tail| tail.first().is_some_and(|byte| b"\n\r".contains(byte))),
            b'"' => match tail {
                [b'"', b'"', tail @ ..] => skip_block_string(tail),
                tail => skip_string(tail),
            },
            b'{' | b'[' | b'(' => {
                depth += 1;
                if depth > MAX_BRACKETS {
                    return Err(too_many("brackets nested in each other", MAX_BRACKETS));
                }
                tail
            }
            b'}' | b']' | b')' => {
                depth = depth.saturating_sub(1);
                tail
            }
            _ => tail,
        };
    }
    Ok(())
}

fn skip_past(mut rest: &[u8], end: impl Fn(&[u8]) -> bool) -> &[u8] {
    while !rest.is_empty() && !end(rest) {
        rest = &rest[1..];
    }
    rest.get(1..).unwrap_or_default()
}

/// Skips a string, which ends at its quote or, if unfinished, at the end of its line.
fn skip_string(mut rest: &[u8]) -> &[u8] {
    loop {
        rest = match rest {
            [] => return rest,
            [b'"' | b'\n' | b'\r', tail @ ..] => return tail,
            [b'\\', _, tail @ ..] | [_, tail @ ..] => tail,
        };
    }
}

fn skip_block_string(mut rest: &[u8]) -> &[u8] {
    loop {
        rest = match rest {
            [] => return rest,
            [b'"', b'"', b'"', tail @ ..] => return tail,
            [b'\\', b'"', b'"', b'"', tail @ ..] | [_, tail @ ..] => tail,
        };
    }
}

/// Rejects a document with too many fields, aliases or directives, with circular fragments, or with
/// filters that cost too much with these variables. Returns how many comparisons the filters make
/// for each row.
pub fn check_document(document: &ExecutableDocument, variables: &Variables) -> Result<usize> {
    let filters = FilterCost::new(document, variables);
    let mut walk =
        Walk { fragments: &document.fragments, known: HashMap::new(), depth: 0, filters };
    let mut total = Size::default();
    for (_, operation) in document.operations.iter() {
        total.directives += operation.node.directives.len();
        total.add(walk.selection_set(&operation.node.selection_set.node)?);
    }
    // Unused fragments count as well, since validation walks through them all the same.
    for name in document.fragments.keys() {
        total.add(walk.fragment(name)?);
    }
    for (count, most, what) in [
        (total.fields, MAX_FIELDS, "fields"),
        (total.aliases, MAX_ALIASES, "aliases"),
        (total.directives, MAX_DIRECTIVES, "directives"),
        (total.introspection, MAX_INTROSPECTION, "parts of the schema"),
    ] {
        if count > most {
            return Err(too_many(what, most));
        }
    }
    if total.comparisons > MAX_COMPARISONS {
        let reason = format!(
            "its filters compare {} times, and at most {MAX_COMPARISONS} are allowed; ask in several \
             queries, or write `in` with a list for many `eq`",
            total.comparisons
        );
        return Err(Error::invalid("query", reason));
    }
    Ok(total.comparisons)
}

fn too_many(what: &str, most: usize) -> Error {
    Error::invalid("query", format!("it has more than {most} {what}; ask in several queries"))
}

/// The size of a part of a document.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    fields: usize,
    aliases: usize,
    directives: usize,
    /// The comparisons that its filters make for each row.
    comparisons: usize,
    /// The size of the result if these fields selected from the schema itself.
    listed: usize,
    /// The size of the result of the fields that do select from the schema.
    introspection: usize,
}

/// Returns roughly how many elements a field of the schema lists. Types reference each other in
/// cycles, so a short query could request all of the schema many times over.
fn listed(field: &str) -> usize {
    match field {
        "types" => 100,
        "fields" => 20,
        "inputFields" | "enumValues" => 15,
        "args" | "directives" => 5,
        "interfaces" | "possibleTypes" => 3,
        _ => 1,
    }
}

impl Size {
    fn add(&mut self, other: Self) {
        self.fields = self.fields.saturating_add(other.fields);
        self.aliases = self.aliases.saturating_add(other.aliases);
        self.directives = self.directives.saturating_add(other.directives);
        self.comparisons = self.comparisons.saturating_add(other.comparisons);
        self.listed = self.listed.saturating_add(other.listed);
        self.introspection = self.introspection.saturating_add(other.introspection);
    }
}

/// A walk through a document that measures each fragment once, however often it is used.
struct Walk<'a> {
    fragments: &'a HashMap<Name, Positioned<FragmentDefinition>>,
    known: HashMap<&'a Name, Option<Size>>,
    depth: usize,
    filters: FilterCost<'a>,
}

impl<'a> Walk<'a> {
    fn selection_set(&mut self, set: &'a SelectionSet) -> Result<Size> {
        if set.items.is_empty() {
            return Ok(Size::default());
        }
        if self.depth == MAX_NESTING {
            return Err(too_many("levels of fields and fragments", MAX_NESTING));
        }
        self.depth += 1;
        let size = self.selections(set);
        self.depth -= 1;
        size
    }

    fn selections(&mut self, set: &'a SelectionSet) -> Result<Size> {
        let mut size = Size::default();
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => {
                    size.fields += 1;
                    size.aliases += usize::from(field.node.alias.is_some());
                    size.directives += field.node.directives.len();
                    size.comparisons =
                        size.comparisons.saturating_add(self.filters.of(&field.node));
                    let mut below = self.selection_set(&field.node.selection_set.node)?;
                    let name = field.node.name.node.as_str();
                    below.listed = below.listed.saturating_mul(listed(name)).saturating_add(1);
                    if matches!(name, "__schema" | "__type") {
                        below.introspection = below.introspection.saturating_add(below.listed);
                    }
                    size.add(below);
                }
                Selection::InlineFragment(fragment) => {
                    size.directives += fragment.node.directives.len();
                    size.add(self.selection_set(&fragment.node.selection_set.node)?);
                }
                Selection::FragmentSpread(spread) => {
                    size.directives += spread.node.directives.len();
                    size.add(self.fragment(&spread.node.fragment_name.node)?);
                }
            }
        }
        Ok(size)
    }

    fn fragment(&mut self, name: &Name) -> Result<Size> {
        // Validation reports a missing fragment.
        let Some((name, fragment)) = self.fragments.get_key_value(name) else {
            return Ok(Size::default());
        };
        match self.known.get(name) {
            Some(Some(size)) => return Ok(*size),
            Some(None) => {
                let reason = format!("the fragment `{name}` contains itself");
                return Err(Error::invalid("query", reason));
            }
            None => {}
        }
        self.known.insert(name, None);
        let mut size = self.selection_set(&fragment.node.selection_set.node)?;
        size.directives += fragment.node.directives.len();
        self.known.insert(name, Some(size));
        Ok(size)
    }
}
