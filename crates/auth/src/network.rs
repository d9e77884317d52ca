//! Networks of addresses, in CIDR notation.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The addresses that share a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    bits: u32,
}

impl Network {
    /// Whether an address belongs to the network. An IPv4 address that is mapped to IPv6 counts as
    /// the IPv4 address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.first.is_ipv4() && masked(address, self.bits) == self.first
    }
}

/// The network of a single address.
impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Self {
        let first = address.to_canonical();
        let bits = if first.is_ipv4() { 32 } else { 128 };
        Self { first, bits }
    }
}

impl FromStr for Network {
    type Err = NotANetwork;

    /// Reads `192.0.2.0/24`, `2001:db8::/32`, or a single address.
    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| NotANetwork::Malformed)?;
        // With a prefix, it is not clear which bits of a mapped address it counts.
        let is_mapped = address.to_canonical() != address;
        if is_mapped && bits.is_some() {
            return Err(NotANetwork::Malformed);
        }
        let address = address.to_canonical();
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            None => longest,
            Some(bits) => bits
                .parse()
                .ok()
                .filter(|number| *number <= longest && bits.bytes().all(|b| b.is_ascii_digit()))
                .ok_or(NotANetwork::Malformed)?,
        };
        let network = Self {
            first: masked(address, bits),
            bits,
        };
        if network.first == address {
            Ok(network)
        } else {
            Err(NotANetwork::Inside(network))
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.first, self.bits)
    }
}

/// Why a text is no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotANetwork {
    /// It has another form.
    #[error("is no network; networks look like 192.0.2.0/24, 2001:db8::/32 or 192.0.2.7")]
    Malformed,
    /// It is an address within a network, which may be meant or not.
    #[error("is an address in a network; the network is {0}")]
    Inside(Network),
}

fn masked(address: IpAddr, bits: u32) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - bits).unwrap_or_default();
            IpAddr::V4((address.to_bits() & mask).into())
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - bits).unwrap_or_default();
            IpAddr::V6((address.to_bits() & mask).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_the_addresses_of_its_prefix() {
        for (network, inside, outside) in [
            (
                "192.0.2.0/24",
                &["192.0.2.0", "192.0.2.255", "::ffff:192.0.2.7"][..],
                &["192.0.3.0", "::1"][..],
            ),
            ("192.0.2.7", &["192.0.2.7"], &["192.0.2.8"]),
            ("::ffff:192.0.2.7", &["192.0.2.7"], &["192.0.2.8"]),
            ("0.0.0.0/0", &["255.255.255.255"], &["::"]),
            ("::/0", &["2001:db8::1"], &["192.0.2.7"]),
            ("2001:db8::/33", &["2001:db8:7fff::"], &["2001:db8:8000::"]),
            ("2001:db8::1", &["2001:db8::1"], &["2001:db8::"]),
        ] {
            let network: Network = network.parse().unwrap();
            let contains = |address: &&str| network.contains(address.parse().unwrap());
            assert!(inside.iter().all(contains), "{network}");
            assert!(!outside.iter().any(contains), "{network}");
            assert_eq!(network.to_string().parse(), Ok(network));
        }
    }

    #[test]
    fn other_texts_are_refused_with_what_may_be_meant() {
        for text in [
            "",
            "a",
            "192.0.2.0/",
            "192.0.2.0/33",
            "192.0.2.0/+8",
            "192.0.2.0/24/1",
            "192.0.2.0/255.0.0.0",
            "::/129",
            "::ffff:192.0.2.0/120",
            "[::1]",
            " ::1",
        ] {
            assert_eq!(
                text.parse::<Network>(),
                Err(NotANetwork::Malformed),
                "{text:?}"
            );
        }
        let inside = "192.0.2.7/24".parse::<Network>().unwrap_err();
        assert!(inside.to_string().ends_with("192.0.2.0/24"), "{inside}");
    }
}
