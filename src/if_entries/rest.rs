//! Interface-table entries over REST.

use sea_orm::ConnectionTrait;
use toposcope_types::{Id, Timestamp};

use super::{Entity, FullIfEntry, IfEntryFilter, IfEntryInput};
use crate::{
    app::App,
    auth::Viewer,
    error::Result,
    input::{New, Part, Whole},
    resource::Precondition,
    rest::{
        query::Query,
        resource::{self, Creatable, Readable, Updatable},
        routes::Routes,
    },
};

/// Returns the routes for interface-table entries.
pub fn router() -> Routes {
    resource::all::<Entity>()
}

impl Readable for Entity {
    const PATH: &'static str = "/if-entries";
    const NAMES: (&'static str, &'static str) = ("if_entry", "if_entries");
    const TAG: &'static str = "Interface-table entries";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "updated_at",
        "host_id",
        "network_id",
        "if_index",
        "if_descr",
        "if_name",
        "if_alias",
        "if_type",
        "speed_bps",
        "admin_status",
        "oper_status",
        "mac_address",
        "interface_id",
        "neighbor",
        "lldp_chassis_id",
        "lldp_port_id",
        "lldp_sys_name",
        "lldp_port_desc",
        "lldp_mgmt_addr",
        "lldp_sys_desc",
        "cdp_device_id",
        "cdp_port_id",
        "cdp_platform",
        "cdp_address",
        "fdb_macs",
        "lag_if_index",
        "parent_if_index",
        "mtu",
        "duplex",
        "native_vlan",
        "tagged_vlans",
        "stp_state",
    ];
    type Full = FullIfEntry;

    fn updated_at(full: &Self::Full) -> Timestamp {
        full.entry.updated_at
    }

    fn filter(query: &mut Query) -> Result<Self::Filter> {
        Ok(IfEntryFilter {
            network_id: query.id("network_id")?,
            host_id: query.id("host_id")?,
            interface_id: query.id("interface_id")?,
            id: query.ids("ids")?,
            if_index: query.int("if_index")?,
            mac_address: query.address("mac_address")?,
            lag_if_index: query.int("lag_if_index")?,
            parent_if_index: query.int("parent_if_index")?,
            mtu: query.int("mtu")?,
            duplex: query.value("duplex")?,
            native_vlan: query.int("native_vlan")?,
            vlan: query.one("vlan")?,
            stp_state: query.value("stp_state")?,
            ..IfEntryFilter::default()
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

    fn late(full: &FullIfEntry) -> u64 {
        full.entry.late()
    }

    fn unfolded(full: &FullIfEntry) -> u64 {
        full.entry.unfolded()
    }

    async fn read_late(
        app: &App,
        db: &impl ConnectionTrait,
        viewer: &Viewer,
        rows: &mut [FullIfEntry],
    ) -> Result<()> {
        let entries = rows.iter_mut().map(|full| &mut full.entry).collect();
        super::read_tables(app, db, viewer, entries).await
    }
}

impl Creatable for Entity {
    type Input = Part<IfEntryInput, New>;

    async fn create(app: &App, viewer: &Viewer, input: Self::Input) -> Result<Self::Full> {
        super::create(app, viewer, input.input).await
    }
}

impl Updatable for Entity {
    const SUMMARY: &'static str =
        "Replaces one; omitted fields become empty, except those that say otherwise.";
    type Input = Part<IfEntryInput, Whole>;

    async fn update(
        app: &App,
        viewer: &Viewer,
        id: Id,
        input: Self::Input,
        precondition: &Precondition,
    ) -> Result<Self::Full> {
        super::update(app, viewer, id, input.input, precondition).await
    }
}
