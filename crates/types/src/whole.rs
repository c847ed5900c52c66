//! Whole numbers in JSON: `443.0` is one, too, as JSON Schema defines it and as some languages
//! write it.

use std::fmt::{self, Formatter};
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// The first number above the signed 64-bit range.
const END: f64 = 9_223_372_036_854_775_808.0;

/// Reads a whole number.
pub fn required<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<i64>,
{
    deserializer.deserialize_i64(Whole(PhantomData)).map(|Number(number)| number)
}

/// Reads a whole number or `null`.
pub fn optional<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<i64>,
{
    let number = Option::<Number<T>>::deserialize(deserializer)?;
    Ok(number.map(|Number(number)| number))
}

/// Reads a whole number that may be omitted, but not `null`.
pub fn given<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<i64>,
{
    required(deserializer).map(Some)
}

/// Reads a list of whole numbers.
pub fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<i64>,
{
    let numbers = Vec::<Number<T>>::deserialize(deserializer)?;
    Ok(numbers.into_iter().map(|Number(number)| number).collect())
}

/// Reads a list of whole numbers or `null`.
pub fn optional_list<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<i64>,
{
    let numbers = Option::<Vec<Number<T>>>::deserialize(deserializer)?;
    Ok(numbers.map(|numbers| numbers.into_iter().map(|Number(number)| number).collect()))
}

struct Number<T>(T);

impl<'de, T: TryFrom<i64>> Deserialize<'de> for Number<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(Whole(PhantomData))
    }
}

struct Whole<T>(PhantomData<T>);

impl<T: TryFrom<i64>> Visitor<'_> for Whole<T> {
    type Value = Number<T>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "a whole number of {} bits", 8 * size_of::<T>())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Number<T>, E> {
        let unexpected = Unexpected::Signed(number);
        T::try_from(number).map(Number).map_err(|_| E::invalid_value(unexpected, &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Number<T>, E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "it is whole and within the range")]
    fn visit_f64<E: Error>(self, number: f64) -> Result<Number<T>, E> {
        if number.fract() == 0.0 && (-END..END).contains(&number) {
            return self.visit_i64(number as i64);
        }
        Err(E::invalid_value(Unexpected::Float(number), &self))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_without_a_fraction_is_whole() {
        for (value, expected) in [
            (json!(443), Some(443)),
            (json!(443.0), Some(443)),
            (json!(-1e3), Some(-1000)),
            (json!(i64::MAX), Some(i64::MAX)),
            (json!(u64::MAX), None),
            (json!(1e19), None),
            (json!(0.5), None),
            (json!("443"), None),
            (json!(true), None),
            (json!(null), None),
        ] {
            assert_eq!(required::<_, i64>(&value).ok(), expected, "{value}");
        }
        assert_eq!(optional::<_, i32>(json!(2e9)).unwrap(), Some(2_000_000_000));
        assert_eq!(optional::<_, i32>(json!(null)).unwrap(), None);
        assert!(optional::<_, i32>(json!(3e9)).is_err());
        assert_eq!(list::<_, i32>(json!([3.0, 1])).unwrap(), [3, 1]);
        assert_eq!(optional_list::<_, i32>(json!([2])).unwrap(), Some(vec![2]));
        assert_eq!(optional_list::<_, i32>(json!(null)).unwrap(), None);
        assert!(optional_list::<_, i32>(json!([null])).is_err());
    }
}
