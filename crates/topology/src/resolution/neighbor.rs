//! Derives what each port is connected to from everything that it heard and that was heard of it.

use toposcope_types::{Id, Method, NeighborId};

use super::Resolution;

/// A resolution, keyed by one of its ports.
type ByPort<'r> = (Id, &'r Resolution);

/// Resolutions by the port that heard and by the port that was heard, and pins by both.
#[derive(Default)]
struct Index<'r> {
    own: Vec<ByPort<'r>>,
    others: Vec<ByPort<'r>>,
    pins: Vec<ByPort<'r>>,
}

/// Returns what each of these ports is connected to, in their order. The resolutions must include
/// everything that these ports heard, everything heard of them, and all pins of the ports at the
/// far ends.
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

    /// Returns what a port is connected to, ignoring resolutions that lose to a pin. A pin from the
    /// other side comes first, then the strongest resolution of the port itself, a port before a
    /// device, then the only port that heard it by the strongest protocol.
    fn neighbor(&self, port: Id) -> Option<NeighborId> {
        let [own, others] = [&self.own, &self.others].map(|rows| {
            let rows = of_port(rows, port).iter().map(|(_, row)| *row);
            rows.filter(|row| row.far_host_id.is_some() && row.counts() && !self.loses(row))
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
        // A weaker protocol may know the port on the same device.
        let same = own.filter(|row| row.far_host_id == best.far_host_id);
        let named = same.filter(|row| row.far_port().is_some());
        let named = named.min_by_key(|row| (row.method, row.position));
        NeighborId::of_columns(named.and_then(Resolution::far_port), best.far_host_id)
    }

    /// Returns whether a person pinned one of its ports to something else.
    fn loses(&self, row: &Resolution) -> bool {
        row.method != Method::Pinned
            && row.ports().any(|port| {
                let pins = of_port(&self.pins, port);
                // A pin to a device adds nothing to one that names a port of that device.
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

/// Returns whether two resolutions have the same ends, as far as both know them.
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
