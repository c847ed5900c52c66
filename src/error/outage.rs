//! The reasons why the service is not available.

/// A reason why the service is not available at the moment; its text may be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Outage {
    /// Another write came in between; the server retries the write before a client sees this.
    #[error("the data changed while it was written")]
    ChangedMeanwhile,
    /// The disk is full, or the database's share of it.
    #[error("the database has no space left")]
    NoSpace,
    /// The file cannot be changed, or the server is a replica.
    #[error("the database is read-only")]
    ReadOnly,
    /// The disk fails, or a file has reached the size limit of the process.
    #[error("the database cannot read or write its files")]
    IoError,
    /// The server does not read the request to its end; its client can send it again, to another
    /// server.
    #[error("the server is stopping")]
    Stopping,
    /// Another reason.
    #[error("{0}")]
    Other(&'static str),
}

impl Outage {
    /// Returns whether the database accepts no writes at all.
    pub const fn refuses_writes(self) -> bool {
        matches!(self, Self::NoSpace | Self::ReadOnly | Self::IoError)
    }
}

impl From<&'static str> for Outage {
    fn from(reason: &'static str) -> Self {
        Self::Other(reason)
    }
}
