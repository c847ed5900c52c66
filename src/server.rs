//! Listening, and stopping without losing what was accepted.

use std::{net::SocketAddr, time::Duration};

use anyhow::Context as _;
use tokio::{net::TcpListener, signal};
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    auth::rate_limit::RateLimits,
    config::{ServeArgs, Switch},
    http, router, schema,
    services::Definitions,
    topology,
};

/// How long background work may go on after the last answer.
const LAST_WORK: Duration = Duration::from_secs(10);
/// How often budgets that are full again are forgotten.
const HOUSEKEEPING: Duration = Duration::from_mins(1);

/// The service definitions that were configured.
pub fn definitions(args: &ServeArgs) -> anyhow::Result<Definitions> {
    let Some(path) = &args.service_definitions else { return Ok(Definitions::builtin().clone()) };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the service definitions {}", path.display()))?;
    Ok(Definitions::with_file(&text)?)
}

/// Answers requests until the process is told to stop; `ready` is told the address.
pub async fn serve(
    app: App,
    listen: SocketAddr,
    ready: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    let listener =
        TcpListener::bind(listen).await.with_context(|| format!("cannot listen on {listen}"))?;
    let address = listener.local_addr()?;
    let limits = match app.settings.rate_limit {
        Switch::On => RateLimits::on(),
        Switch::Off => {
            tracing::warn!("requests are not limited; this is for load tests only");
            RateLimits::off()
        }
    };
    let housekeeping = tokio::spawn(keep_house(limits.clone()));
    app.tasks.spawn(refresh(app.clone()));
    let router = router::router(app.clone(), schema::schema(), limits);
    ready(address);
    let stop = CancellationToken::new();
    let serving = http::serve(listener, router, &app.settings, stop.clone());
    let time_is_up = async {
        told_to_stop().await;
        stop.cancel();
        tokio::time::sleep(app.settings.time_limit).await;
    };
    tokio::select! {
        () = serving => {}
        // Somebody who sends or reads too slowly does not keep the server from stopping.
        () = time_is_up => tracing::warn!("some requests did not end in time"),
    }
    housekeeping.abort();
    app.tasks.close();
    if tokio::time::timeout(LAST_WORK, app.tasks.wait()).await.is_err() {
        tracing::warn!("background work did not end in time");
    }
    app.db.close().await;
    Ok(())
}

async fn refresh(app: App) {
    if let Err(error) = topology::refresh(&app).await {
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

async fn told_to_stop() {
    let interrupt = async {
        if let Err(error) = signal::ctrl_c().await {
            tracing::error!(%error, "cannot wait for an interrupt");
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match signal::unix::signal(signal::unix::SignalKind::terminate()) {
            Ok(mut terminate) => {
                terminate.recv().await;
            }
            Err(error) => {
                tracing::error!(%error, "cannot wait for a termination signal");
                std::future::pending::<()>().await;
            }
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
    tracing::info!("stopping: no new requests, those accepted are finished");
}
