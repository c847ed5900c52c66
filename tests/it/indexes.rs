//! No list has to read a whole table.

use sea_orm::{ConnectionTrait as _, DbBackend, Statement};
use serde_json::json;

use crate::world::World;

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
    let mut checked = 0;
    for filter in schema["data"]["__schema"]["types"].as_array().unwrap() {
        let name = filter["name"].as_str().unwrap();
        let Some(table) = name.strip_suffix("Filter").map(snake) else { continue };
        let fields = filter["inputFields"].as_array().unwrap();
        if !fields.iter().any(|field| field["name"] == "and") {
            continue;
        }
        let has = |column: &str| indexes.iter().any(|index| covers(index, &table, column));
        assert!(has("created_at"), "the default order of {table}");
        for field in fields {
            let column = snake(field["name"].as_str().unwrap());
            match (column.as_str(), field["type"]["name"].as_str().unwrap_or_default()) {
                // The primary key; the combinators; a join table's own index.
                ("id" | "and" | "or" | "not" | "tag_id", _) => continue,
                ("category", _) => assert!(has("lower(service_definition)")),
                ("binding_type", _) => assert!(has("type")),
                (column, "TextFilter") => {
                    assert!(has(&format!("lower({column})")), "{name}.{column}");
                }
                (column, _) => assert!(has(column), "{name}.{column}"),
            }
            checked += 1;
        }
    }
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
