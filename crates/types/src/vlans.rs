//! Sets of VLANs, as a trunk carries them: written as numbers, stored as ranges.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

#[cfg(feature = "sql")]
use sea_orm::DeriveValueType;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
#[cfg(feature = "openapi")]
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, RefOr, Schema, Type};

use super::whole;

/// The lowest number of a VLAN (IEEE 802.1Q, 9.6).
pub const MIN: u16 = 1;
/// The highest number of a VLAN (IEEE 802.1Q, 9.6).
pub const MAX: u16 = 4094;

/// Numbers of VLANs, each once and in order. JSON lists them; the database holds their ranges, such
/// as `10-20,30`, since a trunk often carries all 4094.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "sql", derive(DeriveValueType))]
#[cfg_attr(feature = "sql", sea_orm(value_type = "String", column_type = "Text"))]
pub struct VlanSet {
    /// The first and last number of each range: in order, with a gap between any two.
    ranges: Vec<(u16, u16)>,
}

/// An error for a number or text that stands for no VLAN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a VLAN: use 1 to 4094")]
pub struct VlanError(pub String);

impl VlanSet {
    /// Creates the set of numbers, in any order and however often each is given.
    pub fn new<T: Copy + Display + TryInto<u16>>(
        numbers: impl IntoIterator<Item = T>,
    ) -> Result<Self, VlanError> {
        let numbers = numbers.into_iter().map(|number| {
            let vlan = number.try_into().ok().filter(|vlan| (MIN..=MAX).contains(vlan));
            vlan.map(|vlan| (vlan, vlan)).ok_or_else(|| VlanError(number.to_string()))
        });
        Ok(Self::joined(numbers.collect::<Result<_, _>>()?))
    }

    /// Joins ranges that overlap or touch.
    fn joined(mut ranges: Vec<(u16, u16)>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<(u16, u16)> = Vec::new();
        for (first, last) in ranges {
            match joined.last_mut() {
                Some((_, end)) if first <= *end + 1 => *end = last.max(*end),
                _ => joined.push((first, last)),
            }
        }
        Self { ranges: joined }
    }

    /// Returns whether this VLAN is in the set.
    pub fn contains(&self, vlan: u16) -> bool {
        let after = self.ranges.partition_point(|(first, _)| *first <= vlan);
        after > 0 && vlan <= self.ranges[after - 1].1
    }

    /// Returns the numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.ranges.iter().flat_map(|(first, last)| *first..=*last)
    }

    /// Returns how many VLANs are in the set.
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|(first, last)| usize::from(last - first) + 1).sum()
    }

    /// Returns whether no VLAN is in the set.
    pub const fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the first and last number of each range, in order.
    pub fn ranges(&self) -> &[(u16, u16)] {
        &self.ranges
    }
}

impl Display for VlanSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (nth, (first, last)) in self.ranges.iter().enumerate() {
            let comma = if nth == 0 { "" } else { "," };
            write!(f, "{comma}{first}")?;
            if last > first {
                write!(f, "-{last}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for VlanSet {
    type Err = VlanError;

    fn from_str(text: &str) -> Result<Self, VlanError> {
        let number = |part: &str| {
            let vlan = part.parse().ok().filter(|vlan| (MIN..=MAX).contains(vlan));
            vlan.ok_or_else(|| VlanError(part.to_owned()))
        };
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first <= last { Ok((first, last)) } else { Err(VlanError(part.to_owned())) }
        };
        let parts = text.split(',').filter(|_| !text.is_empty());
        Ok(Self::joined(parts.map(range).collect::<Result<_, _>>()?))
    }
}

impl Serialize for VlanSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for VlanSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers: Vec<i64> = whole::list(deserializer)?;
        Self::new(numbers).map_err(D::Error::custom)
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for VlanSet {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(f64::from(MIN)))
            .maximum(Some(f64::from(MAX)));
        ArrayBuilder::new()
            .items(number.build())
            .description(Some("Numbers of VLANs, 1 to 4094: in order on the way out."))
            .examples([[10, 20, 30]])
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for VlanSet {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn set(text: &str) -> VlanSet {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_become_ranges_in_order() {
        for (numbers, ranges) in [
            (vec![], ""),
            (vec![30], "30"),
            (vec![30, 10, 11, 30, 12], "10-12,30"),
            (vec![1, 4094], "1,4094"),
            ((1..=4094).collect(), "1-4094"),
        ] {
            let found = VlanSet::new(numbers.clone()).unwrap();
            assert_eq!((found.to_string().as_str(), &set(ranges)), (ranges, &found));
            let mut sorted = numbers;
            sorted.sort_unstable();
            sorted.dedup();
            assert!(found.iter().map(i64::from).eq(sorted.iter().copied()));
            assert_eq!((found.len(), found.is_empty()), (sorted.len(), sorted.is_empty()));
            assert_eq!(json!(found), json!(sorted));
            assert_eq!(serde_json::from_value::<VlanSet>(json!(sorted)).unwrap(), found);
        }
        assert_eq!(set("30,10-12,13,11-20").ranges(), [(10, 20), (30, 30)]);
    }

    #[test]
    fn what_is_no_vlan_is_named() {
        for number in [-1_i64, 0, 4095, 65_546, i64::MAX] {
            let error = VlanSet::new([10, number]).unwrap_err();
            assert_eq!(error.to_string(), format!("`{number}` is not a VLAN: use 1 to 4094"));
        }
        for text in [",", "10,", "0", "4095", "20-10", "1-2-3", "a", " 1", "10 "] {
            assert!(text.parse::<VlanSet>().is_err(), "{text}");
        }
        for value in [json!([0]), json!(["1"]), json!([1.5]), json!("1"), json!(1), json!([null])] {
            assert!(serde_json::from_value::<VlanSet>(value).is_err());
        }
        assert_eq!(serde_json::from_value::<VlanSet>(json!([2.0, 1])).unwrap(), set("1-2"));
    }

    proptest! {
        #[test]
        fn a_set_holds_what_it_was_made_of(numbers in prop::collection::btree_set(1..=4094_u16, 0..60)) {
            let found = VlanSet::new(numbers.iter().copied()).unwrap();
            prop_assert!(found.iter().eq(numbers.iter().copied()));
            prop_assert!((0..=4095).all(|vlan| found.contains(vlan) == numbers.contains(&vlan)));
            prop_assert_eq!(&found.to_string().parse::<VlanSet>().unwrap(), &found);
            prop_assert!(found.ranges().windows(2).all(|two| two[0].1 + 1 < two[1].0));
        }
    }
}
