//! The authorization walk: every route of the document, for everybody who may ask.
//!
//! The routes, their levels and their query parameters are read from the document, so a new route
//! is walked by itself; what a right request to it is stands in `requests.rs`.

mod reach;

use axum::http::Method;
use serde_json::{Value, json};
use toposcope::router;
use toposcope_types::{Id, PermissionLevel};

use crate::support::{
    app::{Answer, TestApp},
    introspection::text,
    requests::{Call, Home, call},
    world::{Person, World},
};

/// A route as the document describes it.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) id: String,
    pub(crate) method: Method,
    pub(crate) path: String,
    /// The least level; none if it is for anybody.
    pub(crate) level: Option<PermissionLevel>,
    pub(crate) session_only: bool,
    /// The least level of a key, where it is another.
    pub(crate) key_level: Option<PermissionLevel>,
    /// The query parameters that are ids.
    pub(crate) ids: Vec<String>,
}

/// Names that routes have besides, which the document leaves out.
const ALIASES: [(&str, &str); 2] =
    [("/api/v1/interfaces", "/api/v1/ip-addresses"), ("/api/v1/groups", "/api/v1/dependencies")];
const UNVERSIONED: [(&str, &str); 2] =
    [("get_all_hosts", "/api/hosts"), ("list_services", "/api/services")];

pub(crate) fn routes() -> Vec<Route> {
    let document: Value = serde_json::from_str(&router::document()).unwrap();
    let mut routes = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            routes.push(route(path, method, operation));
        }
    }
    let mut besides = Vec::new();
    for route in &routes {
        let named = ALIASES.iter().filter_map(|(name, alias)| {
            route.path.strip_prefix(name).map(|rest| format!("{alias}{rest}"))
        });
        let unversioned = UNVERSIONED.iter().filter(|(id, _)| *id == route.id);
        let paths = named.chain(unversioned.map(|(_, path)| (*path).to_owned()));
        besides.extend(paths.map(|path| Route { path, ..route.clone() }));
    }
    assert!(routes.len() > 90 && besides.len() == 16, "{} {}", routes.len(), besides.len());
    routes.extend(besides);
    routes
}

fn route(path: &str, method: &str, operation: &Value) -> Route {
    let security = operation["security"].as_array().unwrap();
    let level: Option<PermissionLevel> =
        serde_json::from_value(operation["x-required-level"].clone()).unwrap();
    assert_eq!(security.is_empty(), level.is_none(), "{path} {operation}");
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    // What cannot be left out names a thing as a path does.
    let needed = parameters.clone().filter(|one| one["in"] == "query" && one["required"] == true);
    let needed: Vec<String> =
        needed.map(|one| text(&one["name"])).map(|name| format!("?{name}={{{name}}}")).collect();
    let ids = parameters.filter(|one| {
        let schema = &one["schema"];
        let of = if schema["items"].is_null() { schema } else { &schema["items"] };
        one["in"] == "query" && one["required"] == false && of["format"] == "uuid"
    });
    Route {
        id: text(&operation["operationId"]).to_owned(),
        method: method.to_uppercase().parse().unwrap(),
        path: format!("{path}{}", needed.concat()),
        level,
        key_level: serde_json::from_value(operation["x-required-key-level"].clone()).unwrap(),
        session_only: security.iter().all(|one| one.get("api_key").is_none()),
        ids: ids.map(|one| text(&one["name"]).to_owned()).collect(),
    }
}

/// The path with these ids in it.
pub(crate) fn filled(path: &str, ids: &[Id]) -> String {
    let mut ids = ids.iter();
    let parts = path.split(['{', '}']).enumerate().map(|(nth, part)| {
        if nth % 2 == 0 { part.to_owned() } else { ids.next().unwrap().to_string() }
    });
    parts.collect()
}

pub(crate) async fn ask(world: &World, route: &Route, credential: &str, call: &Call) -> Answer {
    let dry = if route.method == Method::DELETE { "?dry_run=true" } else { "" };
    let path = format!("{}{dry}", filled(&route.path, &call.ids));
    let mut ask = world.test.ask(route.method.clone(), &path);
    if let Some(body) = &call.body {
        ask = ask.json(body);
    }
    ask.credential(credential).send().await
}

/// A request in which the path, the query, the content type and the body are wrong.
async fn ask_wrong(test: &TestApp, route: &Route, credential: Option<&str>) -> Answer {
    let parts = route.path.split(['{', '}']).enumerate();
    let path: String = parts.map(|(nth, part)| if nth % 2 == 0 { part } else { "none" }).collect();
    let ask = test.ask(route.method.clone(), &format!("{path}?odd=1"));
    let ask = ask.header("content-type", "text/plain").body("{");
    match credential {
        Some(credential) => ask.credential(credential),
        None => ask,
    }
    .send()
    .await
}

fn people(world: &World) -> [(PermissionLevel, &Person); 4] {
    let ours = &world.ours;
    [
        (PermissionLevel::Viewer, &ours.viewer),
        (PermissionLevel::Member, &ours.member),
        (PermissionLevel::Admin, &ours.admin),
        (PermissionLevel::Owner, &ours.owner),
    ]
}

#[tokio::test]
async fn nobody_is_answered_nothing_that_is_not_public() {
    let test = TestApp::new().await;
    let mut public = Vec::new();
    for route in routes() {
        if route.level.is_none() {
            public.push(route.id);
            continue;
        }
        let unknown = format!("scp_u_{}", "0".repeat(32));
        for credential in [None, Some(&*unknown), Some("scp_u_no"), Some("nosession")] {
            let answer = ask_wrong(&test, &route, credential).await;
            let what = format!("{} {} {credential:?}", route.method, route.path);
            assert_eq!(answer.failure(), (401, "auth_not_authenticated", &Value::Null), "{what}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{what}");
        }
    }
    public.sort_unstable();
    let expected = ["get_health", "get_version", "login", "logout", "register", "setup"];
    assert_eq!(public, expected);
}

#[tokio::test]
async fn everybody_is_answered_what_is_public() {
    for by_whom in ["", "scp_u_no", "nosession"] {
        let test = TestApp::new().await;
        for route in routes().iter().filter(|route| route.level.is_none()) {
            let body = match route.id.as_str() {
                "setup" => json!({ "organization_name": "Home", "network": { "name": "Lab" } }),
                "login" => json!({ "email": "me@example.com", "password": "Correct-Horse-9" }),
                "register" => json!({
                    "email": "me@example.com", "password": "Correct-Horse-9",
                    "terms_accepted": true,
                }),
                _ => Value::Null,
            };
            let mut ask = test.ask(route.method.clone(), &route.path);
            if !body.is_null() {
                ask = ask.json(&body);
            }
            if !by_whom.is_empty() {
                ask = ask.credential(by_whom);
            }
            let answer = ask.send().await;
            let expected = match route.id.as_str() {
                "login" => (401, json!("auth_invalid_credentials")),
                // Nothing is set up in a session that is none.
                "register" => (400, json!("validation_required")),
                _ => (200, Value::Null),
            };
            let found = (answer.status.as_u16(), answer.body["code"].clone());
            assert_eq!(found, expected, "{by_whom} {}", route.path);
        }
    }
}

#[tokio::test]
async fn every_level_may_do_what_the_document_says_and_nothing_else() {
    let world = World::new().await;
    let mut allowed = 0;
    for route in routes() {
        let Some(needed) = route.level else { continue };
        for (level, person) in people(&world) {
            for credential in [&person.session, &person.key] {
                let what = format!("{level:?} {} {}", route.method, route.path);
                let by_key = credential.starts_with("scp_u_");
                let key_too_low = route.key_level.is_some_and(|needed| level < needed);
                let refusal = if by_key && (route.session_only || key_too_low) {
                    Some("auth_user_context_required")
                } else if level < needed {
                    Some("auth_permission_denied")
                } else {
                    None
                };
                if let Some(code) = refusal {
                    let answer = ask_wrong(&world.test, &route, Some(credential)).await;
                    assert_eq!(answer.failure(), (403, code, &Value::Null), "{what}");
                    continue;
                }
                let home =
                    Home { tenant: &world.ours, network_index: 0, person, credential, level };
                let call = call(&world, &route.id, &home).await;
                let answer = ask(&world, &route, credential, &call).await;
                let told = String::from_utf8_lossy(&answer.bytes);
                assert_eq!(answer.status, 200, "{what} {call:?} by key {by_key}: {told}");
                allowed += 1;
            }
        }
    }
    assert!(allowed > 450, "{allowed}");
}
