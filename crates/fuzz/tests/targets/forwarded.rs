//! With any `X-Forwarded-For`, only trusted proxies determine the address of the client.

use std::net::IpAddr;

use stockroom_http::forwarded::{client_address, parse_entry};

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "10.0.0.1",
    "192.0.2.1",
    "2001:db8::1",
    "[",
    "]",
    ":",
    ":80",
    ",",
    ", ",
    "::ffff:",
    "%eth0",
    "\"",
    "unknown",
];

fn is_trusted(address: IpAddr) -> bool {
    address.to_string().starts_with("10.")
}

#[test]
fn strangers_cannot_choose_their_address() {
    let [proxy, stranger] =
        ["10.0.0.7", "192.0.2.9"].map(|text| text.parse::<IpAddr>().expect("an address"));
    fuzz("forwarded", WORDS, |input| {
        let text = String::from_utf8_lossy(input);
        let lines: Vec<&str> = text.lines().collect();
        let client = |peer| client_address(peer, lines.iter().copied(), is_trusted);
        assert_eq!(client(stranger), stranger);
        // Entries sent by a stranger are to the left of the proxy's own.
        let mut added = lines.clone();
        added.push("192.0.2.9");
        assert_eq!(
            client_address(proxy, added.into_iter(), is_trusted),
            stranger
        );
        let found = client(proxy);
        let named = lines
            .iter()
            .flat_map(|line| line.split(','))
            .filter_map(parse_entry);
        assert!(found == proxy || named.into_iter().any(|address| address == found));
        kind(&(
            found == proxy,
            lines
                .iter()
                .map(|line| parse_entry(line).is_some())
                .collect::<Vec<_>>(),
        ))
    });
}
