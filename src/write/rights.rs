//! What who writes may do: read again within the transaction, and told to all when it changes.

use toposcope_types::PermissionLevel;

use super::transaction::Write;
use crate::{
    app::App,
    auth::{Credentials, Viewer},
    error::Result,
};

impl<'a> Write<'a> {
    /// Begins to write for the operator, or for somebody who is nobody yet.
    pub async fn begin_unseen(app: &'a App, viewer: &Viewer) -> Result<Self> {
        Self::begin(app, viewer, PermissionLevel::Viewer).await
    }

    /// Reads what the viewer may at this moment, once, after it has waited in line: whoever lost a
    /// right in the meantime is refused here, or sees less from here on.
    pub async fn read_rights(&mut self) -> Result<()> {
        if !self.rights_read {
            self.viewer = Credentials::again(&self.app.db, &self.db, &self.viewer).await?;
            self.viewer.require(self.level)?;
            self.rights_read = true;
        }
        Ok(())
    }

    /// Says that it changes who may do what: all processes forget what they remember of that.
    pub fn change_rights(&mut self) {
        self.changes_rights = true;
    }
}
