//! Values that are many times as long as the rest of their row, see [`Resource::LONG`].

use sea_orm::{
    DbBackend, IdenStatic as _, IntoSimpleExpr, Iterable as _, QuerySelect, Select,
    sea_query::{CaseStatement, Expr, ExprTrait, SimpleExpr},
};

use super::Resource;

/// The maximum length of a JSON value that is read with its row.
const SHORT: i32 = 1024;

/// Replaces long values in `select` with their sizes.
pub(super) fn narrow<E: Resource>(select: Select<E>, backend: DbBackend) -> Select<E> {
    if E::LONG.is_empty() {
        return select;
    }
    let size = |value: SimpleExpr| match backend {
        // Not the stored size: the same address 65,536 times is compressed to next to nothing.
        DbBackend::Postgres => Expr::cust_with_exprs("octet_length(($1)::text)", [value]),
        _ => Expr::cust_with_exprs("octet_length(?)", [value]),
    };
    let told = |size: SimpleExpr| match backend {
        DbBackend::Postgres => Expr::cust_with_exprs("to_json($1)", [size]),
        _ => Expr::cust_with_exprs("CAST(? AS TEXT)", [size]),
    };
    let mut narrow = select.select_only();
    for column in E::Column::iter() {
        if E::LONG.iter().any(|long| long.as_str() == column.as_str()) {
            let value = || column.into_simple_expr();
            let short = CaseStatement::new()
                .case(size(value()).lte(SHORT), value())
                .finally(told(size(value())));
            narrow = narrow.expr_as(short, column.as_str());
        } else {
            narrow = narrow.column(column);
        }
    }
    narrow
}
