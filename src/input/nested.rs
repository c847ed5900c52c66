//! Inputs derived from another input, with some keys determined by the context they appear in.
//!
//! A new port, an updated port and a port in the list of its host take the same input, except for
//! what the context determines: the ids of the host and network, or the expected version.

use std::{
    borrow::Cow,
    fmt::{self, Debug, Formatter},
    marker::PhantomData,
};

use async_graphql::{
    InputObjectType, InputType, InputValueResult, Name, Value,
    registry::{MetaType, MetaTypeId, Registry},
};
use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeOwned, DeserializeSeed, IgnoredAny, IntoDeserializer as _, MapAccess, Visitor,
        value::MapAccessDeserializer,
    },
};
use toposcope_types::Id;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema, schema::SchemaType},
};

/// The context in which an input appears.
pub trait InputContext: Send + Sync + 'static {
    /// The prefix of input names here, instead of `Update`.
    const PREFIX: &'static str;
    /// The keys, all of them ids, that the context determines.
    const SETTLED: &'static [&'static str];
    /// Whether an input may have an id of its own.
    const HAS_ID: bool;
    /// Whether an input may contain the expected version.
    const HAS_VERSION: bool = false;
}

/// Returns the keys of a `T` that are required in a context.
fn required<T: Input, C: InputContext>() -> impl Iterator<Item = &'static str> {
    let required = if C::HAS_ID { T::REQUIRED_IN_LIST } else { T::REQUIRED };
    required.iter().copied().filter(|key| !C::SETTLED.contains(key))
}

/// Returns whether inputs in a context lack this key.
fn left_to<C: InputContext>(key: &str) -> bool {
    C::SETTLED.contains(&key) || (key == VERSION && !C::HAS_VERSION)
}

/// An input, some of whose keys are required in some contexts.
pub trait Input {
    /// The keys required to create or replace a row, beyond those that the type itself requires.
    const REQUIRED: &'static [&'static str];
    /// The keys required in a list of the parent.
    const REQUIRED_IN_LIST: &'static [&'static str] = Self::REQUIRED;
    /// Alternative names of keys in JSON, each with the key that it stands for.
    const ALIASES: &'static [(&'static str, &'static str)] = &[];
}

/// The context of an input that creates a row.
#[derive(Debug)]
pub struct New;

/// The context of an input that replaces a row as a whole.
#[derive(Debug)]
pub struct Whole;

/// The context of an input in a list of a host.
#[derive(Debug)]
pub struct OfHost;

/// The context of an input in a list of a service.
#[derive(Debug)]
pub struct OfService;

impl InputContext for New {
    const PREFIX: &'static str = "Create";
    const SETTLED: &'static [&'static str] = &[];
    const HAS_ID: bool = false;
}

impl InputContext for Whole {
    const PREFIX: &'static str = "Update";
    const SETTLED: &'static [&'static str] = &[];
    const HAS_ID: bool = false;
    const HAS_VERSION: bool = true;
}

impl InputContext for OfHost {
    const PREFIX: &'static str = "Host";
    const SETTLED: &'static [&'static str] = &["host_id", "network_id"];
    const HAS_ID: bool = true;
}

impl InputContext for OfService {
    const PREFIX: &'static str = "Service";
    const SETTLED: &'static [&'static str] = &["service_id", "network_id"];
    const HAS_ID: bool = true;
}

/// The key that applies to updates only.
const VERSION: &str = "expected_updated_at";

/// The input `T` as it appears in a context. Keys that the context determines are the nil id in
/// `input`.
pub struct Part<T, C> {
    /// The id of the row, or of one to create, which the same request can then reference.
    pub id: Option<Id>,
    /// The input itself.
    pub input: T,
    context: PhantomData<C>,
}

impl<T, C> Part<T, C> {
    /// Creates an input in a context.
    pub fn new(id: Option<Id>, input: T) -> Self {
        Self { id, input, context: PhantomData }
    }
}

impl<T: Clone, C> Clone for Part<T, C> {
    fn clone(&self) -> Self {
        Self::new(self.id, self.input.clone())
    }
}

impl<T: PartialEq, C> PartialEq for Part<T, C> {
    fn eq(&self, other: &Self) -> bool {
        (&self.id, &self.input) == (&other.id, &other.input)
    }
}

impl<T: Debug, C> Debug for Part<T, C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("id", &self.id).field("input", &self.input).finish()
    }
}

impl<'de, T: DeserializeOwned + Input, C: InputContext> Deserialize<'de> for Part<T, C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(Keys(PhantomData))
    }
}

struct Keys<T, C>(PhantomData<(T, C)>);

impl<'de, T: DeserializeOwned + Input, C: InputContext> Visitor<'de> for Keys<T, C> {
    type Value = Part<T, C>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("struct of this kind")
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> std::result::Result<Self::Value, M::Error> {
        let mut keys = Settled::<M, C> {
            map,
            pending: C::SETTLED.iter(),
            nil: false,
            id: None,
            missing: required::<T, C>().collect(),
            aliases: T::ALIASES,
            context: PhantomData,
        };
        let input = T::deserialize(MapAccessDeserializer::new(&mut keys))?;
        match keys.missing.first() {
            Some(key) => Err(serde::de::Error::missing_field(key)),
            None => Ok(Part::new(keys.id, input)),
        }
    }
}

/// The keys of an object, preceded by those that the context determines, which are ignored in the
/// object.
struct Settled<M, C> {
    map: M,
    pending: std::slice::Iter<'static, &'static str>,
    nil: bool,
    id: Option<Id>,
    /// The required keys that have not appeared yet.
    missing: Vec<&'static str>,
    aliases: &'static [(&'static str, &'static str)],
    context: PhantomData<C>,
}

impl<'de, M: MapAccess<'de>, C: InputContext> MapAccess<'de> for &mut Settled<M, C> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> std::result::Result<Option<K::Value>, M::Error> {
        if let Some(name) = self.pending.next() {
            self.nil = true;
            return seed.deserialize((*name).into_deserializer()).map(Some);
        }
        loop {
            let Some(key) = self.map.next_key::<String>()? else { return Ok(None) };
            if key == "id" && C::HAS_ID {
                if self.id.is_some() {
                    return Err(serde::de::Error::duplicate_field("id"));
                }
                // The nil id counts as no id.
                let id: Option<Id> = self.map.next_value()?;
                self.id = id.filter(|id| !id.is_nil());
            } else if left_to::<C>(&key) {
                self.map.next_value::<IgnoredAny>()?;
            } else {
                let meant = self.aliases.iter().find(|(alias, _)| *alias == key);
                let meant = meant.map_or(key.as_str(), |(_, key)| key);
                self.missing.retain(|missing| *missing != meant);
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> std::result::Result<V::Value, M::Error> {
        if std::mem::take(&mut self.nil) {
            return seed.deserialize(Id::nil().to_string().into_deserializer());
        }
        self.map.next_value_seed(seed)
    }
}

impl<T: InputObjectType + Input, C: InputContext> InputType for Part<T, C> {
    type RawValueType = Self;

    fn type_name() -> Cow<'static, str> {
        // The name of an input that only appears within a context begins with `Any`.
        let name = T::type_name();
        let name = name.trim_start_matches("Update").trim_start_matches("Any");
        format!("{}{name}", C::PREFIX).into()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        registry.create_input_type::<Self, _>(MetaTypeId::InputObject, |registry| {
            T::create_type_info(registry);
            let mut whole = registry.types[T::type_name().as_ref()].clone();
            if let MetaType::InputObject { name, input_fields, rust_typename, .. } = &mut whole {
                *name = Self::type_name().into_owned();
                *rust_typename = Some(std::any::type_name::<Self>());
                let left: Vec<String> = C::SETTLED
                    .iter()
                    .chain([&VERSION])
                    .filter(|key| left_to::<C>(key))
                    .map(|key| camel_case(key))
                    .collect();
                input_fields.retain(|field, _| !left.contains(field));
                for key in required::<T, C>() {
                    if let Some(field) = input_fields.get_mut(&camel_case(key)) {
                        field.ty.push('!');
                    }
                }
                if C::HAS_ID {
                    let mut id = input_fields.values().next().cloned();
                    if let Some(id) = &mut id {
                        "id".clone_into(&mut id.name);
                        id.description = Some(OWN_ID.to_owned());
                        "ID".clone_into(&mut id.ty);
                        id.default_value = None;
                    }
                    input_fields.extend(id.map(|id| ("id".to_owned(), id)));
                }
            }
            whole
        })
    }

    fn parse(value: Option<Value>) -> InputValueResult<Self> {
        let Some(Value::Object(mut fields)) = value else {
            return Err(async_graphql::InputValueError::expected_type(value.unwrap_or_default()));
        };
        let id = if C::HAS_ID { fields.shift_remove("id") } else { None };
        let id = Option::<Id>::parse(id).map_err(async_graphql::InputValueError::propagate)?;
        let id = id.filter(|id| !id.is_nil());
        for key in required::<T, C>() {
            if matches!(fields.get(camel_case(key).as_str()), None | Some(Value::Null)) {
                let message = format!("`{}` is required", camel_case(key));
                let error = async_graphql::InputValueError::custom(message);
                return Err(error.with_extension("code", "validation_required"));
            }
        }
        for key in C::SETTLED {
            let nil = Value::String(Id::nil().to_string());
            fields.insert(Name::new(camel_case(key)), nil);
        }
        let input = T::parse(Some(Value::Object(fields)));
        Ok(Self::new(id, input.map_err(async_graphql::InputValueError::propagate)?))
    }

    fn to_value(&self) -> Value {
        self.input.to_value()
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }
}

impl<T: InputObjectType + Input, C: InputContext> InputObjectType for Part<T, C> {}

const OWN_ID: &str = "The id of the existing row, or a new id for a row to create, so that this request can refer to it.";

fn camel_case(key: &str) -> String {
    let mut words = key.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

impl<T: ToSchema + Input, C: InputContext> PartialSchema for Part<T, C> {
    fn schema() -> RefOr<Schema> {
        let mut schema = T::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            for key in C::SETTLED.iter().chain([&VERSION]).filter(|key| left_to::<C>(key)) {
                object.properties.shift_remove(*key);
                object.required.retain(|name| name != key);
            }
            object.required.extend(required::<T, C>().map(str::to_owned));
            if C::HAS_ID
                && let RefOr::T(Schema::Object(mut id)) = Id::schema()
            {
                id.description = Some(OWN_ID.to_owned());
                id.schema_type = SchemaType::from_iter([
                    utoipa::openapi::Type::String,
                    utoipa::openapi::Type::Null,
                ]);
                object.properties.insert("id".to_owned(), id.into());
            }
        }
        schema
    }
}

impl<T: ToSchema + Input, C: InputContext> ToSchema for Part<T, C> {
    fn name() -> Cow<'static, str> {
        // The input for an existing row has the plain name.
        let prefix = if C::HAS_VERSION { "" } else { C::PREFIX };
        format!("{prefix}{}", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}
