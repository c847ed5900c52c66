//! Cells of a table that a spreadsheet must not take for formulas.

use futures_util::stream;
use http_body_util::BodyExt as _;
use serde_json::json;
use toposcope::rest::{csv, spool::Spools};

/// The cell of a text, as a reader of the table gets it.
async fn cell(text: &str) -> String {
    let rows = stream::iter([Ok(vec![json!({ "text": text })])]);
    let table = csv::stream(&Spools::default(), &["text"], rows).await.unwrap();
    let table = table.into_body().collect().await.unwrap().to_bytes();
    let mut records = ::csv::Reader::from_reader(&table[..]).into_records();
    let record = records.next().unwrap().unwrap();
    assert_eq!((record.len(), records.count()), (1, 0), "{text:?}");
    record[0].to_owned()
}

#[tokio::test]
async fn no_text_is_a_formula() {
    for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u{ff1d}1"] {
        assert_eq!(cell(text).await, format!("'{text}"));
    }
    for text in ["", "a=1", "10.0.0.1", "1-2", "'=1"] {
        assert_eq!(cell(text).await, text);
    }
}
