//! Filters and orders of resources that are listed.

use std::{fmt::Debug, hash::Hash};

use async_graphql::{InputType, resolver_utils::EnumType};
use sea_orm::{
    Condition,
    sea_query::{Expr, ExprTrait, Func},
};
use toposcope_types::OrderDirection;

use super::{Resource, filter::IdFilter, page::SortKey};
use crate::app::App;

/// A resource that has lists with filters and orders.
pub trait Listed: Resource {
    /// What its lists can be filtered by.
    type Filter: Filter;
    /// What its lists can be ordered by.
    type Order: ListOrder;
}

/// A filter: fields that must all hold, and `and`, `or`, `not` over further filters.
pub trait Filter: InputType + Clone + Debug + Default + Eq + Hash + 'static {
    /// The conditions of its own fields.
    fn fields(&self, app: &App) -> Condition;

    /// Its `and`, `or` and `not`.
    fn combined(&self) -> Combined<'_, Self>;

    /// What it says of networks, if it says nothing else.
    fn only_networks(&self) -> Option<&IdFilter> {
        None
    }

    /// The whole condition. Nothing said matches all; `and: []` all; `or: []` nothing.
    fn condition(&self, app: &App) -> Condition {
        let mut condition = self.fields(app);
        let Combined { and, or, not } = self.combined();
        for filter in and.unwrap_or_default() {
            condition = condition.add(filter.condition(app));
        }
        if let Some(alternatives) = or {
            condition = condition.add(alternatives.iter().fold(
                Condition::any().add_option(alternatives.is_empty().then(|| Expr::val(1).eq(0))),
                |any, filter| any.add(all_or_true(filter.condition(app))),
            ));
        }
        if let Some(filter) = not {
            // A comparison with an empty column is unknown, which does not hold either.
            let holds = Expr::from(all_or_true(filter.condition(app)));
            condition = condition.add(Func::coalesce([holds, Expr::cust("FALSE")]).not());
        }
        condition
    }
}

/// An empty condition is left out of SQL, which would turn `or: [{}]` and `not: {}` around.
fn all_or_true(condition: Condition) -> Condition {
    if condition.is_empty() {
        return Condition::all().add(Expr::val(1).eq(1));
    }
    condition
}

/// The combinators of a filter.
#[derive(Debug)]
pub struct Combined<'a, F> {
    /// All of these must hold.
    pub and: Option<&'a [F]>,
    /// One of these must hold.
    pub or: Option<&'a [F]>,
    /// This must not hold.
    pub not: Option<&'a F>,
}

/// One element of `orderBy`.
pub trait ListOrder: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// What can be ordered by.
    type Field: EnumType;

    /// The order by a field.
    fn by(field: Self::Field, direction: OrderDirection) -> Self;

    /// The key that it sorts by.
    fn key(&self) -> SortKey;
}
