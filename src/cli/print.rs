//! Prints the output of a command.

use std::io::Write as _;

/// Prints a text. A closed pipe is the reader's decision, not a failure of ours.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
