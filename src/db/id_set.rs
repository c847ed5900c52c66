//! A set of ids in a query: one bound value, whatever its size.

use std::{
    collections::HashSet,
    hash::Hash,
    sync::{Arc, OnceLock},
};

use sea_orm::{
    DbBackend, IntoSimpleExpr, Value,
    sea_query::{ArrayType, Expr, ExprTrait, SimpleExpr, extension::postgres::PgFunc},
};
use toposcope_types::Id;

use uuid::Uuid;

/// The number of ids up to which a linear search is faster than hashing.
pub const FEW: usize = 16;

/// A set of ids that a column is compared with.
///
/// PostgreSQL gets an array and `= ANY`, SQLite a JSON text: each is one variable of one prepared
/// statement. A list would need a new statement for each length and be limited to 32,766 variables.
#[derive(Clone, Debug)]
pub struct IdSet {
    backend: DbBackend,
    ids: Arc<[Id]>,
    /// The same ids as a hash set, created on the first lookup in a large set.
    index: Arc<OnceLock<HashSet<Id>>>,
}

impl IdSet {
    pub(crate) fn new(backend: DbBackend, ids: Arc<[Id]>) -> Self {
        Self { backend, ids, index: Arc::default() }
    }

    /// Returns the ids.
    pub fn ids(&self) -> &[Id] {
        &self.ids
    }

    /// Returns whether `id` is in the set, in constant time whatever its size.
    pub fn contains(&self, id: Id) -> bool {
        is_among(&self.ids, &self.index, id)
    }

    /// Returns the condition that `column` is in the set; an empty set matches nothing.
    pub fn includes(&self, column: impl IntoSimpleExpr) -> SimpleExpr {
        let column = column.into_simple_expr();
        match (&*self.ids, self.backend) {
            ([], _) => Expr::val(1).eq(0),
            ([one], _) => column.eq(*one),
            (ids, DbBackend::Postgres) => {
                let values = ids.iter().map(|id| Value::from(*id)).collect();
                let array = Value::Array(ArrayType::Uuid, Some(Box::new(values)));
                column.eq(PgFunc::any(Expr::val(array)))
            }
            (ids, _) => {
                let mut json = String::with_capacity(ids.len() * 35 + 2);
                let mut buffer = Uuid::encode_buffer();
                for id in ids {
                    json.push(if json.is_empty() { '[' } else { ',' });
                    json.push('"');
                    json.push_str(id.uuid().simple().encode_lower(&mut buffer));
                    json.push('"');
                }
                json.push(']');
                Expr::cust_with_exprs(
                    "? IN (SELECT unhex(value) FROM json_each(?))",
                    [column, Expr::val(json)],
                )
            }
        }
    }
}

/// Returns whether `one` is among `all`. In more than [`FEW`] it is looked up in `index`, which the
/// first lookup fills.
pub fn is_among<T: Copy + Eq + Hash>(all: &[T], index: &OnceLock<HashSet<T>>, one: T) -> bool {
    if all.len() <= FEW {
        return all.contains(&one);
    }
    index.get_or_init(|| all.iter().copied().collect()).contains(&one)
}
