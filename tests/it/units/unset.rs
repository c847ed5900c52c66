//! Unset variables in a query.

use async_graphql::{Name, Variables, parser::types::Selection};
use serde_json::json;
use toposcope::graphql::{takes::Takes, unset::leave_out};

const SDL: &str = "type Query { l(filter: F): Query b: Int m: Query }
    type Mutation { m(x: X, y: T, d: T!): Query }
    input F { or: [F!] not: F a: C } input C { eq: T in: T }
    input X { a: T l: [E] c: T } input E { b: T } scalar T";

/// Returns the remaining arguments of the first field, or the error, as text.
fn left(text: &str, operation: Option<&str>, variables: serde_json::Value) -> String {
    let mut document = async_graphql::parser::parse_query(text).unwrap();
    let (variables, takes) = (Variables::from_json(variables), Takes::read(SDL));
    if let Err(error) = leave_out(&mut document, operation, &variables, || &takes) {
        return error.to_string();
    }
    let mut operations = document.operations.iter();
    let chosen =
        operations.find(|(name, _)| operation.is_none() || name.map(Name::as_str) == operation);
    let chosen = &chosen.unwrap().1.node;
    let Selection::Field(field) = &chosen.selection_set.node.items[0].node else {
        return String::new();
    };
    let arguments = field.node.arguments.iter();
    let arguments = arguments.map(|(name, value)| format!("{name}: {}", value.node));
    let defined = chosen.variable_definitions.iter().map(|one| format!("${}", one.node.name.node));
    arguments.chain(defined).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_not_set_is_left_out_and_what_is_null_is_null() {
    let text = "mutation ($a: T, $b: T, $c: T = 1, $d: T!) { m(x: {a: $a, l: [{b: $b}, $b], c: $c}, y: $b, d: $d) { b } }";
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
        "query ($x: T) { m { ...F } } fragment F on Query { l(filter: {a: {in: $x}}) { b } }";
    assert!(left(fragment, None, json!({})).contains("filter.a.in"));
}

#[test]
fn what_nothing_used_before_is_left_to_the_validation() {
    let m = |arguments: &str| format!("mutation ($a: Nothing, $b: T) {{ m({arguments}) {{ b }} }}");
    assert_eq!(left(&m("y: $b"), None, json!({})), "$a");
    // The same holds for values that the schema does not know, or types differently.
    for wrong in ["q: $b", "y: $a", "d: $b", "x: {q: $b}", "x: {a: $a}", "x: $b"] {
        let all = left(&m(wrong), None, json!({}));
        assert!(all.starts_with(wrong), "{all}");
    }
}

#[test]
fn what_is_skipped_and_what_is_not_used_is_not_looked_at() {
    let skipped = "query ($x: T, $s: Boolean!) { l(filter: {a: {eq: $x}}) @include(if: $s) { b } }";
    assert!(left(skipped, None, json!({ "s": false })).starts_with("filter: "));
    assert!(left(skipped, None, json!({ "s": true })).contains("`$x`"));
    let unused = "query A($x: T) { l(filter: $x) { b } } query B($x: T!) { ...G }
        fragment G on Query { l(filter: {a: {eq: $x}}) { b } }";
    assert!(!left(unused, Some("A"), json!({})).contains("is not set"));
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
