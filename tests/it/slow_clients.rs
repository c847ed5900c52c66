//! Slow and silent clients: they do not stay, and take nothing from the others.

use std::{
    convert::Infallible,
    io::ErrorKind,
    net::SocketAddr,
    pin::Pin,
    process::Command,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::ConnectInfo,
    routing::{get, post},
};
use bytes::Bytes;
use futures_util::Stream;
use sea_orm::{ConnectionTrait as _, Statement};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::{Notify, mpsc},
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use toposcope::{
    config::{Patience, Settings},
    http,
};

use crate::support::binary::{PATIENCE, Sandbox, Server};

const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const HALF: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\n";
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// The settings of a client that has none.
const SETTINGS: &[u8] = b"\0\0\0\x04\0\0\0\0\0";
/// `GET http://localhost/` as stream 1, complete.
const HEADERS: &[u8] = b"\0\0\x0e\x01\x05\0\0\0\x01\x82\x86\x84\x41\x09localhost";

/// A server of its own, in this process.
struct Listening {
    address: SocketAddr,
    stop: CancellationToken,
    served: JoinHandle<()>,
}

/// Waits for hours, so that nothing ends for this reason.
fn patient() -> Patience {
    let long = Duration::from_hours(1);
    Patience { head: long, idle: long, unread: long, closing: long, ping: long }
}

async fn listen(router: Router, settings: Settings) -> Listening {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let stopped = stop.clone();
    let served =
        tokio::spawn(async move { http::serve(listener, router, &settings, stopped).await });
    Listening { address, stop, served }
}

async fn in_time<T>(work: impl Future<Output = T>) -> T {
    timeout(PATIENCE, work).await.expect("it does not end")
}

impl Listening {
    async fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = in_time(TcpStream::connect(self.address)).await.unwrap();
        // A connection that is refused may be closed already.
        let _ = stream.write_all(bytes).await;
        stream
    }
}

/// All that comes until the other side closes.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    match in_time(stream.read_to_end(&mut bytes)).await {
        Ok(_) => {}
        Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An answer that ends in `end`, of a connection that stays open.
async fn answer(stream: &mut TcpStream, end: &str) -> String {
    let mut bytes = Vec::new();
    while !bytes.ends_with(end.as_bytes()) {
        bytes.push(in_time(stream.read_u8()).await.unwrap());
    }
    String::from_utf8(bytes).unwrap()
}

fn hello() -> Router {
    Router::new().route("/", get(async || "hello"))
}

#[tokio::test]
async fn who_asks_for_nothing_is_let_go() {
    let short = Duration::from_millis(300);
    let settings = |patience| Settings {
        max_connections: 10_000,
        max_connections_per_address: 10_000,
        patience,
        ..Settings::default()
    };
    // Who sends a request has time for it, however slow this machine is.
    let of_silent = settings(Patience { head: short, ..patient() });
    let of_idle = settings(Patience { idle: short, closing: short, ..patient() });
    let (of_silent, of_idle) = (listen(hello(), of_silent).await, listen(hello(), of_idle).await);
    let settled = [PREFACE, SETTINGS].concat();
    let asked = [PREFACE, SETTINGS, HEADERS].concat();
    let half_of_the_next = [GET, HALF].concat();
    for (kind, sent, listening) in [
        ("nothing", &b""[..], &of_silent),
        ("half a line", b"GE", &of_silent),
        ("half a head", HALF, &of_silent),
        ("half a preface", &PREFACE[..12], &of_silent),
        ("a preface", PREFACE, &of_silent),
        ("a preface and settings", &settled, &of_silent),
        ("a request and no other", GET, &of_idle),
        ("a request and half of another", &half_of_the_next, &of_idle),
        ("a request over HTTP/2", &asked, &of_idle),
    ] {
        let mut idle = Vec::new();
        for _ in 0..500 {
            idle.push(listening.send(sent).await);
        }
        for stream in &mut idle {
            let said = rest(stream).await;
            assert_eq!(said.contains("hello"), sent.starts_with(GET) || sent == asked, "{kind}");
        }
    }
}

#[tokio::test]
async fn half_of_a_later_head_does_not_stay_either() {
    let head = Duration::from_secs(3);
    let settings = Settings { patience: Patience { head, ..patient() }, ..Settings::default() };
    let listening = listen(hello(), settings).await;
    let mut stream = listening.send(GET).await;
    answer(&mut stream, "hello").await;
    stream.write_all(HALF).await.unwrap();
    assert_eq!(rest(&mut stream).await, "");
}

#[tokio::test]
async fn who_does_not_answer_pings_is_let_go() {
    let short = Duration::from_millis(100);
    let settings =
        Settings { patience: Patience { ping: short, ..patient() }, ..Settings::default() };
    let listening = listen(hello(), settings).await;
    let mut stream = listening.send(&[PREFACE, SETTINGS].concat()).await;
    rest(&mut stream).await;
}

/// Bytes without end; tells when it is given up.
struct Endless(mpsc::UnboundedSender<()>);

impl Stream for Endless {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(Some(Ok(Bytes::from_static(&[b'x'; 8 * 1024]))))
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[tokio::test]
async fn an_answer_that_nobody_reads_ends() {
    let (sender, mut given_up) = mpsc::unbounded_channel();
    let endless = get(async move || Body::from_stream(Endless(sender.clone())));
    let router = Router::new().route("/", endless);
    let unread = Duration::from_millis(300);
    let settings = Settings { patience: Patience { unread, ..patient() }, ..Settings::default() };
    let listening = listen(router, settings).await;
    for asked in [GET, &[PREFACE, SETTINGS, HEADERS].concat()] {
        let stream = listening.send(asked).await;
        in_time(given_up.recv()).await.unwrap();
        drop(stream);
    }
}

#[tokio::test]
async fn an_answer_that_is_read_comes_whole() {
    let size = 20 * 1024 * 1024;
    let router = Router::new().route("/", get(async move || vec![b'x'; size]));
    let listening = listen(router, Settings::default()).await;
    let stream = listening.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let said = rest(&mut stream.await).await;
    let (head, body) = said.split_once("\r\n\r\n").unwrap();
    assert!(head.to_lowercase().contains(&format!("content-length: {size}")), "{head}");
    assert_eq!(body.len(), size);
}

/// Routes that tell when a request has come to its handler.
fn slow(begun: mpsc::UnboundedSender<SocketAddr>, go_on: Arc<Notify>) -> Router {
    let told = begun.clone();
    Router::new()
        .route("/", get(async || "hello"))
        .route(
            "/slow",
            get(async move |ConnectInfo(peer): ConnectInfo<SocketAddr>| {
                begun.send(peer).unwrap();
                go_on.notified().await;
                "slow"
            }),
        )
        .route(
            "/read",
            post(async move |ConnectInfo(peer): ConnectInfo<SocketAddr>, body: Body| {
                told.send(peer).unwrap();
                axum::body::to_bytes(body, usize::MAX).await.map_or("broken", |_| "whole")
            }),
        )
}

const SLOW: &[u8] = b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[tokio::test]
async fn a_stopping_server_waits_for_answers_and_not_for_requests() {
    let (begun, mut begins) = mpsc::unbounded_channel();
    let go_on = Arc::new(Notify::new());
    let closing = Duration::from_millis(300);
    let settings = Settings { patience: Patience { closing, ..patient() }, ..Settings::default() };
    let listening = listen(slow(begun, Arc::clone(&go_on)), settings).await;
    let mut under_way = listening.send(SLOW).await;
    in_time(begins.recv()).await.unwrap();
    let head = b"POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf";
    let mut half_a_body = listening.send(head).await;
    in_time(begins.recv()).await.unwrap();
    let mut others = Vec::new();
    for sent in [&b""[..], HALF, PREFACE, &[PREFACE, SETTINGS].concat()] {
        others.push(listening.send(sent).await);
    }
    let mut idle = listening.send(GET).await;
    answer(&mut idle, "hello").await;
    listening.stop.cancel();
    for stream in others.iter_mut().chain([&mut idle]) {
        rest(stream).await;
    }
    let said = rest(&mut half_a_body).await;
    assert!(said.contains("broken") && said.to_lowercase().contains("connection: close"), "{said}");
    assert!(!listening.served.is_finished());
    go_on.notify_one();
    let said = rest(&mut under_way).await;
    assert!(said.ends_with("slow") && said.to_lowercase().contains("connection: close"), "{said}");
    in_time(listening.served).await.unwrap();
}

#[tokio::test]
async fn who_asks_for_nothing_gives_way_to_who_comes() {
    let limits = [(3, 100, ""), (100, 3, ""), (100, 3, "127.0.0.0/8")];
    for (max_connections, max_connections_per_address, proxies) in limits {
        let settings = Settings {
            max_connections,
            max_connections_per_address,
            trusted_proxies: proxies.parse().into_iter().collect(),
            patience: patient(),
            ..Settings::default()
        };
        let (begun, mut begins) = mpsc::unbounded_channel();
        let go_on = Arc::new(Notify::new());
        let listening = listen(slow(begun, Arc::clone(&go_on)), settings).await;
        let mut asked = listening.send(GET).await;
        answer(&mut asked, "hello").await;
        // The first to go are those that never asked for anything, the earlier one first.
        let mut spare = vec![listening.send(b"").await, listening.send(HALF).await, asked];
        let mut busy = Vec::new();
        for gone in &mut spare {
            busy.push(listening.send(SLOW).await);
            in_time(begins.recv()).await.unwrap();
            if proxies.is_empty() {
                assert_eq!(rest(gone).await, "");
            }
        }
        // All have an answer under way: there is no room for one more.
        let mut late = listening.send(GET).await;
        if proxies.is_empty() {
            assert_eq!(rest(&mut late).await, "");
        } else {
            answer(&mut late, "hello").await;
        }
        go_on.notify_waiters();
        for stream in &mut busy {
            answer(stream, "slow").await;
        }
        let mut next = listening.send(GET).await;
        answer(&mut next, "hello").await;
    }
}

/// A statement of an answer ends when its client closes the socket.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_hangs_up_leaves_no_statement_behind() {
    let test = crate::support::app::TestApp::new().await;
    let (begun, mut begins) = mpsc::unbounded_channel();
    let db = test.app.db.clone();
    let endless = async move || {
        let statement = Statement::from_string(db.backend(), crate::fairness::ENDLESS);
        begun.send(()).unwrap();
        db.reader().query_all_raw(statement).await.map_or("failed", |_| "never")
    };
    let listening = listen(Router::new().route("/", get(endless)), Settings::default()).await;
    for _ in 0..12 {
        let gone = [listening.send(GET).await, listening.send(GET).await];
        for _ in &gone {
            in_time(begins.recv()).await.unwrap();
        }
        drop(gone);
        let little = Statement::from_string(test.app.db.backend(), "SELECT 1");
        assert!(in_time(test.app.db.reader().query_one_raw(little)).await.unwrap().is_some());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_soft_limit_of_descriptors_is_raised_to_the_hard_one() {
    let sandbox = Sandbox::migrated();
    let mut command = Command::new("prlimit");
    command.args(["--nofile=100:1000", env!("CARGO_BIN_EXE_toposcope")]);
    command.args(["serve", "--listen", "127.0.0.1:0"]).env_clear();
    command.env("TOPOSCOPE_DATABASE_URL", &sandbox.url).current_dir(sandbox.folder.path());
    let server = Server::start(&mut command);
    server.get("/api/version", "").data();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.pid())).unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let files: Vec<&str> = files.split_whitespace().collect();
    assert_eq!(files[3..5], ["1000", "1000"]);
}

#[test]
fn few_descriptors_are_enough_to_go_on() {
    let sandbox = Sandbox::migrated();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 128 && exec \"$@\"", "sh", env!("CARGO_BIN_EXE_toposcope")]);
    command.args(["serve", "--listen", "127.0.0.1:0", "--rate-limit", "off"]).env_clear();
    command.env("TOPOSCOPE_DATABASE_URL", &sandbox.url).current_dir(sandbox.folder.path());
    let server = Server::start(&mut command);
    let mut idle = Vec::new();
    for sent in [&b""[..], HALF, PREFACE] {
        for _ in 0..170 {
            let mut stream = server.connect();
            let _ = std::io::Write::write_all(&mut stream, sent);
            idle.push(stream);
        }
        server.get("/api/version", "").data();
        server.get("/api/health", "").data();
    }
    server.terminate();
    let (status, log) = server.ended();
    assert!(status.success(), "{log}");
    let told = log.lines().filter(|line| line.contains("connections")).count();
    assert!(told <= 4, "it is told once and not for each: {log}");
}
