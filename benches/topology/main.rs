//! Measures topology on a synthetic campus with LLDP on both ends of every cable, from 5,000 to
//! 500,000 ports, and how it grows.
//!
//! `cargo bench --bench topology -- DATABASE_URL PORTS…`, each on an empty database of its own: `{}` in
//! the URL stands for the number of ports.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on stops")]
#![expect(clippy::cast_precision_loss, reason = "counts here are far below 2^52")]

mod campus;

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use sea_orm::{EntityTrait as _, QueryOrder as _, QuerySelect as _};
use tokio::task::JoinHandle;
use toposcope::{
    app::App,
    auth::Viewer,
    config::Settings,
    db::Db,
    if_entries::{self, IfEntryInput},
    networks,
    resource::Precondition,
    service_definitions::Definitions,
    topology,
};
use toposcope_topology::graph::Without;
use toposcope_types::{Id, Layer};

/// Measures one size.
struct Row {
    ports: usize,
    figures: Vec<(&'static str, f64)>,
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(url) = arguments.next() else {
        println!("usage: topology DATABASE_URL PORTS…");
        return;
    };
    if let Some(filled) = url.strip_prefix(MEMORY) {
        return memory(filled).await;
    }
    let mut rows = Vec::new();
    for ports in arguments {
        let ports: usize = ports.parse().unwrap();
        rows.push(measure(&url.replace("{}", &ports.to_string()), ports).await);
    }
    print(&rows);
}

async fn measure(url: &str, ports: usize) -> Row {
    let db = Db::open(url).await.unwrap();
    db.migrate().await.unwrap();
    let app = App::new(db.clone(), Settings::default(), Definitions::builtin().clone());
    let (viewer, network) = campus::fill(&db, ports).await;
    let mut figures = Vec::new();
    let mut figure = |name, value: f64| figures.push((name, value));

    let others = Others::wait(Db::open(url).await.unwrap());
    let (first, statements) = scratch(&db, network).await;
    figure("first resolution, writing all, ms", first);
    figure("statements of it", statements);
    let (again, statements) = scratch(&db, network).await;
    figure("resolution from scratch, ms", again);
    figure("statements of it ", statements);

    let held = db.statements();
    let started = Instant::now();
    let snapshot = topology::current::snapshot(&app, &viewer, network).await.unwrap();
    figure("snapshot, ms", milliseconds(started.elapsed()));
    figure("statements of it  ", (db.statements() - held) as f64);
    figure("its memory, MiB", memory_of(url));
    figure("what others waited meanwhile, p99, ms", others.p99());
    assert_eq!(snapshot.links.len(), campus::links(ports), "every cable is found, and no other");

    let host = snapshot.hosts[snapshot.hosts.len() / 2].id;
    let started = Instant::now();
    let cuts = snapshot.cuts(Layer::L2);
    figure("articulation points and bridges, ms", milliseconds(started.elapsed()));
    assert!(cuts.bridges.len() < snapshot.links.len());
    let within = best(|| {
        toposcope_topology::network::impact::around(&snapshot, host, 2, Layer::L2).unwrap().len()
    });
    figure("within 2 hops, ms", within);
    let graph = &snapshot.layer(Layer::L2).graph;
    let far = u32::try_from(snapshot.hosts.len() - 1).unwrap();
    figure(
        "shortest path, ms",
        best(|| graph.shortest(0, far, &Without::default()).unwrap().hops()),
    );

    let held = db.statements();
    let (put, count) = put(&app, &viewer).await;
    figure("PUT of an entry with LLDP, ms", put);
    figure("statements of it   ", (db.statements() - held) as f64 / f64::from(count));
    Row { ports, figures }
}

/// The prefix of the URL where only the memory of a snapshot is measured: in a process of its own,
/// since one that has freed memory does not tell what it takes.
const MEMORY: &str = "memory:";

async fn memory(url: &str) {
    let db = Db::open(url).await.unwrap();
    let app = App::new(db.clone(), Settings::default(), Definitions::builtin().clone());
    let network = networks::Entity::find().one(db.reader()).await.unwrap().unwrap();
    let viewer = campus::viewer(&db, network.organization_id, network.id);
    let before = resident();
    let snapshot = topology::current::snapshot(&app, &viewer, network.id).await.unwrap();
    println!("{}", resident() - before);
    assert!(!snapshot.links.is_empty());
}

/// The memory of a snapshot of a database, in MiB.
fn memory_of(url: &str) -> f64 {
    let this = std::env::current_exe().unwrap();
    let output = std::process::Command::new(this).arg(format!("{MEMORY}{url}")).output().unwrap();
    let kibibytes: f64 = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
    kibibytes / 1024.0
}

async fn scratch(db: &Db, network: Id) -> (f64, f64) {
    let (started, before) = (Instant::now(), db.statements());
    let transaction = db.begin().await.unwrap();
    toposcope::resolution::incremental::from_scratch(&transaction, db, network).await.unwrap();
    transaction.commit().await.unwrap();
    (milliseconds(started.elapsed()), (db.statements() - before) as f64)
}

/// Replaces an entry many times, each time hearing another of two neighbors.
async fn put(app: &App, viewer: &Viewer) -> (f64, u32) {
    const TIMES: u32 = 40;
    let entries = if_entries::Entity::find().order_by_asc(if_entries::Column::Id).limit(2);
    let entry = entries.all(app.db.reader()).await.unwrap().remove(1);
    let mut times = Vec::new();
    for turn in 0..TIMES {
        let input = input(&entry, if turn % 2 == 0 { 7 } else { 8 });
        let started = Instant::now();
        let answer =
            if_entries::update(app, viewer, entry.id, input, &Precondition::default()).await;
        times.push(milliseconds(started.elapsed()));
        assert!(answer.unwrap().neighbor.is_some());
    }
    times.sort_unstable_by(f64::total_cmp);
    (times[times.len() / 2], TIMES)
}

fn input(entry: &if_entries::IfEntry, far: usize) -> IfEntryInput {
    serde_json::from_value(serde_json::json!({
        "host_id": entry.host_id, "network_id": entry.network_id, "if_index": entry.if_index,
        "if_descr": entry.if_descr, "if_name": entry.if_name, "if_type": entry.if_type,
        "admin_status": "Up", "oper_status": "Up", "mac_address": entry.mac_address,
        "lldp_chassis_id": { "subtype": "MacAddress", "value": campus::chassis(far) },
        "lldp_port_id": { "subtype": "InterfaceName", "value": campus::port_name(0) },
    }))
    .unwrap()
}

/// Somebody else who asks the database whether it answers every millisecond, as a check of health
/// does, by connections of their own that are not counted.
struct Others {
    waits: Arc<Mutex<Vec<f64>>>,
    asking: JoinHandle<()>,
}

impl Others {
    fn wait(db: Db) -> Self {
        let waits = Arc::<Mutex<Vec<f64>>>::default();
        let kept = Arc::clone(&waits);
        let asking = tokio::spawn(async move {
            loop {
                let started = Instant::now();
                tokio::time::sleep(Duration::from_millis(1)).await;
                db.ping().await.unwrap();
                kept.lock().unwrap().push(milliseconds(started.elapsed()) - 1.0);
            }
        });
        Self { waits, asking }
    }

    fn p99(self) -> f64 {
        self.asking.abort();
        let mut waits = self.waits.lock().unwrap().clone();
        waits.sort_unstable_by(f64::total_cmp);
        waits[waits.len() * 99 / 100]
    }
}

fn best(work: impl Fn() -> usize) -> f64 {
    let once = || {
        let started = Instant::now();
        assert!(work() > 0);
        milliseconds(started.elapsed())
    };
    (0..20).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The resident memory of this process, in KiB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0.0)
}

/// A line for each figure, a column for each size, and at last the exponent of its growth.
fn print(rows: &[Row]) {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
    let sizes: Vec<String> = rows.iter().map(|row| format!("{:>10}", row.ports)).collect();
    println!("{:40}{}  exponent", "ports", sizes.concat());
    for (nth, (name, small)) in first.figures.iter().enumerate() {
        let values: Vec<String> =
            rows.iter().map(|row| format!("{:>10.2}", row.figures[nth].1)).collect();
        let growth =
            (last.figures[nth].1 / small).ln() / (last.ports as f64 / first.ports as f64).ln();
        println!("{name:40}{}  {growth:.2}", values.concat());
    }
}
