//! Every test of the product, as its users meet it: through the router, on a database of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on shall say where and stop")]
#![expect(clippy::format_collect, clippy::format_push_string, reason = "texts of tests are short")]

mod api_keys;
mod app;
mod binary;
mod bodies;
mod bulk;
mod concurrency;
mod connections;
mod credentials;
mod demo;
mod envelope;
mod error_codes;
mod filters;
mod grants;
mod groups;
mod guards;
mod http;
mod if_entries;
mod if_entry_rules;
mod indexes;
mod introspection;
mod inventory;
mod key_use;
mod levels;
mod limits;
mod loaders;
mod login;
mod neighbors;
mod order_of_checks;
mod outage;
mod plenty;
mod process;
mod query_strings;
mod register;
mod schema;
mod secrets;
mod service_order;
mod services;
mod smoke;
mod statements;
mod streaming;
mod totals;
mod two_faces;
mod world;
