//! Many rows at once.

use sea_orm::{
    ActiveModelTrait as _, ConnectionTrait as _, EntityTrait as _, IntoActiveModel as _,
};
use toposcope::{
    auth::{Token, Viewer},
    bindings, networks,
    resource::rows,
    services,
    tags::{self, TagOwner},
};
use toposcope_types::{BindingType, Id, Source, Timestamp};

use crate::support::{
    app::TestApp,
    world::{Person, SampleNetwork},
};

const ROWS: usize = 1000;

/// Bindings of the first service of a network, to the first interface.
pub(crate) async fn bindings(test: &TestApp, network: &SampleNetwork, count: usize) -> Vec<Id> {
    let host = &network.hosts[0];
    let rows = (0..count).map(|_| binding(network.id, host.services[0], host.interface));
    let rows: Vec<bindings::Model> = rows.collect();
    write_bindings(test, &rows).await;
    networks::recount(test.app.db.writer(), network.id).await.unwrap();
    rows.iter().map(|row| row.id).collect()
}

/// Services on the first host of a network, each with a binding and a tag; `change` gives each its own look.
pub(crate) async fn services(
    test: &TestApp,
    network: &SampleNetwork,
    tag: Id,
    count: usize,
    change: impl Fn(usize, &mut services::Service),
) -> Vec<services::Service> {
    let host = &network.hosts[0];
    let mut rows = Vec::with_capacity(count);
    for nth in 0..count {
        let now = Timestamp::now();
        let mut row = services::Service {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            host_id: host.id,
            network_id: network.id,
            service_definition: "SSH".to_owned(),
            name: format!("service {nth}"),
            virtualization: None,
            source: Source::Manual,
            position: 0,
        };
        change(nth, &mut row);
        rows.push(row);
    }
    let db = test.app.db.writer();
    for rows in rows.chunks(ROWS) {
        let statement = rows::inserted::<services::Entity>(rows.iter().cloned());
        db.execute(&statement).await.unwrap();
    }
    let bound: Vec<_> =
        rows.iter().map(|row| binding(network.id, row.id, host.interface)).collect();
    write_bindings(test, &bound).await;
    let tagged: Vec<(Id, Id)> = rows.iter().map(|row| (row.id, tag)).collect();
    tags::assign(db, TagOwner::Service, &tagged).await.unwrap();
    networks::recount(db, network.id).await.unwrap();
    rows
}

fn binding(network_id: Id, service_id: Id, interface_id: Id) -> bindings::Model {
    let now = Timestamp::now();
    bindings::Model {
        id: Id::new(),
        created_at: now,
        updated_at: now,
        service_id,
        network_id,
        binding_type: BindingType::Interface,
        port_id: None,
        interface_id: Some(interface_id),
    }
}

async fn write_bindings(test: &TestApp, rows: &[bindings::Model]) {
    for rows in rows.chunks(ROWS) {
        let rows = rows.iter().map(|row| row.clone().into_active_model().reset_all());
        let db = test.app.db.writer();
        bindings::Entity::insert_many(rows).exec_without_returning(db).await.unwrap();
    }
}

/// Returns the viewer that a person's key makes.
pub(crate) async fn viewer(test: &TestApp, person: &Person) -> Viewer {
    let caller = test.app.look_up(Token::api_key(&person.key)).await;
    caller.unwrap().viewer().unwrap().clone()
}
