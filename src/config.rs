//! The operator's configuration: defaults, then the environment, then flags.

use std::{net::IpAddr, time::Duration};

use axum::http::{HeaderValue, Uri};
use clap::{Args, ValueEnum};
use ipnet::IpNet;
use secrecy::SecretString;
use toposcope_types::Listen;

/// The default address of a server.
pub const LISTEN: &str = "127.0.0.1:60072";
const TIME_LIMIT: Duration = Duration::from_secs(30);
const MAX_CONNECTIONS: usize = 2048;
const MAX_CONNECTIONS_PER_ADDRESS: usize = 256;

/// The database and log options of every command.
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

/// The options of `serve` and `demo`.
#[derive(Args, Clone, Debug)]
pub struct ServeArgs {
    /// The address or host name to listen on, and the port: 60072 by default, or 0 for a free one.
    /// If a name has several addresses, the server uses the first, preferring IPv4.
    #[arg(long, env = "TOPOSCOPE_LISTEN", value_name = "HOST:PORT", default_value = LISTEN)]
    pub listen: Listen,

    #[command(flatten)]
    pub settings: Settings,

    /// A CSV file (`name,category,ports`) of services that are missing from the built-in table.
    #[arg(long, env = "TOPOSCOPE_SERVICE_DEFINITIONS")]
    pub service_definitions: Option<std::path::PathBuf>,
}

/// The options for handling requests.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The people who may register: only the first user, anybody, or nobody.
    #[arg(long, env = "TOPOSCOPE_REGISTRATION", value_enum, default_value_t)]
    pub registration: Registration,

    /// Whether to restrict the session cookie to HTTPS; `auto` means no on loopback and yes
    /// elsewhere. If a trusted proxy reports HTTPS, the cookie is always restricted.
    #[arg(long, env = "TOPOSCOPE_SESSION_COOKIE_SECURE", value_enum, default_value_t)]
    pub session_cookie_secure: CookieSecure,

    /// Whether to limit requests; `off` is for load tests.
    #[arg(long, env = "TOPOSCOPE_RATE_LIMIT", value_enum, default_value_t)]
    pub rate_limit: Switch,

    /// Proxies to trust for `X-Forwarded-For`, `-Proto` and `-Host`: addresses or networks,
    /// separated by commas.
    #[arg(long, env = "TOPOSCOPE_TRUSTED_PROXIES", value_delimiter = ',', value_parser = proxy)]
    pub trusted_proxies: Vec<IpNet>,

    /// Origins whose pages may send requests with an API key, such as `https://map.example.com`,
    /// separated by commas; none by default. Sessions are limited to the pages of this server.
    #[arg(long, env = "TOPOSCOPE_CORS_ORIGINS", value_delimiter = ',', value_parser = origin)]
    pub cors_origins: Vec<HeaderValue>,

    /// The maximum number of open connections; idle ones give way to new ones.
    #[arg(
        long,
        env = "TOPOSCOPE_MAX_CONNECTIONS",
        default_value_t = MAX_CONNECTIONS,
        value_parser = connections
    )]
    pub max_connections: usize,

    /// The maximum number of open connections from one address; those of trusted proxies do not
    /// count.
    #[arg(
        long,
        env = "TOPOSCOPE_MAX_CONNECTIONS_PER_ADDRESS",
        default_value_t = MAX_CONNECTIONS_PER_ADDRESS,
        value_parser = connections
    )]
    pub max_connections_per_address: usize,
    /// The folder where long responses wait for slow clients, in files without a name; by default
    /// the system's folder for temporary files.
    #[arg(long, env = "TOPOSCOPE_SPOOL_FOLDER")]
    pub spool_folder: Option<std::path::PathBuf>,

    /// The maximum time until the response to a request begins.
    #[arg(skip = TIME_LIMIT)]
    pub time_limit: Duration,

    /// The time limits of a connection.
    #[arg(skip)]
    pub patience: Patience,
}

/// The time limits of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Limit for the whole head of a request, from its first byte or from the start of the
    /// connection.
    pub head: Duration,
    /// Limit for the next request.
    pub idle: Duration,
    /// Limit for the client to read on in a response.
    pub unread: Duration,
    /// Limit for the rest of a request, when the server stops.
    pub closing: Duration,
    /// Interval between two pings over HTTP/2, and limit for their replies.
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

/// The policy for registration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Registration {
    /// Open until a user exists.
    #[default]
    First,
    /// Open to anybody; each registration creates an organization.
    Open,
    /// The operator creates users on the command line.
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
    /// Returns the setting for a server that listens at `listen`.
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

/// Parses an origin as browsers send it (RFC 6454, 6.2).
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
    // Browsers omit the default port of the scheme.
    let own_port = if scheme == "https" { ":443" } else { ":80" };
    let text = text.to_lowercase();
    let text = text.strip_suffix(own_port).unwrap_or(&text);
    HeaderValue::from_str(text).map_err(|_| refused())
}
