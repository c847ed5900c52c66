//! The product's only representation of time: UTC with microseconds, as PostgreSQL stores it.

use std::fmt::{self, Debug, Display, Formatter};
use std::ops::{Add, Sub};
use std::str::FromStr;

#[cfg(feature = "graphql")]
use async_graphql::{InputValueResult, Scalar, ScalarType, Value};
use chrono::{DateTime, Datelike, TimeDelta, Timelike, Utc};
#[cfg(feature = "sql")]
use sea_orm::sea_query::{ArrayType, ColumnType, Nullable, ValueType, ValueTypeErr};
#[cfg(feature = "sql")]
use sea_orm::{ColIdx, QueryResult, TryGetError, TryGetable};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "openapi")]
use utoipa::openapi::{RefOr, Schema};

use super::parse;

/// The length of `2026-11-27T21:42:38.348819Z`.
const LENGTH: usize = 27;

/// The first microsecond of the year 0 and the last one of 9999: RFC 3339 has no other years.
const RANGE: (i64, i64) = (-62_167_219_200_000_000, 253_402_300_799_999_999);

/// A moment in UTC, truncated to microseconds so that both databases return what was written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(DateTime<Utc>);

/// An error for text that is not an RFC 3339 time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a time: expected RFC 3339, such as `2026-11-27T21:42:38.348819Z`")]
pub struct TimestampError;

impl Timestamp {
    /// Returns the current time.
    pub fn now() -> Self {
        Utc::now().into()
    }

    /// Returns the underlying time, for arithmetic.
    pub const fn date_time(self) -> DateTime<Utc> {
        self.0
    }

    /// Returns the microseconds since 1970.
    pub const fn unix_micros(self) -> i64 {
        self.0.timestamp_micros()
    }

    /// Creates a timestamp from microseconds since 1970, clamped to the years 0 to 9999.
    pub fn from_unix_micros(micros: i64) -> Self {
        Self(DateTime::UNIX_EPOCH + TimeDelta::microseconds(micros.clamp(RANGE.0, RANGE.1)))
    }

    /// Returns whether this moment has passed.
    pub fn is_past(self) -> bool {
        self <= Self::now()
    }

    fn encode(self, buffer: &mut [u8; LENGTH]) -> &str {
        let date = self.0.date_naive();
        let time = self.0.time();
        *buffer = *b"0000-00-00T00:00:00.000000Z";
        write_digits(&mut buffer[0..4], date.year().unsigned_abs());
        write_digits(&mut buffer[5..7], date.month());
        write_digits(&mut buffer[8..10], date.day());
        write_digits(&mut buffer[11..13], time.hour());
        write_digits(&mut buffer[14..16], time.minute());
        write_digits(&mut buffer[17..19], time.second());
        write_digits(&mut buffer[20..26], time.nanosecond() / 1_000);
        str::from_utf8(buffer).expect("only ASCII was written above")
    }
}

/// Fills all of `field` with the last digits of `number`, zero-padded.
fn write_digits(field: &mut [u8], mut number: u32) {
    for digit in field.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(moment: DateTime<Utc>) -> Self {
        // A leap second counts as the second after it: PostgreSQL has no 61st second.
        Self::from_unix_micros(moment.timestamp_micros())
    }
}

impl From<Timestamp> for DateTime<Utc> {
    fn from(timestamp: Timestamp) -> Self {
        timestamp.0
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        DateTime::parse_from_rfc3339(text)
            .map(|moment| moment.to_utc().into())
            .map_err(|_| TimestampError)
    }
}

impl Add<TimeDelta> for Timestamp {
    type Output = Self;

    /// Returns the later moment, at most the end of the year 9999.
    fn add(self, duration: TimeDelta) -> Self {
        let micros = duration.num_microseconds().unwrap_or(if duration > TimeDelta::zero() {
            i64::MAX
        } else {
            i64::MIN
        });
        Self::from_unix_micros(self.unix_micros().saturating_add(micros))
    }
}

impl Sub<TimeDelta> for Timestamp {
    type Output = Self;

    /// Returns the earlier moment, at least the beginning of the year 0.
    fn sub(self, duration: TimeDelta) -> Self {
        self + -duration
    }
}

impl Sub for Timestamp {
    type Output = TimeDelta;

    fn sub(self, earlier: Self) -> TimeDelta {
        self.0 - earlier.0
    }
}

impl Display for Timestamp {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.pad(self.encode(&mut [0; LENGTH]))
    }
}

impl Debug for Timestamp {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, formatter)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.encode(&mut [0; LENGTH]))
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        parse::serde_string(deserializer, "an RFC 3339 time")
    }
}

/// A moment as RFC 3339 text: UTC with microseconds in output, any offset in input.
#[cfg(feature = "graphql")]
#[Scalar(name = "DateTime", specified_by_url = "https://datatracker.ietf.org/doc/html/rfc3339")]
impl ScalarType for Timestamp {
    fn parse(value: Value) -> InputValueResult<Self> {
        parse::graphql_string(&value)
    }

    fn is_valid(value: &Value) -> bool {
        parse::graphql_string::<Self>(value).is_ok()
    }

    fn to_value(&self) -> Value {
        Value::String(self.encode(&mut [0; LENGTH]).to_owned())
    }
}

// Implemented by hand: `DeriveValueType` would let stored nanoseconds bypass the truncation.

#[cfg(feature = "sql")]
impl From<Timestamp> for sea_orm::Value {
    fn from(timestamp: Timestamp) -> Self {
        timestamp.0.into()
    }
}

#[cfg(feature = "sql")]
impl TryGetable for Timestamp {
    fn try_get_by<I: ColIdx>(row: &QueryResult, column: I) -> Result<Self, TryGetError> {
        DateTime::<Utc>::try_get_by(row, column).map(Self::from)
    }
}

#[cfg(feature = "sql")]
impl ValueType for Timestamp {
    fn try_from(value: sea_orm::Value) -> Result<Self, ValueTypeErr> {
        <DateTime<Utc> as ValueType>::try_from(value).map(Self::from)
    }

    fn type_name() -> String {
        "Timestamp".to_owned()
    }

    fn array_type() -> ArrayType {
        <DateTime<Utc> as ValueType>::array_type()
    }

    fn column_type() -> ColumnType {
        <DateTime<Utc> as ValueType>::column_type()
    }
}

#[cfg(feature = "sql")]
impl Nullable for Timestamp {
    fn null() -> sea_orm::Value {
        <DateTime<Utc> as Nullable>::null()
    }
}

#[cfg(feature = "sql")]
impl sea_orm::IntoActiveValue<Self> for Timestamp {
    fn into_active_value(self) -> sea_orm::ActiveValue<Self> {
        sea_orm::ActiveValue::Set(self)
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        parse::text_schema(
            Some("date-time"),
            None,
            "A moment in RFC 3339; on the way out in UTC, to the microsecond.",
            "2026-01-31T12:00:00Z",
        )
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Timestamp {}

#[cfg(test)]
mod tests {
    use chrono::SecondsFormat;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_offset_comes_out_as_utc_with_six_digits() {
        for (text, expected) in [
            ("2026-11-27T21:42:38.348819Z", "2026-11-27T21:42:38.348819Z"),
            ("2026-11-27T21:42:38.348819999Z", "2026-11-27T21:42:38.348819Z"),
            ("2026-11-27T23:42:38+02:00", "2026-11-27T21:42:38.000000Z"),
            ("2026-11-27t16:12:38.5-05:30", "2026-11-27T21:42:38.500000Z"),
            ("2016-12-31T23:59:60.25Z", "2017-01-01T00:00:00.250000Z"),
            ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
            ("0000-01-01T00:00:00+01:00", "0000-01-01T00:00:00.000000Z"),
            ("0000-02-29T12:00:00Z", "0000-02-29T12:00:00.000000Z"),
            ("9999-12-31T23:59:59-01:00", "9999-12-31T23:59:59.999999Z"),
        ] {
            assert_eq!(text.parse::<Timestamp>().map(|time| time.to_string()), Ok(expected.into()));
        }
        for text in ["", "2026-11-27", "2026-11-27T21:42:38", "1700000000", "2026-02-30T00:00:00Z"]
        {
            assert_eq!(text.parse::<Timestamp>(), Err(TimestampError), "{text}");
        }
    }

    #[test]
    fn arithmetic_stops_at_the_ends_of_the_calendar() {
        let now = Timestamp::now();
        assert_eq!(now + TimeDelta::seconds(5) - now, TimeDelta::seconds(5));
        assert!(now - TimeDelta::seconds(5) < now);
        assert_eq!((now + TimeDelta::MAX).to_string(), "9999-12-31T23:59:59.999999Z");
        assert_eq!((now - TimeDelta::MAX).to_string(), "0000-01-01T00:00:00.000000Z");
    }

    proptest! {
        #[test]
        fn every_moment_is_written_as_chrono_writes_it(micros in RANGE.0..=RANGE.1) {
            let time = Timestamp::from_unix_micros(micros);
            let expected = time.date_time().to_rfc3339_opts(SecondsFormat::Micros, true);
            prop_assert_eq!(time.to_string(), expected);
            prop_assert_eq!(time.to_string().parse::<Timestamp>(), Ok(time));
            let json = serde_json::to_string(&time).unwrap();
            prop_assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), time);
        }
    }
}
