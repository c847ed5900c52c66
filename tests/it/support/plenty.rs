//! A network with as many things as a test wants, written in a few statements.

use sea_orm::{ConnectionTrait as _, EntityTrait as _};
use toposcope::{
    bindings, groups, hosts,
    if_entries::{self, observation},
    interfaces, networks, ports,
    resource::{Resource, rows},
    services,
    tags::{self, TagOwner},
};
use toposcope_types::{
    BindingType, Color, EdgeStyle, GroupType, Id, NeighborProtocol, Source, Timestamp,
    TransportProtocol,
};

use crate::support::{
    app::TestApp,
    world::{SampleNetwork, Tenant, if_entry},
};

/// Adds hosts in a ring: each with an interface, two ports, two entries of its interface table (the
/// second is connected to the first of the next host, and heard it), a service with two bindings, a
/// group of those, and a tag on all that can carry one.
pub(crate) async fn ring(
    test: &TestApp,
    tenant: &Tenant,
    network: &SampleNetwork,
    count: usize,
) -> Vec<Id> {
    let now = Timestamp::now();
    let mut hosts = Vec::new();
    let (mut addresses, mut sockets, mut entries, mut heard) = (vec![], vec![], vec![], vec![]);
    let (mut running, mut listening, mut grouped) = (vec![], vec![], vec![]);
    for nth in 0..count {
        let host = host(network.id, &format!("ring {nth:04}"));
        let address = interfaces::Interface {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            network_id: network.id,
            host_id: host.id,
            subnet_id: network.subnet,
            ip_address: format!("10.1.{}.{}", nth / 256, nth % 256).parse().unwrap(),
            mac_address: None,
            name: None,
            position: 0,
        };
        for if_index in [1, 2] {
            let entry = if_entry(network.id, host.id, if_index);
            heard.push(observation(&entry));
            entries.push(if_entries::IfEntry { interface_id: Some(address.id), ..entry });
        }
        let service = service(network.id, host.id);
        for number in [1, 2] {
            let port = ports::Port {
                id: Id::new(),
                created_at: now,
                updated_at: now,
                host_id: host.id,
                network_id: network.id,
                number,
                protocol: TransportProtocol::Udp,
            };
            listening.push(bindings::Model {
                id: Id::new(),
                created_at: now,
                updated_at: now,
                service_id: service.id,
                network_id: network.id,
                binding_type: BindingType::Port,
                port_id: Some(port.id),
                interface_id: Some(address.id),
            });
            sockets.push(port);
        }
        grouped.push(group(network.id));
        hosts.push(host);
        addresses.push(address);
        running.push(service);
    }
    let next = |nth: usize| entries[(nth + 1) % entries.len()].id;
    let neighbors: Vec<_> =
        (0..entries.len()).map(|nth| (nth % 2 == 1).then(|| next(nth))).collect();
    let ids: Vec<Id> = hosts.iter().map(|host| host.id).collect();
    let carried =
        |owners: Vec<Id>| owners.into_iter().map(|id| (id, tenant.tags[0])).collect::<Vec<_>>();
    let (tagged_services, tagged_groups) = (
        carried(running.iter().map(|service| service.id).collect()),
        carried(grouped.iter().map(|group| group.id).collect()),
    );
    let members: Vec<_> =
        (0..).zip(&listening).map(|(nth, row): (usize, _)| (grouped[nth / 2].id, row.id)).collect();

    insert::<hosts::Entity, _>(test, hosts).await;
    insert::<interfaces::Entity, _>(test, addresses).await;
    insert::<ports::Entity, _>(test, sockets).await;
    insert::<if_entries::Entity, _>(test, entries.clone()).await;
    insert::<observation::Entity, _>(test, heard).await;
    insert::<services::Entity, _>(test, running).await;
    insert::<bindings::Entity, _>(test, listening).await;
    insert::<groups::Entity, _>(test, grouped).await;
    connect(test, &entries, &neighbors).await;
    let db = test.app.db.writer();
    for pairs in members.chunks(5000) {
        groups::insert_bindings(db, pairs).await.unwrap();
    }
    for (owner, pairs) in [
        (TagOwner::Host, carried(ids.clone())),
        (TagOwner::Service, tagged_services),
        (TagOwner::Group, tagged_groups),
    ] {
        tags::assign(db, owner, &pairs).await.unwrap();
    }
    networks::recount(db, network.id).await.unwrap();
    ids
}

/// Says of each entry what it is connected to.
async fn connect(test: &TestApp, entries: &[if_entries::IfEntry], neighbors: &[Option<Id>]) {
    let transaction = test.app.db.begin().await.unwrap();
    for (entry, neighbor) in entries.iter().zip(neighbors) {
        let Some(neighbor) = neighbor else { continue };
        let row = if_entries::ActiveModel {
            id: sea_orm::ActiveValue::Set(entry.id),
            neighbor_if_entry_id: sea_orm::ActiveValue::Set(Some(*neighbor)),
            ..Default::default()
        };
        if_entries::Entity::update(row).exec(&transaction).await.unwrap();
    }
    transaction.commit().await.unwrap();
}

/// A host of which only the name is known.
pub(crate) fn host(network: Id, name: &str) -> hosts::Host {
    let blank = hosts::Host::blank(Id::new(), network, Timestamp::now());
    hosts::Host { name: name.to_owned(), ..blank }
}

pub(crate) fn service(network: Id, host: Id) -> services::Service {
    let now = Timestamp::now();
    services::Service {
        id: Id::new(),
        created_at: now,
        updated_at: now,
        host_id: host,
        network_id: network,
        service_definition: "Redis".to_owned(),
        name: "cache".to_owned(),
        virtualization: None,
        source: Source::Manual,
        position: 0,
    }
}

fn group(network: Id) -> groups::Group {
    let now = Timestamp::now();
    groups::Group {
        id: Id::new(),
        created_at: now,
        updated_at: now,
        name: "pair".to_owned(),
        network_id: network,
        description: None,
        group_type: GroupType::HubAndSpoke,
        source: Source::Manual,
        color: Color::Blue,
        edge_style: EdgeStyle::Straight,
    }
}

fn observation(entry: &if_entries::IfEntry) -> if_entries::Observation {
    let heard = if_entries::Heard { sys_name: Some("next".to_owned()), ..Default::default() };
    if_entries::new_observation(entry, NeighborProtocol::Lldp, 0, heard, None)
}

/// Writes many rows as they are.
pub(crate) async fn insert<E, M>(test: &TestApp, rows: Vec<M>)
where
    E: Resource<Model = M>,
    M: Clone,
{
    for rows in rows.chunks(1000) {
        let statement = rows::inserted::<E>(rows.iter().cloned());
        test.app.db.writer().execute(&statement).await.unwrap();
    }
}
