//! Routes with their descriptions: the router and `openapi.json` come from one list.

use axum::{
    Router,
    handler::Handler,
    http::Method,
    routing::{MethodRouter, on},
};
use serde_json::Value;

use super::endpoint::{Endpoint, Schemas};
use crate::app::App;

/// Routes with their descriptions.
#[derive(Debug, Default)]
pub struct Routes {
    handlers: Vec<(String, MethodRouter<App>)>,
    operations: Vec<(String, Method, Value)>,
    schemas: Schemas,
}

impl Routes {
    /// Adds an endpoint.
    #[must_use]
    pub fn add<H, T>(mut self, endpoint: Endpoint, handler: H) -> Self
    where
        H: Handler<T, App>,
        T: 'static,
    {
        self.handlers.push((endpoint.path.clone(), on(endpoint.filter(), handler)));
        self.operations.push((
            endpoint.path.clone(),
            endpoint.method.clone(),
            endpoint.operation(),
        ));
        self.schemas.extend(endpoint.schemas);
        self
    }

    /// Adds other routes.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.handlers.extend(other.handlers);
        self.operations.extend(other.operations);
        self.schemas.extend(other.schemas);
        self
    }

    /// Adds other routes below a path.
    #[must_use]
    pub fn nest(mut self, prefix: &str, other: Self) -> Self {
        let handlers = other.handlers.into_iter();
        self.handlers.extend(handlers.map(|(path, handler)| (format!("{prefix}{path}"), handler)));
        let operations = other.operations.into_iter();
        self.operations.extend(
            operations
                .map(|(path, method, operation)| (format!("{prefix}{path}"), method, operation)),
        );
        self.schemas.extend(other.schemas);
        self
    }

    /// Returns the routes whose path begins with one name, under another name.
    pub fn renamed(self, from: &str, to: &str) -> Router<App> {
        let mut router = Router::new();
        for (path, method) in self.handlers {
            if let Some(rest) = path.strip_prefix(from) {
                router = router.route(&format!("{to}{rest}"), method);
            }
        }
        router
    }

    /// Returns the routes, and their descriptions below a path.
    pub fn into_parts(self, prefix: &str) -> (Router<App>, Vec<(String, Method, Value)>, Schemas) {
        let operations = self
            .operations
            .into_iter()
            .map(|(path, method, operation)| (format!("{prefix}{path}"), method, operation));
        let router = self
            .handlers
            .into_iter()
            .fold(Router::new(), |router, (path, handler)| router.route(&path, handler));
        (router, operations.collect(), self.schemas)
    }
}
