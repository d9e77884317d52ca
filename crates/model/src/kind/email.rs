//! `email`: the address of a mailbox.

use super::formatted_text::FormattedText;
use super::rules::Setting;

pub(super) const EMAIL: FormattedText = FormattedText {
    canonical,
    expected: "an email address, such as it@example.org, or null",
    settings: &[Setting::Placeholder, Setting::Regex, Setting::Value],
};

/// The longest address that mail servers take (RFC 5321, 4.5.3.1).
const LONGEST: usize = 254;

/// With the domain in lower case, which makes no difference. Only sending a mail tells whether an
/// address is right, so little is checked.
fn canonical(text: &str) -> Option<String> {
    let (mailbox, domain) = text.rsplit_once('@')?;
    let domain = domain.to_lowercase();
    let is_odd = |letter: char| {
        letter.is_whitespace() || letter.is_control() || matches!(letter, '<' | '>' | ',' | ';')
    };
    let is_mailbox = !mailbox.is_empty() && !mailbox.contains(is_odd) && !mailbox.contains('@');
    let mut labels = domain.split('.');
    let is_label = |label: &str| {
        let has_ends = !label.starts_with('-') && !label.ends_with('-');
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '-';
        !label.is_empty() && has_ends && label.chars().all(is_letter)
    };
    (is_mailbox && labels.all(is_label) && text.len() <= LONGEST)
        .then(|| format!("{mailbox}@{domain}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_mailbox_and_a_domain() {
        for (text, expected) in [
            ("it@example.org", Some("it@example.org")),
            ("Ann.B+x@Example.ORG", Some("Ann.B+x@example.org")),
            ("root@localhost", Some("root@localhost")),
            ("jörg@müller.de", Some("jörg@müller.de")),
            ("example.org", None),
            ("@example.org", None),
            ("it@", None),
            ("it@example..org", None),
            ("it@-example.org", None),
            ("a@b@example.org", None),
            ("it@İ.org", None),
            ("IT <it@example.org>", None),
            ("it @example.org", None),
            ("a@x.org,b@x.org", None),
        ] {
            assert_eq!(canonical(text).as_deref(), expected, "{text}");
        }
    }
}
