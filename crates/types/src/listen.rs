//! The address that a server listens on, as users type it.

use std::{
    fmt::{self, Display, Formatter},
    net::{IpAddr, Ipv6Addr, SocketAddr},
    str::FromStr,
};

/// A host name or an address, and a port.
///
/// # Examples
///
/// ```
/// use toposcope::types::Listen;
///
/// assert_eq!("localhost".parse::<Listen>().unwrap().to_string(), "localhost:60072");
/// assert_eq!("::1".parse::<Listen>().unwrap().to_string(), "[::1]:60072");
/// assert!("8080".parse::<Listen>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listen {
    /// A host name or an address, without brackets.
    pub host: String,
    /// The port; 0 picks a free one.
    pub port: u16,
}

impl Listen {
    /// The default port.
    pub const PORT: u16 = 60072;

    /// Returns the URL at which a browser on the same machine reaches the server.
    pub fn url(&self) -> String {
        let local = match self.host.parse::<IpAddr>() {
            Ok(ip) => reached(SocketAddr::new(ip, self.port)).to_string(),
            Err(_) => self.to_string(),
        };
        format!("http://{local}")
    }
}

/// Returns the address at which clients on the same machine reach a server that listens on
/// `address`.
pub fn reached(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        // A server that listens on all addresses is reachable on loopback, too.
        address.set_ip(match address {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let example = "use HOST:PORT, such as `127.0.0.1:60072`, `[::1]:60072` or `localhost`";
        if text.contains('/') {
            return Err(format!("`{text}` is a URL or a path; {example}"));
        }
        if let Ok(ip) = text.parse::<IpAddr>() {
            return Ok(Self { host: ip.to_string(), port: Self::PORT });
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        };
        if port.is_none() && host.parse::<u64>().is_ok() {
            return Err(format!("`{host}` is a port without a host: use `127.0.0.1:{host}`"));
        }
        let port = port.map_or(Ok(Self::PORT), |port| {
            port.parse().map_err(|_| format!("`{port}` is not a port from 0 to 65535; {example}"))
        })?;
        let within = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let host = match within.map(str::parse::<Ipv6Addr>) {
            Some(Ok(ip)) => ip.to_string(),
            None if is_name(host) => host.to_owned(),
            _ if host.is_empty() => return Err(format!("`{text}` names no host; {example}")),
            _ => return Err(format!("`{host}` is neither an address nor a host name; {example}")),
        };
        Ok(Self { host, port })
    }
}

fn is_name(host: &str) -> bool {
    !host.is_empty()
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
}

impl Display for Listen {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { host, port } = self;
        if host.contains(':') { write!(f, "[{host}]:{port}") } else { write!(f, "{host}:{port}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_and_a_port_are_told_apart_however_they_are_written() {
        for (text, host, port) in [
            ("127.0.0.1:80", "127.0.0.1", 80),
            ("127.0.0.1", "127.0.0.1", Listen::PORT),
            ("localhost", "localhost", Listen::PORT),
            ("localhost:0", "localhost", 0),
            ("db-1.example.com:8080", "db-1.example.com", 8080),
            ("::1", "::1", Listen::PORT),
            ("::", "::", Listen::PORT),
            ("[::1]:443", "::1", 443),
        ] {
            assert_eq!(text.parse(), Ok(Listen { host: host.to_owned(), port }), "{text}");
        }
        for text in [
            "",
            ":",
            ":80",
            "80",
            "localhost:",
            "localhost:http",
            "localhost:99999",
            "[::1",
            "a b",
            "[localhost]:80",
            "http://localhost:80",
            "localhost/",
            "::1:80:x",
        ] {
            assert!(text.parse::<Listen>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_listens_everywhere_is_reached_here() {
        for (text, url) in [
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::]:80", "http://[::1]:80"),
            ("localhost", "http://localhost:60072"),
            ("192.0.2.1", "http://192.0.2.1:60072"),
        ] {
            assert_eq!(text.parse::<Listen>().unwrap().url(), url);
        }
    }
}
