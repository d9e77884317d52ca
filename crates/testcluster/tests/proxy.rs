//! The proxy in front of an echo server.

#![expect(clippy::unwrap_used, reason = "a helper of tests fails as a test does")]

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use stockroom_testcluster::{Direction, Ending, Proxy};

#[test]
fn everything_passes_until_told_otherwise() {
    let echo = Echo::start("");
    let proxy = Proxy::start(echo.address).unwrap();
    let mut client = TcpStream::connect(proxy.address()).unwrap();
    let much = "much ".repeat(100_000);
    let mut sender = client.try_clone().unwrap();
    let sent = much.clone();
    let sending = thread::spawn(move || {
        sender.write_all(sent.as_bytes()).unwrap();
        sender.shutdown(Shutdown::Write).unwrap();
    });
    assert_eq!(rest(&mut client).unwrap(), much);
    sending.join().unwrap();
    assert_eq!(echo.got.recv().unwrap(), much);
}

#[test]
fn refused_clients_are_refused_and_the_others_go_on() {
    let echo = Echo::start("");
    let proxy = Proxy::start(echo.address).unwrap();
    let mut client = connected(&proxy);
    for _ in 0..3 {
        proxy.refuse().unwrap();
        let refused = TcpStream::connect(proxy.address()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
        assert_eq!(exchange(&mut client, "still here"), "still here");
        proxy.pass().unwrap();
        assert_eq!(exchange(&mut connected(&proxy), "back"), "back");
    }
}

#[test]
fn connections_end_as_asked_on_both_sides() {
    let echo = Echo::start("");
    let proxy = Proxy::start(echo.address).unwrap();
    for (ending, expected) in [
        (Ending::Finish, Ok(String::new())),
        (Ending::Reset, Err(ErrorKind::ConnectionReset)),
    ] {
        let mut clients = [connected(&proxy), connected(&proxy)];
        let waiting = TcpStream::connect(proxy.address()).unwrap();
        proxy.drop_connections(ending).unwrap();
        for client in clients.iter_mut().chain([&mut { waiting }]) {
            assert_eq!(
                rest(client).map_err(|error| error.kind()),
                expected,
                "{ending:?}"
            );
        }
        assert_eq!(exchange(&mut connected(&proxy), "next"), "next");
        // The last client has disconnected as well, so all clients that sent something are
        // recorded.
        let mut said: Vec<String> = echo
            .got
            .iter()
            .filter(|it| !it.is_empty())
            .take(3)
            .collect();
        said.sort();
        assert_eq!(said, ["?", "?", "?next"]);
    }
}

#[test]
fn a_stall_keeps_what_is_sent() {
    let echo = Echo::start("");
    let proxy = Proxy::start(echo.address).unwrap();
    let mut lost = connected(&proxy);
    proxy.stall().unwrap();
    lost.write_all(b"lost").unwrap();
    let mut early = TcpStream::connect(proxy.address()).unwrap();
    early.write_all(b"lost").unwrap();
    proxy.drop_connections(Ending::Reset).unwrap();
    assert_eq!(echo.got.recv().unwrap(), "?", "only what was sent before");

    proxy.pass().unwrap();
    let mut client = connected(&proxy);
    proxy.stall().unwrap();
    client.write_all(b"kept").unwrap();
    let mut late = TcpStream::connect(proxy.address()).unwrap();
    late.write_all(b"kept too").unwrap();
    proxy.pass().unwrap();
    assert_eq!(read(&mut client, 4), "kept");
    assert_eq!(read(&mut late, 8), "kept too");
}

#[test]
fn a_cut_lets_exactly_so_many_bytes_through() {
    let echo = Echo::start("");
    let proxy = Proxy::start(echo.address).unwrap();
    for (direction, bytes, server_got, client_got) in [
        (Direction::ToServer, 0, "?", Err(ErrorKind::ConnectionReset)),
        (
            Direction::ToServer,
            3,
            "?COM",
            Err(ErrorKind::ConnectionReset),
        ),
        (Direction::ToClient, 0, "?COMMIT", Ok("")),
        (Direction::ToClient, 3, "?COMMIT", Ok("COM")),
    ] {
        let mut client = connected(&proxy);
        let mut other = connected(&proxy);
        proxy.cut_after(direction, bytes).unwrap();
        client.write_all(b"COMMIT").unwrap();
        let got = rest(&mut client).map_err(|error| error.kind());
        assert_eq!(
            got.as_deref(),
            client_got.as_deref(),
            "{direction:?} {bytes}"
        );
        assert_eq!(
            echo.got.recv().unwrap(),
            server_got,
            "{direction:?} {bytes}"
        );
        assert_eq!(exchange(&mut other, "others go on"), "others go on");
        drop(other);
        assert_eq!(echo.got.recv().unwrap(), "?others go on");
    }
}

#[test]
fn a_cut_that_is_not_reached_changes_nothing() {
    let echo = Echo::start("");
    let proxy = Proxy::start(echo.address).unwrap();
    let mut client = connected(&proxy);
    proxy.cut_after(Direction::ToServer, 4).unwrap();
    assert_eq!(exchange(&mut client, "four"), "four");
    proxy.pass().unwrap();
    assert_eq!(exchange(&mut client, "more"), "more");
}

#[test]
fn new_connections_follow_to_another_server() {
    let (old, new) = (Echo::start("old "), Echo::start("new "));
    let proxy = Proxy::start(old.address).unwrap();
    let mut early = TcpStream::connect(proxy.address()).unwrap();
    assert_eq!(exchange_with(&mut early, "a", 5), "old a");
    proxy.point_at(new.address).unwrap();
    let mut late = TcpStream::connect(proxy.address()).unwrap();
    assert_eq!(exchange_with(&mut late, "b", 5), "new b");
    assert_eq!(exchange(&mut early, "c"), "c");
    drop(proxy);
    assert_eq!(old.got.recv().unwrap(), "ac");
    assert_eq!(new.got.recv().unwrap(), "b");
}

#[test]
fn a_server_that_is_gone_is_told() {
    let gone = Proxy::start((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    gone.refuse().unwrap();
    let proxy = Proxy::start(gone.address()).unwrap();
    let mut client = TcpStream::connect(proxy.address()).unwrap();
    assert_eq!(
        rest(&mut client).unwrap_err().kind(),
        ErrorKind::ConnectionReset
    );
}

/// A server that greets and then echoes. When a connection ends, it reports what it received.
struct Echo {
    address: SocketAddr,
    got: Receiver<String>,
}

impl Echo {
    fn start(greeting: &'static str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, got) = channel();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let sender = sender.clone();
                thread::spawn(move || serve(stream, greeting, &sender));
            }
        });
        Self { address, got }
    }
}

fn serve(mut stream: TcpStream, greeting: &str, sender: &Sender<String>) {
    let _ = stream.write_all(greeting.as_bytes());
    let mut got = Vec::new();
    let mut buffer = [0; 1024];
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        got.extend_from_slice(&buffer[..read]);
        // The client may be gone, but its bytes must still be read.
        let _ = stream.write_all(&buffer[..read]);
    }
    let _ = sender.send(String::from_utf8(got).unwrap());
}

/// A client that has received the greeting.
fn connected(proxy: &Proxy) -> TcpStream {
    let mut client = TcpStream::connect(proxy.address()).unwrap();
    assert_eq!(exchange(&mut client, "?"), "?");
    client
}

fn exchange(client: &mut TcpStream, text: &str) -> String {
    exchange_with(client, text, text.len())
}

fn exchange_with(client: &mut TcpStream, text: &str, answer: usize) -> String {
    client.write_all(text.as_bytes()).unwrap();
    read(client, answer)
}

fn read(client: &mut TcpStream, length: usize) -> String {
    let mut answer = vec![0; length];
    client.read_exact(&mut answer).unwrap();
    String::from_utf8(answer).unwrap()
}

/// Everything received until the connection ends.
fn rest(client: &mut TcpStream) -> std::io::Result<String> {
    let mut text = String::new();
    client.read_to_string(&mut text)?;
    Ok(text)
}
