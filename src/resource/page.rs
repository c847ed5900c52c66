//! Pages of a list: by offset for REST, by cursor for GraphQL. Each is one statement that reads one
//! row more than the page holds.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, FromQueryResult, IdenStatic as _, IntoSimpleExpr,
    Order, QueryFilter, QueryOrder, QueryResult, QuerySelect, QueryTrait, Select, Value,
    sea_query::{Alias, ExprTrait, SelectStatement, SimpleExpr, UnionType},
};
use toposcope_types::{
    Id, OrderDirection, Timestamp,
    natural::{TIE, natural_key},
};

use super::{Resource, long::narrow, rows};
use crate::error::{Error, Result};

/// The maximum number of rows in a page.
pub const MAX_PAGE: u64 = 1000;
/// The default number of rows in a page.
pub const DEFAULT_PAGE: u64 = 50;

/// The type of a sort key's value, so that a cursor can carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyType {
    Text,
    /// The key of a name in natural order.
    Name,
    Integer,
    BigInteger,
    Time,
    Id,
}

/// One key of an order.
#[derive(Clone, Debug)]
pub struct SortKey {
    /// The expression to sort by; never NULL.
    pub expression: SimpleExpr,
    /// The type of its value.
    pub key_type: KeyType,
    /// The sort direction.
    pub direction: OrderDirection,
}

impl SortKey {
    /// Creates a key that sorts by a column.
    pub fn column(
        column: impl IntoSimpleExpr,
        key_type: KeyType,
        direction: OrderDirection,
    ) -> Self {
        Self { expression: column.into_simple_expr(), key_type, direction }
    }

    /// Creates a key that sorts by one of [`Resource::NATURAL`].
    pub fn name(column: impl ColumnTrait, direction: OrderDirection) -> Self {
        Self { expression: rows::sort_key(column), key_type: KeyType::Name, direction }
    }
}

/// The part of a list that a connection shows, as the Relay specification defines it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Window {
    /// The cursor after which the rows begin.
    pub after: Option<String>,
    /// The cursor before which the rows end.
    pub before: Option<String>,
    /// The maximum number of rows, from the start; the default is [`DEFAULT_PAGE`].
    pub first: Option<u64>,
    /// The maximum number of rows, from the end.
    pub last: Option<u64>,
}

impl Window {
    /// Creates a window from the arguments of a connection: `first` and `last` must be 0 to
    /// [`MAX_PAGE`], and only one of them given.
    pub fn new(
        after: Option<String>,
        before: Option<String>,
        first: Option<i32>,
        last: Option<i32>,
    ) -> Result<Self> {
        if first.is_some() && last.is_some() {
            return Err(Error::invalid("last", "give `first` or `last`, not both"));
        }
        let rows = |field: &str, value: Option<i32>| match value.map(u64::try_from) {
            None => Ok(None),
            Some(Ok(rows)) if rows <= MAX_PAGE => Ok(Some(rows)),
            Some(_) => Err(Error::OutOfRange {
                field: field.to_owned(),
                min: 0,
                max: MAX_PAGE.cast_signed(),
            }),
        };
        Ok(Self { after, before, first: rows("first", first)?, last: rows("last", last)? })
    }

    pub(super) fn backwards(&self) -> bool {
        self.last.is_some()
    }

    pub(super) fn rows(&self) -> u64 {
        self.first.or(self.last).unwrap_or(DEFAULT_PAGE)
    }
}

/// A row with the cursor of its position.
#[derive(Clone, Debug)]
pub struct CursorRow<M> {
    /// The row.
    pub row: M,
    /// Its position in the order that it was read in.
    pub cursor: Cursor,
}

/// A position in an order: the values of its keys. Its text is created on demand.
#[derive(Clone, Debug)]
pub struct Cursor {
    keys: Vec<serde_json::Value>,
    created_at: Timestamp,
    id: Id,
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut values = self.keys.clone();
        values.push(self.created_at.to_string().into());
        values.push(self.id.to_string().into());
        f.write_str(&URL_SAFE_NO_PAD.encode(serde_json::Value::Array(values).to_string()))
    }
}

/// The rows of one page, read by cursor.
#[derive(Clone, Debug)]
pub struct Slice<M> {
    /// The rows, in order.
    pub rows: Vec<CursorRow<M>>,
    /// Whether more rows follow.
    pub has_next: bool,
    /// Whether more rows precede.
    pub has_previous: bool,
}

impl<M> Default for Slice<M> {
    fn default() -> Self {
        Self { rows: Vec::new(), has_next: false, has_previous: false }
    }
}

/// Returns the keys of a total order: the requested ones, then the time of creation, then the id.
pub(super) fn total_order<E: Resource>(keys: &[SortKey]) -> Vec<SortKey> {
    let mut all = keys.to_vec();
    all.push(SortKey::column(E::CREATED_AT, KeyType::Time, OrderDirection::Asc));
    all.push(SortKey::column(E::ID, KeyType::Id, OrderDirection::Asc));
    all
}

pub(super) fn order(direction: OrderDirection, backwards: bool) -> Order {
    if (direction == OrderDirection::Desc) ^ backwards { Order::Desc } else { Order::Asc }
}

/// Sorts `select` in its total order, without a limit.
pub fn ordered<E: Resource>(
    db: &impl ConnectionTrait,
    select: Select<E>,
    keys: &[SortKey],
) -> Select<E> {
    let mut select = narrow(select, db.get_database_backend());
    for key in total_order::<E>(keys) {
        select = select.order_by(key.expression, order(key.direction, false));
    }
    select
}

/// Returns the page of `limit` rows after the first `offset`.
///
/// `parts` are selects whose rows together form the list, such as one for each network.
pub async fn by_offset<E: Resource>(
    db: &impl ConnectionTrait,
    parts: Vec<Select<E>>,
    keys: &[SortKey],
    limit: u64,
    offset: u64,
) -> Result<Vec<E::Model>> {
    let statement = merged(db, parts, keys, false).limit(limit).offset(offset).to_owned();
    let rows = db.query_all(&statement).await?;
    Ok(rows.iter().map(|row| E::Model::from_query_result(row, "")).collect::<Result<_, _>>()?)
}

/// Returns the page that `window` describes, after skipping the first `skip` rows.
pub async fn by_cursor<E: Resource>(
    db: &impl ConnectionTrait,
    parts: Vec<Select<E>>,
    keys: &[SortKey],
    window: &Window,
    skip: u64,
) -> Result<Slice<E::Model>> {
    let between = between(&total_order::<E>(keys), window)?;
    let parts = parts.into_iter().map(|part| part.filter(between.clone())).collect();
    let statement = merged(db, parts, keys, window.backwards())
        .limit(window.rows() + 1)
        .offset(skip)
        .to_owned();
    let rows = db.query_all(&statement).await?;
    let rows = rows.iter().map(|row| cursor_row::<E>(row, keys)).collect::<Result<Vec<_>>>()?;
    Ok(slice(rows, window))
}

/// Merges the rows of all parts in their total order. The database reads each part in that order
/// from an index; with one condition over several networks it would sort all their rows.
fn merged<E: Resource>(
    db: &impl ConnectionTrait,
    parts: Vec<Select<E>>,
    keys: &[SortKey],
    backwards: bool,
) -> SelectStatement {
    let mut parts = parts.into_iter().map(|part| {
        let mut part = narrow(part, db.get_database_backend());
        for (nth, key) in keys.iter().enumerate() {
            part = part.expr_as(key.expression.clone(), key_alias(nth));
        }
        part.into_query()
    });
    let Some(mut statement) = parts.next() else { return SelectStatement::new() };
    let alone = parts.len() == 0;
    statement.unions(parts.map(|part| (UnionType::All, part)));
    if alone {
        for key in total_order::<E>(keys) {
            statement.order_by_expr(key.expression, order(key.direction, backwards));
        }
        return statement;
    }
    // Over several parts an order can only name columns that they return.
    for (nth, key) in keys.iter().enumerate() {
        statement.order_by(Alias::new(key_alias(nth)), order(key.direction, backwards));
    }
    for column in [E::CREATED_AT, E::ID] {
        statement.order_by(Alias::new(column.as_str()), order(OrderDirection::Asc, backwards));
    }
    statement
}

pub(super) fn key_alias(nth: usize) -> String {
    format!("sort_key_{nth}")
}

pub(super) fn cursor_row<E: Resource>(
    row: &QueryResult,
    keys: &[SortKey],
) -> Result<CursorRow<E::Model>> {
    let mut values = Vec::with_capacity(keys.len());
    for (nth, key) in keys.iter().enumerate() {
        let alias = key_alias(nth);
        values.push(match key.key_type {
            KeyType::Text | KeyType::Name => row.try_get::<String>("", &alias)?.into(),
            KeyType::Integer => row.try_get::<i32>("", &alias)?.into(),
            KeyType::BigInteger => row.try_get::<i64>("", &alias)?.into(),
            KeyType::Time => row.try_get::<Timestamp>("", &alias)?.to_string().into(),
            KeyType::Id => row.try_get::<Id>("", &alias)?.to_string().into(),
        });
    }
    let row = E::Model::from_query_result(row, "")?;
    let cursor = Cursor { keys: values, created_at: E::created_at(&row), id: E::id(&row) };
    Ok(CursorRow { row, cursor })
}

pub(super) fn slice<M>(mut rows: Vec<CursorRow<M>>, window: &Window) -> Slice<M> {
    let most = usize::try_from(window.rows()).unwrap_or(usize::MAX);
    let more = rows.len() > most;
    rows.truncate(most);
    if window.backwards() {
        rows.reverse();
        return Slice { rows, has_next: window.before.is_some(), has_previous: more };
    }
    Slice { rows, has_next: more, has_previous: window.after.is_some() }
}

/// Returns the condition that a row lies between the cursors of `window`.
pub(super) fn between(keys: &[SortKey], window: &Window) -> Result<Condition> {
    let mut condition = Condition::all();
    if let Some(cursor) = &window.after {
        condition = condition.add(beyond(keys, &decode(cursor, keys, "after")?, false));
    }
    if let Some(cursor) = &window.before {
        condition = condition.add(beyond(keys, &decode(cursor, keys, "before")?, true));
    }
    Ok(condition)
}

/// Returns the condition for rows strictly after (or before) the position with these key values:
/// the first key differs, or it is the same and the rest is beyond. The bound on the first key lets
/// an index find the position.
fn beyond(keys: &[SortKey], values: &[Value], backwards: bool) -> Condition {
    let [key, rest_of_keys @ ..] = keys else { return Condition::any() };
    let [value, rest_of_values @ ..] = values else { return Condition::any() };
    let descending = (key.direction == OrderDirection::Desc) ^ backwards;
    let expression = || key.expression.clone();
    let further =
        if descending { expression().lt(value.clone()) } else { expression().gt(value.clone()) };
    if rest_of_keys.is_empty() {
        return Condition::all().add(further);
    }
    let bound =
        if descending { expression().lte(value.clone()) } else { expression().gte(value.clone()) };
    Condition::all().add(bound).add(Condition::any().add(further).add(beyond(
        rest_of_keys,
        rest_of_values,
        backwards,
    )))
}

fn decode(cursor: &str, keys: &[SortKey], field: &str) -> Result<Vec<Value>> {
    let invalid =
        || Error::invalid(field, "use an `endCursor` or `startCursor` of the same list and order");
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| invalid())?;
    let values: Vec<serde_json::Value> = serde_json::from_slice(&bytes).map_err(|_| invalid())?;
    if values.len() != keys.len() {
        return Err(invalid());
    }
    let typed = keys.iter().zip(&values).map(|(key, value)| match key.key_type {
        KeyType::Text => text_of(value).map(Value::from),
        // Older cursors carry the name itself.
        KeyType::Name => text_of(value)
            .map(|text| if text.contains(TIE) { text.to_owned() } else { natural_key(text) })
            .map(Value::from),
        KeyType::Integer => {
            value.as_i64().and_then(|number| i32::try_from(number).ok()).map(Value::from)
        }
        KeyType::BigInteger => value.as_i64().map(Value::from),
        KeyType::Time => {
            value.as_str().and_then(|text| text.parse::<Timestamp>().ok()).map(Value::from)
        }
        KeyType::Id => value.as_str().and_then(|text| text.parse::<Id>().ok()).map(Value::from),
    });
    typed.collect::<Option<_>>().ok_or_else(invalid)
}

/// Returns a text of a cursor. PostgreSQL accepts no NUL, and no cursor of ours contains one.
fn text_of(value: &serde_json::Value) -> Option<&str> {
    value.as_str().filter(|text| !text.contains('\0'))
}
