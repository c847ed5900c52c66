//! The floors of this house, from the top to the ground, and what may be where.

/// A floor: what stands on it imports nothing from above.
#[derive(Clone, Copy, Debug)]
pub struct Floor {
    /// What it is.
    pub name: &'static str,
    /// Files, folders with a `/` behind them, and `*/` for the folder of any feature. The longest
    /// that fits decides.
    pub rooms: &'static [&'static str],
}

/// The floors, the highest first.
pub const FLOORS: &[Floor] = &[
    Floor { name: "the process", rooms: &["main.rs"] },
    Floor { name: "the commands", rooms: &["cli/", "demo.rs"] },
    Floor { name: "the server", rooms: &["server.rs"] },
    Floor { name: "the lists of contents", rooms: &["router.rs", "schema.rs", "graphql/http.rs"] },
    Floor {
        name: "the faces of features",
        rooms: &["*/graphql.rs", "*/graphql/", "*/rest.rs", "*/rest/", "nodes/"],
    },
    Floor { name: "the inventory document", rooms: &["inventory/"] },
    Floor {
        name: "the operations of features",
        rooms: &[
            "*/",
            "topology/identify.rs",
            "topology/snapshots.rs",
            "topology/refresh.rs",
            "topology/build.rs",
            "topology/picture.rs",
        ],
    },
    Floor { name: "the protocols", rooms: &["graphql/", "rest/"] },
    Floor { name: "writing", rooms: &["changes/"] },
    Floor { name: "lists", rooms: &["resource/list.rs", "resource/listed.rs"] },
    Floor { name: "the application", rooms: &["app.rs"] },
    Floor {
        name: "what is remembered",
        rooms: &["network_cache.rs", "resource/totals.rs", "rest/spool.rs"],
    },
    Floor { name: "topology", rooms: &["topology/", "topology/entity.rs"] },
    Floor { name: "tables", rooms: &["*/entity.rs"] },
    Floor { name: "the one door for reading", rooms: &["resource/"] },
    Floor { name: "HTTP", rooms: &["http/", "playground.rs"] },
    Floor { name: "who asks", rooms: &["auth/"] },
    Floor { name: "the database", rooms: &["db/"] },
    Floor { name: "configuration and input", rooms: &["config.rs", "input/"] },
    Floor { name: "errors", rooms: &["error/"] },
    Floor { name: "values", rooms: &["types/", "service_definitions.rs"] },
];

/// Features whose `graphql` another feature's `graphql` may name: what they share is a GraphQL type
/// or a load, which nothing below knows of.
pub const SHARED_GRAPHQL: &[(&str, &str)] = &[
    (
        "bindings",
        "the interface `Binding`, the type of fields of services, groups, ports and interfaces",
    ),
    ("changes", "the mutations that delete, the same for every resource"),
    ("groups", "the load of the groups that services are in"),
    ("topology", "the links of ports and the neighbors of devices"),
    ("tags", "the load of the tags of whatever carries some"),
];

/// Files outside the features that may import a feature from a lower floor.
pub const GROUND_NAMES: &[(&str, &str, &str)] = &[
    ("rest/resource.rs", "changes/", "the endpoints that delete are the same for every resource"),
    ("network_cache.rs", "topology/", "networks are remembered as graphs"),
];

/// Files that may read a table without `visible_to`.
pub const UNSCOPED_READS: &[(&str, &str)] = &[
    ("api_keys/manage.rs", "the keys of users who are deleted, by whoever may do that"),
    ("auth/", "looks up who asks"),
    ("users/", "logging in, registering and the operator's commands come before there is a viewer"),
    ("organizations/", "the operator's commands; nobody over the network names an organization"),
    ("networks/mod.rs", "`find` and `of_organization` are for the operator's commands"),
    ("resource/mod.rs", "is the door"),
];

/// Folders that must stay free of databases and protocols.
pub const PURE: &[&str] = &["topology/graph/", "topology/export/"];

/// The folders of this crate that they may import.
pub const PURE_NAMES: &[&str] = &["topology/", "types/", "error/"];

/// External crates that they must not import.
pub const IMPURE: &[&str] = &["sea_orm", "axum", "tokio", "async_graphql", "utoipa"];

/// File names that do not say what is inside.
pub const LEFTOVERS: &[&str] =
    &["utils", "util", "common", "shared", "misc", "helpers", "manager", "factory"];

/// The most lines of a file.
pub const MOST_LINES: usize = 400;
/// The same of tests, where one story may be long.
pub const MOST_LINES_OF_TESTS: usize = 500;
