//! The bare server: the same statements by hand, the same bytes, nothing else.

use axum::{
    Router, extract::State, http::header::CONTENT_TYPE, response::IntoResponse, routing::get,
};
use sea_orm::{ConnectionTrait as _, Statement, Value};
use serde::Serialize;
use toposcope::db::Db;
use toposcope_types::{Id, Timestamp};

#[expect(clippy::struct_field_names, reason = "the contract names it so")]
#[derive(Clone, Serialize)]
struct Service {
    id: Id,
    created_at: Timestamp,
    updated_at: Timestamp,
    host_id: Id,
    network_id: Id,
    service_definition: String,
    name: String,
    virtualization: Option<serde_json::Value>,
    source: serde_json::Value,
    position: i32,
    bindings: Vec<Binding>,
    tags: Vec<Id>,
}

#[derive(Clone, Serialize)]
struct Binding {
    id: Id,
    created_at: Timestamp,
    updated_at: Timestamp,
    service_id: Id,
    network_id: Id,
    r#type: String,
    port_id: Option<Id>,
    interface_id: Option<Id>,
}

#[derive(Clone)]
struct Bare {
    db: Db,
    networks: Vec<Id>,
    memory: std::sync::Arc<Vec<Service>>,
}

pub(crate) async fn serve(url: &str) {
    let db = Db::open(url).await.unwrap();
    let statement = Statement::from_string(db.backend(), "SELECT id FROM network ORDER BY id");
    let rows = db.reader().query_all_raw(statement).await.unwrap();
    let networks = rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
    let mut bare = Bare { db, networks, memory: std::sync::Arc::default() };
    bare.memory = std::sync::Arc::new(bare.read(50).await);
    let router = Router::new()
        .route(
            "/statements/50",
            get(|State(bare): State<Bare>| async move { answer(&bare.read(50).await) }),
        )
        .route(
            "/statements/1000",
            get(|State(bare): State<Bare>| async move { answer(&bare.read(1000).await) }),
        )
        .route("/memory/50", get(|State(bare): State<Bare>| async move { answer(&bare.memory) }))
        .with_state(bare);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    eprintln!("http://{}", listener.local_addr().unwrap());
    axum::serve(listener, router).await.unwrap();
}

fn answer(services: &[Service]) -> axum::response::Response {
    let body = serde_json::to_vec(services).unwrap();
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

impl Bare {
    async fn rows(&self, sql: &str, values: Vec<Value>) -> Vec<sea_orm::QueryResult> {
        let statement = Statement::from_sql_and_values(self.db.backend(), sql, values);
        self.db.reader().query_all_raw(statement).await.unwrap()
    }

    async fn read(&self, limit: i64) -> Vec<Service> {
        let network = self.networks[0];
        self.rows("SELECT service_count FROM network WHERE id = $1", vec![network.into()]).await;
        let rows = self
            .rows(
                "SELECT id, created_at, updated_at, host_id, network_id, service_definition, name, \
                 virtualization, source, position FROM service WHERE network_id = $1 \
                 ORDER BY created_at, id LIMIT $2",
                vec![network.into(), limit.into()],
            )
            .await;
        let mut services: Vec<Service> = rows
            .iter()
            .map(|row| Service {
                id: row.try_get_by_index(0).unwrap(),
                created_at: row.try_get_by_index(1).unwrap(),
                updated_at: row.try_get_by_index(2).unwrap(),
                host_id: row.try_get_by_index(3).unwrap(),
                network_id: row.try_get_by_index(4).unwrap(),
                service_definition: row.try_get_by_index(5).unwrap(),
                name: row.try_get_by_index(6).unwrap(),
                virtualization: row.try_get_by_index(7).unwrap(),
                source: row.try_get_by_index(8).unwrap(),
                position: row.try_get_by_index(9).unwrap(),
                bindings: Vec::new(),
                tags: Vec::new(),
            })
            .collect();
        let ids = self.db.ids(services.iter().map(|service| service.id).collect::<Vec<_>>());
        let places: std::collections::HashMap<Id, usize> =
            services.iter().enumerate().map(|(place, service)| (service.id, place)).collect();
        for row in self.children("SELECT id, created_at, updated_at, service_id, network_id, type, port_id, interface_id FROM binding WHERE ", &ids).await {
            let service_id: Id = row.try_get_by_index(3).unwrap();
            services[places[&service_id]].bindings.push(Binding {
                id: row.try_get_by_index(0).unwrap(),
                created_at: row.try_get_by_index(1).unwrap(),
                updated_at: row.try_get_by_index(2).unwrap(),
                service_id,
                network_id: row.try_get_by_index(4).unwrap(),
                r#type: row.try_get_by_index(5).unwrap(),
                port_id: row.try_get_by_index(6).unwrap(),
                interface_id: row.try_get_by_index(7).unwrap(),
            });
        }
        for row in self.children("SELECT service_id, tag_id FROM service_tag WHERE ", &ids).await {
            let service_id: Id = row.try_get_by_index(0).unwrap();
            services[places[&service_id]].tags.push(row.try_get_by_index(1).unwrap());
        }
        services
    }

    async fn children(&self, sql: &str, ids: &toposcope::db::IdSet) -> Vec<sea_orm::QueryResult> {
        let ids = ids.ids();
        if self.db.backend() == sea_orm::DbBackend::Postgres {
            let array = Value::Array(
                sea_orm::sea_query::ArrayType::Uuid,
                Some(Box::new(ids.iter().map(|id| (*id).into()).collect())),
            );
            return self.rows(&format!("{sql} service_id = ANY($1)"), vec![array]).await;
        }
        let json: Vec<String> = ids.iter().map(|id| id.uuid().simple().to_string()).collect();
        let json = serde_json::to_string(&json).unwrap();
        let sql = format!("{sql} service_id IN (SELECT unhex(value) FROM json_each($1))");
        self.rows(&sql, vec![json.into()]).await
    }
}
