//! Every test of the product, as its users meet it: through the router, on a database of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on shall say where and stop")]

mod app;
mod bodies;
mod bulk;
mod concurrency;
mod demo;
mod envelope;
mod error_codes;
mod groups;
mod if_entries;
mod if_entry_rules;
mod indexes;
mod inventory;
mod neighbors;
mod order_of_checks;
mod query_strings;
mod service_order;
mod services;
mod smoke;
mod statements;
mod streaming;
mod totals;
mod world;
