//! Who gets in: requests that know the token, were sent to this machine by name, and come from no other page.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

/// 128 random bits as hexadecimal digits.
pub fn token() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// Whether a token is the right one, in a time that does not depend on where it differs.
pub fn same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differing == 0
}

/// Refuses what was meant for another name (DNS rebinding), and what another page has sent.
pub fn check(headers: &HeaderMap, port: u16) -> Result<(), (StatusCode, &'static str)> {
    let names = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if !text(HOST).is_some_and(|host| names.iter().any(|name| name == host)) {
        return Err((StatusCode::MISDIRECTED_REQUEST, "this server is 127.0.0.1 alone\n"));
    }
    if headers.contains_key(ORIGIN) {
        let origin = text(ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        if !origin.is_some_and(|origin| names.iter().any(|name| name == origin)) {
            return Err((StatusCode::FORBIDDEN, "another page may not ask this server\n"));
        }
    }
    Ok(())
}

/// The page loads nothing from elsewhere, runs no script that is not its own, and is shown in no other page.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                               connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
                               form-action 'none'";

/// A class's page brings its own script along, and so is kept apart from the rest: it cannot ask this server. It may be
/// shown in the page.
const CLASS_POLICY: &str = "sandbox allow-scripts allow-popups allow-downloads; default-src 'none'; \
                                script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
                                img-src 'self' data:; font-src data:; frame-ancestors 'self'; base-uri 'none'";

/// What every answer carries.
///
/// What a class's page loads is, to the browser, asked for by nobody it knows; so it may be loaded from everywhere by
/// who has the address.
pub fn headers(of_class: bool) -> [(HeaderName, HeaderValue); 5] {
    let (policy, sharing) = if of_class { (CLASS_POLICY, "cross-origin") } else { (PAGE_POLICY, "same-origin") };
    let pair =
        |name: &'static str, value: &'static str| (HeaderName::from_static(name), HeaderValue::from_static(value));
    [
        pair("content-security-policy", policy),
        pair("x-content-type-options", "nosniff"),
        // The address is a secret.
        pair("referrer-policy", "no-referrer"),
        pair("cache-control", "no-store"),
        pair("cross-origin-resource-policy", sharing),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_are_compared_whole() {
        let (one, other) = (token(), token());
        assert_eq!(one.len(), 32);
        assert!(same(&one, &one) && !same(&one, &other) && !same(&one, &one[..31]) && !same("", &one));
    }

    #[test]
    fn other_names_and_other_pages_are_refused() {
        let with = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().unwrap());
            }
            check(&headers, 80).is_ok()
        };
        assert!(with("127.0.0.1:80", None) && with("localhost:80", Some("http://localhost:80")));
        assert!(!with("evil.example:80", None) && !with("127.0.0.1:81", None) && !with("127.0.0.1", None));
        for origin in ["null", "http://evil.example", "https://127.0.0.1:80", "http://127.0.0.1:81"] {
            assert!(!with("127.0.0.1:80", Some(origin)), "{origin}");
        }
        assert!(check(&HeaderMap::new(), 80).is_err());
    }
}
