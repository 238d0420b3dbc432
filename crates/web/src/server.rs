//! Addresses and what answers them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;

use crate::house::House;
use crate::{class, guard, tab};

/// The house, and how many tabs look at it.
pub struct Shared {
    pub house: House,
    tabs: AtomicUsize,
}

/// So many tabs are served at once; each costs a thread and some memory as soon as it thinks.
const MOST_TABS: usize = 256;
/// No game in a message is larger.
const LARGEST_MESSAGE: usize = 4 << 20;

/// The page's own files.
const FILES: [(&str, &str, &str); 5] = [
    ("", "text/html; charset=utf-8", include_str!("../page/index.html")),
    ("style.css", "text/css; charset=utf-8", include_str!("../page/style.css")),
    ("board.js", "text/javascript; charset=utf-8", include_str!("../page/board.js")),
    ("replay.js", "text/javascript; charset=utf-8", include_str!("../page/replay.js")),
    ("app.js", "text/javascript; charset=utf-8", include_str!("../page/app.js")),
];

/// Answers requests until the program is told to end.
pub async fn serve(listener: TcpListener, house: House) -> Result<()> {
    let shared = Arc::new(Shared { house, tabs: AtomicUsize::new(0) });
    let inside = Router::new()
        .route("/{token}/", get(|| async { file("") }))
        .route("/{token}/socket", get(socket))
        .route("/{token}/class/{*path}", get(of_class))
        .route("/{token}/{file}", get(|Path((_, name)): Path<(String, String)>| async move { file(&name) }))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is nothing here\n") })
        .layer(middleware::from_fn_with_state(shared.clone(), admit))
        .with_state(shared);
    axum::serve(listener, inside).with_graceful_shutdown(told_to_end()).await?;
    Ok(())
}

async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).ok();
    let (Some(mut interrupt), Some(mut terminate), Some(mut hangup)) =
        (listen(SignalKind::interrupt()), listen(SignalKind::terminate()), listen(SignalKind::hangup()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
    // Open tabs would keep a graceful end waiting for as long as they are open.
    std::process::exit(0);
}

/// Only those who know the token see that there is anything at all.
async fn admit(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let House { token, port, .. } = &shared.house;
    if let Err(refusal) = guard::check(request.headers(), *port) {
        return refusal.into_response();
    }
    let first = request.uri().path().split('/').nth(1).unwrap_or_default();
    if !guard::same(first, token) {
        return (StatusCode::NOT_FOUND, "there is nothing here\n").into_response();
    }
    let of_class = request.uri().path().split('/').nth(2) == Some("class");
    let mut response = next.run(request).await;
    response.headers_mut().extend(guard::headers(of_class));
    response
}

fn file(name: &str) -> Response {
    match FILES.iter().find(|(known, ..)| *known == name) {
        Some(&(_, kind, text)) => ([(CONTENT_TYPE, kind)], text).into_response(),
        None => (StatusCode::NOT_FOUND, "there is nothing here\n").into_response(),
    }
}

async fn of_class(State(shared): State<Arc<Shared>>, Path((_, path)): Path<(String, String)>) -> Response {
    match shared.house.class.as_deref().and_then(|folder| class::file(folder, &path)) {
        Some((kind, bytes)) => ([(CONTENT_TYPE, kind)], bytes).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such file in the class's folder\n").into_response(),
    }
}

async fn socket(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    if shared.tabs.fetch_add(1, Ordering::Relaxed) >= MOST_TABS {
        shared.tabs.fetch_sub(1, Ordering::Relaxed);
        return (StatusCode::SERVICE_UNAVAILABLE, "too many tabs are open\n").into_response();
    }
    let leaving = Leaving(shared.clone());
    upgrade.max_message_size(LARGEST_MESSAGE).on_upgrade(move |socket| async move {
        tab::serve(socket, &leaving.0.house).await;
        drop(leaving);
    })
}

/// Counts a tab out again, however it ends.
struct Leaving(Arc<Shared>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.tabs.fetch_sub(1, Ordering::Relaxed);
    }
}
