//! CSV (RFC 4180): one line per link, for spreadsheets and scripts.
//!
//! The rule: no spreadsheet reads a cell as a formula. A cell that would be one gets a single-quote
//! prefix, and so does a cell that would look prefixed; removing that quote gives the exact text
//! back.

use toposcope_types::text::is_formula;

use crate::{
    text,
    view::{View, canonical_order::Sorted},
};

const COLUMNS: [&str; 15] = [
    "link_id",
    "a_id",
    "a_kind",
    "a_host",
    "a_port_id",
    "a_port",
    "b_id",
    "b_kind",
    "b_host",
    "b_port_id",
    "b_port",
    "directed",
    "speed_bps",
    "state",
    "method",
];

/// Writes a view as CSV, with a header line and CRLF line ends.
pub(crate) fn write(view: &View) -> String {
    let sorted = Sorted::new(view);
    let mut table = Table::begin();
    table.line(COLUMNS.iter().chain(&["label"]));
    for edge in &sorted.links {
        let link = edge.link;
        let mut cells = vec![cell(&link.id)];
        for end in [0, 1] {
            let node = sorted.nodes[edge.ends[end]];
            let port_id = edge.port(end).map_or("", |port| port.id.as_str());
            cells.extend([&node.id, node.kind.name(), &node.label, port_id].map(cell));
            cells.push(cell(edge.port_label(end)));
        }
        cells.push(link.directed.to_string());
        cells.push(link.speed_bps.map(|speed| speed.to_string()).unwrap_or_default());
        cells.push(link.state().to_owned());
        cells.push(cell(link.known_by()));
        cells.push(cell(link.label.as_deref().unwrap_or_default()));
        table.line(&cells);
    }
    table.into_text()
}

/// A table of comma-separated values in the making (RFC 4180).
#[derive(Debug)]
pub struct Table(csv::Writer<Vec<u8>>);

impl Table {
    /// Creates a table without lines.
    pub fn begin() -> Self {
        let mut writer = csv::WriterBuilder::new();
        Self(writer.terminator(csv::Terminator::CRLF).from_writer(Vec::new()))
    }

    /// Adds a line of as many cells as the first line has.
    ///
    /// # Panics
    ///
    /// If it has another number of cells.
    pub fn line(&mut self, cells: impl IntoIterator<Item: AsRef<[u8]>>) {
        self.0.write_record(cells).expect("memory takes lines, and each has as many cells");
    }

    /// Returns the table.
    ///
    /// # Panics
    ///
    /// If a cell was not UTF-8.
    pub fn into_text(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes what is left");
        String::from_utf8(bytes).expect("cells are texts")
    }
}

/// Makes a cell safe from being run as a formula.
fn cell(text: &str) -> String {
    let text = text::printable(text);
    let quote = if is_formula(text.trim_start_matches('\'')) { "'" } else { "" };
    format!("{quote}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::samples;
    use proptest::prelude::*;

    /// Writes a line of a cell and an empty one.
    fn written(text: &str) -> String {
        let mut table = Table::begin();
        table.line([cell(text).as_str(), ""]);
        table.into_text()
    }

    /// Reads the first cell back as RFC 4180 says, then takes the formula quote off.
    fn read(line: &str) -> String {
        let inner = line.strip_suffix(",\r\n").expect("an empty cell is the last");
        let quoted = inner.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let raw = quoted.map_or_else(|| inner.to_owned(), |inner| inner.replace("\"\"", "\""));
        match raw.strip_prefix('\'') {
            Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest.to_owned(),
            _ => raw,
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back_from_its_cell(text in "[ =+@'\"\\-,\r\n\t a-c\\PC]{0,12}") {
            let written = written(&text);
            prop_assert_eq!(read(&written), text::printable(&text));
        }

        #[test]
        fn no_cell_begins_as_a_formula(text in any::<String>(), start in " {0,2}[=+@\t\r\n＝-]") {
            let written = written(&format!("{start}{text}"));
            prop_assert!(!is_formula(written.trim_start_matches('"')));
        }
    }

    #[test]
    fn there_is_one_line_per_link_and_a_header() {
        let view = samples::small();
        assert_eq!(write(&view).lines().count(), 1 + view.links.len());
    }
}
