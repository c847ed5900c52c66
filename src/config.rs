//! What the operator meant: defaults, then the environment, then flags.

use std::{net::IpAddr, time::Duration};

use axum::http::{HeaderValue, Uri};
use clap::{Args, ValueEnum};
use ipnet::IpNet;
use secrecy::SecretString;
use toposcope_types::Listen;

/// Where a server listens that is not told otherwise.
pub const LISTEN: &str = "127.0.0.1:60072";
const TIME_LIMIT: Duration = Duration::from_secs(30);
const MAX_CONNECTIONS: usize = 2048;
const MAX_CONNECTIONS_PER_ADDRESS: usize = 256;

/// Where the data is, for every command.
#[derive(Args, Clone, Debug)]
pub struct DatabaseArgs {
    /// The database: `sqlite://FILE?mode=rwc` or `postgres://USER:PASSWORD@HOST/DATABASE`.
    #[arg(
        long,
        env = "TOPOSCOPE_DATABASE_URL",
        default_value = "sqlite://toposcope.db?mode=rwc",
        hide_env_values = true,
        global = true
    )]
    pub database_url: SecretString,

    /// Which log lines to print: a level (`error`, `warn`, `info`, `debug`) or a filter by module.
    #[arg(
        long = "log",
        env = "TOPOSCOPE_LOG",
        default_value = "info,sea_orm_migration=warn,sqlx=warn",
        global = true
    )]
    pub log: String,
}

/// How `serve` and `demo` answer.
#[derive(Args, Clone, Debug)]
pub struct ServeArgs {
    /// The address or host name to listen on, and the port: 60072 where none is said, and with 0
    /// a free one. Of a name that has several addresses, the first is taken, of IPv4 if it has one.
    #[arg(long, env = "TOPOSCOPE_LISTEN", value_name = "HOST:PORT", default_value = LISTEN)]
    pub listen: Listen,

    #[command(flatten)]
    pub settings: Settings,

    /// A CSV file (`name,category,ports`) of services that the built-in table lacks.
    #[arg(long, env = "TOPOSCOPE_SERVICE_DEFINITIONS")]
    pub service_definitions: Option<std::path::PathBuf>,
}

/// What changes how requests are answered.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Who may register: only the first user, anybody, or nobody.
    #[arg(long, env = "TOPOSCOPE_REGISTRATION", value_enum, default_value_t)]
    pub registration: Registration,

    /// Whether the session cookie is sent over HTTPS only; `auto` is no on loopback and yes elsewhere.
    /// Where a trusted proxy says HTTPS, it always is.
    #[arg(long, env = "TOPOSCOPE_SESSION_COOKIE_SECURE", value_enum, default_value_t)]
    pub session_cookie_secure: CookieSecure,

    /// Whether requests are limited; `off` is for load tests.
    #[arg(long, env = "TOPOSCOPE_RATE_LIMIT", value_enum, default_value_t)]
    pub rate_limit: Switch,

    /// Proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are believed: addresses or networks,
    /// separated by commas.
    #[arg(long, env = "TOPOSCOPE_TRUSTED_PROXIES", value_delimiter = ',', value_parser = proxy)]
    pub trusted_proxies: Vec<IpNet>,

    /// Origins whose pages may ask with an API key, such as `https://map.example.com`, separated by
    /// commas; none unless given. Sessions stay with the pages of this server.
    #[arg(long, env = "TOPOSCOPE_CORS_ORIGINS", value_delimiter = ',', value_parser = origin)]
    pub cors_origins: Vec<HeaderValue>,

    /// How many connections may be open; those that ask for nothing give way to new ones.
    #[arg(
        long,
        env = "TOPOSCOPE_MAX_CONNECTIONS",
        default_value_t = MAX_CONNECTIONS,
        value_parser = connections
    )]
    pub max_connections: usize,

    /// How many of them may come from one address; those of trusted proxies are not counted.
    #[arg(
        long,
        env = "TOPOSCOPE_MAX_CONNECTIONS_PER_ADDRESS",
        default_value_t = MAX_CONNECTIONS_PER_ADDRESS,
        value_parser = connections
    )]
    pub max_connections_per_address: usize,
    /// The folder where long answers wait for slow clients, in files without a name; the default is
    /// that of the system for temporary files.
    #[arg(long, env = "TOPOSCOPE_SPOOL_FOLDER")]
    pub spool_folder: Option<std::path::PathBuf>,

    /// How long a request may take until its answer begins.
    #[arg(skip = TIME_LIMIT)]
    pub time_limit: Duration,

    /// How long a connection is waited for.
    #[arg(skip)]
    pub patience: Patience,
}

/// How long a connection is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For the whole head of a request, from its first byte or from the beginning.
    pub head: Duration,
    /// For the next request.
    pub idle: Duration,
    /// For the client to read on in an answer.
    pub unread: Duration,
    /// For the rest of a request, when the server stops.
    pub closing: Duration,
    /// Between two pings over HTTP/2, and for their answers.
    pub ping: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            unread: Duration::from_secs(30),
            closing: Duration::from_secs(5),
            ping: Duration::from_secs(20),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            registration: Registration::First,
            session_cookie_secure: CookieSecure::Auto,
            rate_limit: Switch::On,
            trusted_proxies: Vec::new(),
            cors_origins: Vec::new(),
            max_connections: MAX_CONNECTIONS,
            max_connections_per_address: MAX_CONNECTIONS_PER_ADDRESS,
            spool_folder: None,
            time_limit: TIME_LIMIT,
            patience: Patience::default(),
        }
    }
}

/// Who may register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Registration {
    /// Open until a user exists.
    #[default]
    First,
    /// Open to anybody; each registration makes an organization.
    Open,
    /// Users are made on the command line.
    Closed,
}

/// Whether the session cookie carries `Secure`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CookieSecure {
    /// No when listening on loopback, yes elsewhere.
    #[default]
    Auto,
    True,
    False,
}

impl CookieSecure {
    /// What it comes to for a server that listens at `listen`.
    #[must_use]
    pub fn resolve(self, listen: IpAddr) -> Self {
        match self {
            Self::Auto if listen.is_loopback() => Self::False,
            Self::Auto => Self::True,
            said => said,
        }
    }
}

/// On or off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    #[default]
    On,
    Off,
}

fn connections(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|most| *most > 0).ok_or_else(|| format!("`{text}` is not 1 or more"))
}

fn proxy(text: &str) -> Result<IpNet, String> {
    text.parse::<IpNet>()
        .or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
        .map_err(|_| format!("`{text}` is neither an address nor a network like 10.0.0.0/8"))
}

/// An origin as browsers send it (RFC 6454, 6.2).
pub fn origin(text: &str) -> Result<HeaderValue, String> {
    let refused = || {
        format!(
            "`{text}` is not an origin: write the scheme, the host and the port if it has one, such \
             as `https://map.example.com`, and no path"
        )
    };
    let uri: Uri = text.parse().map_err(|_| refused())?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'));
    let (true, Some(authority)) = (is_web, authority) else { return Err(refused()) };
    let scheme = uri.scheme_str().unwrap_or_default();
    if text.len() != scheme.len() + "://".len() + authority.as_str().len() {
        return Err(refused());
    }
    // Browsers leave out the port that the scheme has by itself.
    let own_port = if scheme == "https" { ":443" } else { ":80" };
    let text = text.to_lowercase();
    let text = text.strip_suffix(own_port).unwrap_or(&text);
    HeaderValue::from_str(text).map_err(|_| refused())
}
