//! Long responses in files.

use axum::body::Body;
use futures_util::stream;
use http_body_util::BodyExt as _;
use toposcope::{
    error::Error,
    rest::spool::{IN_MEMORY, Spools},
};

async fn read(body: Body) -> Vec<u8> {
    body.collect().await.unwrap().to_bytes().to_vec()
}

#[tokio::test]
async fn what_is_short_stays_in_memory_and_what_is_long_comes_whole() {
    let spools = Spools::default();
    for parts in [0, 1, IN_MEMORY / 1000, 5 * IN_MEMORY / 1000] {
        let text = |nth: usize| format!("{nth:>1000}").into_bytes();
        let expected: Vec<u8> = (0..parts).flat_map(text).collect();
        let (body, length) =
            spools.body(stream::iter((0..parts).map(move |nth| Ok(text(nth))))).await.unwrap();
        assert_eq!(length, Some(expected.len() as u64));
        assert_eq!(spools.taken() > 0, expected.len() > IN_MEMORY);
        assert!(read(body).await == expected);
        assert_eq!(spools.taken(), 0);
    }
    let long = Body::from(vec![b'x'; IN_MEMORY + 1]);
    let body = spools.spool(long).await.unwrap();
    assert_eq!(spools.taken(), IN_MEMORY as u64 + 1);
    assert_eq!(read(body).await.len(), IN_MEMORY + 1);
}

#[tokio::test]
async fn what_goes_wrong_before_it_begins_is_told() {
    let long = || [Ok(vec![0; 3 * IN_MEMORY])];
    let broken = Error::unavailable("the database cannot be reached");
    let parts = stream::iter(long().into_iter().chain([Err(broken)]));
    let spools = Spools::default();
    let error = spools.body(parts).await.unwrap_err();
    assert!(error.to_string().contains("cannot be reached"), "{error}");
    assert_eq!(spools.taken(), 0);
    let nowhere = Spools::new(Some("/nowhere/at/all".into()));
    let error = nowhere.body(stream::iter(long())).await.unwrap_err();
    assert_eq!(error.status(), 503);
}
