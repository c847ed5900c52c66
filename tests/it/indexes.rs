//! No list has to read a whole table.

use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use serde_json::json;

use crate::support::world::World;

/// The definitions of all indexes.
async fn indexes(world: &World) -> Vec<String> {
    let db = &world.test.app.db;
    let sql = match db.backend() {
        DbBackend::Postgres => {
            "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()"
        }
        _ => "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    };
    let rows = db.reader().query_all_raw(Statement::from_string(db.backend(), sql)).await.unwrap();
    let texts = rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap());
    texts.map(|text| text.replace('"', "").to_lowercase()).collect()
}

#[tokio::test]
async fn an_index_stands_behind_every_filter_and_every_default_order() {
    let world = World::new().await;
    let indexes = indexes(&world).await;
    let query = "{ __schema { types { kind name inputFields { name type { name } } } } }";
    let schema = world.test.graphql(&world.ours.owner.key, query, json!({})).await;
    let (mut checked, mut missing) = (0, Vec::new());
    for filter in schema["data"]["__schema"]["types"].as_array().unwrap() {
        let name = filter["name"].as_str().unwrap();
        let Some(table) = name.strip_suffix("Filter").map(snake) else { continue };
        let fields = filter["inputFields"].as_array().unwrap();
        if !fields.iter().any(|field| field["name"] == "and") {
            continue;
        }
        // Nobody sees another organization than their own, which its primary key finds, and what was
        // heard is listed of its ports only, whose index finds it.
        if ["organization", "observation"].contains(&table.as_str()) {
            continue;
        }
        let has = |column: &str| indexes.iter().any(|index| covers(index, &table, column));
        if !has("created_at") {
            missing.push(format!("the default order of {table}"));
        }
        for field in fields {
            let column = snake(field["name"].as_str().unwrap());
            let column = match (column.as_str(), field["type"]["name"].as_str().unwrap_or_default())
            {
                // The primary key; the combinators; a join table's own index.
                ("id" | "and" | "or" | "not" | "tag_id", _) => continue,
                // The tagged ones are texts of ranges, which are searched within each network.
                ("vlan", _) => "native_vlan".to_owned(),
                ("category", _) => "lower(service_definition)".to_owned(),
                ("binding_type", _) => "type".to_owned(),
                ("since", _) => "created_at".to_owned(),
                ("after_sequence", _) => "sequence".to_owned(),
                (column, "TextFilter" | "MacAddressFilter" | "IpAddressFilter" | "CidrFilter") => {
                    format!("lower({column})")
                }
                (column, _) => column.to_owned(),
            };
            if !has(&column) {
                missing.push(format!("{name}.{column}"));
            }
            checked += 1;
        }
    }
    assert!(indexes.iter().any(|index| covers(index, "observation", "if_entry_id")));
    assert!(missing.is_empty(), "no index stands behind {missing:?}");
    assert!(checked > 40, "only {checked} filters were found");
}

fn covers(index: &str, table: &str, column: &str) -> bool {
    let on_table =
        [format!(" on {table} "), format!(".{table} ")].iter().any(|at| index.contains(at));
    let columns = index.split_once('(').map_or("", |(_, columns)| columns);
    let columns = columns.strip_suffix(')').unwrap_or(columns);
    on_table && columns.split(',').map(str::trim).any(|found| found == column)
}

fn snake(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(character.to_lowercase());
    }
    text
}
