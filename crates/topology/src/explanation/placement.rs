//! Sentences that say why an interface counts as part of another one.

use crate::{
    network::{Snapshot, links::NONE},
    resolution::sockets::Basis,
};

impl Snapshot {
    /// Tells which ports of an observation have no socket of their own, and how that is known.
    pub fn told_sockets(&self, seen: u32) -> Option<String> {
        let seen = &self.seen[seen as usize];
        let ports = [seen.port, seen.far_port].into_iter().filter(|port| *port != NONE);
        let told: Vec<String> = ports.filter_map(|port| self.told_socket(port)).collect();
        (!told.is_empty()).then(|| told.concat())
    }

    fn told_socket(&self, port: u32) -> Option<String> {
        let node = &self.ports[port as usize];
        if node.socket != port {
            let how = match node.basis? {
                Basis::Recorded => "as is recorded",
                Basis::Name => "as its name tells",
                Basis::Mac => "whose MAC address it has",
            };
            let over = &self.ports[node.socket as usize].name;
            return Some(format!(" {} runs over `{over}`, {how}.", self.called(port)));
        }
        let lender = self.ports.get(node.borrows as usize)?;
        Some(format!(" {} has the MAC address of `{}`.", self.called(port), lender.name))
    }
}
