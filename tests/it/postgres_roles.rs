//! A PostgreSQL role that may not do what is needed, and what it is told.

use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection};
use toposcope_types::Id;
use url::Url;

use crate::support::binary::{Sandbox, block_on};

const PASSWORD: &str = "Role-Secret-1";

/// Does what only an administrator may.
fn administer(sql: &str) {
    block_on(async {
        let url = std::env::var("TEST_DATABASE_URL").unwrap();
        let db: DatabaseConnection = Database::connect(url).await.unwrap();
        db.execute_unprepared(sql).await.unwrap();
        db.close().await.unwrap();
    });
}

/// A role that may log in and nothing else, and a schema of somebody else's.
struct Role {
    sandbox: Sandbox,
    name: String,
    schema: String,
    url: String,
}

impl Role {
    /// `None` where the tests do not run on PostgreSQL.
    fn new() -> Option<Self> {
        let administrator = std::env::var("TEST_DATABASE_URL").ok()?;
        let id = Id::new().uuid().simple().to_string();
        let (name, schema) = (format!("role_{id}"), format!("test_{id}"));
        let mut url = Url::parse(&administrator).unwrap();
        url.set_username(&name).unwrap();
        url.set_password(Some(PASSWORD)).unwrap();
        url.query_pairs_mut().append_pair("options", &format!("-csearch_path={schema}"));
        let role = Self { sandbox: Sandbox::new(), name, schema, url: url.into() };
        administer(&format!("CREATE ROLE {} LOGIN PASSWORD '{PASSWORD}'", role.name));
        administer(&format!("CREATE SCHEMA {}", role.schema));
        Some(role)
    }

    /// Migrates by this role, and returns the error if it is refused.
    fn migrate(&self) -> Option<String> {
        let output = self.sandbox.run(&["migrate", "--database-url", &self.url], "");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!errors.contains(PASSWORD), "{errors}");
        assert_eq!(errors.lines().count(), usize::from(!output.status.success()), "{errors}");
        (!output.status.success()).then_some(errors)
    }
}

impl Drop for Role {
    fn drop(&mut self) {
        administer(&format!("DROP OWNED BY {name}; DROP ROLE {name}", name = self.name));
    }
}

#[test]
fn a_role_without_rights_on_the_schema_is_told_the_grant_that_it_needs() {
    let Some(role) = Role::new() else { return };
    let Role { name, schema, .. } = &role;
    let grant = format!("GRANT USAGE, CREATE ON SCHEMA {schema} TO {name}");
    let told = role.migrate().unwrap();
    assert!(told.contains(&grant), "{told}");
    administer(&format!("GRANT USAGE ON SCHEMA {schema} TO {name}"));
    let told = role.migrate().unwrap();
    let said = format!("permission denied for schema {schema}");
    assert!(told.contains(&said) && told.contains(&grant), "{told}");
    administer(&grant);
    assert_eq!(role.migrate(), None);
}

#[test]
fn a_role_that_finds_tables_of_another_is_told_so() {
    let Some(role) = Role::new() else { return };
    let Role { name, schema, .. } = &role;
    let administrator = std::env::var("TEST_DATABASE_URL").unwrap();
    let owned = format!("{administrator}?options=-csearch_path%3D{schema}");
    role.sandbox.done(&["migrate", "--database-url", &owned], "");
    administer(&format!("GRANT USAGE, CREATE ON SCHEMA {schema} TO {name}"));
    let told = role.migrate().unwrap();
    for part in ["permission denied for table", &format!("instead of {name}"), schema] {
        assert!(told.contains(part), "{told} lacks {part}");
    }
}

#[test]
fn a_database_that_is_not_there_is_told_in_the_words_of_the_server() {
    let Some(role) = Role::new() else { return };
    let mut url = Url::parse(&role.url).unwrap();
    url.set_path("/none");
    let output = role.sandbox.run(&["migrate", "--database-url", url.as_str()], "");
    let told = String::from_utf8(output.stderr).unwrap();
    let remedy = format!("CREATE DATABASE \"none\" OWNER \"{}\"", role.name);
    assert!(told.contains("refuses: database \"none\" does not exist"), "{told}");
    assert!(told.contains(&remedy) && !told.contains(PASSWORD), "{told}");
}
