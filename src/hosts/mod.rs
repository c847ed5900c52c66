//! Hosts: the devices of a network.

mod entity;
pub mod graphql;
mod list;

use sea_orm::{
    IntoSimpleExpr,
    sea_query::{ExprTrait, Query, SimpleExpr},
};

pub use self::{
    entity::{ActiveModel, Column, Entity, Model as Host},
    list::{HostFilter, HostOrder, HostOrderField},
};

/// The name of the host whose id stands in `column`, to sort by.
pub fn name_of(column: impl IntoSimpleExpr) -> SimpleExpr {
    let name = Query::select()
        .column((Entity, Column::Name))
        .from(Entity)
        .and_where(Column::Id.into_simple_expr().eq(column.into_simple_expr()))
        .to_owned();
    SimpleExpr::SubQuery(None, Box::new(name.into()))
}
