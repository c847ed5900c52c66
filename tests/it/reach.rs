//! Whatever a viewer asks for, they get what is in reach and the count of it, by every path.

use sea_orm::ConnectionTrait as _;
use serde_json::json;

use crate::{
    support::introspection::{Types, named, text},
    tenancy::{attacks, literal, marks, world},
};

/// A selection of everything that a type leads to.
fn everything(types: &Types, of: &str, depth: usize) -> String {
    let kind = types.kind(of);
    if kind == "UNION" || kind == "INTERFACE" {
        let possible = types.get(of)["possibleTypes"].as_array().unwrap();
        let parts = possible.iter().map(|one| {
            let name = text(&one["name"]);
            format!("... on {name} {{ {} }} ", everything(types, name, depth))
        });
        return format!("__typename {}", parts.collect::<String>());
    }
    let mut selection = vec!["__typename".to_owned()];
    for (nth, field) in types.fields(of).iter().enumerate() {
        let (name, target) = (text(&field["name"]), named(&field["type"]));
        match types.kind(target) {
            // A binding tells the ids in its own columns, as REST does; what they lead to is walked.
            "SCALAR" if name == "portId" || name == "interfaceId" => {}
            "SCALAR" | "ENUM" => selection.push(name.to_owned()),
            _ if depth == 0 => {}
            _ => {
                // The same name may be of another type in another part of a union.
                let arguments = match name {
                    "within" => "(hops: 2)",
                    _ if target.ends_with("Connection") => "(first: 4)",
                    _ => "",
                };
                let below = everything(
                    types,
                    target,
                    depth
                        - usize::from(!target.ends_with("Connection") && !target.ends_with("Edge")),
                );
                selection.push(format!("{of}{nth}: {name}{arguments} {{ {below} }}"));
            }
        }
    }
    selection.join(" ")
}

#[tokio::test]
async fn no_path_through_the_graph_leads_out_of_reach() {
    let world = world().await;
    // A pointer across each wall, as a fault of some writer would leave it.
    let (ours, theirs) = (&world.ours.networks, &world.theirs.networks);
    let db = world.test.app.db.writer();
    for (table, column, id, target) in [
        (
            "if_entry",
            "neighbor_if_entry_id",
            ours[0].hosts[0].if_entries[0],
            theirs[0].hosts[0].if_entries[0],
        ),
        ("if_entry", "neighbor_host_id", ours[0].hosts[0].if_entries[1], theirs[0].hosts[0].id),
        (
            "if_entry",
            "neighbor_if_entry_id",
            ours[0].hosts[1].if_entries[0],
            ours[1].hosts[0].if_entries[0],
        ),
        ("binding", "port_id", ours[0].hosts[0].bindings[0], theirs[0].hosts[0].ports[0]),
        ("binding", "interface_id", ours[0].hosts[0].bindings[1], ours[1].hosts[0].interface),
    ] {
        let sql = format!(
            "UPDATE {table} SET {column} = {} WHERE id = {}",
            literal(&world, target),
            literal(&world, id)
        );
        assert_eq!(db.execute_unprepared(&sql).await.unwrap().rows_affected(), 1);
    }
    let types = Types::read(&world.test, &world.ours.owner.key).await;
    let mut walked = 0;
    for attack in attacks(&world) {
        for field in types.fields("Query") {
            let (name, target) = (text(&field["name"]), named(&field["type"]));
            if !target.ends_with("Connection") && target != "Viewer" {
                continue;
            }
            // Keys are told nothing of keys and users at all.
            if ["apiKeys", "users"].contains(&name) && attack.credential.starts_with("scp_u_") {
                continue;
            }
            let arguments = if target == "Viewer" { "" } else { "(first: 30)" };
            let query = format!("{{ {name}{arguments} {{ {} }} }}", everything(&types, target, 2));
            let answer = world.test.graphql(attack.credential, &query, json!({})).await;
            assert_eq!(answer["errors"], json!(null), "{name}: {answer:.500}");
            let answer = answer.to_string();
            for mark in marks(&attack, &world) {
                assert!(!answer.contains(&mark), "{}: {name} told {mark}", attack.who);
            }
            walked += 1;
        }
    }
    assert!(walked >= 57, "{walked}");
}

#[tokio::test]
async fn totals_count_what_is_in_reach_only() {
    let world = world().await;
    let (ours, theirs) = (&world.ours, &world.theirs);
    let query = "{ networks { totalCount } hosts { totalCount } ifEntries { totalCount } services { totalCount } bindings { totalCount }
        groups { totalCount } subnets { totalCount } interfaces { totalCount } ports { totalCount } tags { totalCount }
        filtered: hosts(filter: {not: {name: {eq: \"x\"}}}) { totalCount } }";
    for (credential, networks) in [
        (&ours.owner.key, 2),
        (&ours.member.key, 1),
        (&ours.viewer.session, 1),
        (&theirs.admin.session, 2),
    ] {
        let answer = world.test.graphql(credential, query, json!({})).await;
        let total = |name: &str| answer["data"][name]["totalCount"].as_u64().unwrap();
        let found = [
            "networks",
            "hosts",
            "ifEntries",
            "services",
            "bindings",
            "groups",
            "subnets",
            "interfaces",
            "ports",
            "filtered",
        ]
        .map(total);
        assert_eq!(found, [1, 2, 4, 4, 6, 1, 1, 2, 6, 2].map(|each| each * networks));
        assert_eq!(total("tags"), 2);
    }
}
