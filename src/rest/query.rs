//! Query strings: repeated and comma-joined lists, scalars given once, and no unknown names.

use std::{
    collections::BTreeMap,
    fmt::{Debug, Display, Formatter},
    str::FromStr,
};

use async_graphql::{InputType, MaybeUndefined, resolver_utils::EnumType};
use serde::de::{DeserializeOwned, IntoDeserializer as _};
use utoipa::{
    PartialSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use crate::{
    error::{Error, Result},
    resource::{
        filter::{EnumFilter, IdFilter, IntFilter, TextFilter},
        page::{DEFAULT_PAGE, MAX_PAGE},
    },
};

fn out_of_range(name: &str, max: i64) -> Error {
    Error::OutOfRange { field: name.to_owned(), min: 0, max }
}

/// A parameter that an endpoint takes.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Whether it is a list.
    pub list: bool,
    /// The schema of its value, or of an element of the list.
    pub schema: fn() -> RefOr<Schema>,
    /// What it does.
    pub description: &'static str,
}

impl Parameter {
    fn new(name: &'static str, list: bool, schema: fn() -> RefOr<Schema>) -> Self {
        let description = DESCRIPTIONS.iter().find(|(known, _)| *known == name);
        let description = description.map_or("", |(_, description)| description);
        Self { name, list, schema, description }
    }
}

impl Debug for Parameter {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The parameters of a query string, taken out by name.
#[derive(Clone, Debug, Default)]
pub struct Query {
    values: BTreeMap<String, Vec<String>>,
    known: Vec<Parameter>,
}

/// What the parameters do that lists share.
const DESCRIPTIONS: [(&str, &str); 40] = [
    ("network_id", "Only what belongs to this network."),
    ("host_id", "Only what belongs to this host."),
    ("service_id", "Only what belongs to this service."),
    ("subnet_id", "Only what is in this subnet."),
    ("port_id", "Only what is bound to this port."),
    ("interface_id", "Only what is tied to this interface."),
    ("user_id", "Only what this user did."),
    ("api_key_id", "Only what was done by this API key."),
    ("entity_id", "Only the changes of this thing."),
    ("ids", "Only those with one of these ids."),
    ("tag_ids", "Only those that carry one of these tags."),
    ("name", "Only those with this name, without regard to the case of A to Z."),
    ("number", "Only those with this number."),
    ("protocol", "Only those of this protocol."),
    ("if_index", "Only those with this number within their device."),
    ("mac_address", "Only those with this MAC address."),
    ("ip_address", "Only those with this address."),
    ("cidr", "Only those with this range."),
    ("subnet_type", "Only those for this purpose."),
    ("group_type", "Only those whose order has this meaning."),
    ("dependency_type", "The same as `group_type`, as later versions of the contract call it."),
    ("type", "Only those of this type."),
    ("entity", "Only changes of this kind of thing."),
    ("action", "Only changes of this kind."),
    ("permissions", "Only those with this level."),
    ("since", "Only what happened at this moment or later."),
    ("after_sequence", "Only what has a higher number in its log."),
    ("exclude_categories", "None of the services of these categories."),
    ("group_by", "What to order by first, ascending, so that equal ones stand together."),
    ("order_by", "What to order by, within the groups if there are any."),
    ("order_direction", "Which way `order_by` goes; by itself it has no effect."),
    ("limit", "The most rows to answer; 0 is all of them, more than 1000 counts as 1000."),
    ("offset", "How many rows to leave out before the first."),
    (
        "layer",
        "Which layer: L2 (links between ports) if left out, L3 (subnets), or APPLICATION (services).",
    ),
    (
        "view",
        "Which view: L2Physical if left out, L3Logical, or Application; the names of layers are read as well.",
    ),
    ("root", "Only what is around this host, subnet or service."),
    (
        "hops",
        "Only what is at most so many links from `root`, without which it has no effect; 2 if left out.",
    ),
    ("format", "In which form; `json` if left out."),
    ("allow_overlap", "Makes another subnet also where the network has this range already."),
    ("dry_run", "Only tells what would be deleted, and deletes nothing."),
];

impl Query {
    /// Splits a query string; an empty value means that the parameter is absent.
    pub fn parse(text: &str) -> Result<Self> {
        let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(text.as_bytes()) {
            if value.contains(char::REPLACEMENT_CHARACTER) {
                return Err(Error::invalid(name.into_owned(), "it is not UTF-8"));
            }
            values.entry(name.into_owned()).or_default().push(value.into_owned());
        }
        Ok(Self { values, known: Vec::new() })
    }

    /// The parameters that have been asked for.
    pub fn parameters(&self) -> &[Parameter] {
        &self.known
    }

    fn know<T: PartialSchema>(&mut self, name: &'static str, list: bool) {
        self.known.push(Parameter::new(name, list, T::schema));
    }

    /// A parameter that may be given once.
    pub fn one<T: FromStr<Err: Display> + PartialSchema>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>> {
        self.know::<T>(name, false);
        self.single(name)
    }

    /// A flag: `true` or `false`, and left out the same as `false`.
    pub fn flag(&mut self, name: &'static str) -> Result<bool> {
        self.know::<bool>(name, false);
        let text: Option<String> = self.single(name)?;
        match text.as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(Error::invalid(name, "use true or false")),
        }
    }

    /// What to order by, in the spelling of REST.
    pub fn field<T: EnumType>(&mut self, name: &'static str) -> Result<Option<T>> {
        self.known.push(Parameter::new(name, false, fields::<T>));
        let Some(text) = self.single::<String>(name)? else { return Ok(None) };
        let found = T::items().iter().find(|item| item.name.to_lowercase() == text);
        found.map(|item| Some(item.value)).ok_or_else(|| {
            let names: Vec<String> =
                T::items().iter().map(|item| item.name.to_lowercase()).collect();
            Error::invalid(name, format!("use one of {}", names.join(", ")))
        })
    }

    /// An id to filter by.
    pub fn id(&mut self, name: &'static str) -> Result<Option<IdFilter>> {
        Ok(self.one(name)?.map(IdFilter::eq))
    }

    /// Ids to filter by.
    pub fn ids(&mut self, name: &'static str) -> Result<Option<IdFilter>> {
        Ok(self.many(name)?.map(IdFilter::any_of))
    }

    /// A text to filter by.
    pub fn text(&mut self, name: &'static str) -> Result<Option<TextFilter>> {
        let text: Option<String> = self.one(name)?;
        Ok(text.map(|text| TextFilter { eq: MaybeUndefined::Value(text), ..TextFilter::default() }))
    }

    /// A number to filter by.
    pub fn int(&mut self, name: &'static str) -> Result<Option<IntFilter>> {
        Ok(self
            .one(name)?
            .map(|number| IntFilter { eq: MaybeUndefined::Value(number), any_of: None }))
    }

    /// A value of an enumeration to filter by, in the spelling of REST.
    pub fn value<T: InputType + DeserializeOwned + PartialSchema>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<EnumFilter<T>>> {
        self.know::<T>(name, false);
        let Some(text) = self.single::<String>(name)? else { return Ok(None) };
        let value = T::deserialize(text.as_str().into_deserializer());
        let value = value.map_err(|error: serde::de::value::Error| Error::invalid(name, error))?;
        Ok(Some(EnumFilter::eq(value)))
    }

    fn single<T: FromStr<Err: Display>>(&mut self, name: &'static str) -> Result<Option<T>> {
        let Some(values) = self.values.remove(name) else { return Ok(None) };
        match values.as_slice() {
            [] => Ok(None),
            [value] if value.is_empty() => Ok(None),
            [value] => value.parse().map(Some).map_err(|error| Error::invalid(name, error)),
            [..] => Err(Error::invalid(name, "give it only once")),
        }
    }

    /// A parameter that is a list: repeated, joined by commas, or both.
    pub fn many<T: FromStr<Err: Display> + PartialSchema>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<Vec<T>>> {
        self.know::<T>(name, true);
        let Some(values) = self.values.remove(name) else { return Ok(None) };
        let elements =
            values.iter().flat_map(|value| value.split(',')).filter(|value| !value.is_empty());
        let elements = elements
            .map(|value| value.trim().parse().map_err(|error| Error::invalid(name, error)))
            .collect::<Result<Vec<T>>>()?;
        Ok((!elements.is_empty()).then_some(elements))
    }

    /// The size of a page; more than [`MAX_PAGE`] is applied as that, and 0 is all.
    pub fn limit(&mut self, name: &'static str) -> Result<u64> {
        let limit = self.number(name, MAX_PAGE.cast_signed(), unbounded)?;
        Ok(limit.unwrap_or(DEFAULT_PAGE).min(MAX_PAGE))
    }

    /// The most rows of a table, however many; 0, and nothing given, is all.
    pub fn most(&mut self, name: &'static str) -> Result<u64> {
        Ok(self.number(name, MAX_PAGE.cast_signed(), unbounded)?.unwrap_or(0))
    }

    /// The rows before a page, up to 2^31-1.
    pub fn offset(&mut self, name: &'static str) -> Result<u64> {
        Ok(self.count(name)?.unwrap_or(0).into())
    }

    /// A number of things, up to 2^31-1.
    pub fn count(&mut self, name: &'static str) -> Result<Option<u32>> {
        const MAX: i64 = i32::MAX as i64;
        let Some(count) = self.number(name, MAX, whole)? else { return Ok(None) };
        let count = u32::try_from(count).ok().filter(|count| i64::from(*count) <= MAX);
        count.map(Some).ok_or_else(|| out_of_range(name, MAX))
    }

    /// A whole number of 0 or more, however long.
    fn number(
        &mut self,
        name: &'static str,
        max: i64,
        schema: fn() -> RefOr<Schema>,
    ) -> Result<Option<u64>> {
        self.known.push(Parameter::new(name, false, schema));
        let Some(text) = self.single::<String>(name)? else { return Ok(None) };
        let digits = text.strip_prefix('-').unwrap_or(&text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Error::invalid(name, "use a whole number"));
        }
        if digits.len() < text.len() && digits.bytes().any(|byte| byte != b'0') {
            return Err(out_of_range(name, max));
        }
        Ok(Some(digits.parse().unwrap_or(u64::MAX)))
    }

    /// Refuses what nobody has taken.
    pub fn finish(self) -> Result<()> {
        match self.values.into_keys().next() {
            None => Ok(()),
            Some(parameter) => {
                let known = if self.known.is_empty() {
                    "none".to_owned()
                } else {
                    self.known
                        .iter()
                        .map(|known| format!("`{}`", known.name))
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                Err(Error::UnknownParameter { parameter, known })
            }
        }
    }
}

/// The names of REST for what can be ordered by.
fn fields<T: EnumType>() -> RefOr<Schema> {
    let names = T::items().iter().map(|item| item.name.to_lowercase());
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
}

/// A whole number of 0 or more, of any length.
fn unbounded() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0.0)).into()
}

/// A whole number of 0 or more.
fn whole() -> RefOr<Schema> {
    let max = Some(f64::from(i32::MAX));
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0.0)).maximum(max).into()
}
