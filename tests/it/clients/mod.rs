//! Requests of other people's programs, by shapes of our own, and the answers to them.

mod answers;
mod keeping;
mod names;
mod replay;
mod rules;

use serde_json::Value;

use crate::support::{app::Answer, world::World};

/// Sends a body, as a member's key, or as the owner's session where keys may not.
pub(crate) async fn put(world: &World, path: &str, body: &Value) -> Answer {
    let session = path.contains("/users/") || path.contains("/auth/keys/");
    let secret = if session { &world.ours.owner.session } else { &world.ours.owner.key };
    world.test.put(path, body).credential(secret).send().await
}

pub(crate) async fn post(world: &World, path: &str, body: &Value) -> Answer {
    world.test.post(path, body).credential(&world.ours.owner.key).send().await
}

pub(crate) async fn get(world: &World, path: &str) -> Answer {
    let session = path.contains("/users/") || path.contains("/auth/keys/");
    let secret = if session { &world.ours.owner.session } else { &world.ours.owner.key };
    world.test.get(path).credential(secret).send().await
}
