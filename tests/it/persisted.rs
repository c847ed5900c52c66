//! Automatic persisted queries, as clients of Apollo and urql send them.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{
    app::{Answer, TestApp},
    world::World,
};

const QUERY: &str = "query Names($first: Int) { networks(first: $first, orderBy: [{ field: NAME }]) { nodes { id } totalCount } }";

fn hash(query: &str) -> String {
    let bytes = Sha256::digest(query.as_bytes());
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

fn by_hash(hash: &str) -> Value {
    json!({ "persistedQuery": { "version": 1, "sha256Hash": hash } })
}

async fn post(test: &TestApp, credential: &str, body: &Value) -> Answer {
    test.post("/graphql", body).credential(credential).send().await
}

async fn get(test: &TestApp, credential: &str, parameters: &[(&str, &str)]) -> Answer {
    let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    test.get(&format!("/graphql?{form}")).credential(credential).send().await
}

fn assert_not_found(answer: &Answer) {
    let error = json!({
        "message": "PersistedQueryNotFound",
        "extensions": { "code": "PERSISTED_QUERY_NOT_FOUND" },
    });
    assert_eq!(answer.body, json!({ "errors": [error] }));
}

#[tokio::test]
async fn a_query_is_sent_once_and_then_named_by_its_hash() {
    let world = World::new().await;
    let key = &world.ours.owner.key;
    let extensions = by_hash(&hash(QUERY));
    let only_hash = json!({ "extensions": extensions, "variables": { "first": 1 } });
    let first = post(&world.test, key, &only_hash).await;
    assert_not_found(&first);
    assert_eq!(first.status, 200);
    let whole = json!({ "query": QUERY, "extensions": extensions, "variables": { "first": 1 } });
    let known = post(&world.test, key, &whole).await;
    assert_eq!(known.body["data"]["networks"]["totalCount"], 2, "{}", known.body);
    assert_eq!(known.body["data"]["networks"]["nodes"].as_array().unwrap().len(), 1);
    assert_eq!(post(&world.test, key, &only_hash).await.body, known.body);
    let extensions = extensions.to_string();
    let named = [("extensions", extensions.as_str()), ("variables", "{\"first\":1}")];
    assert_eq!(get(&world.test, key, &named).await.body, known.body);
    // Whoever knows the hash is answered what they may see themselves.
    let theirs = post(&world.test, &world.theirs.member.key, &only_hash).await;
    let network = &theirs.body["data"]["networks"];
    assert_eq!(
        *network,
        json!({ "nodes": [{ "id": world.theirs.networks[0].id }], "totalCount": 1 })
    );
    let upper = by_hash(&hash(QUERY).to_uppercase());
    let upper = json!({ "extensions": upper, "variables": { "first": 1 } });
    assert_eq!(post(&world.test, key, &upper).await.body, known.body);
}

#[tokio::test]
async fn a_query_by_get_is_remembered_for_post() {
    let world = World::new().await;
    let key = &world.ours.owner.key;
    let query = "{ viewer { permissions } }";
    let extensions = by_hash(&hash(query)).to_string();
    assert_not_found(&get(&world.test, key, &[("extensions", &extensions)]).await);
    let known = get(&world.test, key, &[("query", query), ("extensions", &extensions)]).await;
    assert_eq!(known.body, json!({ "data": { "viewer": { "permissions": "OWNER" } } }));
    let body = json!({ "extensions": by_hash(&hash(query)) });
    assert_eq!(post(&world.test, key, &body).await.body, known.body);
    let telling = world.test.post("/graphql", &json!({ "extensions": by_hash(&hash("{ x }")) }));
    let telling = telling.credential(key).header("Accept", "application/graphql-response+json");
    let telling = telling.send().await;
    assert_not_found(&telling);
    assert_eq!(telling.status, 400);
}

#[tokio::test]
async fn a_hash_that_is_not_that_of_the_query_is_refused_and_not_remembered() {
    let world = World::new().await;
    let key = &world.ours.owner.key;
    let wrong = hash("{ another }");
    for (persisted, field) in [
        (json!({ "version": 1, "sha256Hash": wrong }), "extensions.persistedQuery.sha256Hash"),
        (json!({ "version": 1, "sha256Hash": "17" }), "extensions.persistedQuery.sha256Hash"),
        (
            json!({ "version": 1, "sha256Hash": "é".repeat(32) }),
            "extensions.persistedQuery.sha256Hash",
        ),
        (json!({ "version": 1 }), "extensions.persistedQuery.sha256Hash"),
        (json!({ "version": 2, "sha256Hash": hash(QUERY) }), "extensions.persistedQuery.version"),
        (json!({ "sha256Hash": hash(QUERY) }), "extensions.persistedQuery.version"),
        (json!("x"), "extensions.persistedQuery"),
    ] {
        let body = json!({ "query": QUERY, "extensions": { "persistedQuery": persisted } });
        let answer = post(&world.test, key, &body).await;
        assert_eq!(answer.status, 400, "{}", answer.body);
        let extensions = &answer.body["errors"][0]["extensions"];
        assert_eq!(extensions["code"], "validation_invalid_format", "{}", answer.body);
        assert_eq!(extensions["params"]["field"], field);
    }
    for hash in [wrong, hash(QUERY)] {
        assert_not_found(&post(&world.test, key, &json!({ "extensions": by_hash(&hash) })).await);
    }
}

#[tokio::test]
async fn what_is_no_query_is_not_remembered() {
    let world = World::new().await;
    let key = &world.ours.owner.key;
    for query in ["{ oops".to_owned(), format!("{{ a {} }}", "@skip(if: true) ".repeat(101))] {
        let extensions = by_hash(&hash(&query));
        let whole = json!({ "query": query, "extensions": extensions });
        let refused = post(&world.test, key, &whole).await;
        assert!(refused.body["errors"][0]["message"].is_string(), "{}", refused.body);
        assert_not_found(&post(&world.test, key, &json!({ "extensions": extensions })).await);
    }
}

#[tokio::test]
async fn a_mutation_that_is_known_is_still_none_for_get() {
    let world = World::new().await;
    let key = &world.ours.owner.key;
    let query = "mutation Gone($id: ID!) { deleteHost(id: $id, dryRun: true) { id } }";
    let id = world.ours.networks[0].hosts[0].id;
    let extensions = by_hash(&hash(query));
    let body = json!({ "query": query, "extensions": extensions, "variables": { "id": id } });
    let done = post(&world.test, key, &body).await;
    assert_eq!(done.body["data"]["deleteHost"]["id"], json!(id), "{}", done.body);
    let (extensions, variables) = (extensions.to_string(), json!({ "id": id }).to_string());
    let asked = [("extensions", extensions.as_str()), ("variables", variables.as_str())];
    assert_eq!(get(&world.test, key, &asked).await.status, 405);
}

#[tokio::test]
async fn nobody_learns_whether_a_query_is_known_without_a_credential() {
    let world = World::new().await;
    let body = json!({ "extensions": by_hash(&hash(QUERY)) });
    let answer = world.test.post("/graphql", &body).send().await;
    assert_eq!(answer.status, 401, "{}", answer.body);
}
