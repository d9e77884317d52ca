//! Patterns that are expensive to compile or to match.

use tokio::task::JoinSet;

use crate::raw::Target;

pub(crate) async fn patterns(target: Target) {
    let patterns = [
        // Large when compiled.
        ".%7B9999%7D".repeat(450),
        "(a%7B1,200%7D)%7B1,200%7D".repeat(20),
        // Slow to match.
        "(a%2B)%2B(%3F!b)".repeat(100),
        "(.*)*(%3F%3D.*)%5C%5C1x".to_owned(),
    ];
    let mut sending = JoinSet::new();
    for _ in 0..8 {
        for pattern in &patterns {
            let filter = format!("%7B%22fields.value%22:%7B%22$regex%22:%22{pattern}%22%7D%7D");
            let path = format!("/rest/objects?limit=1&filter={filter}");
            let target = target.clone();
            sending.spawn(async move { target.send("GET", &path, b"").await });
        }
    }
    for answer in sending.join_all().await.into_iter().flatten() {
        assert!(matches!(answer, 200 | 400 | 503), "{answer}");
    }
}
