//! One connection, from its first byte to its end.

use std::{convert::Infallible, net::SocketAddr, pin::pin, sync::Arc, sync::atomic::Ordering};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    http::{HeaderValue, Request, Response, Version, header::CONNECTION},
    response::IntoResponse as _,
};
use hyper::body::Incoming;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use tower::{ServiceExt as _, service_fn};

use super::{
    body::{Received, Sent},
    progress::{Over, Progress},
    stream::Stream,
};
use crate::{config::Patience, error::Error};

/// The maximum number of requests under way on one HTTP/2 connection.
const STREAMS: u32 = 100;
/// The maximum bytes of a request head over HTTP/1; a path alone may have half of them.
const HEAD: usize = 128 * 1024;

/// The state that all connections of a server share.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) router: Router,
    pub(super) http: Builder<TokioExecutor>,
    /// Cancelled when the server stops accepting connections and ends idle ones.
    pub(super) stop: CancellationToken,
    /// Cancelled when the server stops waiting for the rest of any request.
    pub(super) late: CancellationToken,
}

/// Configures both versions of HTTP. [`Progress`] decides how long a client may take.
pub(super) fn http(patience: Patience) -> Builder<TokioExecutor> {
    let mut http = Builder::new(TokioExecutor::new());
    http.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(HEAD);
    http.http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(patience.ping)
        .keep_alive_timeout(patience.ping)
        .max_concurrent_streams(STREAMS);
    http
}

/// Serves the requests on one connection until it ends, or is over.
pub(super) async fn hold(
    socket: TcpStream,
    peer: SocketAddr,
    progress: Arc<Progress>,
    shared: Shared,
) {
    let asked = {
        let (progress, shared) = (Arc::clone(&progress), shared.clone());
        service_fn(move |request| answer(request, peer, Arc::clone(&progress), shared.clone()))
    };
    let stream = TokioIo::new(Stream::new(socket, Arc::clone(&progress)));
    let mut connection =
        pin!(shared.http.serve_connection(stream, TowerToHyperService::new(asked)));
    let mut stopping = false;
    loop {
        let over = tokio::select! {
            biased;
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::debug!(%peer, error, "a connection broke off");
                }
                return;
            }
            () = shared.stop.cancelled(), if !stopping => None,
            over = progress.over() => Some(over),
        };
        match over {
            Some(Over::Late) => return,
            Some(Over::Unread) => {
                let address = peer.ip().to_canonical();
                tracing::info!(client.address = %address, "gave up on {address}, which reads nothing");
                return;
            }
            // A client that is about to send a request learns that it is too late.
            Some(Over::Idle) => connection.as_mut().graceful_shutdown(),
            None => {
                stopping = true;
                // A client that has not sent any request yet may be about to: the server accepts
                // it.
                if progress.has_begun() {
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
        progress.close();
    }
}

async fn answer(
    mut request: Request<Incoming>,
    peer: SocketAddr,
    progress: Arc<Progress>,
    shared: Shared,
) -> Result<Response<Body>, Infallible> {
    let version = request.version();
    let Some(answer) = progress.begin(version) else {
        let mut refusal = Error::unavailable("too many connections are open").into_response();
        if version < Version::HTTP_2 {
            refusal.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        return Ok(refusal);
    };
    request.extensions_mut().insert(ConnectInfo(peer));
    let (parts, body) = request.into_parts();
    let (body, whole) = Received::new(body, shared.late);
    let request = Request::from_parts(parts, Body::new(body));
    let mut response = shared.router.oneshot(request).await?;
    // The next request must not begin with the rest of this body.
    let unread = !whole.load(Ordering::Relaxed);
    if (unread || shared.stop.is_cancelled()) && version < Version::HTTP_2 {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response.map(|body| Body::new(Sent::new(body, answer))))
}
