//! `mac`: the address of a network interface, of 48 or 64 bits. It is stored as pairs of lower-case
//! digits with colons between them, whatever its notation.

use super::formatted_text::FormattedText;
use super::rules::Setting;

pub(super) const MAC: FormattedText = FormattedText {
    canonical,
    expected: "a MAC address of 12 or 16 hexadecimal digits, such as 00:1b:44:11:3a:b7, or null",
    settings: &[Setting::Placeholder, Setting::Value],
};

/// Reads groups of equal length with one separator between all of them.
fn canonical(text: &str) -> Option<String> {
    let separator = text
        .chars()
        .find(|letter| matches!(letter, ':' | '-' | '.' | ' '));
    let groups: Vec<&str> = match separator {
        Some(separator) => text.split(separator).collect(),
        None => vec![text],
    };
    let digits = groups.concat().to_ascii_lowercase();
    let length = groups.first()?.len();
    let are_alike = groups.iter().all(|group| group.len() == length) && length % 2 == 0;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if !are_alike || !is_hex || !matches!(digits.len(), 12 | 16) {
        return None;
    }
    let pairs = digits.as_bytes().chunks(2);
    let pairs: Vec<&str> = pairs.filter_map(|pair| str::from_utf8(pair).ok()).collect();
    Some(pairs.join(":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_becomes_one() {
        for text in [
            "00:1b:44:11:3a:b7",
            "00-1B-44-11-3A-B7",
            "001b.4411.3ab7",
            "001B44 113AB7",
            "001B44113AB7",
        ] {
            assert_eq!(
                canonical(text).as_deref(),
                Some("00:1b:44:11:3a:b7"),
                "{text}"
            );
        }
        let eui64 = canonical("02-00-5E-10-00-00-00-01");
        assert_eq!(eui64.as_deref(), Some("02:00:5e:10:00:00:00:01"));
        for text in [
            "",
            "00:1b:44:11:3a",
            "00:1b:44:11:3a:b7:",
            "0:01b:44:11:3a:b7",
            "00:1b-44:11:3a:b7",
            "0:1:2:3:4:5:6:7:8:9:a:b",
            "00:1b:44:11:3a:bg",
            "００1b44113ab7",
        ] {
            assert_eq!(canonical(text), None, "{text}");
        }
    }
}
