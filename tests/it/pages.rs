//! The pages and what they load: headers, encodings, caching, and what is not there.

use axum::http::{Method, StatusCode};
use serde_json::json;
use toposcope::{auth::rate_limit::RateLimits, config::Settings};

use crate::support::app::{Answer, TestApp};

/// The documents that are the same whoever asks and whenever.
const FIXED: [&str; 2] = ["/docs", "/query"];
/// The pages that one document shows.
const APPLICATION: [&str; 5] =
    ["/", "/sign-in", "/keys", "/groups", "/groups/0197f6e4-5c3b-7a10-8b6e-2f1d3c4b5a69"];

/// A page; `None`, where the build has none, as it then says.
async fn page(test: &TestApp, path: &str) -> Option<Answer> {
    let answer = test.get(path).send().await;
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

/// Nothing but what is the server's own may run or be loaded; of styles, what is given may be more.
#[track_caller]
fn assert_protected(answer: &Answer, styles: Option<&str>) {
    let policy = answer.header("content-security-policy").unwrap();
    let directives: Vec<_> = policy.split(';').map(str::trim).collect();
    assert!(directives.contains(&"default-src 'self'"), "{policy}");
    assert!(directives.contains(&"img-src 'self' data:"), "{policy}");
    assert!(!policy.contains("script-src") && !policy.contains("http"), "{policy}");
    let of_styles = directives.iter().find_map(|directive| directive.strip_prefix("style-src "));
    assert_eq!(of_styles, styles, "{policy}");
    assert_eq!(policy.contains("unsafe"), styles.is_some_and(|styles| styles.contains("unsafe")));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
}

#[tokio::test]
async fn a_page_is_asked_for_anew_and_what_it_loads_is_kept_forever() {
    let test = TestApp::new().await;
    for (path, styles, extensions) in [
        ("/docs", None, &["js", "css", "svg", "txt"][..]),
        ("/query", Some("'self' 'unsafe-inline'"), &["js", "css", "svg"]),
    ] {
        let Some(page) = page(&test, path).await else { return };
        assert_protected(&page, styles);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(page.header("cache-control"), Some("no-cache"));

        let mut paths = assets(&page.bytes);
        let script = test.get(of_kind(&paths, "js")).send().await;
        paths.extend(assets(&script.bytes));
        for extension in extensions {
            let path = of_kind(&paths, extension);
            let answer = test.get(path).send().await;
            assert_eq!(answer.status, StatusCode::OK, "{path}");
            assert_protected(&answer, None);
            let content_type = match *extension {
                "js" => "text/javascript; charset=utf-8",
                "css" => "text/css; charset=utf-8",
                "svg" => "image/svg+xml",
                _ => "text/plain; charset=utf-8",
            };
            assert_eq!(answer.header("content-type"), Some(content_type), "{path}");
            let cached = answer.header("cache-control");
            assert_eq!(cached, Some("public, max-age=31536000, immutable"));
        }
        for path in paths {
            assert_eq!(test.get(&path).send().await.status, StatusCode::OK, "{path}");
        }
    }
}

#[tokio::test]
async fn each_answer_of_the_application_has_a_nonce_of_its_own() {
    let test = TestApp::new().await;
    let mut nonces = Vec::new();
    for path in APPLICATION {
        // Whoever has one already is sent another, since the policy is another.
        let held = test.get(path).header("if-none-match", "*").header("accept-encoding", "br");
        let Some(_) = page(&test, path).await else { return };
        let answer = held.send().await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
        assert_eq!(answer.header("etag"), None);
        let html = std::str::from_utf8(&answer.bytes).unwrap();
        let (_, rest) = html.split_once("property=\"csp-nonce\" nonce=\"").unwrap();
        let (nonce, _) = rest.split_once('"').unwrap();
        assert!(nonce.len() >= 22, "{nonce}");
        assert_protected(&answer, Some(&format!("'self' 'nonce-{nonce}'")));
        nonces.push(nonce.to_owned());
    }
    nonces.sort();
    nonces.dedup();
    assert_eq!(nonces.len(), APPLICATION.len());
}

#[tokio::test]
async fn the_licences_of_what_is_in_the_pages_are_given_on_with_them() {
    let test = TestApp::new().await;
    let Some(licences) = page(&test, "/licences.txt").await else { return };
    assert_eq!(licences.header("content-type"), Some("text/plain; charset=utf-8"));
    let notices = String::from_utf8(licences.bytes).unwrap();
    for part in ["react ", "@mantine/core ", "graphiql ", "monaco-editor ", "cytoscape "] {
        assert!(notices.contains(&format!("\n{part}")), "{part}");
    }
}

#[tokio::test]
async fn nothing_that_a_page_names_is_elsewhere() {
    let test = TestApp::new().await;
    for path in FIXED.iter().chain(&APPLICATION) {
        let Some(page) = page(&test, path).await else { return };
        let html = String::from_utf8(page.bytes).unwrap();
        assert!(!html.contains("http:") && !html.contains("https:") && !html.contains("\"//"));
        assert!(!html.contains("<style") && !html.contains("style="), "{html}");
        for script in html.split("<script").skip(1) {
            assert!(script.contains("src=\"/assets/"), "{script}");
            assert!(script.split_once('>').unwrap().1.starts_with("</script>"), "{script}");
        }
    }
}

#[tokio::test]
async fn an_encoding_is_used_when_the_client_takes_it() {
    let test = TestApp::new().await;
    let Some(plain) = page(&test, "/docs").await else { return };
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
    let Some(page) = page(&test, "/docs").await else { return };
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
        [
            "/index.html",
            "/query/other",
            "/keys/other",
            "/groups/one/other",
            "/assets",
            "/assets/",
            "/assets/..",
            "/assets/%2e%2e%2fdocs%2findex.html",
            "/docs/other",
        ]
        .map(str::to_owned),
    );
    paths.extend(["/docs/index.html", "/docs/index.html.br"].map(str::to_owned));
    if let Some(page) = page(&test, "/docs").await {
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
async fn a_mistyped_address_is_answered_as_whoever_asks_can_read_it() {
    const PEOPLE: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let test = TestApp::new().await;
    let Some(_) = page(&test, "/").await else { return };
    for path in ["/exploerr", "/keys/other", "/index.html", "/apis", "/graphqls"] {
        for method in [Method::GET, Method::HEAD] {
            let answer = test.ask(method.clone(), path).header("accept", PEOPLE).send().await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
            assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
            assert_eq!(answer.header("cache-control"), Some("no-cache"));
            assert_eq!(answer.header("vary"), Some("accept"));
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
            assert!(answer.header("content-security-policy").unwrap().contains("'nonce-"));
            if method == Method::GET {
                let html = std::str::from_utf8(&answer.bytes).unwrap();
                assert!(html.contains("id=\"app\"") && html.contains("csp-nonce"), "{html}");
            }
        }
        for accepted in ["application/json", "*/*", "text/*", "text/html;q=0"] {
            let answer = test.get(path).header("accept", accepted).send().await;
            assert_eq!(answer.failure(), (404, "route_not_found", &json!(null)), "{accepted}");
        }
        let answer = test.ask(Method::POST, path).header("accept", PEOPLE).send().await;
        assert_eq!(answer.failure().1, "route_not_found", "{path}");
    }
    for path in
        ["/api", "/api/", "/api/nothing", "/api/v1/nothing", "/graphql/", "/graphql/nothing"]
    {
        let answer = test.get(path).header("accept", PEOPLE).send().await;
        assert_eq!(answer.failure().1, "route_not_found", "{path}");
    }
}

#[tokio::test]
async fn a_page_has_one_address_and_is_only_read() {
    let test = TestApp::new().await;
    for path in FIXED.iter().chain(&["/sign-in", "/keys", "/groups"]).copied() {
        let answer = test.get(&format!("{path}/")).send().await;
        assert_eq!(answer.status, StatusCode::PERMANENT_REDIRECT);
        assert_eq!(answer.header("location"), Some(path));
    }
    for path in FIXED.iter().chain(&APPLICATION).chain(&["/docs/", "/query/", "/assets/docs.js"]) {
        let answer = test.ask(Method::POST, path).send().await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert_eq!(answer.failure().1, "method_not_allowed");
    }
    for path in FIXED.iter().chain(&APPLICATION) {
        let Some(_) = page(&test, path).await else { return };
        let answer = test.ask(Method::HEAD, path).send().await;
        assert_eq!((answer.status, answer.bytes.len()), (StatusCode::OK, 0));
    }
}

#[tokio::test]
async fn pages_cost_no_budget_of_requests() {
    let test = TestApp::with(Settings::default(), RateLimits::on()).await;
    for path in ["/docs", "/query", "/"] {
        let first = test.get(path).send().await;
        assert_eq!(first.header("x-ratelimit-limit"), None);
        for _ in 0..50 {
            assert_eq!(test.get(path).send().await.status, first.status);
        }
    }
}
