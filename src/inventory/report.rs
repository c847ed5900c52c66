//! The report of an import or a dry run.

use std::fmt::{self, Display, Formatter};

use toposcope_types::Id;

use super::{Options, left_out::LeftOut, plan::Plan};

/// The maximum number of unknown keys and notes to print.
const LISTED: usize = 50;

/// The maximum number of elements that are left out to print.
const LEFT_OUT: usize = 20;

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
    /// The elements that are left out.
    pub left_out: Vec<LeftOut>,
}

impl Report {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            network_retagged: !plan.network_tags.is_empty(),
            counts: plan.counts().to_vec(),
            new_tags: plan.tags.created.iter().map(|tag| tag.name.clone()).collect(),
            notes: plan.notes.clone(),
            absent: plan.absent.clone(),
            left_out: plan.left_out.clone(),
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
            _ if self.left_out.iter().any(LeftOut::is_host) => {
                "left alone, since others are left out"
            }
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

impl Report {
    /// Writes which elements are left out.
    fn tell_left_out(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (count, elements, are) = match (self.left_out.len(), self.options.dry_run) {
            (0, _) => return Ok(()),
            (1, true) => (1, "element", "would be"),
            (1, false) => (1, "element", "is"),
            (count, true) => (count, "elements", "would be"),
            (count, false) => (count, "elements", "are"),
        };
        writeln!(
            f,
            "{count} {elements} of the document {are} left out; what is stored of it stays"
        )?;
        list(f, "left out: ", &self.left_out, LEFT_OUT)
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
        list(f, "note: ", &self.notes, LISTED)?;
        list(f, "unknown key, not imported: ", &self.unknown_keys, LISTED)?;
        self.tell_left_out(f)?;
        if dry_run {
            writeln!(f, "this was a dry run: nothing was changed")
        } else if self.is_unchanged() && !self.left_out.is_empty() {
            writeln!(f, "all the rest was there already: nothing was changed")
        } else if self.is_unchanged() {
            writeln!(f, "all of it was there already: nothing was changed")
        } else {
            Ok(())
        }
    }
}

fn list(f: &mut Formatter<'_>, label: &str, lines: &[impl Display], listed: usize) -> fmt::Result {
    for line in lines.iter().take(listed) {
        writeln!(f, "{label}{line}")?;
    }
    match lines.len().saturating_sub(listed) {
        0 => Ok(()),
        more => writeln!(f, "{label}… and {more} more"),
    }
}
