use stockroom_server::Limits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::service::{Running, ask, patient, rest};

const REQUEST: &str = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

#[tokio::test]
async fn a_connection_beyond_the_bound_is_told_so_and_the_others_go_on() {
    for (connections, connections_per_peer) in [(1, 9), (9, 1)] {
        let server = Running::start(Limits {
            connections,
            connections_per_peer,
            ..patient()
        })
        .await;
        let busy = "GET /endless HTTP/1.1\r\nHost: a\r\n\r\n";
        let mut first = server.sent(busy).await;
        first.read_exact(&mut [0; 15]).await.unwrap();

        let refused = rest(&mut server.connect().await).await;
        let (head, body) = refused.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 503 "), "{refused}");
        assert!(head.contains("retry-after: 1"), "{refused}");
        assert!(
            head.contains(&format!("content-length: {}", body.len())),
            "{refused}"
        );
        assert!(body.contains("too many connections"), "{refused}");

        let mut more = vec![0; 1_000_000];
        first.read_exact(&mut more).await.unwrap();
    }
}

#[tokio::test]
async fn nobody_holds_all_connections_against_others() {
    const HELD: [&str; 4] = [
        "",
        "GET / HTTP/1.1\r\nHost: a\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
        "GET /endless HTTP/1.1\r\nHost: a\r\n\r\n",
    ];
    let connections = 2 * HELD.len();
    let server = Running::start(Limits {
        connections,
        connections_per_peer: connections / 2,
        ..patient()
    })
    .await;
    let mut held = Vec::new();
    for address in [[127, 0, 0, 1], [127, 0, 0, 2]] {
        for bytes in HELD {
            let mut stream = server.connect_from(address).await;
            stream.write_all(bytes.as_bytes()).await.unwrap();
            held.push(stream);
        }
    }
    let mut others = Vec::new();
    for last in 3..=7 {
        let mut stream = server.connect_from([127, 0, 0, last]).await;
        ask(&mut stream).await;
        others.push(stream);
    }
    for stream in &mut others {
        let answer = ask(stream).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    }
    // What was idle for the longest time made room first.
    assert_eq!(rest(&mut held[0]).await, "");
}

#[tokio::test]
async fn many_peers_do_not_hold_all_connections_either() {
    const HELD: [&str; 2] = [
        "GET / HTTP/1.1\r\nHost: a\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
    ];
    let connections = 4;
    let server = Running::start(Limits {
        connections,
        ..patient()
    })
    .await;
    let mut held = Vec::new();
    for last in 1..=4 {
        let mut stream = server.connect_from([127, 0, 0, last]).await;
        let bytes = HELD[usize::from(last) % HELD.len()];
        stream.write_all(bytes.as_bytes()).await.unwrap();
        held.push(stream);
    }
    for last in 5..=9 {
        let mut stream = server.connect_from([127, 0, 0, last]).await;
        let answer = ask(&mut stream).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    }
}

#[tokio::test]
async fn a_stop_closes_idle_connections_and_takes_no_new_ones() {
    let server = Running::start(patient()).await;
    let mut idle = server.sent(REQUEST).await;
    idle.read_exact(&mut [0; 15]).await.unwrap();
    server.stop.drain();
    server.served.await.unwrap();
    rest(&mut idle).await;
    assert!(
        tokio::net::TcpStream::connect(server.address)
            .await
            .is_err()
    );
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused() {
    let server = Running::start(Limits {
        head_bytes: 16_384,
        ..patient()
    })
    .await;
    let head = format!("GET / HTTP/1.1\r\nX: {}\r\n", "x".repeat(20_000));
    let answer = rest(&mut server.sent(&head).await).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
}

#[tokio::test]
async fn what_hyper_refuses_is_answered_with_a_problem() {
    let server = Running::start(patient()).await;
    for (head, status) in [
        (format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(70_000)), 414),
        (
            format!("GET / HTTP/1.1\r\nX: {}\r\n", "x".repeat(200_000)),
            431,
        ),
        ("GET / HTTP/1.1\r\nno header\r\n\r\n".to_owned(), 400),
    ] {
        let answer = rest(&mut server.sent(&head).await).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains("content-type: application/problem+json"),
            "{head}"
        );
        // Answers of the application have it, too.
        assert!(head.contains("x-api-version: 1.0"), "{head}");
        assert!(
            head.contains(&format!("content-length: {}", body.len())),
            "{head}"
        );
        assert!(body.contains(&format!(r#""status":{status},"#)), "{body}");
    }
}
