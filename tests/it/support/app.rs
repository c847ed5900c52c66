//! An application on a database of its own, and requests to it without a network between.

use std::net::SocketAddr;

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{HeaderMap, Method, Request, StatusCode},
};
use http_body_util::BodyExt as _;
use sea_orm::{ConnectionTrait as _, QueryResult, Statement};
use serde_json::Value;
use toposcope::{
    app::App,
    auth::rate_limit::RateLimits,
    config::Settings,
    db::Db,
    organizations, router, schema,
    service_definitions::Definitions,
    users::{self, Belongs, Newcomer, User},
};
use toposcope_types::PermissionLevel;
use tower::ServiceExt as _;

use super::database::Database;

/// An application with nothing in it.
pub(crate) struct TestApp {
    pub(crate) app: App,
    pub(crate) router: Router,
    /// The address of the database.
    pub(crate) url: String,
    /// Dropped last, when nothing uses the database any more.
    _database: Option<Database>,
}

impl TestApp {
    /// An application with default settings and without limits on the rate of requests.
    pub(crate) async fn new() -> Self {
        Self::with(Settings::default(), RateLimits::off()).await
    }

    pub(crate) async fn with(settings: Settings, limits: RateLimits) -> Self {
        let database = Database::new().await;
        let url = database.url.clone();
        let app = app(&url, settings).await;
        if !database.is_migrated {
            app.db.migrate().await.unwrap();
        }
        let router = router::router(app.clone(), schema::schema(), limits);
        Self { app, router, url, _database: Some(database) }
    }

    /// Makes a user with a password, and the organization if there is none of that name.
    pub(crate) async fn user(
        &self,
        organization: &str,
        (email, password): (&str, &str),
        permissions: PermissionLevel,
    ) -> User {
        let db = self.app.db.reader();
        let known = organizations::by_id_or_name(db, organization).await.unwrap();
        let organization = organization.to_owned();
        let newcomer = Newcomer {
            email: email.to_owned(),
            password: password.to_owned(),
            permissions,
            organization: match known {
                Some(_) => Belongs::To(Some(organization)),
                None => Belongs::ToNew(organization),
            },
            network: None,
            default_network: None,
        };
        users::create_by_operator(&self.app, newcomer).await.unwrap()
    }

    /// Another application over the same database, as another process has it.
    pub(crate) async fn beside(&self) -> Self {
        self.beside_with("").await
    }

    /// Another application over the same database, with further parameters of the URL.
    pub(crate) async fn beside_with(&self, parameters: &str) -> Self {
        let url = format!("{}{parameters}", self.url);
        let app = app(&url, Settings::default()).await;
        let router = router::router(app.clone(), schema::schema(), RateLimits::off());
        Self { app, router, url, _database: None }
    }

    pub(crate) fn get(&self, path: &str) -> Ask<'_> {
        self.ask(Method::GET, path)
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> Ask<'_> {
        self.ask(Method::PUT, path).json(body)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Ask<'_> {
        self.ask(Method::POST, path).json(body)
    }

    pub(crate) fn ask(&self, method: Method, path: &str) -> Ask<'_> {
        let request = Request::new(Body::empty());
        let mut ask = Ask { router: &self.router, request };
        *ask.request.method_mut() = method;
        *ask.request.uri_mut() = path.parse().unwrap();
        ask.from("127.0.0.1")
    }

    /// A GraphQL query with variables, by whom `key` names.
    pub(crate) async fn graphql(&self, key: &str, query: &str, variables: Value) -> Value {
        let body = serde_json::json!({ "query": query, "variables": variables });
        self.post("/graphql", &body).credential(key).send().await.body
    }

    /// Changes the database behind the back of the operations, as another process would.
    pub(crate) async fn sql<const N: usize>(&self, sql: &str, values: [sea_orm::Value; N]) {
        let db = self.app.db.writer();
        let statement = Statement::from_sql_and_values(self.app.db.backend(), sql, values);
        db.execute_raw(statement).await.unwrap();
        self.app.credentials.forget();
    }

    /// Reads stored rows, past the operations.
    pub(crate) async fn rows<const N: usize>(
        &self,
        sql: &str,
        values: [sea_orm::Value; N],
    ) -> Vec<QueryResult> {
        let statement = Statement::from_sql_and_values(self.app.db.backend(), sql, values);
        self.app.db.writer().query_all_raw(statement).await.unwrap()
    }

    /// Waits for the work that goes on after answers, such as noting the last use of a key.
    pub(crate) async fn settle(&self) {
        self.app.tasks.close();
        self.app.tasks.wait().await;
        self.app.tasks.reopen();
    }

    /// Counts the statements that `work` sends, once what was begun before has ended.
    pub(crate) async fn statements<T>(&self, work: impl Future<Output = T>) -> (T, u64) {
        self.settle().await;
        let before = self.app.db.statements();
        let answer = work.await;
        (answer, self.app.db.statements() - before)
    }
}

async fn app(url: &str, settings: Settings) -> App {
    let db = Db::open(url).await.unwrap();
    App::new(db, settings, Definitions::builtin().clone())
}

/// A request in the making.
pub(crate) struct Ask<'a> {
    router: &'a Router,
    request: Request<Body>,
}

impl Ask<'_> {
    /// Presents an API key (`scp_u_…`) or a session id, whichever it is.
    pub(crate) fn credential(self, secret: &str) -> Self {
        if secret.starts_with("scp_u_") {
            return self.header("authorization", &format!("Bearer {secret}"));
        }
        self.header("cookie", &format!("session_id={secret}"))
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.request.headers_mut().append(name, value.parse().unwrap());
        self
    }

    /// The address that the request comes from.
    pub(crate) fn from(mut self, address: &str) -> Self {
        let peer = SocketAddr::new(address.parse().unwrap(), 40000);
        self.request.extensions_mut().insert(ConnectInfo(peer));
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body(body.to_string()).header("content-type", "application/json")
    }

    pub(crate) fn body(mut self, body: impl Into<Body>) -> Self {
        *self.request.body_mut() = body.into();
        self
    }

    /// The path that is asked for, without its query.
    pub(crate) fn path(&self) -> String {
        self.request.uri().path().to_owned()
    }

    pub(crate) async fn send(self) -> Answer {
        self.owned().await
    }

    /// The same, for a task of its own.
    pub(crate) fn owned(self) -> impl Future<Output = Answer> + Send + use<> {
        answer(self.router.clone(), self.request)
    }
}

async fn answer(router: Router, request: Request<Body>) -> Answer {
    let response = router.oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    Answer { status: parts.status, headers: parts.headers, body, bytes: bytes.to_vec() }
}

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    /// The body as JSON; null where it is not JSON.
    pub(crate) body: Value,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    /// The `data` of a success.
    #[track_caller]
    pub(crate) fn data(&self) -> &Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        assert_eq!(self.body["success"], true, "{}", self.body);
        &self.body["data"]
    }

    /// Status, code and params of a failure.
    #[track_caller]
    pub(crate) fn failure(&self) -> (u16, &str, &Value) {
        assert_eq!(self.body["success"], false, "{}", self.body);
        let code = self.body["code"].as_str().unwrap();
        (self.status.as_u16(), code, &self.body["params"])
    }

    /// The session id that the answer sets.
    #[track_caller]
    pub(crate) fn session(&self) -> String {
        let cookie = self.header("set-cookie").unwrap_or_else(|| panic!("no cookie: {self:?}"));
        let value = cookie.strip_prefix("session_id=").unwrap();
        value.split(';').next().unwrap().to_owned()
    }

    /// The body as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}
