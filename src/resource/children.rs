//! Children of many parents at once: a page or a count for each parent, in one statement for all.

use std::collections::HashMap;

use sea_orm::{
    ConnectionTrait, IdenStatic as _, IntoSimpleExpr, QueryFilter, QuerySelect, QueryTrait, Select,
    sea_query::{
        Alias, Asterisk, Expr, ExprTrait, Func, JoinType, Order, OverStatement as _, Query,
        SelectStatement, SimpleExpr, WindowStatement,
    },
};
use toposcope_types::{Id, OrderDirection};

use super::{
    Resource,
    long::narrow,
    page::{
        CursorRow, KeyType, Slice, SortKey, Window, between, cursor_row, key_alias, order, slice,
        total_order,
    },
};
use crate::{db::IdSet, error::Result};

/// The relation between rows and their parents.
#[derive(Clone, Copy, Debug)]
pub enum Relation<E: Resource> {
    /// A column of the rows references the parent.
    Column(E::Column),
    /// A join table has a row for each pair, with a `position` that orders them.
    Table {
        /// The name of the join table.
        table: &'static str,
        /// The column that references the parent.
        parent: &'static str,
        /// The column that references the row.
        child: &'static str,
    },
    /// A query of its own returns the pairs.
    Pairs {
        /// The name that distinguishes it from other relations.
        name: &'static str,
        /// The query for the pairs of these parents, each once, as [`PARENT`], [`CHILD`] and
        /// [`POSITION`].
        of: fn(&IdSet) -> SelectStatement,
    },
}

/// The column of a pair that references the parent.
pub const PARENT: &str = "pair_parent_id";
/// The column of a pair that references the row.
pub const CHILD: &str = "pair_child_id";
/// The column of a pair that orders the rows of a parent.
pub const POSITION: &str = "pair_position";

const PAIR: &str = "pair";
const ROW_NUMBER: &str = "row_number";

fn pair(column: &'static str) -> Expr {
    Expr::col((Alias::new(PAIR), Alias::new(column)))
}

impl<E: Resource> Relation<E> {
    /// Returns the name that distinguishes it from other relations of the same rows.
    pub fn name(&self) -> &str {
        match self {
            Self::Column(column) => column.as_str(),
            Self::Table { table, .. } => table,
            Self::Pairs { name, .. } => name,
        }
    }

    /// Returns the sort keys of the default order.
    pub fn keys(&self) -> Vec<SortKey> {
        match self {
            Self::Column(_) => Vec::new(),
            _ => vec![SortKey::column(pair(POSITION), KeyType::Integer, OrderDirection::Asc)],
        }
    }

    fn parent(&self) -> SimpleExpr {
        match self {
            Self::Column(column) => column.into_simple_expr(),
            _ => pair(PARENT),
        }
    }

    /// Returns the pairs of these parents, unless the rows reference their parents themselves.
    fn pairs(&self, parents: &IdSet) -> Option<SelectStatement> {
        match self {
            Self::Column(_) => None,
            Self::Table { table, parent, child } => {
                let column = |name: &str| Expr::col(Alias::new(name));
                let pairs = Query::select()
                    .expr_as(column(parent), Alias::new(PARENT))
                    .expr_as(column(child), Alias::new(CHILD))
                    .expr_as(column("position"), Alias::new(POSITION))
                    .from(Alias::new(*table))
                    .and_where(parents.includes(column(parent)))
                    .to_owned();
                Some(pairs)
            }
            Self::Pairs { of, .. } => Some(of(parents)),
        }
    }

    /// Returns the rows of a select that belong to these parents.
    fn of(&self, select: Select<E>, parents: &IdSet) -> SelectStatement {
        let Some(pairs) = self.pairs(parents) else {
            return select.filter(parents.includes(self.parent())).into_query();
        };
        let mut statement = select.into_query();
        statement.join_subquery(
            JoinType::InnerJoin,
            pairs,
            Alias::new(PAIR),
            pair(CHILD).equals((E::default(), E::ID)),
        );
        statement
    }
}

/// Returns the page that `window` describes for each of many parents, in one statement.
///
/// Parents without rows are omitted from the result.
pub async fn pages<E: Resource>(
    db: &impl ConnectionTrait,
    select: Select<E>,
    relation: Relation<E>,
    parents: &IdSet,
    keys: &[SortKey],
    window: &Window,
) -> Result<HashMap<Id, Slice<E::Model>>> {
    let order_keys = total_order::<E>(keys);
    let mut select =
        narrow(select, db.get_database_backend()).filter(between(&order_keys, window)?);
    select = select.expr_as(relation.parent(), PARENT);
    for (nth, key) in keys.iter().enumerate() {
        select = select.expr_as(key.expression.clone(), key_alias(nth));
    }
    let mut over = WindowStatement::new();
    over.add_partition_by(relation.parent());
    for key in order_keys {
        over.order_by_expr(key.expression, order(key.direction, window.backwards()));
    }
    let mut inner = relation.of(select, parents);
    inner.expr_window_as(Func::cust("ROW_NUMBER"), over, Alias::new(ROW_NUMBER));
    let statement = outermost(inner, window.rows() + 1);

    let mut pages: HashMap<Id, Vec<CursorRow<E::Model>>> = HashMap::new();
    for row in db.query_all(&statement).await? {
        pages.entry(row.try_get("", PARENT)?).or_default().push(cursor_row::<E>(&row, keys)?);
    }
    Ok(pages.into_iter().map(|(parent, rows)| (parent, slice(rows, window))).collect())
}

fn outermost(inner: SelectStatement, rows: u64) -> SelectStatement {
    let numbered = || Expr::col(Alias::new(ROW_NUMBER));
    Query::select()
        .column(Asterisk)
        .from_subquery(inner, Alias::new("numbered"))
        .and_where(numbered().lte(rows.cast_signed()))
        .order_by_expr(numbered(), Order::Asc)
        .to_owned()
}

/// Counts the rows of a select for each of many parents, in one statement.
///
/// Parents without rows are omitted from the result.
pub async fn counts<E: Resource>(
    db: &impl ConnectionTrait,
    select: Select<E>,
    relation: Relation<E>,
    parents: &IdSet,
) -> Result<HashMap<Id, u64>> {
    let select = select
        .select_only()
        .expr_as(relation.parent(), PARENT)
        .expr_as(Func::count(Expr::cust("*")), "total");
    let mut statement = relation.of(select, parents);
    statement.add_group_by([relation.parent()]);
    let mut counts = HashMap::new();
    for row in db.query_all(&statement).await? {
        let total: i64 = row.try_get_by_index(1)?;
        counts.insert(row.try_get_by_index(0)?, u64::try_from(total).unwrap_or_default());
    }
    Ok(counts)
}
