//! Changing the address that one logs in with.

use serde_json::{Value, json};
use toposcope_types::PermissionLevel;

use crate::support::{
    app::{Answer, TestApp},
    world::World,
};

const PASSWORD: &str = "Correct-Horse-9";

/// Two members and an owner of one organization, and one user of another, all with a password.
struct Users {
    test: TestApp,
}

impl Users {
    async fn new() -> Self {
        let test = TestApp::new().await;
        for (organization, email, level) in [
            ("ours", "owner@example.com", PermissionLevel::Owner),
            ("ours", "ada@example.com", PermissionLevel::Member),
            ("ours", "bob@example.com", PermissionLevel::Member),
            ("theirs", "eve@example.com", PermissionLevel::Owner),
        ] {
            test.user(organization, (email, PASSWORD), level).await;
        }
        Self { test }
    }

    /// The session and the id of a user.
    async fn login(&self, email: &str) -> (String, String) {
        let body = json!({ "email": email, "password": PASSWORD });
        let answer = self.test.post("/api/auth/login", &body).send().await;
        (answer.session(), answer.data()["id"].as_str().unwrap().to_owned())
    }

    async fn change(&self, (session, id): &(String, String), body: Value) -> Answer {
        let put = self.test.put(&format!("/api/v1/users/{id}"), &body);
        put.credential(session).send().await
    }

    /// The code and parameters of what GraphQL refuses, or null.
    async fn mutate(&self, (session, id): &(String, String), input: Value) -> Value {
        let mutation = "mutation M($id: ID!, $input: UpdateUserInput!) { \
                        updateUser(id: $id, input: $input) { email } }";
        let answer =
            self.test.graphql(session, mutation, json!({ "id": id, "input": input })).await;
        answer["errors"][0]["extensions"].clone()
    }
}

#[tokio::test]
async fn changing_ones_address_takes_ones_password() {
    let users = Users::new().await;
    let ada = users.login("ada@example.com").await;
    let new = "new@example.com";
    let field = json!({ "field": "password" });
    for password in [Value::Null, json!("Wrong-Horse-1"), json!("")] {
        let code =
            if password.is_null() { "validation_required" } else { "auth_invalid_credentials" };
        let (status, params) = if password.is_null() { (400, &field) } else { (401, &Value::Null) };
        let answer = users.change(&ada, json!({ "email": new, "password": password })).await;
        assert_eq!(answer.failure(), (status, code, params));
        let refused = users.mutate(&ada, json!({ "email": new, "password": password })).await;
        assert_eq!(refused["code"], code);
    }
    // What stays as it is takes none.
    let same = users.change(&ada, json!({ "email": " Ada@example.com" })).await;
    assert_eq!(same.data()["email"], "ada@example.com");
    let answer = users.change(&ada, json!({ "email": new, "password": PASSWORD })).await;
    assert_eq!(answer.data()["email"], new);
    assert_eq!(answer.data()["email_verified"], false);
    let input = json!({ "email": "newer@example.com", "password": PASSWORD });
    assert_eq!(users.mutate(&ada, input).await, Value::Null);
    users.login("newer@example.com").await;
    // Nobody changes that of another, whatever password they give.
    let owner = users.login("owner@example.com").await;
    let of_ada = (owner.0, ada.1);
    let answer = users.change(&of_ada, json!({ "email": new, "password": PASSWORD })).await;
    assert_eq!(answer.failure().1, "auth_permission_denied");
    let log = users.test.rows("SELECT before, after FROM change", []).await;
    for row in log {
        for column in ["before", "after"] {
            let value: Option<Value> = row.try_get("", column).unwrap();
            let text = value.unwrap_or_default().to_string();
            assert!(!text.contains("Horse"), "a password is logged: {text}");
        }
    }
}

#[tokio::test]
async fn who_has_an_address_is_told_to_those_who_see_them() {
    let users = Users::new().await;
    let (ada, owner) =
        (users.login("ada@example.com").await, users.login("owner@example.com").await);
    let change = |email: &str| json!({ "email": email, "password": PASSWORD });
    let elsewhere = users.change(&ada, change("eve@example.com")).await;
    let unseen = users.change(&ada, change("bob@example.com")).await;
    let field = json!({ "field": "email" });
    assert_eq!(elsewhere.failure(), (400, "validation_invalid_format", &field));
    assert_eq!(elsewhere.body, unseen.body, "nothing tells the one from the other");
    assert!(!elsewhere.body.to_string().contains("another User"), "{}", elsewhere.body);
    let of_owner = users.change(&owner, change("eve@example.com")).await;
    assert_eq!(of_owner.body, elsewhere.body);
    let seen = users.change(&owner, change("bob@example.com")).await;
    assert_eq!(seen.failure().1, "entity_already_exists");
    let refused = users.mutate(&ada, change("eve@example.com")).await;
    assert_eq!(refused, json!({ "code": "validation_invalid_format", "params": field }));
}

#[tokio::test]
async fn guesses_by_a_session_are_as_slow_as_those_of_a_login() {
    let users = Users::new().await;
    let ada = users.login("ada@example.com").await;
    for _ in 0..5 {
        let body = json!({ "email": "new@example.com", "password": "Wrong-Horse-1" });
        assert_eq!(users.change(&ada, body).await.status, 401);
    }
    // The next one waits, here or at the login: failures are counted for both.
    let start = std::time::Instant::now();
    users.login("ada@example.com").await;
    assert!(start.elapsed() >= std::time::Duration::from_millis(250));
}

#[tokio::test]
async fn a_user_without_a_password_changes_no_address() {
    let world = World::new().await;
    let person = &world.ours.member;
    let body = json!({ "email": "new@example.com", "password": PASSWORD });
    let put = world.test.put(&format!("/api/v1/users/{}", person.id), &body);
    let answer = put.credential(&person.session).send().await;
    assert_eq!(answer.failure(), (401, "auth_invalid_credentials", &Value::Null));
}
