//! Every test of the product, as its users meet it: through the router, on a database of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on shall say where and stop")]

mod app;
mod connections;
mod filters;
mod guards;
mod http;
mod introspection;
mod loaders;
mod plenty;
mod schema;
mod smoke;
mod two_faces;
mod world;
