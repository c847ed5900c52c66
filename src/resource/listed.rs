//! Filters and orders of resources with lists.

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
    /// The filter of its lists.
    type Filter: Filter;
    /// The order of its lists.
    type Order: ListOrder;
}

/// A filter: fields that must all hold, and `and`, `or`, `not` over further filters.
pub trait Filter: InputType + Clone + Debug + Default + Eq + Hash + 'static {
    /// Returns the conditions of its own fields.
    fn fields(&self, app: &App) -> Condition;

    /// Returns its `and`, `or` and `not`.
    fn combined(&self) -> Combined<'_, Self>;

    /// Returns its filter on networks, if it filters on nothing else.
    fn only_networks(&self) -> Option<&IdFilter> {
        None
    }

    /// Returns the whole condition. An empty filter matches all rows, as does `and: []`; `or: []`
    /// matches none.
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
            // A comparison with a null column is unknown, which does not hold either.
            let holds = Expr::from(all_or_true(filter.condition(app)));
            condition = condition.add(Func::coalesce([holds, Expr::cust("FALSE")]).not());
        }
        condition
    }
}

/// Replaces an empty condition. SQL would leave it out, which would invert `or: [{}]` and `not:
/// {}`.
fn all_or_true(condition: Condition) -> Condition {
    if condition.is_empty() {
        return Condition::all().add(Expr::val(1).eq(1));
    }
    condition
}

/// The combinators of a filter.
#[derive(Debug)]
pub struct Combined<'a, F> {
    /// The filters that must all hold.
    pub and: Option<&'a [F]>,
    /// The filters of which one must hold.
    pub or: Option<&'a [F]>,
    /// The filter that must not hold.
    pub not: Option<&'a F>,
}

/// One element of `orderBy`.
pub trait ListOrder: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// The fields to order by.
    type Field: EnumType;

    /// Creates an order by a field.
    fn by(field: Self::Field, direction: OrderDirection) -> Self;

    /// Returns the key to sort by.
    fn key(&self) -> SortKey;
}
