//! A database with 100,000 services and 300,000 bindings, the same every time.

use sea_orm::{ConnectionTrait as _, DbBackend, Statement, Value};
use toposcope::{
    api_keys::{self, CreateApiKeyInput},
    app::App,
    auth::Viewer,
    config::Settings,
    db::Db,
    networks, organizations,
    service_definitions::Definitions,
    users,
};
use toposcope_types::{Id, PermissionLevel};

pub(crate) struct World {
    pub(crate) key: String,
    pub(crate) if_entry: String,
    pub(crate) if_entry_body: String,
}

const HOSTS: u32 = 2_000;
const SERVICES: u32 = 50;
const BINDINGS: u32 = 3;
const TAGS: usize = 5;

pub(crate) async fn fill(url: &str) -> World {
    let db = Db::open(url).await.unwrap();
    db.migrate().await.unwrap();
    let app = App::new(db.clone(), Settings::default(), Definitions::builtin().clone());
    let organization = organizations::create(db.writer(), "Load".to_owned()).await.unwrap().id;
    let network = Id::new();
    networks::insert(db.writer(), network, organization, "Load".to_owned()).await.unwrap();
    let new = users::NewUser {
        organization_id: organization,
        email: "load@example.com".to_owned(),
        permissions: PermissionLevel::Owner,
        hash: String::new(),
        terms_accepted_at: None,
    };
    let user = users::add(db.writer(), new).await.unwrap();
    let viewer = Viewer {
        user_id: user.id,
        organization_id: organization,
        api_key_id: None,
        session_id: None,
        token: None,
        request_id: None,
        address: None,
        level: PermissionLevel::Owner,
        networks: db.ids([network]),
    };
    let input = CreateApiKeyInput {
        name: "load".to_owned(),
        organization_id: None,
        user_id: None,
        permissions: Some(PermissionLevel::Owner),
        network_ids: None,
        all_networks: None,
        expires_at: None,
        is_enabled: None,
        tags: None,
    };
    let key = api_keys::create(&app, &viewer, input).await.unwrap().key;
    let (host, if_entry) = rows(&db, organization, network).await;
    networks::recount(db.writer(), network).await.unwrap();
    let analyze = if db.backend() == DbBackend::Postgres { "VACUUM ANALYZE" } else { "ANALYZE" };
    db.writer().execute_unprepared(analyze).await.unwrap();
    let body = serde_json::json!({
        "host_id": host, "network_id": network, "if_index": 1, "if_descr": "Gi0/1", "if_type": 6,
        "admin_status": "Up", "oper_status": "Up", "if_alias": "uplink",
        "lldp_chassis_id": {"subtype": "MacAddress", "value": "00:11:22:33:44:55"},
        "lldp_port_id": {"subtype": "InterfaceName", "value": "Gi0/24"}, "lldp_sys_name": "sw1"
    });
    db.close().await;
    World { key, if_entry: if_entry.to_string(), if_entry_body: body.to_string() }
}

/// Rows of one table, in statements of a thousand.
struct Table {
    sql: &'static str,
    columns: usize,
    values: Vec<Value>,
}

impl Table {
    const fn new(sql: &'static str, columns: usize) -> Self {
        Self { sql, columns, values: Vec::new() }
    }

    fn add<const N: usize>(&mut self, row: [Value; N]) {
        assert_eq!(N, self.columns);
        self.values.extend(row);
    }

    async fn write(self, db: &impl sea_orm::ConnectionTrait) {
        for chunk in self.values.chunks(self.columns * 1000) {
            let rows: Vec<String> = (0..chunk.len() / self.columns)
                .map(|row| {
                    let first = row * self.columns;
                    let places: Vec<String> =
                        (1..=self.columns).map(|column| format!("${}", first + column)).collect();
                    format!("({})", places.join(","))
                })
                .collect();
            let sql = format!("INSERT INTO {} VALUES {}", self.sql, rows.join(","));
            let statement =
                Statement::from_sql_and_values(db.get_database_backend(), sql, chunk.to_vec());
            db.execute_raw(statement).await.unwrap();
        }
    }
}

#[expect(clippy::too_many_lines, reason = "a table after the other")]
async fn rows(db: &Db, organization: Id, network: Id) -> (Id, Id) {
    let now = || Value::from(toposcope_types::Timestamp::now());
    let manual = || Value::from(serde_json::json!({"type": "Manual"}));
    let mut tags = Table::new("tag (id, created_at, updated_at, organization_id, name, color)", 6);
    let mut hosts = Table::new("host (id, created_at, updated_at, network_id, name, source)", 6);
    let mut ports =
        Table::new("port (id, created_at, updated_at, network_id, host_id, number, protocol)", 7);
    let mut services = Table::new(
        "service (id, created_at, updated_at, network_id, host_id, name, service_definition, position, source)",
        9,
    );
    let mut bindings = Table::new(
        "binding (id, created_at, updated_at, network_id, service_id, type, port_id)",
        7,
    );
    let mut tagged = Table::new("service_tag (service_id, tag_id, position)", 3);
    let mut entries = Table::new(
        "if_entry (id, created_at, updated_at, network_id, host_id, if_index, if_descr, if_type, admin_status, oper_status)",
        10,
    );
    let tag_ids: Vec<Id> = (0..TAGS).map(|_| Id::new()).collect();
    for (nth, tag) in tag_ids.iter().enumerate() {
        tags.add([
            (*tag).into(),
            now(),
            now(),
            organization.into(),
            format!("tag {nth}").into(),
            "Blue".into(),
        ]);
    }
    let mut first = None;
    for host_nth in 0..HOSTS {
        let host = Id::new();
        hosts.add([
            host.into(),
            now(),
            now(),
            network.into(),
            format!("host-{host_nth:05}").into(),
            manual(),
        ]);
        for if_index in 1..=10 {
            let entry = Id::new();
            first.get_or_insert((host, entry));
            entries.add([
                entry.into(),
                now(),
                now(),
                network.into(),
                host.into(),
                if_index.into(),
                format!("Gi0/{if_index}").into(),
                6.into(),
                "Up".into(),
                "Up".into(),
            ]);
        }
        let numbers: Vec<Id> = (1..=BINDINGS * 10)
            .map(|number| {
                let port = Id::new();
                let number = i32::try_from(number).unwrap();
                ports.add([
                    port.into(),
                    now(),
                    now(),
                    network.into(),
                    host.into(),
                    number.into(),
                    "Tcp".into(),
                ]);
                port
            })
            .collect();
        for position in 0..SERVICES {
            let service = Id::new();
            let name = format!(
                "service {:05}",
                (host_nth * SERVICES + position).wrapping_mul(7919) % 100_000
            );
            services.add([
                service.into(),
                now(),
                now(),
                network.into(),
                host.into(),
                name.into(),
                ["SSH", "Nginx", "PostgreSQL", "Something else"][position as usize % 4].into(),
                i32::try_from(position).unwrap().into(),
                manual(),
            ]);
            tagged.add([service.into(), tag_ids[position as usize % TAGS].into(), 0.into()]);
            for binding in 0..BINDINGS {
                let port = numbers[((position + binding) as usize) % numbers.len()];
                bindings.add([
                    Id::new().into(),
                    now(),
                    now(),
                    network.into(),
                    service.into(),
                    "Port".into(),
                    port.into(),
                ]);
            }
        }
    }
    let transaction = db.begin().await.unwrap();
    for table in [tags, hosts, ports, services, bindings, tagged, entries] {
        table.write(&transaction).await;
    }
    transaction.commit().await.unwrap();
    first.unwrap()
}
