//! The server: listens, and stops without losing any accepted request.

use std::{io::ErrorKind, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context as _;
use tokio::{
    net::{TcpSocket, lookup_host},
    signal,
};
use tokio_util::sync::CancellationToken;
use toposcope_types::Listen;

use crate::{
    app::App,
    auth::{rate_limit::RateLimits, watch},
    config::{ServeArgs, Switch},
    http, router, schema,
    service_definitions::Definitions,
    topology,
};

/// How long background work may continue after the last response.
const LAST_WORK: Duration = Duration::from_secs(10);
/// The maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 4096;
/// How often the server drops budgets that are full again.
const HOUSEKEEPING: Duration = Duration::from_mins(1);

/// Returns the configured service definitions.
pub fn definitions(args: &ServeArgs) -> anyhow::Result<Definitions> {
    let Some(path) = &args.service_definitions else { return Ok(Definitions::builtin().clone()) };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the service definitions {}", path.display()))?;
    Ok(Definitions::with_file(&text)?)
}

/// A bound address on which the server does not listen yet.
#[derive(Debug)]
pub struct Bound {
    socket: TcpSocket,
    /// The address.
    pub address: SocketAddr,
}

/// Binds the address to listen on. Every start does this first: if another process has the address,
/// there is no need to open or create a database.
pub async fn bind(listen: &Listen) -> anyhow::Result<Bound> {
    let found = lookup_host((listen.host.as_str(), listen.port)).await;
    let found: Vec<SocketAddr> = found
        .with_context(|| format!("cannot listen on {listen}: no address of it is known"))?
        .collect();
    let address = found.iter().find(|address| address.is_ipv4()).or(found.first()).copied();
    let address =
        address.with_context(|| format!("cannot listen on {listen}: it has no address"))?;
    let bound = || -> std::io::Result<Bound> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        // A server that ended a moment ago does not keep the address.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        let address = socket.local_addr()?;
        Ok(Bound { socket, address })
    };
    bound().map_err(|error| cannot_listen(address, error))
}

/// Returns an error that says what to do about an address on which the server cannot listen.
fn cannot_listen(address: SocketAddr, error: std::io::Error) -> anyhow::Error {
    let remedy = match error.kind() {
        ErrorKind::AddrInUse => {
            "another process does: stop it, or say another port with `--listen`"
        }
        ErrorKind::AddrNotAvailable => "this machine does not have the address",
        ErrorKind::PermissionDenied => "ports below 1024 need rights of their own",
        _ => "say another address with `--listen`",
    };
    anyhow::Error::new(error).context(format!("cannot listen on {address}: {remedy}"))
}

/// Serves requests until the process receives a stop signal; calls `ready` with the address.
pub async fn serve(
    app: App,
    Bound { socket, address }: Bound,
    ready: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    let told_to_stop = told_to_stop()?;
    let listener = socket.listen(BACKLOG).map_err(|error| cannot_listen(address, error))?;
    let limits = match app.settings.rate_limit {
        Switch::On => RateLimits::on(),
        Switch::Off => {
            tracing::warn!("requests are not limited; this is for load tests only");
            RateLimits::off()
        }
    };
    let housekeeping = tokio::spawn(keep_house(limits.clone()));
    let watching = tokio::spawn(watch::watch(app.db.clone(), Arc::clone(&app.credentials)));
    app.tasks.spawn(refresh(app.clone()));
    let router = router::router(app.clone(), schema::schema(), limits);
    ready(address);
    let stop = CancellationToken::new();
    let serving = http::serve(listener, router, &app.settings, stop.clone());
    let time_is_up = async {
        told_to_stop.await;
        stop.cancel();
        tokio::time::sleep(app.settings.time_limit).await;
    };
    tokio::select! {
        () = serving => {}
        // A client that sends or reads too slowly does not keep the server from stopping.
        () = time_is_up => tracing::warn!("some requests did not end in time"),
    }
    housekeeping.abort();
    watching.abort();
    app.tasks.close();
    if tokio::time::timeout(LAST_WORK, app.tasks.wait()).await.is_err() {
        tracing::warn!("background work did not end in time");
    }
    app.db.close().await;
    Ok(())
}

async fn refresh(app: App) {
    if let Err(error) = topology::reresolve::refresh(&app).await {
        tracing::error!(%error, "neighbors could not be worked out anew; the next start tries again");
    }
}

async fn keep_house(limits: RateLimits) {
    let mut minute = tokio::time::interval(HOUSEKEEPING);
    loop {
        minute.tick().await;
        limits.retain_recent();
    }
}

/// Listens from now on for the signals that stop the server. An earlier signal would have ended the
/// process at once.
pub fn told_to_stop() -> anyhow::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let (interrupt, terminate) = {
        use signal::unix::{SignalKind, signal};
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    };
    #[cfg(not(unix))]
    let (interrupt, terminate) = (signal::windows::ctrl_c(), signal::windows::ctrl_shutdown());
    let unheard = "cannot listen for the signals that stop the server";
    let (mut interrupt, mut terminate) = (interrupt.context(unheard)?, terminate.context(unheard)?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        tracing::info!("stopping: no new requests, those accepted are finished");
    })
}
