//! The laws of every network: its links follow from its facts alone, however they were written.

use std::{
    cell::Cell,
    collections::{BTreeSet, HashMap},
};

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use sea_orm::EntityTrait as _;
use toposcope::{hosts, if_entries};
use toposcope_types::Id;

use crate::support::{
    collisions::{Facts, facts, writes},
    resolutions::resolutions,
    universe::Universe,
    wiring::{Net, Wiring},
};

/// All derived data, a line each: the resolutions of neighbors, the keys of hosts, and the
/// connections of ports.
type Derived = BTreeSet<String>;

async fn derived(wiring: &Wiring) -> Derived {
    let db = wiring.test.app.db.writer();
    let resolutions = resolutions(db).await;
    let mut lines: Derived = resolutions.iter().map(|row| format!("{row:?}")).collect();
    for row in wiring.test.rows("SELECT host_id, key FROM host_key", []).await {
        let (host, key): (Id, String) =
            (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap());
        lines.insert(format!("{host} {key}"));
    }
    for row in if_entries::Entity::find().all(db).await.unwrap() {
        lines.insert(format!("{} {:?} {}", row.id, row.neighbor_id(), row.neighbor_pinned));
    }
    lines
}

/// Derives networks anew from their facts alone; returns the lines that this removes and adds.
async fn against_scratch(wiring: &Wiring, networks: &[Id]) -> [Vec<String>; 2] {
    let before = derived(wiring).await;
    let db = &wiring.test.app.db;
    for network in networks {
        let write = db.begin().await.unwrap();
        toposcope::resolution::incremental::from_scratch(&write, db, *network).await.unwrap();
        write.commit().await.unwrap();
    }
    let after = derived(wiring).await;
    let without = |one: &Derived, other: &Derived| one.difference(other).cloned().collect();
    [without(&before, &after), without(&after, &before)]
}

/// Counts the neighbors that are known.
async fn known(wiring: &Wiring) -> usize {
    let rows = resolutions(wiring.test.app.db.writer()).await;
    rows.iter().filter(|row| row.far_host_id.is_some()).count()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn runner(cases: u32) -> TestRunner {
    let cases =
        std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(cases);
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 400,
        ..Config::default()
    })
}

#[test]
fn what_writes_derive_bit_by_bit_is_what_the_facts_give_from_scratch() {
    let runtime = runtime();
    let wiring = runtime.block_on(Wiring::new());
    let found = Cell::new(0);
    let mut runner = runner(40);
    let cases = runner.config().cases;
    let checked = runner.run(&writes(0..30), |writes| {
        runtime.block_on(async {
            let mut universe = Universe::new(&wiring).await;
            let mut wrong = None;
            for (nth, write) in writes.iter().enumerate() {
                universe.apply(write).await;
                let changed = against_scratch(&wiring, &universe.networks).await;
                if changed.iter().any(|lines| !lines.is_empty()) {
                    wrong = Some(format!("after write {nth}, {write:?}: {changed:#?}"));
                    break;
                }
            }
            found.set(found.get() + known(&wiring).await);
            universe.clear().await;
            prop_assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
            Ok(())
        })
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
    assert!(found.get() > cases as usize, "almost nothing was found: {found:?}");
}

/// Describes a network by names: its links, the resolutions of its neighbors, the keys of its
/// hosts, and the connections of its ports.
pub(super) async fn named(wiring: &Wiring, network: Id) -> Vec<String> {
    let db = wiring.test.app.db.writer();
    let hosts = hosts::Entity::find().all(db).await.unwrap();
    let of_network: BTreeSet<Id> =
        hosts.iter().filter(|row| row.network_id == network).map(|row| row.id).collect();
    let hosts: HashMap<Id, String> = hosts.into_iter().map(|row| (row.id, row.name)).collect();
    let entries = if_entries::Entity::find().all(db).await.unwrap();
    let called = |row: &if_entries::IfEntry| format!("{}:{}", hosts[&row.host_id], row.if_index);
    let ports: HashMap<Id, String> = entries.iter().map(|row| (row.id, called(row))).collect();
    let name = |id: Option<Id>| {
        id.map(|id| ports.get(&id).or_else(|| hosts.get(&id)).cloned().unwrap_or_default())
    };
    let mut lines = Net { wiring, id: network }.evidence().await;
    for row in resolutions(db).await {
        if row.network_id == network {
            let near = (name(Some(row.if_entry_id)), row.method, row.position);
            let host = (name(row.far_host_id), row.host_tier);
            let port = (name(row.far_if_entry_id), row.port_tier, name(row.met_if_entry_id));
            let possible = row.possible_if_entry_ids.unwrap_or_default();
            let possible = possible.split(' ').map(|id| name(id.parse().ok()));
            let mut possible: Vec<String> = possible.flatten().collect();
            possible.sort_unstable();
            let keys = [row.chassis_key, row.address_key, row.name_key];
            lines.push(format!(
                "{near:?} {host:?} {port:?} {possible:?} {keys:?} {}",
                row.outranked
            ));
        }
    }
    for row in wiring.test.rows("SELECT host_id, key FROM host_key", []).await {
        let (host, key): (Id, String) =
            (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap());
        if of_network.contains(&host) {
            lines.push(format!("{:?} has the key {key}", name(Some(host))));
        }
    }
    for row in entries.iter().filter(|row| row.network_id == network) {
        let neighbor = name(row.neighbor_id().map(|far| far.id));
        lines.push(format!("{} to {neighbor:?} {}", called(row), row.neighbor_pinned));
    }
    lines.sort_unstable();
    lines
}

/// The ports that are pinned.
fn pins(lines: &[String]) -> Vec<&str> {
    let pinned = |line: &String| line.ends_with(" true") && line.contains(" to ");
    let ports = lines.iter().filter(|line| pinned(line)).map(|line| line.split(' ').next());
    ports.map(Option::unwrap_or_default).collect()
}

/// The same facts written in order, in any order and with detours, and by import.
async fn written_in_each_way(wiring: &Wiring, facts: &Facts) -> Vec<Vec<String>> {
    let mut ways = Vec::new();
    for writes in [facts.in_order(), facts.shuffled()] {
        let mut universe = Universe::new(wiring).await;
        for write in &writes {
            universe.apply(write).await;
        }
        ways.push(named(wiring, universe.networks[0]).await);
        universe.clear().await;
    }
    if let Some(hosts) = facts.as_documents() {
        let network = Id::new().to_string();
        let net = wiring.fill(&network, &hosts).await;
        ways.push(named(wiring, net.id).await);
        net.clear().await;
    }
    ways
}

#[test]
fn any_order_of_the_same_writes_gives_the_same_links() {
    let runtime = runtime();
    let wiring = runtime.block_on(Wiring::new());
    let links = Cell::new(0);
    let mut runner = runner(40);
    let cases = runner.config().cases;
    let checked = runner.run(&facts(), |facts| {
        let ways = runtime.block_on(written_in_each_way(&wiring, &facts));
        links.set(links.get() + ways[0].iter().filter(|line| line.contains(" -- ")).count());
        for way in &ways[1..] {
            // Who says what is resolved already pins nothing, so then the facts are others.
            prop_assume!(pins(&ways[0]) == pins(way));
            prop_assert_eq!(&ways[0], way);
        }
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
    assert!(links.get() > cases as usize / 2, "there were hardly any links: {links:?}");
}
