//! The error type of every operation, with the code, parameters and status that clients see.
//!
//! The text of an [`Error`] is safe to show by construction. Causes stay inside [`Error::Internal`]
//! and are logged when the response is sent.

mod database;
mod outage;

use axum::http::StatusCode;
use serde_json::{Map, Value, json};
use toposcope_types::{Cidr, Id, IpAddress, Kind, json_path};

pub use self::{database::refuses_writes, outage::Outage};

/// The result of every operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The number of seconds after which to retry a request that met a lost or overloaded database.
const RETRY_AFTER_SECONDS: u64 = 2;

/// The reason why an operation was refused or failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A registration in a session in which nothing has been set up.
    #[error("nothing is set up yet in this session: call POST /api/auth/setup first")]
    NotSetUp,
    /// A required key is missing or null.
    #[error("`{field}` is required")]
    Required { field: String },
    /// A value does not parse; `reason` says what was expected.
    #[error("`{field}` is not valid: {reason}")]
    InvalidFormat { field: String, reason: String },
    /// A number outside its range, both ends included.
    #[error("`{field}` must be between {min} and {max}")]
    OutOfRange { field: String, min: i64, max: i64 },
    /// A text with fewer characters than allowed.
    #[error("`{field}` must have at least {min} characters")]
    MinLength { field: String, min: usize },
    /// A text with more characters, or a list with more elements, than allowed.
    #[error("`{field}` must not be longer than {max}")]
    MaxLength { field: String, max: usize },
    /// The same element twice in a list that must not repeat.
    #[error("`{field}` repeats an earlier element; name each only once")]
    Duplicate { field: String },
    /// A query parameter that the endpoint does not have.
    #[error("there is no query parameter `{parameter}` here; known are {known}")]
    UnknownParameter { parameter: String, known: String },
    /// A referenced id that does not exist or that the viewer cannot see.
    #[error("`{field}` names no {kind} within reach: `{id}`")]
    ReferenceInvalid { kind: Kind, field: String, id: Id },
    /// A reference into another network.
    #[error("the {kind} is in another network; all parts must be in one network")]
    NetworkMismatch { kind: Kind },
    /// No credential, or an invalid one.
    #[error("not authenticated: send an API key as `Authorization: Bearer` or log in")]
    NotAuthenticated,
    /// A failed login, whatever the cause.
    #[error("the e-mail address or the password is wrong")]
    InvalidCredentials,
    /// The level or the reach of the viewer is insufficient; `reason` names what is needed.
    #[error("{reason}")]
    PermissionDenied { reason: String },
    /// An API key on an endpoint for sessions.
    #[error("this needs a session: log in with e-mail and password instead of an API key")]
    UserContextRequired,
    /// The organization does not allow API keys.
    #[error("API access is switched off for this organization")]
    ApiAccessDisabled,
    /// An API key past its `expires_at`.
    #[error("this API key has expired")]
    Expired,
    /// An API key that is switched off.
    #[error("this API key is disabled")]
    Disabled,
    /// No such id, or not within the viewer's reach.
    #[error("there is no {kind} `{id}`")]
    NotFound { kind: Kind, id: Id },
    /// No endpoint at this path.
    #[error("there is no endpoint at this path")]
    RouteNotFound,
    /// The endpoint does not have this method.
    #[error("this endpoint does not have the method {method}")]
    MethodNotAllowed { method: String },
    /// A part of the contract that is not implemented yet.
    #[error("{what} cannot be written: this server does not have them yet")]
    NotBuilt { what: &'static str },
    /// A violated unique constraint.
    #[error("this {kind} already exists: {}", there_already(*kind, field))]
    AlreadyExists { kind: Kind, field: &'static str },
    /// A value that cannot be changed once it is set.
    #[error("`{field}` cannot be changed once it is set")]
    FieldImmutable { field: String },
    /// An entity that another one needs or has already taken.
    #[error("the {kind} is in use by a {used_by}; change or delete that first")]
    InUse { kind: Kind, used_by: Kind },
    /// An address outside the subnet given for it.
    #[error("`{ip}` is not in the subnet `{subnet}`; use an address of it, or another `subnet_id`")]
    IpOutOfRange { ip: IpAddress, subnet: Cidr },
    /// The version that the viewer saw is not the stored one.
    #[error("the {kind} `{id}` has changed in the meantime; read it again and repeat your change")]
    Changed { kind: Kind, id: Id },
    /// A body over the size limit.
    #[error("the body is larger than {limit} bytes")]
    PayloadTooLarge { limit: usize },
    /// A body whose content type is not JSON.
    #[error("the content type must be `application/json`")]
    UnsupportedMediaType,
    /// The request budget is used up; `retry_after` is the seconds until the next request is
    /// allowed.
    #[error("too many requests: try again in {retry_after} s")]
    RateLimited { retry_after: u64 },
    /// The budget of database time is used up; `retry_after` is the seconds until some is
    /// available.
    #[error(
        "your requests took too much time in the database: try again in {retry_after} s, or ask \
         for less at a time"
    )]
    DatabaseTimeSpent { retry_after: u64 },
    /// A failure on the server's side; its cause appears in the log only.
    #[error("something went wrong on the server; its log has the cause under the request id")]
    Internal(#[source] anyhow::Error),
    /// The database cannot be reached, cannot be written or is overloaded; `cause` appears in the
    /// log only.
    #[error("the service is not available at the moment: {reason}")]
    Unavailable { reason: Outage, cause: Option<anyhow::Error> },
}

/// Describes the existing row that conflicts with a new one.
fn there_already(kind: Kind, field: &str) -> String {
    match kind {
        Kind::Binding => "the service listens there".to_owned(),
        _ => format!("another one has the same `{field}`"),
    }
}

impl Error {
    /// Creates an error for a value of `field` that does not parse, with what was expected instead.
    pub fn invalid(field: impl Into<String>, reason: impl std::fmt::Display) -> Self {
        Self::InvalidFormat { field: field.into(), reason: reason.to_string() }
    }

    /// Creates an error for an unavailable service, with a reason that may be shown.
    pub fn unavailable(reason: impl Into<Outage>) -> Self {
        Self::Unavailable { reason: reason.into(), cause: None }
    }

    /// Returns why the database is unavailable, if that is the error.
    pub const fn unavailable_because(&self) -> Option<Outage> {
        match self {
            Self::Unavailable { reason, .. } => Some(*reason),
            _ => None,
        }
    }

    /// Creates a refusal that names what is needed.
    pub fn denied(reason: impl Into<String>) -> Self {
        Self::PermissionDenied { reason: reason.into() }
    }

    /// Prefixes the error's field with `path`.
    #[must_use]
    pub fn within(mut self, path: &str) -> Self {
        if let Self::Required { field }
        | Self::InvalidFormat { field, .. }
        | Self::OutOfRange { field, .. }
        | Self::MinLength { field, .. }
        | Self::MaxLength { field, .. }
        | Self::Duplicate { field }
        | Self::FieldImmutable { field }
        | Self::ReferenceInvalid { field, .. } = &mut self
        {
            *field = json_path::join(path, field);
        }
        self
    }

    /// Returns the machine-readable code, the same over REST and GraphQL.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Required { .. } | Self::NotSetUp => "validation_required",
            Self::InvalidFormat { .. } => "validation_invalid_format",
            Self::OutOfRange { .. } => "validation_out_of_range",
            Self::MinLength { .. } => "validation_min_length",
            Self::MaxLength { .. } => "validation_max_length",
            Self::Duplicate { .. } => "validation_duplicate",
            Self::UnknownParameter { .. } => "validation_unknown_parameter",
            Self::ReferenceInvalid { .. } => "entity_reference_invalid",
            Self::NetworkMismatch { .. } => "entity_network_mismatch",
            Self::NotAuthenticated => "auth_not_authenticated",
            Self::InvalidCredentials => "auth_invalid_credentials",
            Self::PermissionDenied { .. } => "auth_permission_denied",
            Self::UserContextRequired => "auth_user_context_required",
            Self::ApiAccessDisabled => "organization_api_access_disabled",
            Self::Expired => "entity_expired",
            Self::Disabled => "entity_disabled",
            Self::NotFound { .. } => "entity_not_found",
            Self::RouteNotFound => "route_not_found",
            Self::MethodNotAllowed { .. } => "method_not_allowed",
            Self::NotBuilt { .. } => "not_implemented",
            Self::AlreadyExists { .. } => "entity_already_exists",
            Self::FieldImmutable { .. } => "field_immutable",
            Self::Changed { .. } => "entity_changed",
            Self::InUse { .. } => "entity_in_use",
            Self::IpOutOfRange { .. } => "interface_ip_out_of_range",
            Self::PayloadTooLarge { .. } => "payload_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::RateLimited { .. } | Self::DatabaseTimeSpent { .. } => "rate_limit_exceeded",
            Self::Internal(_) => "internal_error",
            Self::Unavailable { .. } => "service_unavailable",
        }
    }

    /// Returns the HTTP status of the error.
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::Required { .. }
            | Self::NotSetUp
            | Self::InvalidFormat { .. }
            | Self::OutOfRange { .. }
            | Self::MinLength { .. }
            | Self::MaxLength { .. }
            | Self::Duplicate { .. }
            | Self::UnknownParameter { .. }
            | Self::ReferenceInvalid { .. }
            | Self::NetworkMismatch { .. }
            | Self::IpOutOfRange { .. } => StatusCode::BAD_REQUEST,
            Self::NotAuthenticated | Self::InvalidCredentials => StatusCode::UNAUTHORIZED,
            Self::PermissionDenied { .. }
            | Self::UserContextRequired
            | Self::ApiAccessDisabled
            | Self::Expired
            | Self::Disabled => StatusCode::FORBIDDEN,
            Self::NotFound { .. } | Self::RouteNotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotBuilt { .. } => StatusCode::NOT_IMPLEMENTED,
            Self::AlreadyExists { .. }
            | Self::FieldImmutable { .. }
            | Self::Changed { .. }
            | Self::InUse { .. } => StatusCode::CONFLICT,
            Self::PayloadTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::RateLimited { .. } | Self::DatabaseTimeSpent { .. } => {
                StatusCode::TOO_MANY_REQUESTS
            }
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Returns the parameters of the code; `None` if it has none.
    pub fn params(&self) -> Option<Map<String, Value>> {
        let params = match self {
            Self::NotSetUp => json!({ "field": "setup" }),
            Self::Required { field }
            | Self::InvalidFormat { field, .. }
            | Self::Duplicate { field }
            | Self::FieldImmutable { field } => json!({ "field": field }),
            Self::OutOfRange { field, min, max } => {
                json!({ "field": field, "min": min, "max": max })
            }
            Self::MinLength { field, min } => json!({ "field": field, "min": min }),
            Self::MaxLength { field, max } => json!({ "field": field, "max": max }),
            Self::UnknownParameter { parameter, .. } => json!({ "parameter": parameter }),
            Self::ReferenceInvalid { kind, field, id } => {
                json!({ "entity": kind.name(), "field": field, "id": id })
            }
            Self::NetworkMismatch { kind } => json!({ "entity": kind.name() }),
            Self::Expired | Self::Disabled => json!({ "entity": Kind::UserApiKey.name() }),
            Self::NotFound { kind, id } | Self::Changed { kind, id } => {
                json!({ "entity": kind.name(), "id": id })
            }
            Self::MethodNotAllowed { method } => json!({ "method": method }),
            Self::AlreadyExists { kind, field } => json!({ "entity": kind.name(), "field": field }),
            Self::InUse { kind, used_by } => {
                json!({ "entity": kind.name(), "used_by": used_by.name() })
            }
            Self::IpOutOfRange { ip, subnet } => json!({ "ip": ip, "subnet": subnet }),
            Self::RateLimited { retry_after } | Self::DatabaseTimeSpent { retry_after } => {
                json!({ "retry_after": retry_after })
            }
            Self::Unavailable { .. } => json!({ "retry_after": RETRY_AFTER_SECONDS }),
            _ => return None,
        };
        match params {
            Value::Object(map) => Some(map),
            _ => None,
        }
    }

    /// Returns the seconds to wait before trying again, if waiting helps.
    pub const fn retry_after(&self) -> Option<u64> {
        match self {
            Self::RateLimited { retry_after } | Self::DatabaseTimeSpent { retry_after } => {
                Some(*retry_after)
            }
            Self::Unavailable { .. } => Some(RETRY_AFTER_SECONDS),
            _ => None,
        }
    }

    /// Logs the error when the response is sent; nothing else does.
    pub fn log(&self) {
        match self {
            Self::Internal(cause) => {
                tracing::error!(cause = format!("{cause:#}"), "request failed");
            }
            Self::Unavailable { reason, cause } => {
                let cause = cause.as_ref().map(|cause| format!("{cause:#}"));
                tracing::warn!(reason = %reason, cause, "service unavailable");
            }
            _ => {}
        }
    }
}

impl From<anyhow::Error> for Error {
    fn from(cause: anyhow::Error) -> Self {
        Self::Internal(cause)
    }
}
