//! Loads by key, shared by all resources. Keys carry everything that changes the result.

use std::{
    collections::HashMap,
    fmt::{Debug, Formatter},
    hash::{Hash, Hasher},
    marker::PhantomData,
    sync::Arc,
};

use async_graphql::{
    Context,
    dataloader::{DataLoader, Loader},
};
use sea_orm::{IdenStatic as _, ModelTrait as _, QueryFilter};
use toposcope_types::Id;

use super::{batch_driver::BatchDriver, context};
use crate::{
    app::App,
    auth::Viewer,
    error::{self, Error},
    resource::{
        Resource,
        children::{self, Relation},
        list::{self, ListQuery},
        listed::{Filter as _, Listed},
        page::{Slice, Window},
    },
};

/// The context of loads: one request's application and viewer.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The application.
    pub app: App,
    /// The viewer.
    pub viewer: Viewer,
}

/// An error that a loader returns to many resolvers.
pub type LoadError = Arc<Error>;

impl Batch {
    /// Creates the loaders of one request, whose loads `turn` starts.
    pub fn loaders(app: App, viewer: Viewer, turn: Arc<BatchDriver>) -> DataLoader<Self> {
        DataLoader::new(Self { app, viewer }, move |job| turn.push(Box::pin(job)))
            .delay(std::time::Duration::ZERO)
            .max_batch_size(usize::MAX)
    }
}

/// Wraps lists by key, so that all waiting resolvers share them without copies.
pub fn shared<K: Eq + Hash, T>(
    lists: impl IntoIterator<Item = (K, Vec<T>)>,
) -> HashMap<K, Arc<Vec<T>>> {
    lists.into_iter().map(|(key, rows)| (key, Arc::new(rows))).collect()
}

/// The key of one row: its id.
pub struct ById<E>(pub Id, PhantomData<fn() -> E>);

impl<E> Clone for ById<E> {
    fn clone(&self) -> Self {
        Self(self.0, PhantomData)
    }
}

impl<E> PartialEq for ById<E> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<E> Eq for ById<E> {}

impl<E> Hash for ById<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<E> Debug for ById<E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ById").field(&self.0).finish()
    }
}

impl<E: Resource> Loader<ById<E>> for Batch {
    type Value = E::Model;
    type Error = LoadError;

    async fn load(&self, keys: &[ById<E>]) -> Result<HashMap<ById<E>, E::Model>, LoadError> {
        let ids = self.app.db.ids(keys.iter().map(|key| key.0).collect::<Vec<_>>());
        let rows = list::children::<E>(self.app.db.reader(), &self.viewer, E::ID, &ids).await;
        let rows = rows.map_err(Arc::new)?;
        Ok(rows.into_iter().map(|row| (ById(E::id(&row), PhantomData), row)).collect())
    }
}

/// Returns the loaders of this request.
pub fn loaders<'a>(context: &'a Context<'_>) -> error::Result<&'a DataLoader<Batch>> {
    context.data_opt().ok_or_else(|| context::missing("loaders"))
}

/// Returns the row with this id, if it exists within the viewer's reach.
pub async fn by_id<E: Resource>(
    context: &Context<'_>,
    id: impl Into<Option<Id>>,
) -> async_graphql::Result<Option<E::Model>> {
    let Some(id) = id.into() else { return Ok(None) };
    Ok(loaders(context)?.load_one(ById::<E>(id, PhantomData)).await?)
}

/// The key of all children of one parent, in creation order.
struct AllOf<E: Resource> {
    column: E::Column,
    parent: Id,
}

/// The children of one parent in one relation.
struct ChildrenOf<E: Resource> {
    relation: Relation<E>,
    parent: Id,
}

/// The key of one page of the children of one parent.
struct PageOf<E: Listed> {
    all: ChildrenOf<E>,
    query: Arc<(ListQuery<E>, Window)>,
}

/// The key of the number of children of one parent.
struct CountOf<E: Listed> {
    all: ChildrenOf<E>,
    filter: Arc<E::Filter>,
}

impl<E: Resource> Clone for ChildrenOf<E> {
    fn clone(&self) -> Self {
        Self { relation: self.relation, parent: self.parent }
    }
}

impl<E: Resource> PartialEq for ChildrenOf<E> {
    fn eq(&self, other: &Self) -> bool {
        self.parent == other.parent && self.same_relation(other)
    }
}

impl<E: Resource> Eq for ChildrenOf<E> {}

impl<E: Resource> Hash for ChildrenOf<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parent.hash(state);
    }
}

impl<E: Resource> ChildrenOf<E> {
    fn same_relation(&self, other: &Self) -> bool {
        self.relation.name() == other.relation.name()
    }
}

impl<E: Resource> Clone for AllOf<E> {
    fn clone(&self) -> Self {
        Self { column: self.column, parent: self.parent }
    }
}

impl<E: Resource> PartialEq for AllOf<E> {
    fn eq(&self, other: &Self) -> bool {
        self.parent == other.parent && self.column.as_str() == other.column.as_str()
    }
}

impl<E: Resource> Eq for AllOf<E> {}

impl<E: Resource> Hash for AllOf<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parent.hash(state);
    }
}

impl<E: Listed> Clone for PageOf<E> {
    fn clone(&self) -> Self {
        Self { all: self.all.clone(), query: Arc::clone(&self.query) }
    }
}

impl<E: Listed> PartialEq for PageOf<E> {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all && self.same_page(other)
    }
}

impl<E: Listed> PageOf<E> {
    fn same_page(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.query, &other.query) {
            return true;
        }
        let ((query, window), (others_query, others_window)) = (&*self.query, &*other.query);
        window == others_window
            && query.filter == others_query.filter
            && query.order == others_query.order
    }
}

impl<E: Listed> Eq for PageOf<E> {}

impl<E: Listed> Hash for PageOf<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.all.hash(state);
    }
}

impl<E: Listed> Clone for CountOf<E> {
    fn clone(&self) -> Self {
        Self { all: self.all.clone(), filter: Arc::clone(&self.filter) }
    }
}

impl<E: Listed> PartialEq for CountOf<E> {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all && self.filter == other.filter
    }
}

impl<E: Listed> Eq for CountOf<E> {}

impl<E: Listed> Hash for CountOf<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.all.hash(state);
    }
}

/// Groups keys that one statement can load.
fn alike<K>(keys: &[K], alike: impl Fn(&K, &K) -> bool) -> Vec<Vec<&K>> {
    let mut groups: Vec<Vec<&K>> = Vec::new();
    for key in keys {
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| alike(first, key))) {
            Some(group) => group.push(key),
            None => groups.push(vec![key]),
        }
    }
    groups
}

impl<E: Resource> Loader<AllOf<E>> for Batch {
    type Value = Arc<Vec<E::Model>>;
    type Error = LoadError;

    async fn load(&self, keys: &[AllOf<E>]) -> Result<HashMap<AllOf<E>, Self::Value>, LoadError> {
        let mut children: HashMap<AllOf<E>, Vec<E::Model>> = HashMap::new();
        for group in alike(keys, |a, b| a.column.as_str() == b.column.as_str()) {
            let column = group[0].column;
            let parents = self.app.db.ids(group.iter().map(|key| key.parent).collect::<Vec<_>>());
            let rows =
                list::children::<E>(self.app.db.reader(), &self.viewer, column, &parents).await;
            for row in rows.map_err(Arc::new)? {
                let parent = <Id as sea_orm::sea_query::ValueType>::try_from(row.get(column));
                let Ok(parent) = parent else { continue };
                children.entry(AllOf { column, parent }).or_default().push(row);
            }
        }
        Ok(shared(children))
    }
}

impl<E: Listed> Loader<PageOf<E>> for Batch {
    type Value = Arc<Slice<E::Model>>;
    type Error = LoadError;

    async fn load(&self, keys: &[PageOf<E>]) -> Result<HashMap<PageOf<E>, Self::Value>, LoadError> {
        let mut pages = HashMap::new();
        let same = |a: &PageOf<E>, b: &PageOf<E>| a.all.same_relation(&b.all) && a.same_page(b);
        for group in alike(keys, same) {
            let (relation, query) = (group[0].all.relation, &group[0].query);
            let parents = group.iter().map(|key| key.all.parent).collect::<Vec<_>>();
            let parents = self.app.db.ids(parents);
            let mut order = query.0.keys();
            if order.is_empty() {
                order = relation.keys();
            }
            let found = children::pages::<E>(
                self.app.db.reader(),
                query.0.select(&self.app, &self.viewer),
                relation,
                &parents,
                &order,
                &query.1,
            );
            for (parent, slice) in found.await.map_err(Arc::new)? {
                let all = ChildrenOf { relation, parent };
                pages.insert(PageOf { all, query: Arc::clone(query) }, Arc::new(slice));
            }
        }
        Ok(pages)
    }
}

impl<E: Listed> Loader<CountOf<E>> for Batch {
    type Value = u64;
    type Error = LoadError;

    async fn load(&self, keys: &[CountOf<E>]) -> Result<HashMap<CountOf<E>, u64>, LoadError> {
        let mut counts = HashMap::new();
        let same =
            |a: &CountOf<E>, b: &CountOf<E>| a.all.same_relation(&b.all) && a.filter == b.filter;
        for group in alike(keys, same) {
            let (relation, filter) = (group[0].all.relation, &group[0].filter);
            let parents =
                self.app.db.ids(group.iter().map(|key| key.all.parent).collect::<Vec<_>>());
            let select = E::visible_to(&self.viewer).filter(filter.condition(&self.app));
            let found = children::counts(self.app.db.reader(), select, relation, &parents).await;
            for (parent, total) in found.map_err(Arc::new)? {
                let all = ChildrenOf { relation, parent };
                counts.insert(CountOf { all, filter: Arc::clone(filter) }, total);
            }
        }
        Ok(counts)
    }
}

/// Returns all children of a parent, in creation order.
pub async fn all_of<E: Resource>(
    context: &Context<'_>,
    column: E::Column,
    parent: Id,
) -> async_graphql::Result<Vec<E::Model>> {
    let children = loaders(context)?.load_one(AllOf::<E> { column, parent }).await?;
    Ok(context::list(context, children)?)
}

/// Returns one page of the children of a parent.
pub async fn page_of<E: Listed>(
    context: &Context<'_>,
    relation: Relation<E>,
    parent: Id,
    query: Arc<(ListQuery<E>, Window)>,
) -> async_graphql::Result<Slice<E::Model>> {
    let key = PageOf { all: ChildrenOf { relation, parent }, query };
    let slice = loaders(context)?.load_one(key).await?.unwrap_or_default();
    context::count(context, slice.rows.len())?;
    Ok(Arc::unwrap_or_clone(slice))
}

/// Returns how many children of a parent pass a filter.
pub async fn count_of<E: Listed>(
    context: &Context<'_>,
    relation: Relation<E>,
    parent: Id,
    filter: Arc<E::Filter>,
) -> async_graphql::Result<u64> {
    let key = CountOf { all: ChildrenOf { relation, parent }, filter };
    Ok(loaders(context)?.load_one(key).await?.unwrap_or_default())
}
