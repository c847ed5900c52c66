//! Limits on queries.

use std::fmt::Write as _;

use async_graphql::Variables;
use toposcope::graphql::guard::{check_document, check_text};

#[test]
fn brackets_count_outside_strings_and_comments_only() {
    let nested = |n: usize| format!("{{ a(b: {}1{}) }}", "[".repeat(n), "]".repeat(n));
    assert!(check_text(&nested(50)).is_ok());
    assert!(check_text(&nested(200)).is_err());
    let many = "[".repeat(500);
    for harmless in [
        format!("{{ a(b: \"{many}\") }}"),
        format!("{{ a(b: \"\\\"{many}\") }}"),
        format!("{{ a(b: \"\"\"{many} \\\"\"\" {many}\"\"\") }}"),
        format!("{{ a # {many}\n }}"),
        "{a} ".repeat(500),
    ] {
        assert!(check_text(&harmless).is_ok(), "{harmless}");
    }
    for harmful in [
        format!("{{ a(b: \"\" {many}"),
        format!("# \"\n{many}"),
        format!("\"unfinished\n{many}"),
        format!("\"\"\"\\\"\"\"\"\"\" {many}"),
    ] {
        assert!(check_text(&harmful).is_err(), "{harmful}");
    }
}

#[test]
fn fragments_are_measured_where_they_are_used() {
    let check = |text: &str| {
        let document = async_graphql::parser::parse_query(text).unwrap();
        check_document(&document, &Variables::default())
    };
    assert!(check("{ a { ...F } } fragment F on A { b c }").is_ok());
    assert!(check("{ ...F } fragment F on A { ...G } fragment G on A { ...F }").is_err());
    assert!(check("{ a } fragment F on A { b { ...F } }").is_err());
    let mut bomb = "{ ...F0 }".to_owned();
    for n in 0..40 {
        write!(bomb, " fragment F{n} on A {{ ...F{0} ...F{0} x }}", n + 1).unwrap();
    }
    bomb += " fragment F40 on A { x }";
    assert!(check(&bomb).is_err());
    let aliases = (0..300).map(|n| format!("a{n}: a")).collect::<Vec<_>>().join(" ");
    assert!(check(&format!("{{ {aliases} }}")).is_err());
    assert!(check(&format!("{{ a {} }}", "@skip(if: true) ".repeat(101))).is_err());
}

#[test]
fn filters_are_counted_wherever_they_stand() {
    let check = |text: &str, variables: serde_json::Value| {
        let document = async_graphql::parser::parse_query(text).unwrap();
        check_document(&document, &Variables::from_json(variables))
    };
    let many = |n: usize| (0..n).map(|_| r#"{ a: { contains: "x" } }"#).collect::<String>();
    let or =
        |n: usize| serde_json::json!({ "or": vec![serde_json::json!({ "a": { "eq": 1 } }); n] });
    let none = || serde_json::json!({});
    let filtered = |n: usize| format!("{{ l(filter: {{ or: [{}] }}) {{ b }} }}", many(n));
    assert!(check(&filtered(1000), none()).is_ok());
    assert!(check(&filtered(1001), none()).is_err());
    let aliases = |n: usize, each: usize| {
        let one = |nth| format!("a{nth}: l(filter: {{ and: [{}] }}) {{ b }}", many(each));
        format!("{{ {} }}", (0..n).map(one).collect::<String>())
    };
    assert!(check(&aliases(40, 25), none()).is_ok());
    assert!(check(&aliases(40, 26), none()).is_err());
    let variable = "query ($f: F) { a: l(filter: $f) { b } c: m { l(filter: {not: $f}) { b } } }";
    assert!(check(variable, serde_json::json!({ "f": or(500) })).is_ok());
    assert!(check(variable, serde_json::json!({ "f": or(501) })).is_err());
    let unset = format!("query ($f: F = {{ or: [{}] }}) {{ l(filter: $f) {{ b }} }}", many(1001));
    assert!(check(&unset, none()).is_err(), "what is not given has its default");
    assert!(check(&unset, serde_json::json!({ "f": null })).is_ok());
    let fragments = format!(
        "{{ ...F ...F }} fragment F on A {{ l(filter: {{ or: [{}] }}) {{ b }} }}",
        many(501)
    );
    assert!(check(&fragments, none()).is_err(), "each time that it is used");
    let ids = serde_json::json!({ "f": { "id": { "in": vec!["x"; 20_000] } } });
    assert!(check("query ($f: F) { l(filter: $f) { b } }", ids.clone()).is_ok());
    assert!(check(variable, ids).is_ok());
}
