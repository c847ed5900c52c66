//! What ports are connected to, from everything that was heard by them and of them.

use toposcope_types::{Id, Method, NeighborId};

use super::Resolution;

/// A resolution, by one of its ports.
type ByPort<'r> = (Id, &'r Resolution);

/// Resolutions by the port that heard, by the port that was heard, and those that people made by both.
#[derive(Default)]
struct Index<'r> {
    own: Vec<ByPort<'r>>,
    others: Vec<ByPort<'r>>,
    pins: Vec<ByPort<'r>>,
}

/// What each of these ports is connected to, in their order. All that they heard and that was heard of
/// them must be there, and of the ports at the other ends of that all pins.
pub fn neighbors<'r>(
    ports: impl Iterator<Item = Id>,
    resolutions: impl Iterator<Item = &'r Resolution>,
) -> Vec<(Id, Option<NeighborId>)> {
    let index = Index::new(resolutions);
    ports.map(|port| (port, index.neighbor(port))).collect()
}

impl<'r> Index<'r> {
    fn new(resolutions: impl Iterator<Item = &'r Resolution>) -> Self {
        let mut index = Self::default();
        for row in resolutions {
            index.own.push((row.if_entry_id, row));
            index.others.extend(row.far_port().map(|port| (port, row)));
            if row.method == Method::Pinned {
                index.pins.extend(row.ports().map(|port| (port, row)));
            }
        }
        for rows in [&mut index.own, &mut index.others, &mut index.pins] {
            rows.sort_by_key(|(port, _)| *port);
        }
        index
    }

    /// What a port is connected to, by all that has not lost to a pin: what it is pinned to from the
    /// other side, else the strongest that it heard itself, a port before a device; else the only
    /// port that heard it, by the strongest protocol.
    fn neighbor(&self, port: Id) -> Option<NeighborId> {
        let [own, others] = [&self.own, &self.others].map(|rows| {
            let rows = of_port(rows, port).iter().map(|(_, row)| *row);
            rows.filter(|row| row.far_host_id.is_some() && !row.outranked && !self.loses(row))
        });
        let best =
            own.clone().min_by_key(|row| (row.method, row.far_port().is_none(), row.position));
        let strongest = others.clone().map(|row| row.method).min();
        let mut by_it =
            others.filter(|row| Some(row.method) == strongest).map(|row| row.if_entry_id);
        let only = by_it.next().filter(|first| by_it.all(|port| port == *first));
        let only = NeighborId::of_columns(only, None);
        let pinned = only.filter(|_| strongest == Some(Method::Pinned));
        let Some(best) = best.filter(|_| pinned.is_none()) else { return only };
        // A weaker protocol may know the port of the same device.
        let same = own.filter(|row| row.far_host_id == best.far_host_id);
        let named = same.filter(|row| row.far_port().is_some());
        let named = named.min_by_key(|row| (row.method, row.position));
        NeighborId::of_columns(named.and_then(Resolution::far_port), best.far_host_id)
    }

    /// Whether a person said of one of its ports that it is connected to something else.
    fn loses(&self, row: &Resolution) -> bool {
        row.method != Method::Pinned
            && row.ports().any(|port| {
                let pins = of_port(&self.pins, port);
                // A pin to a device says nothing beside one that names the port of that device.
                let says = |pin: &Resolution| {
                    let more =
                        |(_, other): &ByPort<'_>| other.far_port().is_some() && agree(other, pin);
                    pin.far_port().is_some() || !pins.iter().any(more)
                };
                !pins.is_empty() && !pins.iter().any(|(_, pin)| says(pin) && agree(pin, row))
            })
    }
}

fn of_port<'i, 'r>(rows: &'i [ByPort<'r>], port: Id) -> &'i [ByPort<'r>] {
    let first = rows.partition_point(|(other, _)| *other < port);
    let count = rows[first..].iter().take_while(|(other, _)| *other == port).count();
    &rows[first..first + count]
}

/// Whether two are about the same ends, as far as both know them.
fn agree(one: &Resolution, other: &Resolution) -> bool {
    let ends = |row: &Resolution| {
        [(Some(row.host_id), Some(row.if_entry_id)), (row.far_host_id, row.far_port())]
    };
    let same = |(host, port): (_, Option<Id>), (other_host, other_port): (_, Option<Id>)| {
        host == other_host && (port == other_port || port.is_none() || other_port.is_none())
    };
    let ([near, far], [other_near, other_far]) = (ends(one), ends(other));
    (same(near, other_near) && same(far, other_far))
        || (same(near, other_far) && same(far, other_near))
}
