//! Accepts connections, and stops without losing any that were accepted.

use std::{io, time::Duration};

use axum::Router;
use tokio::{
    net::TcpListener,
    task::JoinSet,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use super::{
    connection::{self, Shared},
    connection_slots::ConnectionSlots,
    descriptors,
    progress::Progress,
};
use crate::config::Settings;

/// The pause after the system failed to accept a connection, initially and at most.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));
/// How long accepting must have worked for the next failure to be logged.
const QUIET: Duration = Duration::from_mins(1);

/// Serves requests until `stop`, and then until nothing is under way any more. Dropping it cuts off
/// all connections.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    settings: &Settings,
    stop: CancellationToken,
) {
    let patience = settings.patience;
    let slots = ConnectionSlots::new(settings, descriptors::room());
    let (http, late) = (connection::http(patience), CancellationToken::new());
    let shared = Shared { router, http, stop: stop.clone(), late: late.clone() };
    let mut connections = JoinSet::new();
    let mut back_off = BackOff::default();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        let (socket, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) if is_of_the_client(&error) => continue,
            Err(error) => {
                slots.spare();
                let pause = back_off.failed(&error);
                tokio::select! {
                    () = stop.cancelled() => break,
                    () = sleep(pause) => continue,
                }
            }
        };
        back_off.succeeded();
        let progress = Progress::new(patience);
        let Some(slot) = slots.take(peer.ip(), &progress) else { continue };
        let shared = shared.clone();
        connections.spawn(async move {
            let _slot = slot;
            connection::hold(socket, peer, progress, shared).await;
        });
    }
    drop(listener);
    let end = async { while connections.join_next().await.is_some() {} };
    let too_late = async {
        sleep(patience.closing).await;
        late.cancel();
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = end => {}
        () = too_late => {}
    }
}

/// Returns whether the client was gone before the server accepted it, which says nothing about the
/// next one.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// The time of the last failure to accept, and the number of failures in a row.
#[derive(Debug, Default)]
struct BackOff {
    in_a_row: u32,
    last: Option<Instant>,
}

impl BackOff {
    /// Records a failure and returns how long to wait. Logs it unless an earlier failure merely
    /// continues.
    fn failed(&mut self, error: &io::Error) -> Duration {
        let before = self.last.replace(Instant::now());
        if before.is_none_or(|before| before.elapsed() > QUIET) {
            tracing::error!(%error, "cannot accept connections; trying again until it works");
        }
        let (first, longest) = BACK_OFF;
        let pause = first.saturating_mul(1 << self.in_a_row.min(10)).min(longest);
        self.in_a_row += 1;
        pause
    }

    const fn succeeded(&mut self) {
        self.in_a_row = 0;
    }
}
