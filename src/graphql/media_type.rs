//! The response format that a client prefers.

use std::cmp::Reverse;

use axum::http::{HeaderMap, HeaderValue, header::ACCEPT};

const RESPONSE_JSON: &str = "application/graphql-response+json";

/// The format of a response: the GraphQL media type with meaningful status codes, or plain JSON,
/// where every well-formed request gets status 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MediaType {
    GraphqlResponse,
    Json,
}

impl MediaType {
    /// Returns the media type that the client prefers; `None` if it accepts neither.
    pub(super) fn negotiate(headers: &HeaderMap) -> Option<Self> {
        let ranges: Vec<(String, u16)> = headers
            .get_all(ACCEPT)
            .iter()
            .flat_map(|value| value.to_str().unwrap_or_default().split(','))
            .filter(|range| !range.trim().is_empty())
            .map(range)
            .collect();
        if ranges.is_empty() {
            return Some(Self::Json);
        }
        // Of the ranges that match a type, the most specific one gives its quality.
        let liking = |kind: Self, names: [&str; 3]| {
            let closest = names.iter().enumerate().find_map(|(distance, name)| {
                let place = ranges.iter().position(|(range, _)| range == name)?;
                Some((ranges[place].1, Reverse(distance), Reverse(place), kind))
            });
            closest.filter(|(quality, ..)| *quality > 0)
        };
        let graphql = liking(Self::GraphqlResponse, [RESPONSE_JSON, "application/*", "*/*"]);
        let json = liking(Self::Json, ["application/json", "application/*", "*/*"]);
        graphql.max(json).map(|(.., kind)| kind)
    }

    pub(super) const fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
        })
    }
}

/// Parses a media range of `Accept` and its weight in thousandths, as in RFC 9110.
fn range(text: &str) -> (String, u16) {
    let mut parts = text.split(';').map(|part| part.trim().to_ascii_lowercase());
    let name = parts.next().unwrap_or_default();
    let quality = parts
        .find_map(|part| part.strip_prefix("q=").map(|quality| quality.parse().unwrap_or(0.0)))
        .unwrap_or(1.0_f32);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is 0 to 1000")]
    let thousandths = (quality.clamp(0.0, 1.0) * 1000.0) as u16;
    (name, thousandths)
}
