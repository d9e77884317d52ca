//! Names that Ansible takes, of which none is one that it gives a meaning.

use std::net::IpAddr;

/// The most bytes of a name.
const LONGEST: usize = 253;
/// The most bytes of a label of a DNS name.
const LONGEST_LABEL: usize = 63;
/// Groups that Ansible makes.
const TAKEN: [&str; 2] = ["all", "ungrouped"];
/// Variables that Ansible reads; with `_` at the end, all that begin so.
const MAGIC: [&str; 16] = [
    "ansible_",
    "discovered_interpreter_",
    "environment",
    "group_names",
    "groups",
    "hostvars",
    "inventory_",
    "item",
    "lookup",
    "omit",
    "play_",
    "playbook_",
    "query",
    "role_",
    "vars",
    "with_",
];

/// Whether names with this prefix are variables, and none is one that Ansible reads.
pub(super) fn is_prefix(text: &str) -> bool {
    let overlaps =
        |name: &&str| name.starts_with(text) || (name.ends_with('_') && text.starts_with(*name));
    let begins = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    begins && identifier(text) == text && !MAGIC.iter().any(overlaps)
}

/// Letters, digits and underscores alone: what may follow a prefix in a name.
pub(super) fn identifier(text: &str) -> String {
    let valid = |character: char| {
        let is_valid = character.is_ascii_alphanumeric();
        Some(character).filter(|_| is_valid).unwrap_or('_')
    };
    text.chars().map(valid).collect()
}

/// The name of a group: an identifier without a digit in front; `None` if it would be too long.
pub(super) fn group(text: &str) -> Option<String> {
    let name = identifier(text);
    let name = if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("_{name}")
    } else {
        name
    };
    (name.len() <= LONGEST).then_some(name)
}

/// Whether a text is a DNS name or an IP address of another machine. It becomes an argument of ssh,
/// and a pattern of Ansible, which connects to itself as `localhost`.
pub(super) fn is_host(text: &str) -> bool {
    if text.is_empty() || text.len() > LONGEST || TAKEN.contains(&text) {
        return false;
    }
    let last = text.rsplit('.').next().unwrap_or_default();
    if text.contains(':') || is_number(last) {
        return text.parse().is_ok_and(is_elsewhere);
    }
    text.split('.').all(is_label)
}

/// Names that the usual `/etc/hosts` gives to the own machine.
const OWN_NAMES: [&str; 5] = [
    "localhost",
    "localhost4",
    "localhost6",
    "ip6-localhost",
    "ip6-loopback",
];

/// Whether programs read a name with this last label as an IPv4 address, in notations beyond four
/// numbers.
fn is_number(label: &str) -> bool {
    let hexadecimal = label.strip_prefix("0x").or(label.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => !label.is_empty() && label.bytes().all(|digit| digit.is_ascii_digit()),
    }
}

fn is_elsewhere(address: IpAddr) -> bool {
    let address = address.to_canonical();
    !(address.is_loopback() || address.is_unspecified())
}

fn is_label(label: &str) -> bool {
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=LONGEST_LABEL).contains(&label.len())
        && label.bytes().all(is_legal)
        && !label.starts_with('-')
        && !label.ends_with('-')
        && !OWN_NAMES
            .iter()
            .any(|name| label.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_valid_names() {
        for (text, expected) in [
            ("site_Bad Münster", "site_Bad_M_nster"),
            ("os-version", "os_version"),
            ("3com", "_3com"),
        ] {
            assert_eq!(group(text).as_deref(), Some(expected));
        }
        assert_eq!(group(&"x".repeat(254)), None);
    }

    #[test]
    fn prefixes_keep_variables_apart_from_those_of_ansible() {
        for text in ["stockroom_", "cmdb", "_x", "S_"] {
            assert!(is_prefix(text), "{text}");
        }
        for text in [
            "",
            "a",
            "an",
            "ansible_",
            "ansible_ssh_",
            "group_",
            "inventory_x",
            "1x",
            "a-b",
            "ü",
        ] {
            assert!(!is_prefix(text), "{text}");
        }
    }

    #[test]
    fn hosts_are_dns_names_or_addresses_of_others() {
        for text in [
            "web-01",
            "web_01.example.org",
            "192.0.2.1",
            "2001:db8::1",
            "1and1.example",
        ] {
            assert!(is_host(text), "{text}");
        }
        for text in [
            "",
            "-oProxyCommand=x",
            "a b",
            "a,b",
            "a*",
            "!a",
            "~a",
            "a\n",
            "a[1]",
            "a/b",
            "a..b",
            "a.-b",
            ".a",
            "a.",
            "münchen",
            "{{a}}",
            "web:22",
            "fe80::1%-oProxyCommand=x",
            "all",
            "ungrouped",
            "localhost",
            "LocalHost.localdomain",
            "x.localhost",
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "127.0.0.0x1",
            "0.0.0.0",
            "::",
            "::1",
            "::ffff:127.0.0.1",
        ] {
            assert!(!is_host(text), "{text}");
        }
    }

    /// The texts in a tuple of the plugin that does the same in Python.
    fn in_plugin(name: &str) -> Vec<&'static str> {
        let plugin = include_str!("../../../../../docs/ansible/stockroom.py");
        let begin = format!("\n{name} = (");
        let (_, tuple) = plugin.split_once(&begin).expect("the tuple");
        let (tuple, _) = tuple.split_once(')').expect("its end");
        tuple.split('"').skip(1).step_by(2).collect()
    }

    #[test]
    fn the_plugin_knows_the_same_names() {
        assert_eq!(in_plugin("MAGIC"), MAGIC);
        assert_eq!(in_plugin("TAKEN"), TAKEN);
        assert_eq!(in_plugin("OWN_NAMES"), OWN_NAMES);
    }
}
