//! Rows in chunks, for statements that take a limited number of rows.

/// Splits the rows into chunks of at most `size`.
pub fn chunks<T>(rows: Vec<T>, size: usize) -> impl Iterator<Item = Vec<T>> {
    let mut rows = rows.into_iter();
    std::iter::from_fn(move || {
        let chunk: Vec<T> = rows.by_ref().take(size).collect();
        (!chunk.is_empty()).then_some(chunk)
    })
}
