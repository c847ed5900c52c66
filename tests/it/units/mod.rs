//! Parts of the server by themselves: what no request shows, or only after a long time.
//!
//! They stand here and not beside what they test, so that the server is compiled only once.

mod database_time;
mod file_names;
mod formulas;
mod guard;
mod id_set;
mod lengths;
mod login_throttle;
mod moments;
mod persisted;
mod port_names;
mod progress;
mod seats;
mod service_definitions;
#[cfg(unix)]
mod signals;
mod spool;
mod statement_limit;
mod turns;
mod unset;
