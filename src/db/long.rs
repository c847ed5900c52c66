//! Values that are many times as long as the rest of their row, see [`Resource::LONG`].

use std::cell::Cell;

use sea_orm::{
    DbBackend, IdenStatic as _, IntoSimpleExpr, Iterable as _, QuerySelect, Select,
    sea_query::{CaseStatement, Expr, ExprTrait, SimpleExpr},
};
use serde::{Serializer, ser::Error as _};

use crate::db::Resource;

/// A value of JSON that is no longer than this is read with its row.
const SHORT: i32 = 1024;

/// `select` with sizes in the place of long values.
pub(super) fn narrow<E: Resource>(select: Select<E>, backend: DbBackend) -> Select<E> {
    if E::LONG.is_empty() {
        return select;
    }
    let size = |value: SimpleExpr| match backend {
        // Not as it stores them: the same address 65,536 times is compressed to next to nothing.
        DbBackend::Postgres => Expr::cust_with_exprs("octet_length(($1)::text)", [value]),
        _ => Expr::cust_with_exprs("octet_length(?)", [value]),
    };
    let told = |size: SimpleExpr| match backend {
        DbBackend::Postgres => Expr::cust_with_exprs("to_json($1)", [size]),
        _ => Expr::cust_with_exprs("CAST(? AS TEXT)", [size]),
    };
    let mut narrow = select.select_only();
    for column in E::Column::iter() {
        if E::LONG.iter().any(|long| long.as_str() == column.as_str()) {
            let value = || column.into_simple_expr();
            let short = CaseStatement::new()
                .case(size(value()).lte(SHORT), value())
                .finally(told(size(value())));
            narrow = narrow.expr_as(short, column.as_str());
        } else {
            narrow = narrow.column(column);
        }
    }
    narrow
}

thread_local! {
    static MARKS: Cell<bool> = const { Cell::new(false) };
}

/// A text that nobody can have written: none holds a NUL.
const MARK: &str = "\0";
/// The same in JSON.
const MARK_IN_JSON: &[u8] = br#""\u0000""#;

/// Writes something with marks in the place of what is not read yet.
pub fn marked<T>(write: impl FnOnce() -> T) -> T {
    struct Marking;

    impl Drop for Marking {
        fn drop(&mut self) {
            MARKS.set(false);
        }
    }

    MARKS.set(true);
    let _marking = Marking;
    write()
}

/// A value that is not read yet: an error, unless that is marked.
pub fn unread<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    if MARKS.get() {
        return serializer.serialize_str(MARK);
    }
    Err(S::Error::custom("a long value was not read"))
}

/// The pieces of a text of JSON between its marks.
pub fn split(json: &[u8]) -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(quote) = json[at..].iter().position(|byte| *byte == b'"') {
        at += quote;
        if json[at..].starts_with(MARK_IN_JSON) {
            pieces.push(json[start..at].to_vec());
            at += MARK_IN_JSON.len();
            start = at;
        } else {
            at += 1;
        }
    }
    pieces.push(json[start..].to_vec());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_people_write_is_a_mark() {
        let texts = [r#"a"\u0000"b"#, "\\u0000", "\"", r#""\u0000""#];
        let json = serde_json::to_vec(&texts).unwrap();
        assert_eq!(split(&json), std::slice::from_ref(&json));
        let json = serde_json::to_vec(&[texts[0], MARK, texts[1], MARK]).unwrap();
        let pieces = split(&json);
        assert_eq!(pieces.len(), 3);
        let whole = pieces.join(&br#""x""#[..]);
        let read: Vec<String> = serde_json::from_slice(&whole).unwrap();
        assert_eq!(read, [texts[0], "x", texts[1], "x"]);
    }
}
