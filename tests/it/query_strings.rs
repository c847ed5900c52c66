//! How the query string of a list is read.

use proptest::prelude::*;
use serde_json::json;
use toposcope::rest::query::Query;
use toposcope_types::Id;

use crate::support::{app::Answer, world::World};

async fn list(world: &World, query: &str) -> Answer {
    let get = world.test.get(&format!("/api/v1/services?{query}"));
    get.credential(&world.ours.viewer.key).send().await
}

#[tokio::test]
async fn lists_are_repeated_or_joined_by_commas_or_both() {
    let world = World::new().await;
    let [a, b] = world.ours.networks[0].hosts[0].services;
    let [c, d] = world.ours.networks[0].hosts[1].services;
    let simple = a.uuid().simple().to_string().to_uppercase();
    for (query, expected) in [
        (format!("ids={a}"), vec![a]),
        (format!("ids={simple}"), vec![a]),
        (format!("ids={a}&ids={b}"), vec![a, b]),
        (format!("ids={a},{b}"), vec![a, b]),
        (format!("ids={a}%2C{b}"), vec![a, b]),
        (format!("ids={a},{b}&ids={c}"), vec![a, b, c]),
        (format!("ids=&ids={a}"), vec![a]),
        (format!("ids=,{a},,{b},"), vec![a, b]),
        (format!("ids={a},{a}&ids={a}"), vec![a]),
        (format!("ids={a}&limit=&offset=&network_id=&tag_ids="), vec![a]),
        ("ids=".to_owned(), vec![a, b, c, d]),
        ("ids".to_owned(), vec![a, b, c, d]),
        (",".to_owned() + "=", vec![]),
    ] {
        let answer = list(&world, &query).await;
        if expected.is_empty() {
            assert_eq!(answer.failure().1, "validation_unknown_parameter", "{query}");
            continue;
        }
        let mut found: Vec<Id> = answer
            .data()
            .as_array()
            .unwrap()
            .iter()
            .map(|service| service["id"].as_str().unwrap().parse().unwrap())
            .collect();
        found.sort_unstable();
        let mut expected = expected;
        expected.sort_unstable();
        assert_eq!(found, expected, "{query}");
        assert_eq!(answer.body["meta"]["pagination"]["total_count"], expected.len(), "{query}");
    }
}

#[tokio::test]
async fn an_empty_value_is_as_good_as_none() {
    let world = World::new().await;
    let all = list(&world, "").await;
    for query in [
        "network_id=",
        "host_id=",
        "ids=",
        "tag_ids=",
        "group_by=",
        "order_by=",
        "order_direction=",
        "exclude_categories=",
        "limit=",
        "offset=",
        "ids=&ids=&tag_ids=,",
        "limit",
        "&&",
    ] {
        assert_eq!(list(&world, query).await.body, all.body, "{query}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_by_name() {
    let world = World::new().await;
    let id = world.ours.networks[0].id;
    let format = "validation_invalid_format";
    for (query, code, field) in [
        ("network_id=x".to_owned(), format, "network_id"),
        (format!("network_id={id},{id}"), format, "network_id"),
        (format!("network_id={id}&network_id={id}"), format, "network_id"),
        (format!("host_id={{{id}}}").replace('{', "%7B").replace('}', "%7D"), format, "host_id"),
        ("host_id=null".to_owned(), format, "host_id"),
        (format!("ids={id},x"), format, "ids"),
        (format!("ids={id}&ids=x"), format, "ids"),
        (format!("ids={id};{id}"), format, "ids"),
        ("tag_ids=%00".to_owned(), format, "tag_ids"),
        ("tag_ids=%FF".to_owned(), format, "tag_ids"),
        ("exclude_categories=dns".to_owned(), format, "exclude_categories"),
        ("exclude_categories=DNS,Nonsense".to_owned(), format, "exclude_categories"),
        ("group_by=color".to_owned(), format, "group_by"),
        ("group_by=name,host".to_owned(), format, "group_by"),
        ("order_by=Name".to_owned(), format, "order_by"),
        ("order_by=name&order_by=host".to_owned(), format, "order_by"),
        ("order_by=createdAt".to_owned(), format, "order_by"),
        ("order_direction=up".to_owned(), format, "order_direction"),
        ("order_direction=DESC".to_owned(), format, "order_direction"),
        ("order_direction=asc&order_direction=".to_owned(), format, "order_direction"),
        ("limit=-1".to_owned(), "validation_out_of_range", "limit"),
        ("limit=1.5".to_owned(), format, "limit"),
        ("limit=ten".to_owned(), format, "limit"),
        ("limit=1e2".to_owned(), format, "limit"),
        ("limit=%201".to_owned(), format, "limit"),
        ("limit=1&limit=1".to_owned(), format, "limit"),
        ("limit=1&limit=".to_owned(), format, "limit"),
        ("limit=1,2".to_owned(), format, "limit"),
        ("offset=-1".to_owned(), "validation_out_of_range", "offset"),
        ("offset=2147483648".to_owned(), "validation_out_of_range", "offset"),
        ("offset=0.0".to_owned(), format, "offset"),
        ("offset=x".to_owned(), format, "offset"),
        ("offset=0&offset=0".to_owned(), format, "offset"),
    ] {
        let answer = list(&world, &query).await;
        let (status, found, params) = answer.failure();
        assert_eq!((status, found, &params["field"]), (400, code, &json!(field)), "{query}");
    }
}

#[tokio::test]
async fn a_parameter_that_a_place_does_not_have_is_refused_there() {
    let world = World::new().await;
    let (member, network) = (&world.ours.member, &world.ours.networks[0]);
    for (query, parameter) in [
        ("Limit=1", "Limit"),
        ("page=2", "page"),
        ("ids[]=1", "ids[]"),
        ("=1", ""),
        ("%F0%9F%96%A7=1", "🖧"),
    ] {
        let answer = list(&world, query).await;
        let params = json!({ "parameter": parameter });
        assert_eq!(answer.failure(), (400, "validation_unknown_parameter", &params), "{query}");
    }
    let params = json!({ "parameter": "limit" });
    let key = format!("/api/v1/auth/keys/{}?limit=1", member.key_id);
    let keys = json!({ "name": "n" });
    for ask in [
        world.test.put(&format!("{}?limit=1", network.group_path()), &network.group_body()),
        world.test.put(&format!("{}?limit=1", network.entry_path(0)), &network.entry_body(0)),
        world.test.get(&key),
        world.test.post("/api/v1/auth/keys?limit=1", &keys),
        world.test.get("/api/version?limit=1"),
        world.test.get("/api/health?limit=1"),
        world.test.post("/api/auth/login?limit=1", &json!({})),
    ] {
        let session = ask.header("cookie", &format!("session_id={}", member.session));
        let answer = session.send().await;
        assert_eq!(answer.failure(), (400, "validation_unknown_parameter", &params));
    }
}

#[tokio::test]
async fn limits_and_offsets_are_applied_and_told() {
    let world = World::new().await;
    for (query, limit, offset, returned, more) in [
        ("", 50, 0, 4, false),
        ("limit=50&offset=0", 50, 0, 4, false),
        ("limit=1", 1, 0, 1, true),
        ("limit=3&offset=1", 3, 1, 3, false),
        ("limit=3", 3, 0, 3, true),
        ("limit=2&offset=1", 2, 1, 2, true),
        ("limit=4", 4, 0, 4, false),
        ("offset=4", 50, 4, 0, false),
        ("offset=2147483647", 50, 2_147_483_647, 0, false),
        ("limit=1000", 1000, 0, 4, false),
        ("limit=1001", 1000, 0, 4, false),
        ("limit=2147483647", 1000, 0, 4, false),
        ("limit=0", 0, 0, 4, false),
        ("limit=0&offset=3", 0, 3, 1, false),
        ("limit=0&offset=9", 0, 9, 0, false),
        ("limit=0&offset=2147483647", 0, 2_147_483_647, 0, false),
    ] {
        let answer = list(&world, query).await;
        let pagination =
            json!({ "total_count": 4, "limit": limit, "offset": offset, "has_more": more });
        assert_eq!(answer.data().as_array().unwrap().len(), returned, "{query}");
        assert_eq!(answer.body["meta"]["pagination"], pagination, "{query}");
        assert_eq!(answer.body["meta"]["api_version"], 1, "{query}");
    }
}

/// A way to write a list: its elements in groups, each group one parameter.
fn written(groups: &[Vec<Id>], encoded: bool) -> String {
    let comma = if encoded { "%2C" } else { "," };
    let group = |ids: &Vec<Id>| {
        let ids: Vec<String> = ids.iter().map(Id::to_string).collect();
        format!("ids={}", ids.join(comma))
    };
    groups.iter().map(group).collect::<Vec<_>>().join("&")
}

proptest! {
    #[test]
    fn however_a_list_is_written_it_is_the_same_list(
        groups: Vec<Vec<u128>>,
        encoded: bool,
        before in "(limit=5&)?",
    ) {
        let groups: Vec<Vec<Id>> = groups
            .into_iter()
            .map(|ids| ids.into_iter().map(|id| uuid::Uuid::from_u128(id).into()).collect())
            .collect();
        let mut query = Query::parse(&format!("{before}{}", written(&groups, encoded))).unwrap();
        let expected: Vec<Id> = groups.concat();
        let read = query.many::<Id>("ids").unwrap();
        prop_assert_eq!(read, (!expected.is_empty()).then_some(expected));
        prop_assert_eq!(query.limit("limit").unwrap(), if before.is_empty() { 50 } else { 5 });
        prop_assert!(query.finish().is_ok());
    }

    #[test]
    fn a_number_is_read_exactly_when_it_is_in_range(number: i64) {
        let mut query = Query::parse(&format!("offset={number}")).unwrap();
        let expected = u64::try_from(number).ok().filter(|number| i32::try_from(*number).is_ok());
        prop_assert_eq!(query.offset("offset").ok(), expected);
    }

    #[test]
    fn a_limit_of_any_size_is_applied_as_a_thousand_at_most(digits in "[1-9][0-9]{0,40}") {
        let mut query = Query::parse(&format!("limit={digits}")).unwrap();
        let expected = if digits.len() < 4 { digits.parse().unwrap() } else { 1000 };
        prop_assert_eq!(query.limit("limit").unwrap(), expected);
    }

    #[test]
    fn no_query_string_panics(text in "[a-z=&,%0-9\\+\\PC]{0,40}") {
        if let Ok(mut query) = Query::parse(&text) {
            let _ = query.one::<Id>("a");
            let _ = query.many::<Id>("b");
            let _ = query.offset("c");
            let _ = query.finish();
        }
    }
}
