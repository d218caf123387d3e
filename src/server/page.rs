//! The page on which all games are seen and played, from inside the binary.

use std::convert::Infallible;

use axum::Router;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};
use tower::Service;

/// The files of the built page: path, media type, contents.
const FILES: [(&str, &str, &[u8]); 4] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../../web/dist/index.html")),
    ("/arbiter.css", "text/css; charset=utf-8", include_bytes!("../../web/dist/arbiter.css")),
    ("/arbiter.js", "text/javascript; charset=utf-8", include_bytes!("../../web/dist/arbiter.js")),
    ("/icon.svg", "image/svg+xml", include_bytes!("../../web/dist/icon.svg")),
];

/// The page needs nothing from elsewhere, and nobody needs it in a frame.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

/// The files, and all that a browser can find out by looking; the calls for all else.
pub(super) fn before<S>(calls: S) -> Router
where
    S: Service<Request, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
{
    // Who follows a wrong link is told so, and not that it is no call.
    let other = Router::new().route("/{*path}", get(StatusCode::NOT_FOUND).fallback_service(calls));
    FILES.into_iter().fold(other, |router, (path, media_type, contents)| {
        let tag = format!("\"{}\"", hex(&Sha256::digest(contents)));
        router.route(path, get(async move |headers| file(&headers, media_type, contents, &tag)))
    })
}

/// A file, or word that the browser has it. The names stay the same from release to release, so a browser asks each time.
fn file(headers: &HeaderMap, media_type: &'static str, contents: &'static [u8], tag: &str) -> Response {
    let is_known = headers.get(IF_NONE_MATCH).is_some_and(|known| known == tag);
    let about = [
        (ETAG, tag),
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_TYPE, media_type),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    if is_known {
        (StatusCode::NOT_MODIFIED, about).into_response()
    } else {
        (about, contents).into_response()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::io;

    use super::*;

    #[test]
    fn all_files_of_the_built_page_are_served() -> io::Result<()> {
        let served: BTreeSet<String> = FILES
            .iter()
            .map(|(path, ..)| {
                if *path == "/" { "index.html" } else { path.trim_start_matches('/') }.to_owned()
            })
            .collect();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/web/dist");
        let built: Result<BTreeSet<String>, io::Error> = fs::read_dir(folder)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect();
        assert_eq!(served, built?);
        Ok(())
    }
}
