//! Two organizations that have the same things and must never learn of each other.

use sea_orm::{
    ActiveValue::Set,
    ConnectionTrait as _, EntityTrait,
    sea_query::{Alias, Expr, Query},
};
use toposcope::{
    api_keys, auth, bindings, groups, hosts, if_entries, interfaces, networks, organizations,
    ports,
    resource::{Resource, rows},
    services, subnets,
    tags::{self, TagOwner},
    users,
};
use toposcope_types::{
    AdminStatus, BigInt, BindingType, Color, EdgeStyle, GroupType, Id, OperStatus, PermissionLevel,
    Source, SubnetType, Timestamp, TransportProtocol,
};

use crate::support::app::TestApp;

/// The application with both organizations in it.
pub(crate) struct World {
    pub(crate) test: TestApp,
    pub(crate) ours: Tenant,
    pub(crate) theirs: Tenant,
}

/// One organization: two networks, four users, and in each network what a network can hold.
pub(crate) struct Tenant {
    pub(crate) organization: Id,
    /// The first is granted to the member and the viewer, the second to nobody.
    pub(crate) networks: [SampleNetwork; 2],
    pub(crate) owner: Person,
    pub(crate) admin: Person,
    pub(crate) member: Person,
    pub(crate) viewer: Person,
    pub(crate) tags: [Id; 2],
}

/// A user with a session and an API key of the same level that reaches both networks as far as
/// the user does.
pub(crate) struct Person {
    pub(crate) id: Id,
    pub(crate) session: String,
    pub(crate) key: String,
    pub(crate) key_id: Id,
}

/// A network of two hosts, `alpha` and `beta`, each with an interface, three ports (22, 80, 443),
/// two entries of its interface table and two services: `SSH` on port 22 and the interface, `Nginx`
/// on 80 and 443 on all interfaces; and of a group of all six port bindings.
pub(crate) struct SampleNetwork {
    pub(crate) id: Id,
    pub(crate) subnet: Id,
    pub(crate) hosts: [Equipment; 2],
    pub(crate) group: Id,
}

pub(crate) struct Equipment {
    pub(crate) id: Id,
    pub(crate) interface: Id,
    pub(crate) ports: [Id; 3],
    pub(crate) if_entries: [Id; 2],
    pub(crate) services: [Id; 2],
    /// SSH 22, Nginx 80, Nginx 443.
    pub(crate) bindings: [Id; 3],
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::on(TestApp::new().await).await
    }

    pub(crate) async fn on(test: TestApp) -> Self {
        let ours = Tenant::new(&test, "ours").await;
        let theirs = Tenant::new(&test, "theirs").await;
        Self { test, ours, theirs }
    }
}

impl Tenant {
    async fn new(test: &TestApp, name: &str) -> Self {
        let db = test.app.db.writer();
        let organization = organizations::create(db, name.to_owned()).await.unwrap().id;
        let tags = [tag(test, organization, "red").await, tag(test, organization, "blue").await];
        let networks = [
            SampleNetwork::new(test, organization, &tags, "one").await,
            SampleNetwork::new(test, organization, &tags, "two").await,
        ];
        let ids = [networks[0].id, networks[1].id];
        let person = |level: PermissionLevel, granted: &'static [usize]| {
            person(test, organization, name, level, ids, granted)
        };
        Self {
            organization,
            owner: person(PermissionLevel::Owner, &[]).await,
            admin: person(PermissionLevel::Admin, &[]).await,
            member: person(PermissionLevel::Member, &[0]).await,
            viewer: person(PermissionLevel::Viewer, &[0]).await,
            networks,
            tags,
        }
    }
}

async fn person(
    test: &TestApp,
    organization: Id,
    name: &str,
    level: PermissionLevel,
    networks: [Id; 2],
    granted: &[usize],
) -> Person {
    let db = test.app.db.writer();
    let new = users::NewUser {
        organization_id: organization,
        email: format!("{level:?}@{name}.example.com").to_lowercase(),
        permissions: level,
        hash: String::new(),
        terms_accepted_at: None,
    };
    let user = users::add(db, new).await.unwrap();
    for network in granted {
        link(test, "user_network", [("user_id", user.id), ("network_id", networks[*network])], 0)
            .await;
    }
    let (key_id, key) = key(test, &user, level, &networks).await;
    let session = auth::session::start(db, Some(user.id), None).await.unwrap();
    Person { id: user.id, session, key, key_id }
}

/// A key that was given networks, whatever its owner reaches.
pub(crate) async fn key(
    test: &TestApp,
    user: &users::User,
    level: PermissionLevel,
    networks: &[Id],
) -> (Id, String) {
    let db = test.app.db.writer();
    let now = Timestamp::now();
    let row = api_keys::ApiKey {
        id: Id::new(),
        created_at: now,
        updated_at: now,
        name: format!("{level:?} key"),
        organization_id: user.organization_id,
        user_id: user.id,
        permissions: level,
        last_used: None,
        expires_at: None,
        is_enabled: true,
        all_networks: false,
    };
    let id = row.id;
    insert::<api_keys::Entity, _>(test, row).await;
    let secret = auth::api_key::issue(db, id).await.unwrap();
    for (position, network) in (0..).zip(networks) {
        link(test, "api_key_network", [("api_key_id", id), ("network_id", *network)], position)
            .await;
    }
    test.app.credentials.forget();
    (id, secret)
}

async fn tag(test: &TestApp, organization: Id, name: &str) -> Id {
    let now = Timestamp::now();
    let row = tags::Tag {
        id: Id::new(),
        created_at: now,
        updated_at: now,
        name: name.to_owned(),
        description: None,
        color: Color::Blue,
        organization_id: organization,
    };
    let id = row.id;
    insert::<tags::Entity, _>(test, row).await;
    id
}

impl SampleNetwork {
    async fn new(test: &TestApp, organization: Id, tags: &[Id; 2], name: &str) -> Self {
        let db = test.app.db.writer();
        let network = networks::insert(db, Id::new(), organization, name.to_owned()).await.unwrap();
        let now = Timestamp::now();
        let subnet = subnets::Subnet {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            cidr: "10.0.0.0/24".parse().unwrap(),
            network_id: network.id,
            name: "lan".to_owned(),
            description: None,
            subnet_type: SubnetType::Lan,
            source: Source::Manual,
        };
        let subnet_id = subnet.id;
        insert::<subnets::Entity, _>(test, subnet).await;
        let hosts = [
            Equipment::new(test, network.id, subnet_id, 1, "alpha").await,
            Equipment::new(test, network.id, subnet_id, 2, "beta").await,
        ];
        let nginx = hosts[0].services[1];
        tags::assign(db, TagOwner::Service, &[(nginx, tags[0]), (nginx, tags[1])]).await.unwrap();
        let now = Timestamp::now();
        let group = groups::Group {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            name: "path".to_owned(),
            network_id: network.id,
            description: None,
            group_type: GroupType::RequestPath,
            source: Source::Manual,
            color: Color::Teal,
            edge_style: EdgeStyle::Step,
        };
        let group_id = group.id;
        insert::<groups::Entity, _>(test, group).await;
        let bindings: Vec<(Id, Id)> =
            hosts.iter().flat_map(|host| host.bindings).map(|id| (group_id, id)).collect();
        groups::insert_bindings(db, &bindings).await.unwrap();
        tags::assign(db, TagOwner::Group, &[(group_id, tags[0])]).await.unwrap();
        networks::recount(db, network.id).await.unwrap();
        Self { id: network.id, subnet: subnet_id, hosts, group: group_id }
    }
}

impl Equipment {
    async fn new(test: &TestApp, network: Id, subnet: Id, nth: u8, name: &str) -> Self {
        let now = Timestamp::now();
        let host = hosts::Host {
            name: name.to_owned(),
            hostname: Some(format!("{name}.lan")),
            sys_name: Some(name.to_uppercase()),
            ..hosts::Host::blank(Id::new(), network, now)
        };
        let host_id = host.id;
        insert::<hosts::Entity, _>(test, host).await;
        let interface = interfaces::Interface {
            id: Id::new(),
            created_at: now,
            updated_at: now,
            network_id: network,
            host_id,
            subnet_id: subnet,
            ip_address: format!("10.0.0.{nth}").parse().unwrap(),
            mac_address: Some([2, 0, 0, 0, 0, nth].into()),
            name: Some("eth0".to_owned()),
            position: 0,
        };
        let interface_id = interface.id;
        insert::<interfaces::Entity, _>(test, interface).await;
        let mut port_ids = Vec::new();
        for number in [22, 80, 443] {
            let port = ports::Port {
                id: Id::new(),
                created_at: now,
                updated_at: now,
                host_id,
                network_id: network,
                number,
                protocol: TransportProtocol::Tcp,
            };
            port_ids.push(port.id);
            insert::<ports::Entity, _>(test, port).await;
        }
        let mut if_entry_ids = Vec::new();
        for if_index in [1, 2] {
            let entry = if_entry(network, host_id, if_index);
            if_entry_ids.push(entry.id);
            insert::<if_entries::Entity, _>(test, entry).await;
        }
        let mut service_ids = Vec::new();
        for (position, definition) in (0..).zip(["SSH", "Nginx"]) {
            let service = services::Service {
                id: Id::new(),
                created_at: Timestamp::now(),
                updated_at: now,
                host_id,
                network_id: network,
                service_definition: definition.to_owned(),
                name: format!("{definition} on {name}"),
                virtualization: None,
                source: Source::Manual,
                position,
            };
            service_ids.push(service.id);
            insert::<services::Entity, _>(test, service).await;
        }
        let mut binding_ids = Vec::new();
        for (service, port, interface) in [
            (service_ids[0], port_ids[0], Some(interface_id)),
            (service_ids[1], port_ids[1], None),
            (service_ids[1], port_ids[2], None),
        ] {
            let binding = bindings::Model {
                id: Id::new(),
                created_at: Timestamp::now(),
                updated_at: now,
                service_id: service,
                network_id: network,
                binding_type: BindingType::Port,
                port_id: Some(port),
                interface_id: interface,
            };
            binding_ids.push(binding.id);
            insert::<bindings::Entity, _>(test, binding).await;
        }
        Self {
            id: host_id,
            interface: interface_id,
            ports: port_ids.try_into().unwrap(),
            if_entries: if_entry_ids.try_into().unwrap(),
            services: service_ids.try_into().unwrap(),
            bindings: binding_ids.try_into().unwrap(),
        }
    }
}

/// An entry of an interface table that has heard nothing.
pub(crate) fn if_entry(network: Id, host: Id, if_index: i32) -> if_entries::IfEntry {
    let now = Timestamp::now();
    if_entries::IfEntry {
        id: Id::new(),
        created_at: now,
        updated_at: now,
        host_id: host,
        network_id: network,
        if_index,
        if_descr: format!("GigabitEthernet0/{if_index}"),
        if_name: Some(format!("Gi0/{if_index}")),
        if_alias: None,
        if_type: 6,
        speed_bps: Some(BigInt(1_000_000_000)),
        admin_status: AdminStatus::Up,
        oper_status: OperStatus::Up,
        mac_address: None,
        interface_id: None,
        lag_if_index: None,
        parent_if_index: None,
        mtu: None,
        duplex: None,
        native_vlan: None,
        tagged_vlans: None,
        stp_state: None,
        fdb_macs: None,
        neighbor_if_entry_id: None,
        neighbor_host_id: None,
        neighbor_pinned: false,
    }
}

/// Writes one row as it is.
pub(crate) async fn insert<E, M>(test: &TestApp, row: M)
where
    E: Resource<Model = M>,
{
    test.app.db.writer().execute(&rows::inserted::<E>([row])).await.unwrap();
}

async fn link(test: &TestApp, table: &'static str, ids: [(&'static str, Id); 2], position: i32) {
    let insert = Query::insert()
        .into_table(Alias::new(table))
        .columns([ids[0].0, ids[1].0, "position"].map(Alias::new))
        .values_panic([Expr::val(ids[0].1), Expr::val(ids[1].1), Expr::val(position)])
        .to_owned();
    test.app.db.writer().execute(&insert).await.unwrap();
}

/// Changes an API key behind the back of the operations, as another process would.
pub(crate) async fn change_key(
    test: &TestApp,
    id: Id,
    change: impl FnOnce(&mut api_keys::ActiveModel),
) {
    let mut row = api_keys::ActiveModel { id: Set(id), ..Default::default() };
    change(&mut row);
    api_keys::Entity::update(row).exec(test.app.db.writer()).await.unwrap();
    test.app.credentials.forget();
}
