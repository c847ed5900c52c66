//! The floors of this house, from the top to the ground, and what may be where.

/// A floor: what stands on it imports nothing from above.
#[derive(Clone, Copy, Debug)]
pub struct Floor {
    /// Its name.
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
    Floor { name: "the operations of features", rooms: &["*/", "topology/"] },
    Floor { name: "the protocols", rooms: &["graphql/", "rest/"] },
    Floor { name: "writing", rooms: &["write/"] },
    Floor { name: "lists", rooms: &["resource/list.rs", "resource/listed.rs"] },
    Floor { name: "the application", rooms: &["app.rs"] },
    Floor {
        name: "what is remembered",
        rooms: &["network_cache.rs", "resource/totals.rs", "rest/spool.rs"],
    },
    Floor { name: "resolutions", rooms: &["resolution/"] },
    Floor { name: "tables", rooms: &["*/entity.rs"] },
    Floor { name: "the one door for reading", rooms: &["resource/"] },
    Floor { name: "HTTP", rooms: &["http/", "playground.rs"] },
    Floor { name: "who asks", rooms: &["auth/"] },
    Floor { name: "the database", rooms: &["db/"] },
    Floor { name: "configuration and input", rooms: &["config.rs", "input/"] },
    Floor { name: "errors", rooms: &["error/"] },
    Floor { name: "what services are", rooms: &["service_definitions.rs"] },
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

/// Files and folders outside the features that may import from a feature on a lower floor.
pub const GROUND_NAMES: &[(&str, &str, &str)] = &[
    ("write/", "changes/entity.rs", "a write logs what it changes"),
    ("write/", "networks/entity.rs", "a write locks its network"),
    ("write/", "organizations/entity.rs", "a write without a network locks its organization"),
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

/// Files and folders whose statements name tables by hand, and why no viewer sees more by them.
pub const RAW_READS: &[(&str, &str)] = &[
    ("api_keys/mod.rs", "the networks of keys that the caller has read"),
    ("auth/", "looks up who asks"),
    ("db/", "asks the database about itself, and builds statements for others"),
    (
        "groups/members.rs",
        "the bindings of groups that the caller has read, or that a write leaves",
    ),
    ("hosts/entity.rs", "the name by which rows of a viewer are sorted"),
    ("networks/input.rs", "what deleting networks changes, which the write has locked"),
    ("networks/mod.rs", "counts the rows of one network, after a bulk write to it"),
    ("resolution/", "works on one network, which its caller has locked or reaches"),
    ("resource/", "builds upon what `visible_to` selects"),
    ("tags/", "the tags of rows that the caller has read, or that a write changes"),
    ("topology/load_network.rs", "reads one network, which its caller reaches"),
    ("topology/reresolve.rs", "works out every network anew when the rules have changed"),
    ("users/full.rs", "the networks of users that the caller has read"),
    ("write/", "locks networks and gives new versions to rows of them"),
];

/// The floors of the crate of topology, the highest first: how a network is drawn, what is said of
/// it, what it is, and how that was found out.
pub const TOPOLOGY_FLOORS: &[Floor] = &[
    Floor { name: "forms", rooms: &["export/"] },
    Floor { name: "pictures", rooms: &["layout/", "rollup/"] },
    Floor { name: "views", rooms: &["view/"] },
    Floor { name: "explanations", rooms: &["explanation/"] },
    Floor { name: "findings", rooms: &["findings/"] },
    Floor { name: "networks", rooms: &["network/"] },
    Floor { name: "wording", rooms: &["wording.rs", "text.rs"] },
    Floor { name: "resolution", rooms: &["resolution/"] },
    Floor { name: "graphs", rooms: &["graph/"] },
];

/// The floors of the crate of values.
pub const TYPES_FLOORS: &[Floor] = &[Floor { name: "values", rooms: &[""] }];

/// All that the crate of topology may depend on: no database, no protocol, no clock.
pub const PURE_DEPENDENCIES: &[&str] =
    &["foldhash", "serde_json", "sha2", "smallvec", "toposcope-types", "url"];

/// The crates and modules that a pure crate must not name.
pub const IMPURE: &[&str] = &[
    "async_graphql",
    "axum",
    "chrono",
    "sea_orm",
    "std::env",
    "std::fs",
    "std::process",
    "std::thread",
    "std::time",
    "tokio",
    "utoipa",
];

/// File names that do not say what is inside.
pub const LEFTOVERS: &[&str] =
    &["utils", "util", "common", "shared", "misc", "helpers", "manager", "factory"];

/// Folders whose crates are compiled without tests, `test = false`: each is compiled only once.
pub const UNTESTED: &[&str] = &["src", "migrations/src"];

/// The most lines of a file.
pub const MOST_LINES: usize = 400;
/// The same of tests, where one story may be long.
pub const MOST_LINES_OF_TESTS: usize = 500;
