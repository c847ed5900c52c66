//! Evidence that names a port or its device, and yet forms no link there.

use toposcope_types::{Method, UnlinkedReason};

use crate::{
    network::{
        Snapshot,
        caches::{Overruled, OverruledEvidence},
        links::{NONE, Seen},
    },
    wording::{self, first_of, remedy},
};

impl Snapshot {
    /// Returns the stronger evidence against an observation, and the remedy.
    pub fn against(&self, place: u32) -> Option<String> {
        let seen = &self.seen[place as usize];
        if seen.outranked {
            return Some(self.told_second(seen));
        }
        if seen.superseded {
            return Some(self.told_superseded(seen));
        }
        let hosts = [seen.host, seen.far_host].into_iter().filter(|host| *host != NONE);
        let mut links = hosts.flat_map(|host| self.links_of(host));
        let link = links.find_map(|link| {
            let link = &self.links[link as usize];
            link.contradictions.contains(&place).then_some(link)
        })?;
        let (ends, by) = (self.ends_called(link.ends), link.method.by());
        let remedy = remedy(link.method, seen.method);
        Some(format!(" But {ends} are joined by {by}, which counts more. {remedy}"))
    }

    /// Explains why a port that others name has no link: what they are joined to instead, and the
    /// remedy.
    pub fn overruled_at(&self, port: u32) -> Option<(UnlinkedReason, String)> {
        let here = at(&self.claimed().ports, port, |one| one.port);
        let outranked = self.seen[here.first()?.seen as usize].outranked;
        let reason =
            if outranked { UnlinkedReason::Outranked } else { UnlinkedReason::Contradicted };
        let mut sentences: Vec<String> =
            here.iter().take(SHOWN).map(|one| self.told_overruled(one)).collect();
        match here.len().saturating_sub(SHOWN) {
            0 => {}
            1 => sentences.push("1 more names this port.".to_owned()),
            more => sentences.push(format!("{more} more name this port.")),
        }
        Some((reason, sentences.join(" ")))
    }

    /// Tells which cable LLDP or CDP knows at an end of what a forwarding table suggests.
    fn told_superseded(&self, seen: &Seen) -> String {
        let mut ends = [seen.port, seen.far_port].into_iter().filter(|port| *port != NONE);
        let Some(one) = ends.find_map(|port| self.heard_at(port)) else { return String::new() };
        let one = &self.seen[one as usize];
        format!(
            " {} tells that {} hears {}: the addresses that {} learned are behind that neighbor.",
            one.method.spelled(),
            self.called(one.port),
            self.end_called(one.far()),
            self.called(seen.port)
        )
    }

    /// Returns the first observation by LLDP or CDP at the socket or bundle of a port, or of it.
    fn heard_at(&self, port: u32) -> Option<u32> {
        let root = |port: u32| {
            let port = self.ports.get(port as usize)?;
            Some(if port.bundle == NONE { port.socket } else { port.bundle })
        };
        let heard = self.caches.heard.get_or_init(|| {
            let all = (0_u32..).zip(&self.seen).filter(|(_, one)| one.method.is_heard());
            let mut heard: Vec<(u32, u32)> = all
                .flat_map(|(place, one)| [(root(one.port), place), (root(one.far_port), place)])
                .filter_map(|(root, place)| Some((root?, place)))
                .collect();
            heard.sort_unstable();
            heard
        });
        at(heard, root(port)?, |(root, _)| *root).first().map(|(_, place)| *place)
    }

    fn claimed(&self) -> &OverruledEvidence {
        self.caches.claimed.get_or_init(|| {
            // An observation outranks a forwarding table.
            let order = |one: &Overruled| (one.port, self.seen[one.seen as usize].method, one.seen);
            let mut claimed = self.all_claimed();
            claimed.ports.sort_unstable_by_key(order);
            claimed.ports.dedup_by_key(|one| (one.port, one.seen));
            claimed.devices.sort_by_key(|(host, _)| *host);
            claimed
        })
    }

    fn all_claimed(&self) -> OverruledEvidence {
        let OverruledEvidence { mut ports, mut devices } = OverruledEvidence::default();
        for (place, link) in (0_u32..).zip(&self.links) {
            let open = link.ends.iter().find(|end| end.port == NONE).map(|end| end.host);
            let names_it = |seen: &&u32| {
                let seen = &self.seen[**seen as usize];
                seen.far_port == NONE && Some(seen.far_host) == open
            };
            devices.extend(open.zip(link.evidence.iter().find(names_it).copied()));
            let beside = link.evidence.iter().filter(|seen| self.seen[**seen as usize].outranked);
            let named = link.contradictions.iter().chain(beside).map(|seen| Overruled {
                port: self.seen[*seen as usize].far_port,
                seen: *seen,
                link: place,
            });
            ports.extend(named.filter(|one| one.port != NONE));
        }
        OverruledEvidence { ports, devices }
    }

    fn told_overruled(&self, one: &Overruled) -> String {
        let (seen, link) = (&self.seen[one.seen as usize], &self.links[one.link as usize]);
        let (named, by) = (self.naming(seen, "this port"), link.method.by());
        if seen.outranked {
            return format!(
                "{named}, but {} are joined by {by}.{}",
                self.ends_called(link.ends),
                self.told_second(seen)
            );
        }
        let far = self.end_called(link.other_end(seen.port));
        let remedy = remedy(link.method, seen.method);
        match link.method {
            Method::Pinned => format!("{named}, but is pinned to {far}. {remedy}"),
            _ => format!("{named}, but is joined to {far} by {by}. {remedy}"),
        }
    }

    /// Describes what a forwarding table probably means for two devices that other evidence joins,
    /// and gives the remedy.
    fn told_second(&self, seen: &Seen) -> String {
        let ports = || [seen.port, seen.far_port].into_iter().filter(|port| *port != NONE);
        let of = |port: u32| &self.ports[port as usize];
        if ports().all(|port| of(port).has_one_cable()) {
            let ports: Vec<String> = ports().map(|port| self.called(port)).collect();
            return format!(
                " If this is a second cable, switch LLDP on at {}, or pin it.",
                ports.join(" and ")
            );
        }
        let groups: Vec<String> =
            ports().filter(|port| of(*port).is_aggregate()).map(|port| self.called(port)).collect();
        match groups.as_slice() {
            [] => String::new(),
            [group] => format!(" {group} is likely the group of the cables that join them."),
            several => {
                format!(
                    " {} are likely the groups of the cables that join them.",
                    several.join(" and ")
                )
            }
        }
    }

    /// Lists the ports that are joined to a device but to none of its known ports, and gives the
    /// remedy if the port in question is the far end.
    pub fn joined_to_device(&self, host: u32) -> Option<String> {
        let here = at(&self.claimed().devices, host, |(host, _)| *host);
        let naming =
            |(_, seen): &(u32, u32)| self.naming(&self.seen[*seen as usize], "this device");
        let by = here.iter().take(wording::SHOWN).map(naming).collect();
        (!here.is_empty()).then(|| {
            format!(
                "{}, but at no port that is known: if it is this one, pin it there, or record this \
                 port under the name by which it is heard.",
                first_of(by, here.len())
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

/// Returns the items of one index from a slice that is sorted by index.
fn at<T>(sorted: &[T], place: u32, place_of: impl Fn(&T) -> u32) -> &[T] {
    let first = sorted.partition_point(|one| place_of(one) < place);
    let count = sorted[first..].partition_point(|one| place_of(one) == place);
    &sorted[first..first + count]
}

/// The maximum number of observations to list that name a port.
const SHOWN: usize = 3;
