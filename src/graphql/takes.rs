//! The inputs of the schema: the arguments of every field, and the fields of every input.

use std::{collections::HashMap, sync::OnceLock};

use async_graphql::{
    Name, Positioned,
    parser::{
        parse_schema,
        types::{
            BaseType, FieldDefinition, InputValueDefinition, Type, TypeKind, TypeSystemDefinition,
        },
    },
};

/// The arguments and inputs that the schema accepts.
#[derive(Debug, Default)]
pub struct Takes {
    fields: HashMap<Name, HashMap<Name, Known>>,
    inputs: HashMap<Name, HashMap<Name, Place>>,
}

/// A field of an object.
#[derive(Debug)]
pub(super) struct Known {
    /// The type of the field, inside any lists.
    pub(super) of: Name,
    /// The arguments of the field.
    pub(super) arguments: HashMap<Name, Place>,
}

/// A position for a value: an argument, or a field of an input.
#[derive(Debug)]
pub(super) struct Place {
    of: Type,
    has_default: bool,
}

impl Place {
    /// Returns the name of the type, inside any lists.
    pub(super) fn name(&self) -> &Name {
        innermost(&self.of)
    }

    /// Returns whether an unset variable of this type leaves the position out (GraphQL, 5.8.5): the
    /// position accepts such a variable and can do without a value.
    pub(super) fn may_be_left_out_by(&self, variable: &Type) -> bool {
        (self.of.nullable || self.has_default) && takes(&self.of.base, &variable.base)
    }
}

fn takes(place: &BaseType, variable: &BaseType) -> bool {
    match (place, variable) {
        (BaseType::Named(place), BaseType::Named(variable)) => place == variable,
        (BaseType::List(place), BaseType::List(variable)) => {
            (place.nullable || !variable.nullable) && takes(&place.base, &variable.base)
        }
        _ => false,
    }
}

fn innermost(of: &Type) -> &Name {
    match &of.base {
        BaseType::Named(name) => name,
        BaseType::List(of) => innermost(of),
    }
}

impl Takes {
    /// Returns the inputs of the schema that is served, which the first call reads.
    pub(super) fn of(sdl: impl FnOnce() -> String) -> &'static Self {
        static TAKES: OnceLock<Takes> = OnceLock::new();
        TAKES.get_or_init(|| Self::read(&sdl()))
    }

    /// Reads the inputs of a schema.
    ///
    /// # Panics
    ///
    /// If `sdl` is not a schema.
    pub fn read(sdl: &str) -> Self {
        let document = parse_schema(sdl).expect("a schema that was written can be read");
        let mut takes = Self::default();
        for definition in document.definitions {
            let TypeSystemDefinition::Type(definition) = definition else { continue };
            let name = definition.node.name.node;
            match definition.node.kind {
                TypeKind::Object(object) => {
                    takes.fields.insert(name, known(object.fields));
                }
                TypeKind::Interface(interface) => {
                    takes.fields.insert(name, known(interface.fields));
                }
                TypeKind::InputObject(input) => {
                    takes.inputs.insert(name, places(input.fields));
                }
                _ => {}
            }
        }
        takes
    }

    /// Returns a field of a type.
    pub(super) fn field(&self, of: &str, name: &Name) -> Option<&Known> {
        self.fields.get(of)?.get(name)
    }

    /// Returns the fields of an input.
    pub(super) fn input(&self, name: &Name) -> Option<&HashMap<Name, Place>> {
        self.inputs.get(name)
    }
}

fn known(fields: Vec<Positioned<FieldDefinition>>) -> HashMap<Name, Known> {
    let fields = fields.into_iter().map(|field| field.node);
    let known = fields.map(|field| {
        let of = innermost(&field.ty.node).clone();
        (field.name.node, Known { of, arguments: places(field.arguments) })
    });
    known.collect()
}

fn places(values: Vec<Positioned<InputValueDefinition>>) -> HashMap<Name, Place> {
    let values = values.into_iter().map(|value| value.node);
    let places = values.map(|value| {
        let has_default = value.default_value.is_some();
        (value.name.node, Place { of: value.ty.node, has_default })
    });
    places.collect()
}
