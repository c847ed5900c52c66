//! Objects with types in GraphQL, beside the old fields of free JSON.

use serde_json::{Value, json};
use toposcope::hosts;
use toposcope_types::{Id, Source};

use crate::{
    connections::ask,
    support::{
        plenty,
        world::{World, insert},
    },
};

#[tokio::test]
async fn what_runs_a_host_and_a_service_is_an_object() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let [host, engine] = [&network.hosts[0], &network.hosts[1]];
    let set = "mutation Q($host: ID!, $network: ID!, $service: ID!, $by: HostVirtualization, $in: ServiceVirtualization) {
        updateHost(id: $host, input: { networkId: $network, name: \"vm\", tags: [], virtualization: $by }) { virtualization }
        updateService(id: $service, input: { networkId: $network, hostId: $host, name: \"web\", serviceDefinition: \"Nginx\", virtualization: $in }) { virtualization }
    }";
    let runs = engine.services[0];
    let by = json!({ "type": "Proxmox", "details": { "vm_name": "db", "vm_id": null, "service_id": runs } });
    let within = json!({ "type": "Docker", "details": { "container_name": null, "container_id": "4f", "service_id": runs } });
    let ids = json!({ "host": host.id, "network": network.id, "service": host.services[1], "by": by, "in": within });
    let made = ask(&world, set, ids.clone()).await;
    assert_eq!(made["updateHost"]["virtualization"], by);
    assert_eq!(made["updateService"]["virtualization"], within);
    let query = "query Q($host: ID!, $service: ID!) {
        host(id: $host) { virtualizationDetails { ... on ProxmoxVirtualization { __typename vmName vmId serviceId service { id } } } }
        service(id: $service) { virtualizationDetails { ... on DockerVirtualization { __typename containerName containerId serviceId service { id } } } }
        plain: hosts(filter: { name: { eq: \"beta\" } }, first: 1) { nodes { virtualization virtualizationDetails { __typename } } }
    }";
    let found = ask(&world, query, json!({ "host": host.id, "service": host.services[1] })).await;
    let engine = json!({ "id": runs });
    assert_eq!(
        found["host"]["virtualizationDetails"],
        json!({ "__typename": "ProxmoxVirtualization", "vmName": "db", "vmId": null, "serviceId": runs, "service": engine })
    );
    assert_eq!(
        found["service"]["virtualizationDetails"],
        json!({ "__typename": "DockerVirtualization", "containerName": null, "containerId": "4f", "serviceId": runs, "service": engine })
    );
    let none = json!({ "virtualization": null, "virtualizationDetails": null });
    assert_eq!(found["plain"]["nodes"][0], none);
}

#[tokio::test]
async fn where_a_record_comes_from_is_an_object() {
    let world = World::new().await;
    let network = &world.ours.networks[0];
    let scan = json!({ "type": "Network", "date": "2026-01-01T00:00:00Z", "subnet": "lan" });
    let cases: [(Value, Value); 5] = [
        (json!({ "type": "Manual" }), json!({ "type": "MANUAL", "scans": [], "matched": null })),
        (json!({ "type": "System" }), json!({ "type": "SYSTEM", "scans": [], "matched": null })),
        (json!({ "type": "Unknown" }), json!({ "type": "UNKNOWN", "scans": [], "matched": null })),
        (
            json!({ "type": "Discovery", "metadata": [scan, {}] }),
            json!({ "type": "DISCOVERY", "matched": null, "scans": [
                { "type": "Network", "date": "2026-01-01T00:00:00Z", "metadata": scan },
                { "type": null, "date": null, "metadata": {} },
            ] }),
        ),
        (
            json!({ "type": "DiscoveryWithMatch", "metadata": [], "details": { "by": ["port", 1] } }),
            json!({ "type": "DISCOVERY_WITH_MATCH", "scans": [], "matched": { "by": ["port", 1] } }),
        ),
    ];
    for (stored, expected) in cases {
        let source: Source = serde_json::from_value(stored.clone()).unwrap();
        let host = hosts::Host { source, ..plenty::host(network.id, "scanned") };
        let id: Id = host.id;
        insert::<hosts::Entity, _>(&world.test, host).await;
        let query = "query Q($id: ID!) { host(id: $id) { source sourceDetails { type matched scans { type date metadata } } } }";
        let found = ask(&world, query, json!({ "id": id })).await;
        assert_eq!(found["host"], json!({ "source": stored, "sourceDetails": expected }));
    }
    let query = "{ services(first: 1) { nodes { sourceDetails { type } } } groups(first: 1) { nodes { sourceDetails { type } } } subnets(first: 1) { nodes { sourceDetails { type } } } }";
    let found = ask(&world, query, json!({})).await;
    for list in ["services", "groups", "subnets"] {
        assert_eq!(found[list]["nodes"], json!([{ "sourceDetails": { "type": "MANUAL" } }]));
    }
}
