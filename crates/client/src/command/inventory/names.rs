//! Names that Ansible takes.

/// The most bytes of a host name.
const LONGEST: usize = 253;

/// A name for a group or a variable: letters, digits and underscores, and no digit in front.
pub(super) fn identifier(text: &str) -> String {
    let valid = |character: char| {
        let is_valid = character.is_ascii_alphanumeric();
        Some(character).filter(|_| is_valid).unwrap_or('_')
    };
    let name: String = text.chars().map(valid).collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        return format!("_{name}");
    }
    name
}

/// Whether a text can be a host. It becomes an argument of ssh, and a pattern of Ansible.
pub(super) fn is_host(text: &str) -> bool {
    let is_legal = |character: char| character.is_alphanumeric() || "-._:".contains(character);
    (1..=LONGEST).contains(&text.len())
        && text.starts_with(|first: char| first.is_alphanumeric() || first == ':')
        && text.chars().all(is_legal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_variables_have_valid_names() {
        for (text, expected) in [
            ("site_Bad Münster", "site_Bad_M_nster"),
            ("os-version", "os_version"),
            ("3com", "_3com"),
        ] {
            assert_eq!(identifier(text), expected);
        }
    }

    #[test]
    fn hosts_are_no_options_and_no_patterns() {
        for text in [
            "web-01",
            "web.example.org",
            "192.0.2.1",
            "2001:db8::1",
            "::1",
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
        ] {
            assert!(!is_host(text), "{text}");
        }
    }
}
