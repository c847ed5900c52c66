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
    let mut csv = String::new();
    add_line(&mut csv, COLUMNS.iter().chain(&["label"]));
    for edge in &sorted.links {
        let link = edge.link;
        let mut cells = vec![harmless(&link.id)];
        for end in [0, 1] {
            let node = sorted.nodes[edge.ends[end]];
            let port_id = edge.port(end).map_or("", |port| port.id.as_str());
            cells.extend([&node.id, node.kind.name(), &node.label, port_id].map(harmless));
            cells.push(harmless(edge.port_label(end)));
        }
        cells.push(link.directed.to_string());
        cells.push(link.speed_bps.map(|speed| speed.to_string()).unwrap_or_default());
        cells.push(link.state().to_owned());
        cells.push(harmless(link.known_by()));
        cells.push(harmless(link.label.as_deref().unwrap_or_default()));
        add_line(&mut csv, cells);
    }
    csv
}

/// Adds a line to a table of comma-separated values. It also quotes cells that readers would split
/// at a blank, a tab or a semicolon.
pub fn add_line(table: &mut String, cells: impl IntoIterator<Item: AsRef<str>>) {
    let start = table.len();
    for (nth, cell) in cells.into_iter().enumerate() {
        let cell = cell.as_ref();
        if nth > 0 {
            table.push(',');
        }
        if cell.contains([',', '"', '\r', '\n', '\t', ';', ' ', '\'']) {
            table.extend(["\"", &cell.replace('"', "\"\""), "\""]);
        } else {
            table.push_str(cell);
        }
    }
    // A line of one empty cell is not an empty line.
    table.push_str(if table.len() == start { "\"\"\r\n" } else { "\r\n" });
}

/// Makes a cell safe from being run as a formula.
fn harmless(text: &str) -> String {
    let text = text::printable(text);
    let quote = if is_formula(text.trim_start_matches('\'')) { "'" } else { "" };
    format!("{quote}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::samples;
    use proptest::prelude::*;

    fn cell(text: &str) -> String {
        let mut line = String::new();
        add_line(&mut line, [harmless(text)]);
        line.trim_end_matches("\r\n").to_owned()
    }

    /// Reads a cell back as RFC 4180 says, then takes the formula quote off.
    fn read(cell: &str) -> String {
        let inner = cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let raw = inner.map_or_else(|| cell.to_owned(), |inner| inner.replace("\"\"", "\""));
        match raw.strip_prefix('\'') {
            Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest.to_owned(),
            _ => raw,
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back_from_its_cell(text in "[ =+@'\"\\-,\r\n\t a-c\\PC]{0,12}") {
            let written = cell(&text);
            prop_assert_eq!(read(&written), text::printable(&text));
        }

        #[test]
        fn no_cell_begins_as_a_formula(text in any::<String>(), start in " {0,2}[=+@\t\r\n＝-]") {
            let written = cell(&format!("{start}{text}"));
            prop_assert!(!is_formula(written.trim_start_matches('"')));
        }
    }

    #[test]
    fn there_is_one_line_per_link_and_a_header() {
        let view = samples::small();
        assert_eq!(write(&view).lines().count(), 1 + view.links.len());
    }
}
