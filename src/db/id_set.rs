//! A set of ids in a query: one bound value, whatever its size.

use std::sync::Arc;

use sea_orm::{
    DbBackend, IntoSimpleExpr, Value,
    sea_query::{ArrayType, Expr, ExprTrait, SimpleExpr, extension::postgres::PgFunc},
};

use uuid::Uuid;

use crate::types::Id;

/// Ids that a column is compared with.
///
/// PostgreSQL gets an array and `= ANY`, SQLite a JSON text: each is one variable of one prepared
/// statement, where a list would be a new statement for each length and end at 32,766 variables.
#[derive(Clone, Debug)]
pub struct IdSet {
    backend: DbBackend,
    ids: Arc<[Id]>,
}

impl IdSet {
    pub(crate) fn new(backend: DbBackend, ids: Arc<[Id]>) -> Self {
        Self { backend, ids }
    }

    /// The ids.
    pub fn ids(&self) -> &[Id] {
        &self.ids
    }

    /// Whether `id` is one of them.
    pub fn contains(&self, id: Id) -> bool {
        self.ids.contains(&id)
    }

    /// The condition that `column` is one of them; an empty set matches nothing.
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
