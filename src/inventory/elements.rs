//! The elements of a document: their names, and the lists of elements in them.

use super::{
    document::{
        Binding, Document, Group, Host, IfEntry, Interface, Member, Neighbor, Network, Port,
        Service, Subnet, Tag,
    },
    sieve::{Element, Part},
};
use crate::error::Result;

impl Element for Document {
    const PARTS: &'static [&'static str] = &["network", "tags", "subnets", "hosts", "groups"];

    fn read_part(&mut self, key: &str, part: Part<'_, '_>) -> Result<()> {
        match key {
            "network" => self.network = part.object()?,
            "tags" => self.tags = part.list()?,
            "subnets" => self.subnets = part.list()?,
            "hosts" => self.hosts = part.list()?,
            _ => self.groups = part.list()?,
        }
        Ok(())
    }
}

impl Element for Network {
    const PARTS: &'static [&'static str] = &["tags"];

    fn read_part(&mut self, _: &str, part: Part<'_, '_>) -> Result<()> {
        self.tags = part.list()?;
        Ok(())
    }
}

/// The name of a tag, wherever one is given.
impl Element for String {}

impl Element for Tag {
    const NAMES: &'static [&'static str] = &["name"];
}

impl Element for Subnet {
    const PARTS: &'static [&'static str] = &["tags"];
    const NAMES: &'static [&'static str] = &["cidr"];

    fn read_part(&mut self, _: &str, part: Part<'_, '_>) -> Result<()> {
        self.tags = part.list()?;
        Ok(())
    }
}

impl Element for Host {
    const PARTS: &'static [&'static str] =
        &["tags", "interfaces", "if_entries", "ports", "services"];
    const NAMES: &'static [&'static str] = &["name"];

    fn read_part(&mut self, key: &str, part: Part<'_, '_>) -> Result<()> {
        match key {
            "tags" => self.tags = part.list()?,
            "interfaces" => self.interfaces = part.list()?,
            "if_entries" => self.if_entries = part.list()?,
            "ports" => self.ports = part.list()?,
            _ => self.services = part.list()?,
        }
        Ok(())
    }
}

impl Element for Interface {
    const NAMES: &'static [&'static str] = &["ip_address"];
}

impl Element for IfEntry {
    const PARTS: &'static [&'static str] = &["neighbors_heard"];
    const NAMES: &'static [&'static str] = &["if_name", "if_descr"];

    fn read_part(&mut self, _: &str, part: Part<'_, '_>) -> Result<()> {
        self.neighbors_heard = part.list()?;
        Ok(())
    }
}

impl Element for Neighbor {
    const NAMES: &'static [&'static str] = &["sys_name"];
}

impl Element for Port {
    const NAMES: &'static [&'static str] = &["number"];
}

impl Element for Service {
    const PARTS: &'static [&'static str] = &["tags", "bindings"];
    const NAMES: &'static [&'static str] = &["name"];

    fn read_part(&mut self, key: &str, part: Part<'_, '_>) -> Result<()> {
        match key {
            "tags" => self.tags = part.list()?,
            _ => self.bindings = part.list()?,
        }
        Ok(())
    }
}

impl Element for Binding {}

impl Element for Group {
    const PARTS: &'static [&'static str] = &["tags", "bindings"];
    const NAMES: &'static [&'static str] = &["name"];

    fn read_part(&mut self, key: &str, part: Part<'_, '_>) -> Result<()> {
        match key {
            "tags" => self.tags = part.list()?,
            _ => self.bindings = part.list()?,
        }
        Ok(())
    }
}

impl Element for Member {
    const NAMES: &'static [&'static str] = &["host"];
}
