//! The limit on open files and sockets of this process.

/// The minimum number of descriptors left for the database and for files.
const RESERVED: u64 = 48;

/// Raises the soft limit to the hard limit, and returns how many connections fit below it together
/// with everything else; `None` if there is no limit.
pub(super) fn room() -> Option<usize> {
    let limit = raised()?;
    let room = limit.saturating_sub(RESERVED.max(limit / 4)).max(RESERVED / 6);
    Some(usize::try_from(room).unwrap_or(usize::MAX))
}

#[cfg(unix)]
fn raised() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let before = getrlimit(Resource::Nofile);
    if before.current == before.maximum {
        return before.current;
    }
    let raised = Rlimit { current: before.maximum, maximum: before.maximum };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => before.maximum,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files could not be raised to the hard one");
            before.current
        }
    }
}

#[cfg(not(unix))]
fn raised() -> Option<u64> {
    None
}
