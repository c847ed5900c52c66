//! The page `/docs` and what it loads: headers, encodings, caching, and what is not there.

use axum::http::{Method, StatusCode};
use toposcope::{auth::rate_limit::RateLimits, config::Settings};

use crate::app::{Answer, TestApp};

/// The page; `None`, where the build has none, as it then says.
async fn page(test: &TestApp) -> Option<Answer> {
    let answer = test.get("/docs").send().await;
    if answer.status == StatusCode::OK {
        return Some(answer);
    }
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    let why = String::from_utf8(answer.bytes).unwrap();
    assert!(why.contains("install Node.js"), "{why}");
    eprintln!("SKIPPED: {why}");
    None
}

/// The paths below `/assets/` that a text names in quotes.
fn assets(text: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(text).unwrap();
    let paths = text.split(['"', '`', '\'']).filter(|quoted| quoted.starts_with("/assets/"));
    paths.map(str::to_owned).collect()
}

/// The one of them that has this extension.
#[track_caller]
fn of_kind<'a>(assets: &'a [String], extension: &str) -> &'a str {
    let path = assets.iter().find(|path| path.rsplit('.').next() == Some(extension));
    path.unwrap_or_else(|| panic!("no {extension} in {assets:?}"))
}

#[track_caller]
fn assert_protected(answer: &Answer) {
    let policy = answer.header("content-security-policy").unwrap();
    let directives: Vec<_> = policy.split(';').map(str::trim).collect();
    assert!(directives.contains(&"default-src 'self'"), "{policy}");
    assert!(directives.contains(&"img-src 'self' data:"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
}

#[tokio::test]
async fn the_page_is_asked_for_anew_and_what_it_loads_is_kept_forever() {
    let test = TestApp::new().await;
    let Some(page) = page(&test).await else { return };
    assert_protected(&page);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), Some("no-cache"));

    let mut paths = assets(&page.bytes);
    let script = test.get(of_kind(&paths, "js")).send().await;
    paths.extend(assets(&script.bytes));
    for (extension, content_type) in [
        ("js", "text/javascript; charset=utf-8"),
        ("css", "text/css; charset=utf-8"),
        ("svg", "image/svg+xml"),
        ("txt", "text/plain; charset=utf-8"),
    ] {
        let path = of_kind(&paths, extension);
        let answer = test.get(path).send().await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_protected(&answer);
        assert_eq!(answer.header("content-type"), Some(content_type), "{path}");
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
    }
    for path in paths {
        assert_eq!(test.get(&path).send().await.status, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn nothing_that_the_page_names_is_elsewhere() {
    let test = TestApp::new().await;
    let Some(page) = page(&test).await else { return };
    let html = String::from_utf8(page.bytes).unwrap();
    assert!(!html.contains("http:") && !html.contains("https:") && !html.contains("\"//"));
    assert!(!html.contains("<style") && !html.contains("style="), "{html}");
    for script in html.split("<script").skip(1) {
        assert!(script.contains("src=\"/assets/"), "{script}");
        assert!(script.split_once('>').unwrap().1.starts_with("</script>"), "{script}");
    }
}

#[tokio::test]
async fn an_encoding_is_used_when_the_client_takes_it() {
    let test = TestApp::new().await;
    let Some(plain) = page(&test).await else { return };
    assert_eq!(plain.header("content-encoding"), None);
    let mut tags = vec![plain.header("etag").unwrap().to_owned()];
    let loaded = assets(&plain.bytes);
    let script = of_kind(&loaded, "js");
    let whole = test.get(script).send().await.bytes.len();
    for (accepted, encoding) in [
        ("br", Some("br")),
        ("gzip", Some("gzip")),
        ("gzip, deflate, br, zstd", Some("br")),
        ("GZIP;q=0.5", Some("gzip")),
        ("br;q=0, gzip;q=1.0", Some("gzip")),
        ("br; q=0.000", None),
        ("identity", None),
        ("brotli", None),
        ("", None),
    ] {
        for path in ["/docs", script] {
            let answer = test.get(path).header("accept-encoding", accepted).send().await;
            assert_eq!(answer.status, StatusCode::OK);
            assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
            assert_eq!(answer.header("vary"), Some("accept-encoding"));
            if path == "/docs" {
                tags.push(answer.header("etag").unwrap().to_owned());
            } else {
                assert_eq!(answer.bytes.len() < whole / 2, encoding.is_some(), "{accepted}");
            }
        }
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 3, "each encoding has a tag of its own");
}

#[tokio::test]
async fn a_client_that_has_the_page_is_not_sent_it_again() {
    let test = TestApp::new().await;
    let Some(page) = page(&test).await else { return };
    let tag = page.header("etag").unwrap();
    for (held, status) in [
        (tag, StatusCode::NOT_MODIFIED),
        (&format!("W/{tag}"), StatusCode::NOT_MODIFIED),
        (&format!("\"another\", {tag}"), StatusCode::NOT_MODIFIED),
        ("*", StatusCode::NOT_MODIFIED),
        ("\"another\"", StatusCode::OK),
        ("", StatusCode::OK),
    ] {
        let answer = test.get("/docs").header("if-none-match", held).send().await;
        assert_eq!(answer.status, status, "{held}");
        assert_eq!(answer.header("etag"), Some(tag));
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
        assert_eq!(answer.bytes.is_empty(), status == StatusCode::NOT_MODIFIED);
    }
    let packed = test.get("/docs").header("if-none-match", tag).header("accept-encoding", "br");
    assert_eq!(packed.send().await.status, StatusCode::OK);
}

#[tokio::test]
async fn what_is_no_file_of_the_build_is_no_endpoint() {
    let test = TestApp::new().await;
    let mut paths = vec!["/assets/docs.js".to_owned()];
    paths.extend(
        ["/assets", "/assets/", "/assets/..", "/assets/%2e%2e%2fdocs%2findex.html", "/docs/other"]
            .map(str::to_owned),
    );
    paths.extend(["/docs/index.html", "/docs/index.html.br"].map(str::to_owned));
    if let Some(page) = page(&test).await {
        let files = assets(&page.bytes);
        paths.extend(files.iter().flat_map(|path| [format!("{path}.br"), format!("{path}.gz")]));
        paths.extend(files.iter().map(|path| format!("{path}/")));
    }
    for path in paths {
        let answer = test.get(&path).send().await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.failure().1, "route_not_found", "{path}");
    }
}

#[tokio::test]
async fn the_page_has_one_address_and_is_only_read() {
    let test = TestApp::new().await;
    let answer = test.get("/docs/").send().await;
    assert_eq!(answer.status, StatusCode::PERMANENT_REDIRECT);
    assert_eq!(answer.header("location"), Some("/docs"));
    for path in ["/docs", "/docs/", "/assets/docs.js"] {
        let answer = test.ask(Method::POST, path).send().await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert_eq!(answer.failure().1, "method_not_allowed");
    }
    if page(&test).await.is_some() {
        let answer = test.ask(Method::HEAD, "/docs").send().await;
        assert_eq!((answer.status, answer.bytes.len()), (StatusCode::OK, 0));
    }
}

#[tokio::test]
async fn the_page_costs_no_budget_of_requests() {
    let test = TestApp::with(Settings::default(), RateLimits::on()).await;
    let first = test.get("/docs").send().await;
    assert_eq!(first.header("x-ratelimit-limit"), None);
    for _ in 0..50 {
        assert_eq!(test.get("/docs").send().await.status, first.status);
    }
}
