//! The rights of a writing viewer: read again within the transaction, and announced to all
//! processes when they change.

use toposcope_types::PermissionLevel;

use super::transaction::Write;
use crate::{
    app::App,
    auth::{Credentials, Viewer},
    error::Result,
};

impl<'a> Write<'a> {
    /// Begins a write for the operator, or for a caller who is not a user yet.
    pub async fn begin_unseen(app: &'a App, viewer: &Viewer) -> Result<Self> {
        Self::begin(app, viewer, PermissionLevel::Viewer).await
    }

    /// Reads the viewer's current rights, once, after the write has waited for its lock. A viewer
    /// who lost a right in the meantime is refused here, or sees less from here on.
    pub async fn read_rights(&mut self) -> Result<()> {
        if !self.rights_read {
            self.viewer = Credentials::again(&self.app.db, &self.db, &self.viewer).await?;
            self.viewer.require(self.level)?;
            self.rights_read = true;
        }
        Ok(())
    }

    /// Marks the write as changing rights, so that all processes drop the rights they cached.
    pub fn change_rights(&mut self) {
        self.changes_rights = true;
    }
}
