//! Links that people follow (`docs/guide/src/types.md`).

/// The schemes of links: those that open a page, a terminal, a screen or a folder of another
/// machine, or reach a person. A browser may run code or read its own machine for any other.
pub const SCHEMES: [&str; 19] = [
    "http", "https", "ftp", "ftps", "sftp", "ssh", "telnet", "rdp", "vnc", "spice", "smb",
    "mailto", "tel", "sms", "sip", "sips", "xmpp", "irc", "geo",
];

/// The scheme of a link, if it is none that links may have; relative references have none.
#[must_use]
pub fn forbidden_scheme(link: &str) -> Option<String> {
    let scheme = scheme(link)?;
    let is_known = SCHEMES
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    (!is_known).then_some(scheme)
}

/// Like [`forbidden_scheme`], for links with placeholders: these may hold a scheme.
#[must_use]
pub fn forbidden_scheme_of_template(template: &str) -> Option<String> {
    forbidden_scheme(template).filter(|scheme| !scheme.contains('{'))
}

/// What comes before the first colon. Browsers skip white space and control characters before and
/// inside a scheme, so this does too.
fn scheme(link: &str) -> Option<String> {
    let (before, _) = link.split_once(':')?;
    let is_relative = before.contains(['/', '?', '#']);
    let letters = before.chars();
    let visible = letters.filter(|letter| !letter.is_control() && !letter.is_whitespace());
    (!is_relative).then(|| visible.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_schemes_are_followed_however_they_are_written() {
        for (link, scheme) in [
            ("javascript:alert(1)", "javascript"),
            (" JavaScript:x", "JavaScript"),
            ("java\nscript:x", "javascript"),
            ("\u{1}data:text/html,x", "data"),
            ("FILE:///etc/passwd", "FILE"),
            ("view-source:https://x", "view-source"),
            ("ms-msdt:/id", "ms-msdt"),
            ("intent://x", "intent"),
            ("host:8080/path", "host"),
            ("\\javascript:x", "\\javascript"),
            (":x", ""),
        ] {
            assert_eq!(forbidden_scheme(link).as_deref(), Some(scheme), "{link}");
        }
        for link in [
            "https://example.org/?u=javascript:x",
            " HTTPS://x",
            "//example.org/a:b",
            "/objects/1",
            "./a:b",
            "?a=b:c",
            "#a:b",
            "mailto:a@b",
            "ssh://host",
            "",
        ] {
            assert_eq!(forbidden_scheme(link), None, "{link}");
        }
    }

    #[test]
    fn a_placeholder_may_hold_a_scheme() {
        assert_eq!(forbidden_scheme_of_template("{}://host:{port}"), None);
        assert!(forbidden_scheme_of_template("file://{}").is_some());
    }
}
