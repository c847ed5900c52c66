//! Authentication and authorization: credentials, sessions, keys, levels, reach and budgets.

pub mod api_key;
mod belief;
mod credential_cache;
pub mod database_time;
pub mod login_throttle;
pub(crate) mod password;
pub mod rate_limit;
pub mod seats;
pub mod session;
mod token;
mod viewer;
pub mod watch;

pub(crate) use self::login_throttle::Attempt;
pub use self::{
    credential_cache::{Caller, Credentials, Refusal},
    token::Token,
    viewer::Viewer,
};
