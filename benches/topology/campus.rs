//! A campus, the same every time: switches of 25 ports, joined as a tree of 24 branches, whose other
//! ports are joined to those of their neighbors.

use sea_orm::{DbBackend, Statement, Value};
use toposcope::{auth::Viewer, db::Db, networks, organizations};
use toposcope_types::{Id, PermissionLevel, Timestamp};

/// The ports of a switch.
const PORTS: usize = 25;
/// The ports that lead down the tree, on the switches that have somebody below.
const DOWN: usize = 24;

pub(crate) fn chassis(host: usize) -> String {
    format!("02:00:00:{:02X}:{:02X}:{:02X}", host >> 16 & 0xFF, host >> 8 & 0xFF, host & 0xFF)
}

pub(crate) fn port_name(port: usize) -> String {
    format!("GigabitEthernet1/0/{}", port + 1)
}

/// Where each port leads: the first up the tree, the others down, and at the leaves to those of the
/// next leaf.
fn wiring(hosts: usize) -> Vec<[(usize, usize); 2]> {
    let mut wired = vec![false; hosts * PORTS];
    let mut cables = Vec::new();
    let mut join = |a: (usize, usize), b: (usize, usize)| {
        let places = [a, b].map(|(host, port)| host * PORTS + port);
        if !places.iter().any(|place| wired[*place]) {
            for place in places {
                wired[place] = true;
            }
            cables.push([a, b]);
        }
    };
    for host in 1..hosts {
        join((host, 0), ((host - 1) / DOWN, 1 + (host - 1) % DOWN));
    }
    let first_leaf = (hosts - 1).div_ceil(DOWN);
    for host in first_leaf..hosts - 1 {
        for port in 1..=12 {
            join((host, port), (host + 1, port + 12));
        }
    }
    cables
}

/// How many cables there are.
pub(crate) fn links(ports: usize) -> usize {
    wiring(ports / PORTS).len()
}

/// Fills an empty database, and tells who sees it.
pub(crate) async fn fill(db: &Db, ports: usize) -> (Viewer, Id) {
    let organization = organizations::create(db.writer(), "Campus".to_owned()).await.unwrap().id;
    let network = Id::new();
    networks::insert(db.writer(), network, organization, "Campus".to_owned()).await.unwrap();
    rows(db, network, ports / PORTS).await;
    networks::recount(db.writer(), network).await.unwrap();
    let viewer = viewer(db, organization, network);
    (viewer, network)
}

/// Somebody who sees the network.
pub(crate) fn viewer(db: &Db, organization: Id, network: Id) -> Viewer {
    Viewer {
        organization_id: organization,
        level: PermissionLevel::Owner,
        networks: db.ids([network]),
        ..Viewer::nobody(db)
    }
}

async fn rows(db: &Db, network: Id, hosts: usize) {
    let now = Timestamp::now();
    let ids: Vec<Id> = (0..hosts).map(|_| Id::new()).collect();
    let ports: Vec<Id> = (0..hosts * PORTS).map(|_| Id::new()).collect();
    let base = |id: Id| [id.into(), now.into(), now.into(), network.into()];
    let transaction = db.begin().await.unwrap();
    let host = |nth: usize| {
        let manual = Value::from(serde_json::json!({ "type": "Manual" }));
        let name = format!("sw{nth:05}");
        let own = [name.clone().into(), manual, chassis(nth).into(), name.into()];
        base(ids[nth]).into_iter().chain(own).collect()
    };
    let table = "host (id, created_at, updated_at, network_id, name, source, chassis_id, sys_name)";
    insert(&transaction, table, hosts, host).await;
    let port = |nth: usize| {
        let (host, port) = (nth / PORTS, nth % PORTS);
        let mac = format!("{}:{:02X}", &chassis(host)[3..], port + 1);
        let own: [Value; 8] = [
            ids[host].into(),
            i32::try_from(port + 1).unwrap().into(),
            port_name(port).into(),
            format!("Gi1/0/{}", port + 1).into(),
            6.into(),
            "Up".into(),
            format!("06:{}", &mac[3..]).into(),
            1_000_000_000_i64.into(),
        ];
        base(ports[nth]).into_iter().chain(own).chain(["Up".into()]).collect()
    };
    let table = "if_entry (id, created_at, updated_at, network_id, host_id, if_index, if_descr, \
                 if_name, if_type, admin_status, mac_address, speed_bps, oper_status)";
    insert(&transaction, table, hosts * PORTS, port).await;
    let heard: Vec<[(usize, usize); 2]> =
        wiring(hosts).into_iter().flat_map(|[a, b]| [[a, b], [b, a]]).collect();
    let observation = |nth: usize| {
        let [(host, port), (far, far_port)] = heard[nth];
        let own: [Value; 8] = [
            ports[host * PORTS + port].into(),
            "LLDP".into(),
            0.into(),
            "MacAddress".into(),
            chassis(far).into(),
            "InterfaceName".into(),
            port_name(far_port).into(),
            format!("sw{far:05}").into(),
        ];
        base(Id::new()).into_iter().chain(own).collect()
    };
    let table = "observation (id, created_at, updated_at, network_id, if_entry_id, protocol, \
                 position, chassis_id_subtype, chassis_id, port_id_subtype, port_id, sys_name)";
    insert(&transaction, table, heard.len(), observation).await;
    transaction.commit().await.unwrap();
}

async fn insert(
    db: &impl sea_orm::ConnectionTrait,
    table: &str,
    count: usize,
    row: impl Fn(usize) -> Vec<Value>,
) {
    let all: Vec<usize> = (0..count).collect();
    for chunk in all.chunks(1000) {
        let (mut values, mut places) = (Vec::new(), Vec::with_capacity(chunk.len()));
        for nth in chunk {
            let first = values.len();
            values.extend(row(*nth));
            let place = |number| match db.get_database_backend() {
                DbBackend::Postgres => format!("${number}"),
                // SQLite looks numbers up in a list, which takes long for many.
                _ => "?".to_owned(),
            };
            let row: Vec<String> = (first + 1..=values.len()).map(place).collect();
            places.push(format!("({})", row.join(",")));
        }
        let sql = format!("INSERT INTO {table} VALUES {}", places.join(","));
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
        db.execute_raw(statement).await.unwrap();
    }
}
