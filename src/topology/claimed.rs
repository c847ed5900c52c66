//! Who names a port, or its device, and yet has no link there.

use super::{
    crowded::listed,
    links::{NONE, Seen},
    observation::Method,
    snapshot::Snapshot,
    unlinked::UnlinkedReason,
};

/// Something seen that names a port, and the link that is known with more authority.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overruled {
    /// The port that is named.
    port: u32,
    seen: u32,
    link: u32,
}

impl Snapshot {
    /// What is known with more authority than something seen, and what there is to do.
    pub(super) fn against(&self, place: u32) -> Option<String> {
        let seen = &self.seen[place as usize];
        if seen.outranked {
            let ports = [seen.port, seen.far_port].into_iter().filter(|port| *port != NONE);
            let ports: Vec<String> = ports.map(|port| self.called(port)).collect();
            return Some(format!(
                " If this is a second cable, switch LLDP on at {}, or pin it.",
                ports.join(" and ")
            ));
        }
        let hosts = [seen.host, seen.far_host].into_iter().filter(|host| *host != NONE);
        let mut links = hosts.flat_map(|host| self.links_of(host));
        let link = links.find_map(|link| {
            let link = &self.links[link as usize];
            link.contradictions.contains(&place).then_some(link)
        })?;
        let (ends, remedy) = (self.ends_called(link.ends), remedy(link.method));
        let by = link.method.by();
        Some(format!(" But {ends} are joined by {by}, which counts more. {remedy}"))
    }

    /// Why a port has no link that others name: what they are joined to instead, and what there is to
    /// do.
    pub(super) fn overruled_at(&self, port: u32) -> Option<(UnlinkedReason, String)> {
        let all = self.overruled.get_or_init(|| self.overruled());
        let first = all.partition_point(|one| one.port < port);
        let here = all[first..].iter().take_while(|one| one.port == port);
        let here: Vec<&Overruled> = here.take(SHOWN).collect();
        let outranked = self.seen[here.first()?.seen as usize].outranked;
        let reason =
            if outranked { UnlinkedReason::Outranked } else { UnlinkedReason::Contradicted };
        let sentences: Vec<String> = here.iter().map(|one| self.told_overruled(one)).collect();
        Some((reason, sentences.join(" ")))
    }

    fn overruled(&self) -> Vec<Overruled> {
        let mut all = Vec::new();
        for (place, link) in (0_u32..).zip(&self.links) {
            let beside = link.evidence.iter().filter(|seen| self.seen[**seen as usize].outranked);
            let named = link.contradictions.iter().chain(beside).map(|seen| Overruled {
                port: self.seen[*seen as usize].far_port,
                seen: *seen,
                link: place,
            });
            all.extend(named.filter(|one| one.port != NONE));
        }
        // What a port hears is worth more than what its table says.
        let order = |one: &Overruled| (one.port, self.seen[one.seen as usize].method, one.seen);
        all.sort_unstable_by_key(order);
        all.dedup_by_key(|one| (one.port, one.seen));
        all
    }

    fn told_overruled(&self, one: &Overruled) -> String {
        let (seen, link) = (&self.seen[one.seen as usize], &self.links[one.link as usize]);
        let (named, by) = (self.naming(seen, "this port"), link.method.by());
        if seen.outranked {
            return format!(
                "{named}, but {} are joined by {by}. If this is a second cable, switch LLDP on at \
                 both of its ends, or pin it.",
                self.ends_called(link.ends)
            );
        }
        let (far, remedy) = (self.end_called(link.other_end(seen.port)), remedy(link.method));
        match link.method {
            Method::Pinned => format!("{named}, but is pinned to {far}. {remedy}"),
            _ => format!("{named}, but is joined to {far} by {by}. {remedy}"),
        }
    }

    /// Which ports are joined to a device, but to no port of it that is known, and what there is to
    /// do if it is the one that is asked for.
    pub(super) fn joined_to_device(&self, host: u32) -> Option<String> {
        let mut by = Vec::new();
        for link in self.links_of(host) {
            let link = &self.links[link as usize];
            let is_open = link.ends.iter().any(|end| (end.host, end.port) == (host, NONE));
            let mut evidence = link.evidence.iter().map(|seen| &self.seen[*seen as usize]);
            let seen = evidence.find(|seen| seen.far_host == host && seen.far_port == NONE);
            by.extend(seen.filter(|_| is_open).map(|seen| self.naming(seen, "this device")));
        }
        (!by.is_empty()).then(|| {
            format!(
                "{}, but at no port that is known: if it is this one, pin it there, or record this \
                 port under the name by which it is heard.",
                listed(by)
            )
        })
    }

    fn naming(&self, Seen { port, method, .. }: &Seen, what: &str) -> String {
        let port = self.called(*port);
        match method {
            Method::Pinned => format!("{port} is pinned to {what}"),
            Method::Lldp | Method::Cdp => format!("{port} hears {what}"),
            Method::Fdb => format!("{port} has only {what} in its forwarding table"),
        }
    }
}

const fn remedy(method: Method) -> &'static str {
    match method {
        Method::Pinned => "Remove that pin if it is wrong, or move the cable.",
        _ => "One of both is of the past, or the cables are mixed up.",
    }
}

/// How many who name a port are told of.
const SHOWN: usize = 3;
