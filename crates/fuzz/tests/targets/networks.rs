//! A network has the addresses that share its prefix, and no others.

use std::net::IpAddr;

use stockroom_auth::Network;

use crate::harness::{fuzz, kind};

const WORDS: &[&str] = &[
    "192.0.2.0",
    "2001:db8::",
    "::ffff:",
    "/0",
    "/8",
    "/32",
    "/128",
    "/",
    ":",
    "+",
];

#[test]
fn a_network_is_what_it_is_written_as() {
    fuzz("networks", WORDS, |input| {
        let text = String::from_utf8_lossy(input);
        let network: Network = match text.parse() {
            Ok(network) => network,
            Err(refused) => return kind(&refused),
        };
        let written = network.to_string();
        assert_eq!(written.parse(), Ok(network), "{text:?}");
        let (first, bits) = written.split_once('/').expect("a prefix");
        let first: IpAddr = first.parse().expect("an address");
        assert!(network.contains(first), "{text:?}");
        // The other kind of address is never inside.
        let other = if first.is_ipv4() { "::" } else { "0.0.0.0" };
        assert!(!network.contains(other.parse().expect("an address")));
        kind(&bits)
    });
}
