//! The field filters that every resource shares.

use std::{fmt::Display, hash::Hash};

use async_graphql::{InputObject, InputType, MaybeUndefined};
use sea_orm::{
    Condition, IntoSimpleExpr,
    sea_query::{Expr, ExprTrait, Func, LikeExpr, SimpleExpr},
};
use toposcope_types::{self, ChangeAction, Cidr, Id, IpAddress, Kind, Mac, ServiceCategory};

use crate::db::Db;

/// A filter on an id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct IdFilter {
    /// Equal to this id; null matches rows without one.
    pub eq: MaybeUndefined<Id>,
    /// Equal to one of these ids; an empty list matches nothing.
    #[graphql(name = "in")]
    pub any_of: Option<Vec<Id>>,
}

impl IdFilter {
    /// Creates a filter that matches this id.
    pub fn eq(id: Id) -> Self {
        Self { eq: MaybeUndefined::Value(id), any_of: None }
    }

    /// Creates a filter that matches any of these ids.
    pub fn any_of(ids: Vec<Id>) -> Self {
        Self { eq: MaybeUndefined::Undefined, any_of: Some(ids) }
    }

    /// Returns the ids that pass the filter, in their order.
    pub fn passing(&self, db: &Db, ids: &[Id]) -> Vec<Id> {
        let any_of = self.any_of.as_ref().map(|ids| db.ids(ids.as_slice()));
        let passes = |id: &Id| {
            (self.eq.is_undefined() || self.eq == MaybeUndefined::Value(*id))
                && any_of.as_ref().is_none_or(|ids| ids.contains(*id))
        };
        ids.iter().copied().filter(passes).collect()
    }

    /// Returns the condition on a column.
    pub fn condition(&self, db: &Db, column: impl IntoSimpleExpr) -> Condition {
        let column = column.into_simple_expr();
        Condition::all()
            .add_option(equal(&self.eq, &column, |id| column.clone().eq(*id)))
            .add_option(self.any_of.as_ref().map(|ids| db.ids(ids.as_slice()).includes(column)))
    }
}

/// A filter on a text. It ignores the case of A to Z; `%` and `_` are ordinary characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct TextFilter {
    /// Equal to this text; null matches rows without one.
    pub eq: MaybeUndefined<String>,
    /// Equal to one of these texts; an empty list matches nothing.
    #[graphql(name = "in")]
    pub any_of: Option<Vec<String>>,
    /// Contains this text.
    pub contains: Option<String>,
    /// Starts with this text.
    pub starts_with: Option<String>,
}

impl TextFilter {
    /// Returns the condition on a column.
    pub fn condition(&self, column: impl IntoSimpleExpr) -> Condition {
        let column: SimpleExpr = Func::lower(column.into_simple_expr()).into();
        let like = |pattern: String| column.clone().like(LikeExpr::new(pattern).escape('\\'));
        let literal =
            |text: &str| fold(text).replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        Condition::all()
            .add_option(equal(&self.eq, &column, |text| column.clone().eq(fold(text))))
            .add_option(
                self.any_of
                    .as_ref()
                    .map(|texts| column.clone().is_in(texts.iter().map(|text| fold(text)))),
            )
            .add_option(self.contains.as_deref().map(|text| like(format!("%{}%", literal(text)))))
            .add_option(self.starts_with.as_deref().map(|text| like(format!("{}%", literal(text)))))
    }

    /// Returns the condition on a column that keeps identifiers as people wrote them: a MAC or IPv6
    /// address selects every spelling of itself.
    pub fn condition_in_any_spelling(&self, db: &Db, column: impl IntoSimpleExpr) -> Condition {
        let column = column.into_simple_expr();
        let one_of = |texts: &[String]| {
            let all: Vec<String> = texts.iter().flat_map(|text| spellings(text)).collect();
            db.texts(&all, Func::lower(column.clone()).into())
        };
        let (eq, equal) = match &self.eq {
            MaybeUndefined::Value(text) => {
                (MaybeUndefined::Undefined, Some(one_of(std::slice::from_ref(text))))
            }
            other => (other.clone(), None),
        };
        let any_of = self.any_of.as_deref().map(one_of);
        let rest = Self { eq, any_of: None, ..self.clone() };
        Condition::all().add(rest.condition(column)).add_option(equal).add_option(any_of)
    }
}

/// Returns a text as `lower` of both databases returns it: they fold only A to Z in these columns.
/// PostgreSQL accepts no NUL, so another character stands for it: no stored text contains either.
fn fold(text: &str) -> String {
    text.to_ascii_lowercase().replace('\0', "\u{1}")
}

/// Returns the usual spellings of an identifier, folded: five of a MAC address, the short and the long one
/// of an IPv6 address, and only itself of anything else.
fn spellings(text: &str) -> Vec<String> {
    if let Ok(mac) = text.parse::<Mac>() {
        let colons = mac.to_string();
        let digits = colons.replace(':', "");
        let groups = |size: usize, between: &str| -> String {
            let groups: Vec<&str> =
                (0..digits.len()).step_by(size).map(|from| &digits[from..from + size]).collect();
            groups.join(between)
        };
        let all = [groups(2, "-"), groups(4, "."), groups(6, "-"), colons, digits.clone()];
        return all.map(|one| fold(&one)).into();
    }
    if let Ok(std::net::IpAddr::V6(address)) = text.parse() {
        let long: Vec<String> =
            address.segments().iter().map(|group| format!("{group:04x}")).collect();
        return vec![fold(text), address.to_string(), long.join(":")];
    }
    vec![fold(text)]
}

/// A filter on addresses. Every spelling of an address selects the same rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
#[graphql(
    concrete(name = "MacAddressFilter", params(Mac)),
    concrete(name = "IpAddressFilter", params(IpAddress)),
    concrete(name = "CidrFilter", params(Cidr))
)]
pub struct AddressFilter<T: InputType> {
    /// Equal to this value, in any spelling; null matches rows without one.
    pub eq: MaybeUndefined<T>,
    /// Equal to one of these values, in any spelling; an empty list matches nothing.
    #[graphql(name = "in")]
    pub any_of: Option<Vec<T>>,
    /// Contains this text, as the value is shown.
    pub contains: Option<String>,
    /// Starts with this text. The beginning of a MAC address may be in any spelling.
    pub starts_with: Option<String>,
}

impl<T: InputType + Beginning + Display> AddressFilter<T> {
    /// Creates a filter that matches this value.
    pub fn eq(value: T) -> Self {
        let eq = MaybeUndefined::Value(value);
        Self { eq, any_of: None, contains: None, starts_with: None }
    }

    /// Returns the condition on a column.
    pub fn condition(&self, column: impl IntoSimpleExpr) -> Condition {
        let text = TextFilter {
            eq: match &self.eq {
                MaybeUndefined::Undefined => MaybeUndefined::Undefined,
                MaybeUndefined::Null => MaybeUndefined::Null,
                MaybeUndefined::Value(value) => MaybeUndefined::Value(value.to_string()),
            },
            any_of: self.any_of.as_ref().map(|all| all.iter().map(T::to_string).collect()),
            contains: self.contains.clone(),
            starts_with: self.starts_with.as_deref().map(T::beginning),
        };
        text.condition(column)
    }
}

/// A value of which the beginning can be spelled in several ways.
pub trait Beginning {
    /// Returns the beginning of a value as rows hold it.
    fn beginning(text: &str) -> String {
        text.to_owned()
    }
}

impl Beginning for IpAddress {}

impl Beginning for Cidr {}

impl Beginning for Mac {
    fn beginning(text: &str) -> String {
        let digits: Vec<char> =
            text.chars().filter(|one| !matches!(one, ':' | '-' | '.' | ' ')).collect();
        if digits.iter().any(|one| !one.is_ascii_hexdigit()) {
            return text.to_owned();
        }
        let pairs: Vec<String> = digits.chunks(2).map(|pair| pair.iter().collect()).collect();
        pairs.join(":")
    }
}

/// A filter on a whole number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
pub struct IntFilter {
    /// Equal to this number; null matches rows without one.
    pub eq: MaybeUndefined<i32>,
    /// Equal to one of these numbers; an empty list matches nothing.
    #[graphql(name = "in")]
    pub any_of: Option<Vec<i32>>,
}

impl IntFilter {
    /// Returns the condition on a column.
    pub fn condition(&self, column: impl IntoSimpleExpr) -> Condition {
        one_of(&self.eq, self.any_of.as_deref(), column)
    }
}

/// A filter on an enum value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, InputObject)]
#[graphql(
    concrete(name = "IfAdminStatusFilter", params(toposcope_types::AdminStatus)),
    concrete(name = "IfOperStatusFilter", params(toposcope_types::OperStatus)),
    concrete(name = "DuplexFilter", params(toposcope_types::Duplex)),
    concrete(name = "StpStateFilter", params(toposcope_types::StpState)),
    concrete(name = "GroupTypeFilter", params(toposcope_types::GroupType)),
    concrete(name = "SubnetTypeFilter", params(toposcope_types::SubnetType)),
    concrete(name = "TransportProtocolFilter", params(toposcope_types::TransportProtocol)),
    concrete(name = "BindingTypeFilter", params(toposcope_types::BindingType)),
    concrete(name = "ColorFilter", params(toposcope_types::Color)),
    concrete(name = "CategoryFilter", params(ServiceCategory)),
    concrete(name = "EntityKindFilter", params(Kind)),
    concrete(name = "ChangeActionFilter", params(ChangeAction)),
    concrete(name = "PermissionLevelFilter", params(toposcope_types::PermissionLevel)),
    concrete(name = "NeighborProtocolFilter", params(toposcope_types::NeighborProtocol))
)]
pub struct EnumFilter<T: InputType> {
    /// Equal to this value; null matches rows without one.
    pub eq: MaybeUndefined<T>,
    /// Equal to one of these values; an empty list matches nothing.
    #[graphql(name = "in")]
    pub any_of: Option<Vec<T>>,
}

impl<T: InputType> EnumFilter<T> {
    /// Creates a filter that matches this value.
    pub fn eq(value: T) -> Self {
        Self { eq: MaybeUndefined::Value(value), any_of: None }
    }

    /// Creates a filter that matches any of these values.
    pub fn any_of(values: Vec<T>) -> Self {
        Self { eq: MaybeUndefined::Undefined, any_of: Some(values) }
    }
}

impl<T: InputType + Copy + Into<sea_orm::Value>> EnumFilter<T> {
    /// Returns the condition on a column.
    pub fn condition(&self, column: impl IntoSimpleExpr) -> Condition {
        one_of(&self.eq, self.any_of.as_deref(), column)
    }
}

fn one_of<T: Copy + Into<sea_orm::Value>>(
    eq: &MaybeUndefined<T>,
    any_of: Option<&[T]>,
    column: impl IntoSimpleExpr,
) -> Condition {
    let column = column.into_simple_expr();
    Condition::all()
        .add_option(equal(eq, &column, |value| column.clone().eq(Expr::val(*value))))
        .add_option(any_of.map(|values| column.is_in(values.iter().map(|value| Expr::val(*value)))))
}

/// Returns the condition that `eq` sets on a column: the value, or null.
fn equal<T>(
    eq: &MaybeUndefined<T>,
    column: &SimpleExpr,
    is: impl Fn(&T) -> SimpleExpr,
) -> Option<SimpleExpr> {
    match eq {
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some(column.clone().is_null()),
        MaybeUndefined::Value(value) => Some(is(value)),
    }
}
