//! Every test of the product, as its users meet it: through the router, on a database of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on shall say where and stop")]

mod app;
mod architecture;
mod connections;
mod filters;
mod guards;
mod http;
mod introspection;
mod loaders;
mod plenty;
mod reach;
mod refusals;
mod schema;
mod smoke;
mod tenancy;
mod tenancy_rest;
mod two_faces;
mod windows;
mod world;
