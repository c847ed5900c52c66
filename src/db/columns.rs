//! Columns and the fields that hold them, listed once: from one list follow what a statement
//! selects, how a row is read, and how rows that the database packed into JSON are unpacked.

use std::fmt;

use sea_orm::{ActiveEnum as _, QueryResult};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, SeqAccess, Visitor},
};
use toposcope_types::{
    AdminStatus, ChassisIdSubtype, HostTier, Id, IpAddress, Mac, MacList, Method, NeighborProtocol,
    OperStatus, PortIdSubtype, PortTier,
};

use super::{bulk_rows::Holds, packer::Packer};
use crate::error::Result;

/// A type whose fields are columns. `columns!` implements it.
pub trait FromColumns: Unpack {
    /// The names of the columns, in the order in which the functions below read them.
    const NAMES: &'static [&'static str];

    /// Returns the SQL that packs the columns of a table.
    fn packed(packer: Packer, table: &str) -> Vec<String>;

    /// Reads a row from the column `at` on, and moves `at` behind it.
    fn read(row: &QueryResult, at: &mut usize) -> Result<Self>;

    /// Reads a row that holds nothing else.
    fn of_row(row: &QueryResult) -> Result<Self> {
        Self::read(row, &mut 0)
    }
}

/// A type that is read from one packed row, or from a part of one.
pub trait Unpack: Sized {
    /// Reads the next values of a row.
    fn unpack<'de, A: SeqAccess<'de>>(row: &mut A) -> std::result::Result<Self, A::Error>;
}

/// Rows of which one part is one type, and the rest another.
impl<A: Unpack, B: Unpack> Unpack for (A, B) {
    fn unpack<'de, S: SeqAccess<'de>>(row: &mut S) -> std::result::Result<Self, S::Error> {
        Ok((A::unpack(row)?, B::unpack(row)?))
    }
}

/// A row of one value.
#[derive(Debug)]
pub struct One<T>(pub T);

impl<T: Field> Unpack for One<T> {
    fn unpack<'de, A: SeqAccess<'de>>(row: &mut A) -> std::result::Result<Self, A::Error> {
        next(row).map(Self)
    }
}

/// Makes serde read a packed row.
pub(super) struct Unpacked<T>(pub(super) T);

impl<'de, T: Unpack> Deserialize<'de> for Unpacked<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Row<T>(std::marker::PhantomData<T>);

        impl<'de, T: Unpack> Visitor<'de> for Row<T> {
            type Value = T;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a packed row")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> std::result::Result<T, A::Error> {
                T::unpack(&mut row)
            }
        }

        deserializer.deserialize_seq(Row(std::marker::PhantomData)).map(Self)
    }
}

/// Reads the next value of a packed row.
pub fn next<'de, T: Field, A: SeqAccess<'de>>(row: &mut A) -> std::result::Result<T, A::Error> {
    let json = row.next_element()?.ok_or_else(|| A::Error::custom("a packed row is too short"))?;
    T::unpack(json).map_err(A::Error::custom)
}

/// A value that a column holds.
pub trait Field: Sized {
    /// The value in a packed row.
    type Json<'t>: Deserialize<'t>;

    /// Returns the SQL that packs the column.
    fn packed(_: Packer, column: &str) -> String {
        column.to_owned()
    }

    /// Reads the value from a packed row.
    fn unpack(json: Self::Json<'_>) -> std::result::Result<Self, String>;
}

/// Values that a packed row holds as they are.
macro_rules! plain {
    ($($type:ty),* $(,)?) => {$(
        impl Field for $type {
            type Json<'t> = Self;

            fn unpack(json: Self) -> std::result::Result<Self, String> {
                Ok(json)
            }
        }
    )*};
}

plain! {
    i32, Option<i32>, String, Option<String>, Option<i64>, Option<Mac>, IpAddress, AdminStatus,
    OperStatus, NeighborProtocol, Option<ChassisIdSubtype>, Option<PortIdSubtype>,
}

impl Field for Id {
    type Json<'t> = Self;

    fn packed(packer: Packer, column: &str) -> String {
        packer.id(column)
    }

    fn unpack(json: Self) -> std::result::Result<Self, String> {
        Ok(json)
    }
}

/// SQLite packs an id that is missing as an empty text.
impl Field for Option<Id> {
    type Json<'t> = Option<&'t str>;

    fn packed(packer: Packer, column: &str) -> String {
        packer.id(column)
    }

    fn unpack(json: Option<&str>) -> std::result::Result<Self, String> {
        let Some(text) = json.filter(|text| !text.is_empty()) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| format!("{text:?} is not an id"))
    }
}

impl Field for bool {
    type Json<'t> = u8;

    fn packed(packer: Packer, column: &str) -> String {
        packer.flag(column)
    }

    fn unpack(json: u8) -> std::result::Result<Self, String> {
        Ok(json != 0)
    }
}

impl Field for Option<MacList> {
    type Json<'t> = Option<String>;

    fn packed(packer: Packer, column: &str) -> String {
        packer.json(column)
    }

    fn unpack(json: Option<String>) -> std::result::Result<Self, String> {
        json.map(|text| serde_json::from_str(&text)).transpose().map_err(|error| error.to_string())
    }
}

/// A value that a statement writes from a parameter that holds many rows.
pub trait Written {
    /// The type of the column.
    const HOLDS: Holds;

    /// Returns the value as the parameter holds it.
    fn json(&self) -> impl Serialize;
}

macro_rules! written {
    ($($type:ty = $holds:ident),* $(,)?) => {$(
        impl Written for $type {
            const HOLDS: Holds = Holds::$holds;

            fn json(&self) -> impl Serialize {
                self
            }
        }
    )*};
}

written! { Id = Id, Option<Id> = Id, i32 = Number, bool = Flag, Option<String> = Text }

/// A type whose fields are columns, of which one parameter can hold many rows. `columns!` with
/// `written` before the type implements it.
pub trait IntoColumns {
    /// The columns, and what they hold.
    const HOLD: &'static [(&'static str, Holds)];

    /// Writes the values in the order of the columns.
    fn write<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error>;
}

/// The values of one row.
#[derive(Debug)]
pub struct Values<'a, T>(pub &'a T);

impl<T: IntoColumns> Serialize for Values<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

/// Enums that are stored as numbers.
macro_rules! coded {
    ($($type:ty),* $(,)?) => {$(
        impl Field for $type {
            type Json<'t> = i32;

            fn unpack(json: i32) -> std::result::Result<Self, String> {
                Self::try_from_value(&json).map_err(|error| error.to_string())
            }
        }

        impl Field for Option<$type> {
            type Json<'t> = Option<i32>;

            fn unpack(json: Option<i32>) -> std::result::Result<Self, String> {
                json.map(<$type as Field>::unpack).transpose()
            }
        }

        impl Written for $type {
            const HOLDS: Holds = Holds::Number;

            fn json(&self) -> impl Serialize {
                self.to_value()
            }
        }

        impl Written for Option<$type> {
            const HOLDS: Holds = Holds::Number;

            fn json(&self) -> impl Serialize {
                self.as_ref().map(sea_orm::ActiveEnum::to_value)
            }
        }
    )*};
}

coded! { Method, HostTier, PortTier }

/// Implements [`FromColumns`] for a type whose fields are these columns. A column whose value is worked
/// out by the database has its SQL behind it.
macro_rules! columns {
    (written $type:ident { $($field:ident: $of:ty),* $(,)? }) => {
        $crate::db::columns::columns!($type { $($field: $of),* });

        impl $crate::db::columns::IntoColumns for $type {
            const HOLD: &'static [(&'static str, $crate::db::bulk_rows::Holds)] =
                &[$((stringify!($field), <$of as $crate::db::columns::Written>::HOLDS)),*];

            fn write<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> std::result::Result<S::Ok, S::Error> {
                use ::serde::ser::SerializeSeq as _;
                use $crate::db::columns::Written as _;

                let mut row = serializer.serialize_seq(None)?;
                $(row.serialize_element(&self.$field.json())?;)*
                row.end()
            }
        }
    };
    ($type:ident { $($field:ident: $of:ty $(= $sql:literal)?),* $(,)? }) => {
        impl $crate::db::columns::FromColumns for $type {
            const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            fn packed(packer: $crate::db::packer::Packer, table: &str) -> Vec<String> {
                vec![$({
                    let sql = [format!("{table}.\"{}\"", stringify!($field)), $($sql.to_owned())?];
                    <$of as $crate::db::columns::Field>::packed(packer, &sql[sql.len() - 1])
                }),*]
            }

            fn read(
                row: &::sea_orm::QueryResult,
                at: &mut usize,
            ) -> $crate::error::Result<Self> {
                Ok(Self { $($field: {
                    *at += 1;
                    row.try_get_by_index::<$of>(*at - 1)?
                }),* })
            }
        }

        impl $crate::db::columns::Unpack for $type {
            fn unpack<'de, A: ::serde::de::SeqAccess<'de>>(
                row: &mut A,
            ) -> std::result::Result<Self, A::Error> {
                Ok(Self { $($field: $crate::db::columns::next::<$of, A>(row)?),* })
            }
        }
    };
}
pub(crate) use columns;
