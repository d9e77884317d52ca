//! The address of a client behind proxies, from `X-Forwarded-For`.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The address of the client of a connection from `peer`; `values` are the values of
/// `X-Forwarded-For` in the order of the request.
///
/// Every proxy appends the address of its own peer. So an entry is believed only if everything to
/// its right is a trusted proxy. If an entry cannot be read, the proxy that wrote it counts as the
/// client, since anybody may have written the entries to its left.
pub fn client_address<'v>(
    peer: IpAddr,
    values: impl DoubleEndedIterator<Item = &'v str>,
    is_trusted: impl Fn(IpAddr) -> bool,
) -> IpAddr {
    let mut client = peer.to_canonical();
    for entry in values.flat_map(|value| value.split(',')).rev() {
        if !is_trusted(client) {
            break;
        }
        let Some(address) = parse_entry(entry) else {
            break;
        };
        client = address;
    }
    client
}

/// The address in one entry, without its port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`,
/// `[2001:db8::1]`, `[2001:db8::1]:80`. An IPv4-mapped IPv6 address becomes the IPv4 address.
#[must_use]
pub fn parse_entry(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let bare = entry.parse().ok();
    let with_port = || Some(entry.parse::<SocketAddr>().ok()?.ip());
    let in_brackets = || {
        let inside = entry.strip_prefix('[')?.strip_suffix(']')?;
        Some(IpAddr::V6(inside.parse::<Ipv6Addr>().ok()?))
    };
    let address: IpAddr = bare.or_else(with_port).or_else(in_brackets)?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROXIES: [&str; 2] = ["10.0.0.7", "10.0.0.8"];

    fn client(peer: &str, values: &[&str]) -> String {
        let is_trusted = |address: IpAddr| PROXIES.contains(&address.to_string().as_str());
        client_address(peer.parse().unwrap(), values.iter().copied(), is_trusted).to_string()
    }

    #[test]
    fn an_entry_may_have_brackets_and_a_port() {
        for (entry, address) in [
            ("192.0.2.1", Some("192.0.2.1")),
            (" 192.0.2.1:5678\t", Some("192.0.2.1")),
            ("2001:db8::1", Some("2001:db8::1")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("[2001:db8::1]:443", Some("2001:db8::1")),
            ("::ffff:192.0.2.1", Some("192.0.2.1")),
            ("[::ffff:192.0.2.1]:80", Some("192.0.2.1")),
            ("2001:db8::1:443", Some("2001:db8::1:443")),
            ("", None),
            ("unknown", None),
            ("_hidden", None),
            ("192.0.2.1:", None),
            ("192.0.2.1:65536", None),
            ("192.0.2.1.5", None),
            ("[192.0.2.1]", None),
            ("[2001:db8::1", None),
            ("\"192.0.2.1\"", None),
        ] {
            let parsed = parse_entry(entry).map(|address| address.to_string());
            assert_eq!(parsed.as_deref(), address, "{entry:?}");
        }
    }

    #[test]
    fn entries_are_believed_from_the_right_through_trusted_proxies() {
        for (peer, values, expected) in [
            ("192.0.2.1", &["198.51.100.1"][..], "192.0.2.1"),
            ("10.0.0.7", &[], "10.0.0.7"),
            ("10.0.0.7", &["192.0.2.1"], "192.0.2.1"),
            ("::ffff:10.0.0.7", &["192.0.2.1"], "192.0.2.1"),
            ("10.0.0.7", &["198.51.100.1, 192.0.2.1"], "192.0.2.1"),
            ("10.0.0.7", &["198.51.100.1", "192.0.2.1"], "192.0.2.1"),
            (
                "10.0.0.7",
                &["198.51.100.1, 192.0.2.1:80, 10.0.0.8:9000"],
                "192.0.2.1",
            ),
            ("10.0.0.7", &["10.0.0.8"], "10.0.0.8"),
        ] {
            assert_eq!(client(peer, values), expected, "{peer} {values:?}");
        }
    }

    #[test]
    fn an_entry_that_cannot_be_read_ends_the_walk_at_its_proxy() {
        for (values, expected) in [
            (&["192.0.2.1, unknown"][..], "10.0.0.7"),
            (&["192.0.2.1, forged, 10.0.0.8"], "10.0.0.8"),
            (&["192.0.2.1,"], "10.0.0.7"),
            (&["192.0.2.1", ""], "10.0.0.7"),
        ] {
            assert_eq!(client("10.0.0.7", values), expected, "{values:?}");
        }
    }
}
