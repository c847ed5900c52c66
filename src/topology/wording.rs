//! Wording that findings share: lists of names, and remedies.

use super::observation::Method;

/// How many of several are named.
pub(super) const SHOWN: usize = 5;

/// The first of several, and how many more there are.
pub(super) fn listed(names: Vec<String>) -> String {
    let count = names.len();
    first_of(names, count)
}

/// The first of so many, and how many more there are.
pub(super) fn first_of(mut names: Vec<String>, count: usize) -> String {
    names.truncate(SHOWN);
    let last = match count.saturating_sub(names.len()) {
        0 => names.pop().unwrap_or_default(),
        more => format!("{more} more"),
    };
    if names.is_empty() { last } else { format!("{} and {last}", names.join(", ")) }
}

/// What there is to do about a link that is known in one way where another says otherwise.
pub(super) const fn remedy(method: Method, other: Method) -> &'static str {
    match (method, other) {
        (Method::Pinned, _) => "Remove that pin if it is wrong, or move the cable.",
        (_, Method::Cdp) => {
            "One of both is of the past, or CDP passed through a device that does not speak it: scan \
             again, or pin that port to the right one."
        }
        _ => "One of both is of the past, or the cables are mixed up.",
    }
}
