//! The URL of a server.

use std::fmt;
use std::net::IpAddr;

use ureq::http::Uri;

use crate::failure::Failure;

/// The URL of a server without `/rest` and without a slash at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    text: String,
    is_encrypted: bool,
    is_loopback: bool,
}

impl Address {
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let refused = |reason: &str| Failure::usage(format!("{text:?} is no server: {reason}"));
        let uri: Uri = text.parse().map_err(|_| refused("it is no URL"))?;
        let is_encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(refused("it must begin with https:// or http://")),
        };
        if uri.query().is_some()
            || uri
                .authority()
                .is_some_and(|host| host.as_str().contains('@'))
        {
            return Err(refused("it takes no user name, password or parameters"));
        }
        let host = uri.host().unwrap_or_default();
        let host = host.trim_matches(['[', ']']);
        let is_loopback = host == "localhost"
            || host
                .parse()
                .is_ok_and(|address: IpAddr| address.is_loopback());
        let trimmed = text.trim_end_matches('/');
        let trimmed = trimmed.strip_suffix("/rest").unwrap_or(trimmed);
        Ok(Self {
            text: trimmed.trim_end_matches('/').to_owned(),
            is_encrypted,
            is_loopback,
        })
    }

    pub(crate) const fn is_encrypted(&self) -> bool {
        self.is_encrypted
    }

    /// Whether others cannot read what is sent.
    pub(crate) const fn is_private(&self) -> bool {
        self.is_encrypted || self.is_loopback
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_normalized_and_known_to_be_private_or_not() {
        for (text, expected, is_private) in [
            ("https://cmdb.example", "https://cmdb.example", true),
            (
                "https://cmdb.example/a/rest/",
                "https://cmdb.example/a",
                true,
            ),
            ("http://127.0.0.1:4000/", "http://127.0.0.1:4000", true),
            ("http://[::1]:4000", "http://[::1]:4000", true),
            ("http://localhost", "http://localhost", true),
            ("http://cmdb.example/", "http://cmdb.example", false),
            (
                "http://localhost.example",
                "http://localhost.example",
                false,
            ),
            (
                "http://127.0.0.1.example",
                "http://127.0.0.1.example",
                false,
            ),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!(
                (address.text.as_str(), address.is_private()),
                (expected, is_private),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "cmdb.example",
            "ftp://cmdb.example",
            "https://a@cmdb.example",
            "https://cmdb.example/?a=b",
        ] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
    }
}
