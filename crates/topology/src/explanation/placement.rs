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
        let name = |port: u32| self.ports.get(port as usize).map(|port| &port.name);
        let over = (node.socket != port).then(|| {
            let over = &self.ports[node.socket as usize].name;
            format!(" {} runs over `{over}`, {}.", self.called(port), node.basis.map_or("", how))
        });
        let borrows = name(node.borrows)
            .map(|lender| format!(" {} has the MAC address of `{lender}`.", self.called(port)));
        let member = name(node.bundle).map(|aggregate| {
            let how = node.bundle_basis.map_or("", how);
            format!(
                " `{}` is a member of `{aggregate}`, {how}.",
                self.ports[node.socket as usize].name
            )
        });
        let told: Vec<String> = [over, borrows, member].into_iter().flatten().collect();
        (!told.is_empty()).then(|| told.concat())
    }
}

fn how(basis: Basis) -> &'static str {
    match basis {
        Basis::Recorded => "as is recorded",
        Basis::Name => "as its name tells",
        Basis::Mac => "as their common MAC address tells",
    }
}
