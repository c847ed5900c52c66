//! Slots for open connections, and which connection gives way when there are too many.

use std::{
    collections::{HashMap, HashSet},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ipnet::IpNet;

use super::progress::Progress;
use crate::{auth::rate_limit::Payer, config::Settings};

/// The open connections. At the limit, in total or for one address, the connection that can best be
/// spared gives way to a new one: it has never sent a request, or none for the longest time. The
/// new connection is refused only if all others have responses under way.
#[derive(Debug)]
pub(super) struct ConnectionSlots {
    most: usize,
    most_of_one: usize,
    /// The proxies, whose addresses stand for those of many clients.
    proxies: Vec<IpNet>,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    next: u64,
    connections: HashMap<u64, Connection>,
    of_one: HashMap<Payer, usize>,
    /// Whether the log already reports too many connections in total.
    told: bool,
    /// The clients for which the log already reports too many connections.
    told_of: HashSet<Payer>,
}

#[derive(Debug)]
struct Connection {
    /// The client, unless it is a proxy.
    from: Option<Payer>,
    progress: Arc<Progress>,
}

impl ConnectionSlots {
    /// Creates as many slots as configured, but no more than there is `room` for.
    pub(super) fn new(settings: &Settings, room: Option<usize>) -> Arc<Self> {
        let most = settings.max_connections.min(room.unwrap_or(usize::MAX));
        if most < settings.max_connections {
            tracing::warn!(
                "{most} connections at most, not {}: this process may open too few files",
                settings.max_connections
            );
        }
        Arc::new(Self {
            most,
            most_of_one: settings.max_connections_per_address,
            proxies: settings.trusted_proxies.clone(),
            held: Mutex::default(),
        })
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a slot for a connection from an address; `None` if no slot can be freed.
    pub(super) fn take(
        self: &Arc<Self>,
        peer: IpAddr,
        progress: &Arc<Progress>,
    ) -> Option<ConnectionSlot> {
        let peer = peer.to_canonical();
        let from = Payer::at(peer);
        let from = (!self.proxies.iter().any(|proxy| proxy.contains(&peer))).then_some(from);
        let mut held = self.held();
        if let Some(from) = from {
            let open = held.of_one.get(&from).copied().unwrap_or_default();
            if open >= self.most_of_one {
                let gave_way = held.spare(Some(from));
                if held.told_of.insert(from) {
                    tracing::info!(client.address = %peer, "too many connections from {peer}");
                }
                if !gave_way {
                    return None;
                }
            }
        }
        if held.connections.len() >= self.most {
            let gave_way = held.spare(None);
            if !std::mem::replace(&mut held.told, true) {
                tracing::warn!(
                    "{} connections are open: who asks for nothing gives way",
                    self.most
                );
            }
            if !gave_way {
                return None;
            }
        }
        let id = held.next;
        held.next += 1;
        held.connections.insert(id, Connection { from, progress: Arc::clone(progress) });
        if let Some(from) = from {
            *held.of_one.entry(from).or_default() += 1;
        }
        Some(ConnectionSlot { slots: Arc::clone(self), id })
    }

    /// Frees a slot even if others may be free; returns whether it could.
    pub(super) fn spare(&self) -> bool {
        self.held().spare(None)
    }
}

impl Held {
    /// Ends the connection, of all or of one client, that can best be spared.
    fn spare(&mut self, from: Option<Payer>) -> bool {
        loop {
            let candidates =
                self.connections.iter().filter(|(_, one)| from.is_none() || one.from == from);
            let spare = candidates
                .filter_map(|(id, one)| one.progress.spare().map(|sparing| (sparing, *id)))
                .min();
            let Some((_, id)) = spare else { return false };
            // The connection may have received a request just now.
            if self.connections.get(&id).is_some_and(|one| one.progress.give_way()) {
                self.remove(id);
                return true;
            }
        }
    }

    fn remove(&mut self, id: u64) -> Option<Connection> {
        let connection = self.connections.remove(&id)?;
        if let Some(from) = connection.from
            && let Some(open) = self.of_one.get_mut(&from)
        {
            *open -= 1;
            if *open == 0 {
                self.of_one.remove(&from);
            }
        }
        Some(connection)
    }
}

/// A slot that is taken until this is dropped.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    id: u64,
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut held = self.slots.held();
        // A connection that gave way has already been uncounted.
        let Some(connection) = held.remove(self.id) else { return };
        // Logged once until the excess is clearly over.
        if held.connections.len() <= self.slots.most / 2 {
            held.told = false;
        }
        if let Some(from) = connection.from {
            let open = held.of_one.get(&from).copied().unwrap_or_default();
            if open <= self.slots.most_of_one / 2 {
                held.told_of.remove(&from);
            }
        }
    }
}
