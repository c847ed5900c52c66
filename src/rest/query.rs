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
        filter::{AddressFilter, Beginning, EnumFilter, IdFilter, IntFilter, TextFilter},
        page::{DEFAULT_PAGE, MAX_PAGE},
    },
};

fn out_of_range(name: &str, max: i64) -> Error {
    Error::OutOfRange { field: name.to_owned(), min: 0, max }
}

/// A query parameter of an endpoint.
#[derive(Clone, Copy)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// Whether it is a list.
    pub list: bool,
    /// The schema of the value, or of an element of the list.
    pub schema: fn() -> RefOr<Schema>,
    /// The description of its effect.
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

/// The parameters of a query string, removed as they are read by name.
#[derive(Clone, Debug, Default)]
pub struct Query {
    values: BTreeMap<String, Vec<String>>,
    known: Vec<Parameter>,
}

/// The descriptions of the parameters that lists share.
const DESCRIPTIONS: [(&str, &str); 47] = [
    ("network_id", "Returns only rows of this network."),
    ("host_id", "Returns only rows of this host."),
    ("service_id", "Returns only rows of this service."),
    ("subnet_id", "Returns only rows in this subnet."),
    ("port_id", "Returns only rows bound to this port."),
    ("interface_id", "Returns only rows tied to this interface."),
    ("user_id", "Returns only changes made by this user."),
    ("api_key_id", "Returns only changes made by this API key."),
    ("entity_id", "Returns only changes of this object."),
    ("ids", "Returns only rows with one of these ids."),
    ("tag_ids", "Returns only rows that carry one of these tags."),
    ("name", "Returns only rows with this name; A to Z match regardless of case."),
    ("number", "Returns only rows with this number."),
    ("protocol", "Returns only rows with this protocol."),
    ("if_index", "Returns only rows with this number within their device."),
    ("lag_if_index", "Returns only members of the aggregate with this number within the device."),
    ("parent_if_index", "Returns only rows that run over the interface with this number."),
    ("mtu", "Returns only rows with this MTU."),
    ("duplex", "Returns only rows with this duplex mode."),
    ("native_vlan", "Returns only rows whose untagged frames are of this VLAN."),
    ("vlan", "Returns only rows that carry this VLAN, tagged or not."),
    ("stp_state", "Returns only rows in this state in the spanning tree."),
    ("mac_address", "Returns only rows with this MAC address."),
    ("ip_address", "Returns only rows with this address."),
    ("cidr", "Returns only rows with this range."),
    ("subnet_type", "Returns only rows with this purpose."),
    ("group_type", "Returns only groups of this type."),
    ("dependency_type", "The same as `group_type`, under its later name."),
    ("type", "Returns only rows of this type."),
    ("entity", "Returns only changes of this kind of object."),
    ("action", "Returns only changes with this action."),
    ("permissions", "Returns only rows with this permission level."),
    ("since", "Returns only changes from this moment on."),
    ("after_sequence", "Returns only changes with a higher number in their log."),
    ("exclude_categories", "Excludes services of these categories."),
    ("group_by", "The field to group by: rows are ordered by it first, ascending."),
    ("order_by", "The field to order by, within the groups if there are any."),
    ("order_direction", "The direction of `order_by`; without `order_by` it has no effect."),
    ("limit", "The maximum number of rows; 0 returns all rows, and more than 1000 counts as 1000."),
    ("offset", "How many rows to skip."),
    (
        "layer",
        "The layer: L2 (links between ports, the default), L3 (subnets), or APPLICATION (services).",
    ),
    (
        "view",
        "The view: L2Physical (the default), L3Logical, or Application; the names of layers are accepted as well.",
    ),
    ("root", "Returns only the neighborhood of this host, subnet or service."),
    (
        "hops",
        "Returns only nodes within this many links of `root`; 2 by default, ignored without `root`.",
    ),
    ("format", "The format; `json` by default."),
    ("allow_overlap", "Whether to create another subnet if the network already has this range."),
    ("dry_run", "Reports what would be deleted, and deletes nothing."),
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

    /// Returns the parameters that have been read so far.
    pub fn parameters(&self) -> &[Parameter] {
        &self.known
    }

    fn know<T: PartialSchema>(&mut self, name: &'static str, list: bool) {
        self.known.push(Parameter::new(name, list, T::schema));
    }

    /// Reads a parameter that may be given once.
    pub fn one<T: FromStr<Err: Display> + PartialSchema>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>> {
        self.know::<T>(name, false);
        self.single(name)
    }

    /// Reads a flag: `true` or `false`; omitted, it is `false`.
    pub fn flag(&mut self, name: &'static str) -> Result<bool> {
        self.know::<bool>(name, false);
        let text: Option<String> = self.single(name)?;
        match text.as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(Error::invalid(name, "use true or false")),
        }
    }

    /// Reads a field to order by, in REST spelling.
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

    /// Reads an id to filter by.
    pub fn id(&mut self, name: &'static str) -> Result<Option<IdFilter>> {
        Ok(self.one(name)?.map(IdFilter::eq))
    }

    /// Reads ids to filter by.
    pub fn ids(&mut self, name: &'static str) -> Result<Option<IdFilter>> {
        Ok(self.many(name)?.map(IdFilter::any_of))
    }

    /// Reads a text to filter by.
    pub fn text(&mut self, name: &'static str) -> Result<Option<TextFilter>> {
        let text: Option<String> = self.one(name)?;
        Ok(text.map(|text| TextFilter { eq: MaybeUndefined::Value(text), ..TextFilter::default() }))
    }

    /// Reads an address to filter by, in any spelling.
    pub fn address<T: FromStr<Err: Display> + PartialSchema + InputType + Beginning + Display>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<AddressFilter<T>>> {
        Ok(self.one(name)?.map(AddressFilter::eq))
    }

    /// Reads a number to filter by.
    pub fn int(&mut self, name: &'static str) -> Result<Option<IntFilter>> {
        Ok(self
            .one(name)?
            .map(|number| IntFilter { eq: MaybeUndefined::Value(number), any_of: None }))
    }

    /// Reads an enumeration value to filter by, in REST spelling.
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

    /// Reads a list parameter: repeated, joined by commas, or both.
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

    /// Reads the size of a page; values above [`MAX_PAGE`] count as that, and 0 is all rows.
    pub fn limit(&mut self, name: &'static str) -> Result<u64> {
        let limit = self.number(name, MAX_PAGE.cast_signed(), unbounded)?;
        Ok(limit.unwrap_or(DEFAULT_PAGE).min(MAX_PAGE))
    }

    /// Reads the maximum rows of a table, without an upper bound; 0 or an omitted value is all
    /// rows.
    pub fn most(&mut self, name: &'static str) -> Result<u64> {
        Ok(self.number(name, MAX_PAGE.cast_signed(), unbounded)?.unwrap_or(0))
    }

    /// Reads the number of rows before a page, up to 2^31-1.
    pub fn offset(&mut self, name: &'static str) -> Result<u64> {
        Ok(self.count(name)?.unwrap_or(0).into())
    }

    /// Reads a count, up to 2^31-1.
    pub fn count(&mut self, name: &'static str) -> Result<Option<u32>> {
        const MAX: i64 = i32::MAX as i64;
        let Some(count) = self.number(name, MAX, whole)? else { return Ok(None) };
        let count = u32::try_from(count).ok().filter(|count| i64::from(*count) <= MAX);
        count.map(Some).ok_or_else(|| out_of_range(name, MAX))
    }

    /// Reads a whole number of 0 or more, however long.
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

    /// Rejects parameters that no reader has taken.
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

/// Returns the schema of the fields to order by, in REST spelling.
fn fields<T: EnumType>() -> RefOr<Schema> {
    let names = T::items().iter().map(|item| item.name.to_lowercase());
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
}

/// Returns the schema of a whole number of 0 or more, of any length.
fn unbounded() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0.0)).into()
}

/// Returns the schema of a whole number of 0 or more.
fn whole() -> RefOr<Schema> {
    let max = Some(f64::from(i32::MAX));
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0.0)).maximum(max).into()
}
