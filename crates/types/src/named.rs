//! Short lists of names in sentences.

/// The maximum number of names in a sentence.
pub const LISTED: u64 = 5;

/// Lists names for a sentence: the first few, and whether there are more.
pub fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let most = usize::try_from(LISTED).unwrap_or(usize::MAX);
    let more = if names.len() > most { " and others" } else { "" };
    format!("{}{more}", names.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(", "))
}
