//! Hosts over REST.

use std::collections::HashMap;

use axum::{extract::State, http::Method, response::Response};
use sea_orm::ConnectionTrait;
use toposcope_types::{Id, PermissionLevel, Timestamp};

use super::{Entity, FullHost, HostFilter, HostInput};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    if_entries,
    input::{New, Part},
    resource::Precondition,
    rest::{
        endpoint::{Access, Endpoint},
        extract::{Member, NoQuery, Paths},
        query::Query,
        resource::{self, Creatable, LateParts, Readable, Updatable},
        routes::Routes,
    },
};

/// Returns the routes for hosts.
pub fn router() -> Routes {
    let consolidate = Endpoint::new(
        Method::PUT,
        "/hosts/{destination}/consolidate/{other}",
        "consolidate_hosts",
        "Moves everything that belongs to the other host to the destination, and deletes the other host.",
    )
    .tag(Entity::TAG)
    .access(Access::Level(PermissionLevel::Member))
    .conflicts()
    .answers::<FullHost>()
    .versioned();
    resource::all::<Entity>().add(consolidate, merge)
}

async fn merge(
    State(app): State<App>,
    Member(viewer): Member,
    Paths(destination, other): Paths,
    _: NoQuery,
) -> Result<Response> {
    let full = super::consolidate(&app, &viewer, destination, other).await?;
    resource::answer::<Entity>(&app, &viewer, full).await
}

impl Readable for Entity {
    const PATH: &'static str = "/hosts";
    const NAMES: (&'static str, &'static str) = ("host", "hosts");
    const LIST: Option<&'static str> = Some("get_all_hosts");
    const TAG: &'static str = "Hosts";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "updated_at",
        "name",
        "network_id",
        "hostname",
        "description",
        "source",
        "virtualization",
        "hidden",
        "sys_name",
        "sys_descr",
        "sys_object_id",
        "sys_location",
        "sys_contact",
        "management_url",
        "management_address",
        "chassis_id",
        "manufacturer",
        "model",
        "serial_number",
        "tags",
        "software_version",
        "stack_members",
    ];
    /// Each host may have thousands of parts.
    const TOGETHER: usize = 100;
    type Full = FullHost;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.host.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(HostFilter {
            network_id: query.id("network_id")?,
            id: query.ids("ids")?,
            tag_id: query.ids("tag_ids")?,
            name: query.text("name")?,
            ..HostFilter::default()
        })
    }

    async fn full(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        rows: Vec<Self::Model>,
    ) -> Result<Vec<Self::Full>> {
        super::full(app, db, viewer, rows).await
    }

    fn late(full: &FullHost) -> u64 {
        full.late()
    }

    fn unfolded(full: &FullHost) -> u64 {
        full.if_entries.iter().map(|full| full.entry.unfolded()).sum()
    }

    async fn read_late(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        rows: &mut [FullHost],
    ) -> Result<()> {
        super::full::read_tables(app, db, viewer, rows).await
    }

    fn late_parts(full: &FullHost) -> Option<LateParts> {
        let entries = full.if_entries.iter().map(|full| (full.entry.id, full.entry.late()));
        let parts = entries.filter(|(_, late)| *late > 0).collect();
        Some(LateParts { id: full.host.id, parts })
    }

    async fn read_parts(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        ids: Vec<Id>,
    ) -> Result<HashMap<Id, Vec<u8>>> {
        let tables = if_entries::tables(app, db, viewer, ids).await?;
        let written = tables
            .into_iter()
            .map(|(id, table)| Ok((id, serde_json::to_vec(&table).map_err(anyhow::Error::from)?)));
        written.collect()
    }
}

impl Creatable for Entity {
    type Input = Part<HostInput, New>;

    async fn create(app: &App, viewer: &Viewer, input: Self::Input) -> Result<Self::Full> {
        super::create(app, viewer, input.input).await
    }
}

impl Updatable for Entity {
    type Input = HostInput;

    async fn update(
        app: &App,
        viewer: &Viewer,
        id: Id,
        input: Self::Input,
        precondition: &Precondition,
    ) -> Result<Self::Full> {
        super::update(app, viewer, id, input, precondition).await
    }
}
