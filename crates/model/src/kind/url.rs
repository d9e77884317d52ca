//! `url`: an absolute link that people may follow.

use super::formatted_text::FormattedText;
use super::rules::Setting;
use crate::link::forbidden_scheme;

pub(super) const URL: FormattedText = FormattedText {
    canonical,
    expected: "a link with a scheme that browsers follow, such as https://example.org, or null",
    settings: &[Setting::Placeholder, Setting::Regex, Setting::Value],
};

/// With the scheme in lower case, which makes no difference, and the rest as it is.
fn canonical(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && !rest.is_empty()
        && forbidden_scheme(text).is_none();
    let has_gaps = text
        .chars()
        .any(|letter| letter.is_whitespace() || letter.is_control());
    (is_scheme && !has_gaps).then(|| format!("{}:{rest}", scheme.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_a_scheme_that_may_be_followed() {
        let same = |text: &str| Some(text.to_owned());
        for (text, expected) in [
            (
                "https://example.org/a?b#c",
                same("https://example.org/a?b#c"),
            ),
            ("HTTPS://Example.org", same("https://Example.org")),
            ("mailto:it@example.org", same("mailto:it@example.org")),
            ("ssh://root@10.0.0.1", same("ssh://root@10.0.0.1")),
            ("example.org", None),
            ("//example.org", None),
            ("/path", None),
            ("https:", None),
            ("javascript:alert(1)", None),
            ("java\tscript:alert(1)", None),
            ("data:text/html,x", None),
            ("https://example.org/a b", None),
            ("", None),
        ] {
            assert_eq!(canonical(text), expected, "{text}");
        }
    }
}
