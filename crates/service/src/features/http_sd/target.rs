//! The address of a target.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The most bytes of a host name.
const MAX_NAME: usize = 253;

/// Host and port as Prometheus writes them; `None` if the text is no host. An address may have the
/// length of its network behind it. A port that the text names goes before `port`.
pub(super) fn target(text: &str, port: Option<u16>) -> Option<String> {
    let text = without_network(text.trim());
    if let Ok(socket) = text.parse::<SocketAddr>() {
        return (socket.port() > 0).then(|| socket.to_string());
    }
    let unbracketed = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let address = unbracketed.map_or_else(
        || text.parse::<IpAddr>().ok(),
        |inner| inner.parse::<Ipv6Addr>().ok().map(IpAddr::from),
    );
    if let Some(address) = address {
        return Some(match (address, port) {
            (address, Some(port)) => SocketAddr::new(address, port).to_string(),
            (IpAddr::V6(address), None) => format!("[{address}]"),
            (IpAddr::V4(address), None) => address.to_string(),
        });
    }
    if let Some((name, own)) = text.rsplit_once(':') {
        let own: u16 = own.parse().ok().filter(|own| *own > 0)?;
        return is_name(name).then(|| format!("{name}:{own}"));
    }
    is_name(text).then(|| match port {
        Some(port) => format!("{text}:{port}"),
        None => text.to_owned(),
    })
}

/// `192.0.2.1/24` without `/24`.
fn without_network(text: &str) -> &str {
    match text.split_once('/') {
        Some((address, length))
            if address.parse::<IpAddr>().is_ok() && length.parse::<u8>().is_ok() =>
        {
            address
        }
        _ => text,
    }
}

fn is_name(text: &str) -> bool {
    let is_legal = |character: char| character.is_alphanumeric() || "-._".contains(character);
    (1..=MAX_NAME).contains(&text.len())
        && text.chars().all(is_legal)
        && text.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_get_their_port() {
        for (text, port, expected) in [
            ("web-01", None, "web-01"),
            (
                " web-01.example.org ",
                Some(9100),
                "web-01.example.org:9100",
            ),
            ("web-01:80", Some(9100), "web-01:80"),
            ("192.0.2.1", Some(9100), "192.0.2.1:9100"),
            ("192.0.2.1/24", Some(9100), "192.0.2.1:9100"),
            ("192.0.2.1:80", None, "192.0.2.1:80"),
            ("2001:db8::1", Some(9100), "[2001:db8::1]:9100"),
            ("2001:db8::1/64", None, "[2001:db8::1]"),
            ("[2001:db8::1]", Some(1), "[2001:db8::1]:1"),
            ("[2001:db8::1]:80", Some(1), "[2001:db8::1]:80"),
            ("bücher.example", None, "bücher.example"),
        ] {
            assert_eq!(target(text, port).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_host_is_left_out() {
        let long = "a".repeat(254);
        for text in [
            "",
            " ",
            "a b",
            "http://a",
            "a/b",
            "a@b",
            "a:b",
            "a:0",
            "a:70000",
            ":80",
            "a,b",
            "-",
            "-.-:80",
            "192.0.2.1:0",
            "[web]",
            "[192.0.2.1]",
            "a\nb",
            &long,
        ] {
            assert_eq!(target(text, Some(1)), None, "{text:?}");
        }
    }
}
