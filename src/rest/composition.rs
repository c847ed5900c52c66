//! Schemas of which there is but one kind.

use serde_json::Value;

/// Puts in place the one variant of what may get others later: a choice of one is none.
pub(super) fn hoist(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object_mut();
    for (_, schema) in schemas.into_iter().flatten() {
        let Some([variant]) = schema["oneOf"].as_array().map(Vec::as_slice) else { continue };
        let (mut only, description) = (variant.clone(), schema["description"].clone());
        only["description"] = description;
        *schema = only;
    }
}
