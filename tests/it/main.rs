//! Every test of the product, as its users meet it: through the router, on a database of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on shall say where and stop")]

mod api_keys;
mod app;
mod binary;
mod credentials;
mod key_use;
mod levels;
mod limits;
mod login;
mod outage;
mod process;
mod register;
mod secrets;
mod smoke;
mod world;
