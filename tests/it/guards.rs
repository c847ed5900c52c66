//! The limits that protect the process from queries: just within and just beyond, at every way in.

use std::time::{Duration, Instant};

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::{app::Answer, introspection::GRAPHIQL, plenty, world::World};

/// The time that the answer to an attack may take: a second, and a multiple of it without
/// optimization and beside other tests.
const SOON: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });

/// A moment on a machine that is as busy as this one is: as long as many usual answers take.
async fn soon(world: &World) -> Duration {
    let began = Instant::now();
    ask(world, &Way::Post, GRAPHIQL, &json!({})).await;
    SOON.max(200 * began.elapsed())
}

enum Way {
    Get,
    Post,
}

async fn ask(world: &World, way: &Way, query: &str, variables: &Value) -> Answer {
    let key = &world.ours.owner.key;
    match way {
        Way::Post => {
            let body = json!({ "query": query, "variables": variables });
            world.test.post("/graphql", &body).credential(key).send().await
        }
        Way::Get => {
            let mut form = form_urlencoded::Serializer::new(String::new());
            form.append_pair("query", query).append_pair("variables", &variables.to_string());
            world.test.get(&format!("/graphql?{}", form.finish())).credential(key).send().await
        }
    }
}

fn refused(answer: &Answer, what: &str) -> String {
    let errors = answer.body["errors"].as_array();
    let errors = errors.unwrap_or_else(|| panic!("{what} was not refused: {}", answer.body));
    assert!(answer.body.get("data").is_none_or(Value::is_null), "{what}: {}", answer.body);
    let code = errors[0]["extensions"]["code"].as_str().unwrap();
    assert!(code.starts_with("validation_") || code == "payload_too_large", "{what}: {code}");
    errors[0]["message"].as_str().unwrap().to_owned()
}

fn each(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().concat()
}

fn nested(open: &str, depth: usize, close: &str) -> String {
    open.repeat(depth) + &close.repeat(depth)
}

/// `{ host { network { hosts … ` to a depth of fields.
fn deep(fields: usize) -> String {
    let mut query = "id".to_owned();
    let mut left = fields - 1;
    while left >= 3 {
        query = format!("hosts(first: 1) {{ nodes {{ network {{ {query} }} }} }}");
        left -= 3;
    }
    match left {
        1 => format!(
            "{{ hosts(first: 1) {{ pageInfo {{ __typename }} }} x: networks(first: 0) {{ nodes {{ {query} }} }} }}"
        ),
        _ => format!("{{ networks(first: 1) {{ nodes {{ {query} }} }} }}"),
    }
}

/// Queries just within and just beyond a limit, and what the refusal says.
fn limits() -> Vec<(String, String, &'static str)> {
    let aliases = |n: usize| format!("{{ {} }}", each(n, |i| format!("a{i}:__typename ")));
    let directives = |n: usize| format!("{{ __typename {} }}", "@skip(if: false) ".repeat(n));
    let spread =
        |n: usize| format!("{{ __typename {} }}", "...@include(if: true){__typename} ".repeat(n));
    let fields = |n: usize| format!("{{ {} }}", "__typename ".repeat(n));
    let fragments = |n: usize| {
        format!(
            "{{ {} }} fragment F on Query {{ {} }}",
            "...F ".repeat(n - 1),
            "__typename ".repeat(50)
        )
    };
    // A list of one is coerced at each level, so any depth is a valid list of ids.
    let brackets = |n: usize| {
        format!(
            "{{ hosts(filter: {}) {{ totalCount }} }}",
            nested("{not:", n - 3, "}").replace(":}", ":{}}")
        )
    };
    let rows = |n: usize| {
        format!(
            "{{ hosts(first: 1000) {{ nodes {{ ifEntries(first: {n}) {{ nodes {{ id }} }} }} }} }}"
        )
    };
    vec![
        (aliases(250), aliases(251), "aliases"),
        (directives(100), directives(101), "directives"),
        (spread(100), spread(101), "directives"),
        (fields(5000), fields(5001), "fields"),
        (fragments(100), fragments(101), "fields"),
        (brackets(100), brackets(101), "brackets"),
        (deep(60), deep(63), "nested too deep"),
        (rows(490), rows(510), "complex"),
    ]
}

#[tokio::test]
async fn each_limit_lets_pass_what_is_within_and_refuses_what_is_beyond() {
    let world = World::new().await;
    for (within, beyond, reason) in limits() {
        for way in [Way::Get, Way::Post] {
            if matches!(way, Way::Get) && beyond.len() > 40_000 {
                continue;
            }
            let answer = ask(&world, &way, &within, &json!({})).await;
            assert_eq!(
                answer.body["errors"],
                json!(null),
                "{reason}: {:.300}",
                answer.body.to_string()
            );
            assert_eq!(answer.status, 200);
            let message = refused(&ask(&world, &way, &beyond, &json!({})).await, reason);
            assert!(message.contains(reason), "{reason}: {message}");
        }
    }
}

#[tokio::test]
async fn a_body_of_two_mebibytes_is_read_and_one_byte_more_is_413() {
    let world = World::new().await;
    let body = |size: usize| {
        let text = r#"{"query":"{ __typename }","ignored":""}"#;
        text.replace(r#"d":""#, &format!(r#"d":"{}"#, "x".repeat(size - text.len())))
    };
    for (size, status) in [(2 * 1024 * 1024, 200), (2 * 1024 * 1024 + 1, 413)] {
        let request =
            world.test.ask(Method::POST, "/graphql").header("content-type", "application/json");
        let answer = request.credential(&world.ours.viewer.key).body(body(size)).send().await;
        assert_eq!(answer.status, status, "{}", answer.body);
    }
    let request =
        world.test.ask(Method::POST, "/graphql").header("content-type", "application/json");
    let answer = request.credential(&world.ours.viewer.key).body(body(3 << 20)).send().await;
    assert_eq!(answer.body["errors"][0]["extensions"]["code"], "payload_too_large");
}

/// Bodies that are made to exhaust the stack, the memory or the time of a process.
fn attacks() -> Vec<(&'static str, String, Value)> {
    const DEEP: usize = 100_000;
    let query = |text: String| (text, json!({}));
    let bombs = each(60, |n| format!(" fragment F{n} on Query {{ ...F{0} ...F{0} }}", n + 1));
    let bomb = format!("{{ ...F0 }} {bombs} fragment F60 on Query {{ __typename }}");
    let chain: String = each(8000, |n| format!(" fragment F{n} on Query {{ ...F{} }}", n + 1));
    let many = |text: &str| (0..(1 << 20) / text.len()).map(|_| text).collect::<String>();
    let numbered: String = each(60_000, |n| format!(" a{n}:hosts{{totalCount}}"));
    vec![
        ("lists", query(format!("{{ hosts(filter: {}) {{ totalCount }} }}", nested("[", DEEP, "]")))),
        ("open lists", query(format!("{{ hosts(filter: {}", "[".repeat(DEEP)))),
        ("objects", query(format!("{{ hosts(filter: {}) {{ totalCount }} }}", nested("{not:", DEEP, "}")))),
        ("open objects", query(format!("{{ hosts(filter: {}", "{not:".repeat(DEEP)))),
        ("selections", query(nested("{host", DEEP, "}"))),
        ("inline fragments", query(nested("{...", DEEP, "}"))),
        ("list types", query(format!("query Q($a: {}) {{ __typename }}", nested("[", DEEP, "]")))),
        ("arguments", query(format!("{{ hosts{} }}", "(".repeat(DEEP)))),
        ("default values", query(format!("query Q($a: ID = {}) {{ __typename }}", nested("[", DEEP, "]")))),
        ("after a comment", query(format!("# \"\"\" {{\n{{ hosts(filter: {}", "[".repeat(DEEP)))),
        ("after a block string", query(format!("\"\"\"\\\"\"\"\"\"\"{{ a(b: {}", "[".repeat(DEEP)))),
        ("a fragment bomb", query(bomb)),
        ("a chain of fragments", query("{ ...F0 }".to_owned() + &chain)),
        ("a chain of fragments, its end first", query("{ ...F0 }".to_owned() + &chain.rsplit(" fragment ").filter(|one| !one.is_empty()).fold(String::new(), |all, one| all + " fragment " + one))),
        ("fragments in a circle", query("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }".to_owned())),
        ("a fragment of itself", query("{ hosts { nodes { ...A } } } fragment A on Host { network { hosts { nodes { ...A } } } }".to_owned())),
        ("a circle that nobody uses", query("{ __typename } fragment A on Query { ...A }".to_owned())),
        ("many aliases", query(format!("{{ {numbered} }}"))),
        ("many fields", query(format!("{{ {} }}", many("__typename ")))),
        ("many directives", query(format!("{{ __typename {} }}", many("@skip(if: false) ")))),
        ("many unknown fields", query(format!("{{ {} }}", each(4900, |n| format!("x{n} "))))),
        ("many operations", query(each(20_000, |n| format!("query Q{n} {{ __typename }} ")))),
        ("many unknown variables", query(format!("query Q({}) {{ __typename }}", each(20_000, |n| format!("$a{n}: ID "))))),
        ("a long string", query(format!("{{ hosts(after: \"{}\") {{ totalCount }} x }}", "x".repeat(1 << 20)))),
        ("a long name", query(format!("{{ {} }}", "x".repeat(1 << 20)))),
        ("a long number", query(format!("{{ hosts(first: {}) {{ totalCount }} }}", "9".repeat(100_000)))),
        ("a long block string", query(format!("{{ hosts(after: \"\"\"{}\"\"\") {{ totalCount }} x }}", "\n ".repeat(1 << 18)))),
        ("many spaces", query(format!("{} {{ x }}", " \n,".repeat(1 << 18)))),
        ("a cost beyond numbers", query(deep_rows(18))),
        ("deep introspection", query(format!("{{ __schema {{ types {{ {} }} }} }}", nested("fields { type { ", 8, " } }").replace("{  }", "{ name }")))),
        ("wide introspection", query(format!("{{ __schema {{ {} }} }}", each(200, |n| format!("t{n}: types {{ fields {{ args {{ name type {{ name }} }} }} }} "))))),
        ("introspection by name", query(format!("{{ __type(name: \"Query\") {{ {} }} }}", nested("fields { args { type { inputFields { type { ", 4, " } } } } }").replace("{  }", "{ name }")))),
    ]
    .into_iter()
    .map(|(name, (text, variables))| (name, text, variables))
    .chain([
        ("a wide filter", "query Q($f: HostFilter) { hosts(filter: $f) { totalCount } }".to_owned(),
         json!({ "f": { "or": vec![json!({ "name": { "eq": "x" } }); 40_000] } })),
        ("a filter of filters", "query Q($f: HostFilter) { hosts(filter: $f) { totalCount } }".to_owned(),
         json!({ "f": { "and": vec![json!({ "not": { "or": [{}, {}] } }); 2_000] } })),
        ("many texts", "query Q($f: HostFilter) { hosts(filter: $f) { totalCount nodes { id } } }".to_owned(),
         json!({ "f": { "name": { "in": vec!["xxxxxx"; 100_000] } } })),
        ("many numbers", "query Q($f: PortFilter) { ports(filter: $f) { totalCount nodes { id } } }".to_owned(),
         json!({ "f": { "number": { "in": (0..200_000).collect::<Vec<_>>() } } })),
        ("many values", "query Q($f: GroupFilter) { groups(filter: $f) { totalCount nodes { id } } }".to_owned(),
         json!({ "f": { "color": { "in": vec!["RED"; 200_000] } } })),
        ("many orders", "query Q($o: [HostOrder!]) { hosts(orderBy: $o) { totalCount nodes { id } } }".to_owned(),
         json!({ "o": vec![json!({ "field": "NAME" }); 40_000] })),
    ])
    .collect()
}

/// Lists of a thousand in lists of a thousand.
fn deep_rows(levels: usize) -> String {
    let mut query = "id".to_owned();
    for _ in 0..levels {
        query = format!("hosts(first: 1000) {{ nodes {{ network {{ {query} }} }} }}");
    }
    format!("{{ networks(first: 1000) {{ nodes {{ {query} }} }} }}")
}

#[tokio::test]
async fn an_attack_is_refused_within_a_moment_and_the_process_lives_on() {
    let world = World::new().await;
    let soon = soon(&world).await;
    for (name, query, variables) in attacks() {
        for way in [Way::Get, Way::Post] {
            if matches!(way, Way::Get)
                && (query.len() > 16_000 || variables.to_string().len() > 16_000)
            {
                continue;
            }
            let began = Instant::now();
            let answer = ask(&world, &way, &query, &variables).await;
            let took = began.elapsed();
            let (status, size) = (answer.status.as_u16(), answer.bytes.len());
            assert!(status < 500, "{name}: {:.500}", answer.body.to_string());
            assert!(took < soon, "{name} took {took:?}");
            assert!(size < 100_000, "{name} was answered by {size} bytes");
            refused(&answer, name);
        }
    }
    let answer = ask(&world, &Way::Post, "{ viewer { permissions } }", &json!({})).await;
    assert_eq!(answer.body, json!({ "data": { "viewer": { "permissions": "OWNER" } } }));
}

#[tokio::test]
async fn a_filter_in_variables_may_be_as_deep_as_json_may_be() {
    let world = World::new().await;
    let query = "query Q($f: HostFilter) { hosts(filter: $f) { totalCount nodes { id } } }";
    for (depth, total) in [(110, 4), (111, 0)] {
        let filter = nested("{\"not\":", depth, "}").replace(":}", ":{}}");
        let filter: Value = serde_json::from_str(&filter).unwrap();
        for way in [Way::Get, Way::Post] {
            let answer = ask(&world, &way, query, &json!({ "f": filter })).await;
            assert_eq!(answer.body["data"]["hosts"]["totalCount"], total, "{}", answer.body);
        }
    }
}

#[tokio::test]
async fn bodies_that_nest_too_deep_for_json_are_refused() {
    let world = World::new().await;
    for body in [
        "[".repeat(100_000),
        "{\"query\":".repeat(100_000),
        format!(
            "{{\"query\":\"{{__typename}}\",\"variables\":{}}}",
            nested("{\"a\":", 100_000, "}").replace(":}", ":1}")
        ),
        format!(
            "{{\"query\":\"{{__typename}}\",\"extensions\":{}}}",
            nested("{\"a\":", 1_000, "}").replace(":}", ":1}")
        ),
    ] {
        let request =
            world.test.ask(Method::POST, "/graphql").header("content-type", "application/json");
        let answer = request.credential(&world.ours.viewer.key).body(body).send().await;
        assert_eq!(answer.status, 400, "{}", answer.body);
        assert_eq!(answer.body["errors"][0]["extensions"]["code"], "validation_invalid_format");
    }
}

#[tokio::test]
async fn rows_that_multiply_through_plain_lists_are_bounded() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    // One service with 200 bindings, all in one group: each round multiplies by 200.
    let service = network.hosts[0].services[0];
    let template = toposcope::bindings::Model {
        id: toposcope_types::Id::new(),
        created_at: toposcope_types::Timestamp::now(),
        updated_at: toposcope_types::Timestamp::now(),
        service_id: service,
        network_id: network.id,
        binding_type: toposcope_types::BindingType::Port,
        port_id: Some(network.hosts[0].ports[0]),
        interface_id: None,
    };
    let rows = (0..200)
        .map(|_| toposcope::bindings::Model { id: toposcope_types::Id::new(), ..template.clone() });
    plenty::insert::<toposcope::bindings::Entity, _>(&world.test, rows.collect()).await;
    let round = |n: usize| {
        let mut query = "id".to_owned();
        for _ in 0..n {
            query = format!("bindings {{ service {{ {query} }} }}");
        }
        format!("{{ service(id: \"{service}\") {{ {query} }} }}")
    };
    let answer = ask(&world, &Way::Post, &round(2), &json!({})).await;
    assert_eq!(answer.body["errors"], json!(null));
    let soon = soon(&world).await;
    for rounds in [3, 6, 25] {
        let began = Instant::now();
        let answer = ask(&world, &Way::Post, &round(rounds), &json!({})).await;
        let message = answer.body["errors"][0]["message"].as_str().unwrap();
        assert!(message.contains("rows"), "{message}");
        assert!(began.elapsed() < 3 * soon, "{rounds}: {:?}", began.elapsed());
    }
}

#[tokio::test]
async fn the_introspection_of_graphiql_passes_the_limits() {
    let world = World::new().await;
    for way in [Way::Get, Way::Post] {
        let answer = ask(&world, &way, GRAPHIQL, &json!({})).await;
        assert_eq!(answer.body["errors"], json!(null));
        assert!(answer.body["data"]["__schema"]["types"].as_array().unwrap().len() > 50);
    }
}

#[tokio::test]
async fn nobody_gets_the_schema_or_any_answer_without_a_credential() {
    let world = World::new().await;
    for query in [
        GRAPHIQL,
        "{ __typename }",
        "{ __schema { types { name } } }",
        "{ x",
        "",
        "{ hosts { totalCount } }",
    ] {
        let mut form = form_urlencoded::Serializer::new(String::new());
        let get = format!("/graphql?{}", form.append_pair("query", query).finish());
        for answer in [
            world.test.post("/graphql", &json!({ "query": query })).send().await,
            world.test.get(&get).send().await,
            world
                .test
                .get(&get)
                .header("authorization", "Bearer scp_u_00000000000000000000000000000000")
                .send()
                .await,
            world.test.ask(Method::POST, "/graphql").body(vec![b'x'; 3 << 20]).send().await,
        ] {
            assert_eq!(answer.status, 401);
            assert_eq!(answer.body.get("data"), None);
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
            let errors = answer.body["errors"].as_array().unwrap();
            assert_eq!(errors.len(), 1, "all nobodies are told the same");
            assert_eq!(errors[0]["extensions"], json!({ "code": "auth_not_authenticated" }));
        }
    }
}
