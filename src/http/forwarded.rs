//! The origin of a request, as far as the proxies that forwarded it can be trusted.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{ConnectInfo, Request},
    http::{HeaderMap, header::HOST, uri::Authority},
};
use ipnet::IpNet;

/// The address that a request comes from, with its original scheme and host.
#[derive(Clone, Debug)]
pub struct Client {
    /// The peer, or behind configured proxies the last address that is not one of them.
    pub address: IpAddr,
    /// Whether a configured proxy reports that the client used HTTPS.
    pub https: bool,
    /// The requested host, with its port if it is not the default.
    pub host: Option<String>,
}

impl Client {
    /// Reads the client of a request. Trusts only `proxies` to name the client.
    pub fn of(request: &Request, proxies: &[IpNet]) -> Self {
        let headers = request.headers();
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer =
            peer.map_or(IpAddr::from([0, 0, 0, 0]), |ConnectInfo(peer)| peer.ip().to_canonical());
        let trusted = |address: &IpAddr| proxies.iter().any(|proxy| proxy.contains(address));
        let asked = request.uri().authority().map(Authority::as_str);
        let asked = asked.or_else(|| headers.get(HOST)?.to_str().ok());
        if !trusted(&peer) {
            return Self { address: peer, https: false, host: asked.map(str::to_owned) };
        }
        let mut address = peer;
        for said in elements(headers, "x-forwarded-for").into_iter().rev() {
            let Some(said) = parse(said) else { break };
            address = said.to_canonical();
            if !trusted(&address) {
                break;
            }
        }
        // The first element is the client's own scheme; a client that forges it harms only its own
        // cookie.
        let scheme = elements(headers, "x-forwarded-proto").into_iter().next();
        let host = elements(headers, "x-forwarded-host").into_iter().next().or(asked);
        Self {
            address,
            https: scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")),
            host: host.map(str::to_owned),
        }
    }
}

/// Returns the elements of a list header, no matter how often it is sent.
fn elements<'a>(headers: &'a HeaderMap, name: &str) -> Vec<&'a str> {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim).collect()
}

/// Parses an address, with or without a port: `192.0.2.1`, `192.0.2.1:567`, `2001:db8::1`,
/// `[2001:db8::1]`, `[2001:db8::1]:443`.
fn parse(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    bare.parse::<IpAddr>().or_else(|_| with_port()).ok()
}
