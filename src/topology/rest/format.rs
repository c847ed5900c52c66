//! Formats and views that clients can request, by name.

use std::str::FromStr;

use toposcope_topology::export::{Export, Format};
use toposcope_types::Layer;
use utoipa::{
    PartialSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

/// A requested format.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedFormat(pub(super) Format);

fn names() -> impl Iterator<Item = &'static str> {
    std::iter::once(Format::Json.name()).chain(Export::ALL.map(Export::name))
}

impl FromStr for AskedFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Format::from_name(text)
            .map(Self)
            .ok_or_else(|| format!("use one of {}", names().collect::<Vec<_>>().join(", ")))
    }
}

impl PartialSchema for AskedFormat {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names())).into()
    }
}

/// A layer that was requested as a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedView(pub(super) Layer);

/// The contract's names for layers, and the ones used here, case-insensitive.
const VIEWS: [(&str, Layer); 5] = [
    ("L2Physical", Layer::L2),
    ("L3Logical", Layer::L3),
    ("Application", Layer::Application),
    ("L2", Layer::L2),
    ("L3", Layer::L3),
];

impl FromStr for AskedView {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = VIEWS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        found.map(|(_, layer)| Self(*layer)).ok_or_else(|| {
            "use one of L2Physical, L3Logical, Application; there is no other view".to_owned()
        })
    }
}

impl PartialSchema for AskedView {
    fn schema() -> RefOr<Schema> {
        let names = VIEWS.map(|(name, _)| name);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
    }
}
