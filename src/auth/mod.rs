//! Who is asking: credentials, sessions, keys, levels, reach and budgets.

pub mod api_key;
mod belief;
mod credentials;
mod database_time;
mod login;
pub mod password;
pub mod rate_limit;
mod seats;
pub mod session;
mod token;
mod viewer;
pub mod watch;

pub(crate) use self::login::Attempt;
pub use self::{
    credentials::{Caller, Credentials, Refusal},
    token::Token,
    viewer::Viewer,
};
