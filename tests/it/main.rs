//! Every test of the product, as its users meet it: through the router, on a database of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on shall say where and stop")]

mod api_keys;
mod app;
mod binary;
mod bodies;
mod bulk;
mod concurrency;
mod credentials;
mod demo;
mod envelope;
mod error_codes;
mod groups;
mod if_entries;
mod if_entry_rules;
mod indexes;
mod inventory;
mod key_use;
mod levels;
mod limits;
mod login;
mod neighbors;
mod order_of_checks;
mod outage;
mod process;
mod query_strings;
mod register;
mod secrets;
mod service_order;
mod services;
mod smoke;
mod statements;
mod streaming;
mod totals;
mod world;
