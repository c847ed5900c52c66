//! The report of an import or a dry run.

use std::fmt::{self, Display, Formatter};

use toposcope_types::Id;

use super::{Options, plan::Plan};

/// The maximum number of unknown keys and notes to print.
const LISTED: usize = 50;

/// The number of rows of each kind that an import touched, and its notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The name of the network.
    pub network: String,
    /// Whether the import created the network.
    pub network_created: bool,
    /// The id of the network, unless a dry run would have created it.
    pub network_id: Option<Id>,
    /// The options of the import.
    pub options: Options,
    /// Whether the tags of the network itself have changed.
    pub network_retagged: bool,
    /// Each kind, with the number of created, changed, unchanged and removed rows.
    pub counts: Vec<(&'static str, [usize; 4])>,
    /// The names of new tags.
    pub new_tags: Vec<String>,
    /// The effects on pins, and values that the import read differently from how they were written.
    pub notes: Vec<String>,
    /// The names of the network's hosts that are missing from the document.
    pub absent: Vec<String>,
    /// The paths of unknown keys.
    pub unknown_keys: Vec<String>,
}

impl Report {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            network_retagged: !plan.network_tags.is_empty(),
            counts: plan.counts().to_vec(),
            new_tags: plan.tags.created.iter().map(|tag| tag.name.clone()).collect(),
            notes: plan.notes.clone(),
            absent: plan.absent.clone(),
            ..Self::default()
        }
    }

    /// Returns whether the import changes nothing.
    pub fn is_unchanged(&self) -> bool {
        !self.network_created
            && !self.network_retagged
            && self
                .counts
                .iter()
                .all(|(_, [created, changed, _, removed])| created + changed + removed == 0)
    }

    /// Returns how many rows of a kind were created, changed, unchanged and removed.
    pub fn of(&self, kind: &str) -> [usize; 4] {
        self.counts.iter().find(|(name, _)| *name == kind).map_or([0; 4], |(_, counts)| *counts)
    }
}

impl Report {
    /// Writes what happens to hosts that are missing from the document.
    fn tell_absent(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.absent.is_empty() {
            return Ok(());
        }
        let (count, hosts) = match self.absent.len() {
            1 => (1, "host is"),
            count => (count, "hosts are"),
        };
        let fate = match self.options {
            Options { prune: false, .. } => "left alone; `--prune` removes them",
            Options { dry_run: true, .. } => "would be removed",
            Options { .. } => "removed",
        };
        let listed = self.absent.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>();
        let more = match self.absent.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(", … and {more} more"),
        };
        let listed = listed.join(", ");
        writeln!(
            f,
            "{count} {hosts} in the network but not in the document ({fate}): {listed}{more}"
        )
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let dry_run = self.options.dry_run;
        let made = match (self.network_created, dry_run) {
            (true, false) => " (new)",
            (true, true) => " (would be new)",
            _ => "",
        };
        writeln!(f, "network `{}`{made}", self.network)?;
        if let Some(id) = self.network_id {
            writeln!(f, "  id: {id}")?;
        }
        writeln!(
            f,
            "  {:<16}{:>9}{:>9}{:>11}{:>9}",
            "", "created", "changed", "unchanged", "removed"
        )?;
        for (kind, [created, changed, unchanged, removed]) in &self.counts {
            if created + changed + unchanged + removed > 0 {
                writeln!(f, "  {kind:<16}{created:>9}{changed:>9}{unchanged:>11}{removed:>9}")?;
            }
        }
        if self.network_retagged {
            writeln!(f, "the tags of the network differ")?;
        }
        if !self.new_tags.is_empty() {
            writeln!(f, "new tags: {}", self.new_tags.join(", "))?;
        }
        self.tell_absent(f)?;
        list(f, "note: ", &self.notes)?;
        list(f, "unknown key, not imported: ", &self.unknown_keys)?;
        if dry_run {
            writeln!(f, "this was a dry run: nothing was changed")
        } else if self.is_unchanged() {
            writeln!(f, "all of it was there already: nothing was changed")
        } else {
            Ok(())
        }
    }
}

fn list(f: &mut Formatter<'_>, label: &str, lines: &[String]) -> fmt::Result {
    for line in lines.iter().take(LISTED) {
        writeln!(f, "{label}{line}")?;
    }
    match lines.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(f, "{label}… and {more} more"),
    }
}
