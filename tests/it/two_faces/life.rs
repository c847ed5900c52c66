//! The life of every resource over both faces: made, changed, tried to delete, deleted, alike.

use axum::http::Method;
use serde_json::{Map, Value, json};
use toposcope_types::{Id, Timestamp};

use crate::support::{
    faces::{FACES, Face, Faces, fold, only},
    introspection::text,
    requests::{Call, Home, call},
    world::World,
};

/// The resources that can be made.
fn made() -> impl Iterator<Item = &'static Face> {
    FACES.iter().filter(|face| !["User", "Organization", "Change"].contains(&face.of))
}

/// A value in which ids, secrets and moments are blanks.
fn blank(value: &Value) -> Value {
    match value {
        Value::String(text) if text.parse::<Id>().is_ok() => json!("an id"),
        Value::String(text) if text.parse::<Timestamp>().is_ok() => json!("a moment"),
        Value::String(text) if text.starts_with("scp_u_") => json!("a secret"),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| (key.clone(), blank(value)));
            Value::Object(fields.collect())
        }
        Value::Array(some) => some.iter().map(blank).collect(),
        value => value.clone(),
    }
}

/// Both faces, as the owner has them.
pub(crate) struct Both {
    pub(crate) world: World,
    pub(crate) faces: Faces,
}

impl Both {
    pub(crate) async fn new() -> Self {
        let world = World::new().await;
        let faces = Faces::read(&world).await;
        Self { world, faces }
    }

    pub(crate) fn home(&self) -> Home<'_> {
        Home::of_owner(&self.world.ours, &self.world.ours.owner.session)
    }

    pub(crate) async fn call(&self, operation: &str) -> Call {
        call(&self.world, operation, &self.home()).await
    }

    pub(crate) async fn rest(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> crate::support::app::Answer {
        let ask = self.world.test.ask(method, path).json(body);
        ask.credential(&self.world.ours.owner.session).send().await
    }

    pub(crate) async fn graphql(&self, query: &str, variables: Value) -> Value {
        self.world.test.graphql(&self.world.ours.owner.session, query, variables).await
    }

    /// Makes one over REST.
    async fn rest_made(&self, face: &Face, body: &Value) -> Value {
        let answer = self.rest(Method::POST, face.path, body).await;
        let data = answer.data();
        if face.of == "ApiKey" { data["api_key"].clone() } else { data.clone() }
    }

    /// Makes or changes one over GraphQL.
    pub(crate) async fn graphql_put(&self, face: &Face, id: Option<&str>, body: &Value) -> Value {
        let verb = if id.is_some() { "update" } else { "create" };
        let mut input =
            format!("{}{}Input", if id.is_some() { "Update" } else { "Create" }, face.of);
        let selection = match (face.of, id) {
            ("ApiKey", None) => format!("apiKey {{ {} }}", self.faces.selection(face.schema)),
            _ => self.faces.selection(face.schema),
        };
        let variables = json!({ "id": id, "input": self.faces.input(&input, body) });
        input.push('!');
        let (declared, passed) = match id {
            Some(_) => ("$id: ID!, ", "id: $id, "),
            None => ("", ""),
        };
        let query = format!(
            "mutation M({declared}$input: {input}) {{
                {verb}{}({passed}input: $input) {{ {selection} }} }}",
            face.of
        );
        self.graphql(&query, variables).await
    }

    async fn graphql_made(&self, face: &Face, body: &Value) -> Value {
        let answer = self.graphql_put(face, None, body).await;
        let found = only(&answer);
        if face.of == "ApiKey" { found["apiKey"].clone() } else { found.clone() }
    }

    async fn rest_delete(&self, face: &Face, id: &str, dry_run: bool) -> Value {
        let path = format!("{}/{id}?dry_run={dry_run}", face.path);
        self.rest(Method::DELETE, &path, &Value::Null).await.data().clone()
    }

    /// Deletes over GraphQL, and returns the answer as REST would give it.
    async fn graphql_delete(&self, face: &Face, id: &str, dry_run: bool) -> Value {
        let query = format!(
            "mutation M($id: ID!, $dry: Boolean!) {{ delete{}(id: $id, dryRun: $dry) {{
                id dryRun deleted {{ entity count }} }} }}",
            face.of
        );
        let answer = self.graphql(&query, json!({ "id": id, "dry": dry_run })).await;
        let found = only(&answer);
        let deleted = found["deleted"].as_array().unwrap().iter();
        let deleted =
            deleted.map(|one| (fold(text(&one["entity"])), one["count"].clone())).collect();
        json!({ "id": found["id"], "dry_run": found["dryRun"], "deleted": Value::Object(deleted) })
    }
}

/// An answer of REST to a delete, with the kinds folded.
fn folded(deleted: &Value) -> Value {
    let counts: Map<String, Value> = deleted["deleted"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(kind, count)| (fold(kind), count.clone()))
        .collect();
    json!({ "id": deleted["id"], "dry_run": deleted["dry_run"], "deleted": counts })
}

#[tokio::test]
async fn everything_is_made_and_deleted_alike() {
    let both = Both::new().await;
    for face in made() {
        let body = both.call(&format!("create_{}", face.operation)).await.body.unwrap();
        let by_rest = both.rest_made(face, &body).await;
        let id = text(&by_rest["id"]);
        let dry = both.rest_delete(face, id, true).await;
        assert_eq!(both.graphql_delete(face, id, true).await, folded(&dry), "{}", face.path);
        let gone = both.rest_delete(face, id, false).await;
        assert_eq!(gone["deleted"], dry["deleted"], "{}", face.path);
        let missing = both.rest(Method::GET, &format!("{}/{id}", face.path), &Value::Null).await;
        assert_eq!(missing.status, 404, "{}", face.path);

        let by_graphql = both.graphql_made(face, &body).await;
        let told = both.faces.told(face.schema, &by_graphql);
        let shown = both.faces.shown(face.schema, &by_rest);
        assert_eq!(blank(&told), blank(&shown), "{}", face.path);
        let id = text(&by_graphql["id"]);
        let path = format!("{}/{id}", face.path);
        let read = both.rest(Method::GET, &path, &Value::Null).await;
        assert_eq!(both.faces.shown(face.schema, read.data()), told, "{}", face.path);
        let again = both.graphql_delete(face, id, false).await;
        assert_eq!(blank(&again), blank(&folded(&gone)), "{}", face.path);
        let missing = both.rest(Method::GET, &path, &Value::Null).await;
        assert_eq!(missing.status, 404, "{}", face.path);
    }
}

#[tokio::test]
async fn everything_is_changed_alike() {
    let both = Both::new().await;
    let unchanged = ["Change"];
    for face in FACES.iter().filter(|face| !unchanged.contains(&face.of)) {
        let call = both.call(&format!("update_{}", face.operation)).await;
        let (id, body) = (call.ids[0].to_string(), call.body.unwrap());
        let path = format!("{}/{id}", face.path);
        let by_rest = both.rest(Method::PUT, &path, &body).await.data().clone();
        let answer = both.graphql_put(face, Some(&id), &body).await;
        let mut told = both.faces.told(face.schema, only(&answer));
        let shown = both.faces.shown(face.schema, &by_rest);
        // A service that is as it shall be is not written again.
        let again = face.of != "Service";
        let later = text(&told["updated_at"]) > text(&shown["updated_at"]);
        assert_eq!(later, again, "{}", face.path);
        let read = both.rest(Method::GET, &path, &Value::Null).await;
        assert_eq!(both.faces.shown(face.schema, read.data()), told, "{}", face.path);
        told["updated_at"] = shown["updated_at"].clone();
        assert_eq!(told, shown, "{}", face.path);
    }
}

#[tokio::test]
async fn what_others_hang_on_is_deleted_alike() {
    for (of, nth) in [("Network", 0), ("Host", 0), ("Host", 1), ("Service", 1), ("Port", 1)] {
        let face = FACES.iter().find(|face| face.of == of).unwrap();
        let mut answers = Vec::new();
        for by_rest in [true, false] {
            let both = Both::new().await;
            let network = &both.world.ours.networks[0];
            let id = match of {
                "Network" => network.id,
                "Host" => network.hosts[nth].id,
                "Service" => network.hosts[0].services[nth],
                _ => network.hosts[0].ports[nth],
            };
            let id = id.to_string();
            let dry = both.graphql_delete(face, &id, true).await;
            assert_eq!(dry, folded(&both.rest_delete(face, &id, true).await), "{of}");
            let gone = if by_rest {
                folded(&both.rest_delete(face, &id, false).await)
            } else {
                both.graphql_delete(face, &id, false).await
            };
            assert_eq!(gone["deleted"], dry["deleted"], "{of}");
            assert!(gone["deleted"].as_object().unwrap().len() > 1, "{gone}");
            answers.push(blank(&gone));
        }
        assert_eq!(answers[0], answers[1], "{of}");
    }
}

#[tokio::test]
async fn many_are_deleted_alike() {
    let both = Both::new().await;
    for face in FACES.iter().filter(|face| !["Organization", "Change"].contains(&face.of)) {
        let many = match face.operation {
            "if_entry" => "if_entries".to_owned(),
            name => format!("{name}s"),
        };
        let operation = format!("bulk_delete_{many}");
        let mut answers = Vec::new();
        for by_rest in [true, false] {
            let doomed = both.call(&operation).await.body.unwrap()[0].clone();
            let ids = json!([doomed, Id::new(), doomed]);
            let counts = if by_rest {
                let path = format!("{}/bulk-delete", face.path);
                both.rest(Method::POST, &path, &ids).await.data().clone()
            } else {
                let query = format!(
                    "mutation M($ids: [ID!]!) {{ bulkDelete{}{}(ids: $ids) {{
                        deleted_count: deletedCount requested_count: requestedCount }} }}",
                    face.many[..1].to_uppercase(),
                    &face.many[1..]
                );
                let answer = both.graphql(&query, json!({ "ids": ids })).await;
                only(&answer).clone()
            };
            assert_eq!(counts, json!({ "deleted_count": 1, "requested_count": 2 }), "{many}");
            let path = format!("{}/{}", face.path, text(&doomed));
            assert_eq!(both.rest(Method::GET, &path, &Value::Null).await.status, 404, "{many}");
            answers.push(counts);
        }
    }
}

#[tokio::test]
async fn two_hosts_become_one_alike() {
    let (mut hosts, mut worlds) = (Vec::new(), Vec::new());
    for by_rest in [true, false] {
        let both = Both::new().await;
        let network = &both.world.ours.networks[0];
        let (destination, other) = (network.hosts[0].id, network.hosts[1].id);
        let shown = if by_rest {
            let path = format!("/api/v1/hosts/{destination}/consolidate/{other}");
            let answer = both.rest(Method::PUT, &path, &Value::Null).await;
            both.faces.shown("Host", answer.data())
        } else {
            let query = format!(
                "mutation M($a: ID!, $b: ID!) {{ consolidateHosts(destination: $a, other: $b) {{
                    {} }} }}",
                both.faces.selection("Host")
            );
            let answer = both.graphql(&query, json!({ "a": destination, "b": other })).await;
            both.faces.told("Host", only(&answer))
        };
        // What listens on the same ports on all interfaces is there once.
        assert_eq!(shown["services"].as_array().unwrap().len(), 3, "{shown}");
        hosts.push(blank(&shown));
        worlds.push(both);
    }
    assert_eq!(hosts[0], hosts[1]);
}

#[tokio::test]
async fn tags_are_given_and_taken_alike() {
    let both = Both::new().await;
    let (ours, network) = (&both.world.ours, &both.world.ours.networks[0]);
    let tags = json!([ours.tags[1], ours.tags[0]]);
    for (kind, id) in [
        ("Host", network.hosts[0].id),
        ("Service", network.hosts[0].services[0]),
        ("Group", network.group),
        ("Subnet", network.subnet),
        ("Network", network.id),
    ] {
        let body = json!({ "entity_type": kind, "entity_id": id, "tag_ids": tags });
        let by_rest = both.rest(Method::PUT, "/api/v1/tags/assign", &body).await.data().clone();
        assert_eq!(by_rest, body, "{kind}");
        let query = "mutation M($input: AssignTagsInput!) { assignTags(input: $input) {
            entity_type: entityType entity_id: entityId tag_ids: tagIds } }";
        let input = both.faces.input("AssignTagsInput", &body);
        let answer = both.graphql(query, json!({ "input": input })).await;
        let mut told = only(&answer).clone();
        assert_eq!(fold(text(&told["entity_type"])), fold(kind));
        told["entity_type"] = json!(kind);
        assert_eq!(told, by_rest);

        let body = json!({
            "entity_type": kind, "entity_ids": [id, Id::new(), id], "tag_id": ours.tags[1],
        });
        let input = both.faces.input("BulkTagInput", &body);
        // Each takes away what the other has given, and finds nothing to be done twice.
        for (verb, by_rest, affected) in [
            ("remove", true, 1),
            ("remove", false, 0),
            ("add", false, 1),
            ("add", true, 0),
            ("remove", false, 1),
            ("remove", true, 0),
            ("add", true, 1),
            ("add", false, 0),
        ] {
            let count = if by_rest {
                let path = format!("/api/v1/tags/assign/bulk-{verb}");
                both.rest(Method::POST, &path, &body).await.data()["affected_count"].clone()
            } else {
                let name = if verb == "add" { "bulkAddTag" } else { "bulkRemoveTag" };
                let query = format!(
                    "mutation M($input: BulkTagInput!) {{ {name}(input: $input) {{
                        affectedCount }} }}"
                );
                let answer = both.graphql(&query, json!({ "input": input })).await;
                only(&answer)["affectedCount"].clone()
            };
            assert_eq!(count, affected, "{kind} {verb} by REST {by_rest}");
        }
    }
}

#[tokio::test]
async fn a_key_is_given_a_new_secret_alike() {
    let both = Both::new().await;
    let id = both.call("rotate_user_api_key").await.ids[0];
    let path = format!("/api/v1/auth/keys/{id}/rotate");
    let answer = both.rest(Method::POST, &path, &Value::Null).await;
    let (by_rest, beside) = (answer.data().clone(), answer.body["meta"]["api_key"].clone());
    let query = format!(
        "mutation M($id: ID!) {{ rotateApiKey(id: $id) {{ key apiKey {{ {} }} }} }}",
        both.faces.selection("UserApiKey")
    );
    let works = async |secret: &Value| {
        let get = both.world.test.get("/api/v1/hosts").credential(text(secret));
        get.send().await.status.as_u16()
    };
    assert_eq!(works(&by_rest).await, 200);
    let answer = both.graphql(&query, json!({ "id": id })).await;
    let by_graphql = only(&answer);
    assert_eq!(works(&by_rest).await, 401);
    assert_eq!(works(&by_graphql["key"]).await, 200);
    let told = both.faces.told("UserApiKey", &by_graphql["apiKey"]);
    let mut shown = both.faces.shown("UserApiKey", &beside);
    assert!(text(&told["updated_at"]) > text(&shown["updated_at"]));
    shown["updated_at"] = told["updated_at"].clone();
    // The key has been used in between.
    shown["last_used"] = told["last_used"].clone();
    assert_eq!(told, shown);
}
