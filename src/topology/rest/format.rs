//! The forms that can be asked for, by name.

use std::str::FromStr;

use utoipa::{
    PartialSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use crate::topology::export::{Export, Format};

/// A form that was asked for.
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
