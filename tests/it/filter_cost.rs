//! Filters count: each comparison of each alias is made for every row.

use serde_json::{Value, json};

use crate::support::world::World;

fn names(count: usize) -> Value {
    let one = |nth| json!({ "name": { "contains": format!("n{nth}") } });
    json!({ "or": (0..count).map(one).collect::<Vec<_>>() })
}

#[tokio::test]
async fn many_filters_in_one_document_are_refused_and_told_what_to_do() {
    let world = World::new().await;
    let key = &world.ours.viewer.key;
    let aliases = |count: usize| {
        let one = |nth| format!("a{nth}: hosts(filter: $filter) {{ totalCount }}");
        let fields: String = (0..count).map(one).collect();
        format!("query ($filter: HostFilter) {{ {fields} }}")
    };
    let refused = world.test.graphql(key, &aliases(40), json!({ "filter": names(240) })).await;
    let error = &refused["errors"][0];
    assert_eq!(error["extensions"]["code"], "validation_invalid_format", "{refused}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("9600 times") && message.contains("ask in several queries"));
    for (count, comparisons) in [(40, 25), (1, 240), (4, 240)] {
        let filter = json!({ "filter": names(comparisons) });
        let answer = world.test.graphql(key, &aliases(count), filter).await;
        assert_eq!(answer["errors"], Value::Null, "{count} of {comparisons}: {answer}");
    }
    // Nor does it help to put the filter in a list, as one variable among its elements.
    let one = |nth| format!("a{nth}: hosts(filter: {{ or: [$filter] }}) {{ totalCount }}");
    let fields: String = (0..40).map(one).collect();
    let query = format!("query ($filter: HostFilter!) {{ {fields} }}");
    let refused = world.test.graphql(key, &query, json!({ "filter": names(240) })).await;
    assert_eq!(
        refused["errors"][0]["extensions"]["code"], "validation_invalid_format",
        "{refused}"
    );
    // Many values that are looked up cost little.
    let ids: Vec<_> = (0..5000).map(|_| toposcope_types::Id::new()).collect();
    let filter = json!({ "filter": { "id": { "in": ids } } });
    let answer = world.test.graphql(key, &aliases(9), filter).await;
    assert_eq!(answer["errors"], Value::Null, "{answer}");
}
