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
    fields: HashMap<Name, HashMap<Name, SchemaField>>,
    inputs: HashMap<Name, HashMap<Name, InputValue>>,
}

/// A field of an object of the schema.
#[derive(Debug)]
pub(super) struct SchemaField {
    /// The type of the field, inside any lists.
    pub(super) of: Name,
    /// The arguments of the field.
    pub(super) arguments: HashMap<Name, InputValue>,
}

/// A value that a field or an input takes: an argument, or a field of an input.
#[derive(Debug)]
pub(super) struct InputValue {
    of: Type,
    has_default: bool,
}

impl InputValue {
    /// Returns the name of the type, inside any lists.
    pub(super) fn name(&self) -> &Name {
        innermost(&self.of)
    }

    /// Returns whether an unset variable of this type leaves the value out (GraphQL, 5.8.5): its
    /// type accepts such a variable and can do without a value.
    pub(super) fn may_be_left_out_by(&self, variable: &Type) -> bool {
        (self.of.nullable || self.has_default) && takes(&self.of.base, &variable.base)
    }
}

fn takes(accepted: &BaseType, variable: &BaseType) -> bool {
    match (accepted, variable) {
        (BaseType::Named(accepted), BaseType::Named(variable)) => accepted == variable,
        (BaseType::List(accepted), BaseType::List(variable)) => {
            (accepted.nullable || !variable.nullable) && takes(&accepted.base, &variable.base)
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
                    takes.fields.insert(name, schema_fields(object.fields));
                }
                TypeKind::Interface(interface) => {
                    takes.fields.insert(name, schema_fields(interface.fields));
                }
                TypeKind::InputObject(input) => {
                    takes.inputs.insert(name, input_values(input.fields));
                }
                _ => {}
            }
        }
        takes
    }

    /// Returns a field of a type.
    pub(super) fn field(&self, of: &str, name: &Name) -> Option<&SchemaField> {
        self.fields.get(of)?.get(name)
    }

    /// Returns the fields of an input.
    pub(super) fn input(&self, name: &Name) -> Option<&HashMap<Name, InputValue>> {
        self.inputs.get(name)
    }
}

fn schema_fields(fields: Vec<Positioned<FieldDefinition>>) -> HashMap<Name, SchemaField> {
    let fields = fields.into_iter().map(|field| field.node);
    let fields = fields.map(|field| {
        let of = innermost(&field.ty.node).clone();
        (field.name.node, SchemaField { of, arguments: input_values(field.arguments) })
    });
    fields.collect()
}

fn input_values(values: Vec<Positioned<InputValueDefinition>>) -> HashMap<Name, InputValue> {
    let values = values.into_iter().map(|value| value.node);
    let values = values.map(|value| {
        let has_default = value.default_value.is_some();
        (value.name.node, InputValue { of: value.ty.node, has_default })
    });
    values.collect()
}
