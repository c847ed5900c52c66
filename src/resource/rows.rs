//! Statements that write whole rows, each with the sort keys of its names: the only way to write
//! them, so no write leaves a key behind.

use sea_orm::{
    ActiveModelTrait as _, ActiveValue, ColumnTrait, IdenStatic as _, IntoActiveModel as _,
    Iterable as _, Value,
    sea_query::{
        Alias, DynIden, Expr, InsertStatement, IntoIden, OnConflict, Query, SimpleExpr,
        UpdateStatement,
    },
};
use toposcope_types::natural::natural_key;

use super::Resource;

/// Returns the expression that sorts by a column of names in natural order.
pub fn sort_key(name: impl ColumnTrait) -> SimpleExpr {
    let (table, _) = name.as_column_ref();
    Expr::col((table, key_column(name)))
}

/// Returns the column that holds the sort keys of a column of names.
fn key_column(name: impl ColumnTrait) -> Alias {
    Alias::new(format!("{}_sort_key", name.as_str()))
}

/// Returns the number of columns that a row of `E` has, keys included.
pub fn width<E: Resource>() -> usize {
    E::Column::iter().count() + E::NATURAL.len()
}

/// Returns the statement that inserts rows.
pub fn inserted<E: Resource>(rows: impl IntoIterator<Item = E::Model>) -> InsertStatement {
    let mut insert = Query::insert();
    insert.into_table(E::default().table_ref()).columns(columns::<E>());
    for row in rows {
        insert.values_panic(values::<E>(row));
    }
    insert
}

/// Returns the statement that writes rows over the stored ones with the same ids.
pub fn overwritten<E: Resource>(rows: impl IntoIterator<Item = E::Model>) -> InsertStatement {
    let kept = [E::ID, E::CREATED_AT].map(|column| column.as_str());
    let columns = columns::<E>().filter(|column| !kept.contains(&&*column.to_string()));
    let replace = OnConflict::column(E::ID).update_columns(columns).to_owned();
    inserted::<E>(rows).on_conflict(replace).to_owned()
}

/// Returns the statement that writes a row over the stored one with the same id.
pub fn updated<E: Resource>(row: E::Model) -> UpdateStatement {
    let id = E::id(&row);
    let changes = columns::<E>().zip(values::<E>(row));
    Query::update()
        .table(E::default().table_ref())
        .values(changes.filter(|(column, _)| column.to_string() != E::ID.as_str()))
        .and_where(E::ID.eq(id))
        .to_owned()
}

/// Returns the columns of a row, then those of its keys.
fn columns<E: Resource>() -> impl Iterator<Item = DynIden> {
    let keys = E::NATURAL.iter().map(|name| key_column(*name).into_iden());
    E::Column::iter().map(IntoIden::into_iden).chain(keys)
}

/// Returns the values of a row in the order of [`columns`].
fn values<E: Resource>(row: E::Model) -> Vec<SimpleExpr> {
    let mut row = row.into_active_model();
    let keys: Vec<SimpleExpr> = E::NATURAL.iter().map(|name| key_of(row.get(*name))).collect();
    let columns = E::Column::iter().map(|column| {
        let value = row.take(column).into_value().expect("a whole row has every value");
        column.save_as(Expr::val(value))
    });
    columns.chain(keys).collect()
}

/// Returns the key of a name.
fn key_of(name: ActiveValue<Value>) -> SimpleExpr {
    let key = match name.into_value() {
        Some(Value::String(Some(name))) => natural_key(&name),
        _ => String::new(),
    };
    Expr::val(key)
}
