//! The least of an HTTP client: a pool of connections, one credential, and every answer a success.

use axum::{
    body::Body,
    http::{Method, Request},
};
use http_body_util::BodyExt as _;
use hyper_util::{
    client::legacy::{Client as Pool, connect::HttpConnector},
    rt::TokioExecutor,
};

#[derive(Clone)]
pub(crate) struct Client {
    pool: Pool<HttpConnector, Body>,
    key: String,
}

impl Client {
    pub(crate) fn new(key: &str) -> Self {
        let pool = Pool::builder(TokioExecutor::new()).build_http();
        Self { pool, key: key.to_owned() }
    }

    /// Sends a request, reads all of the answer and tells how many bytes that was.
    pub(crate) async fn send(&self, method: &str, url: &str, body: Option<String>) -> usize {
        let request = Request::builder()
            .method(method.parse::<Method>().unwrap())
            .uri(url)
            .header("authorization", format!("Bearer {}", self.key))
            .header("content-type", "application/json")
            .body(body.map_or_else(Body::empty, Body::from))
            .unwrap();
        let response = self.pool.request(request).await.unwrap();
        let status = response.status();
        let mut body = response.into_body();
        let mut bytes = 0;
        while let Some(frame) = body.frame().await {
            let frame = frame.unwrap();
            let data = frame.data_ref().map_or(&[][..], |data| &data[..]);
            assert!(status.is_success(), "{status} for {url}: {}", String::from_utf8_lossy(data));
            bytes += data.len();
        }
        bytes
    }
}
