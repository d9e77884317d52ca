//! `Accept-Encoding` (RFC 9110, 12.5.3).

use axum::http::{HeaderMap, HeaderValue, header};

/// How the bytes of an answer are coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Zstd,
    Brotli,
    Gzip,
}

impl Coding {
    /// The one that costs least for what it saves comes first.
    const ALL: [Self; 3] = [Self::Zstd, Self::Brotli, Self::Gzip];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }
}

/// What a client accepts, read only when an answer is worth it.
pub(crate) struct AcceptEncoding(Vec<HeaderValue>);

impl AcceptEncoding {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT_ENCODING).iter();
        Self(values.cloned().collect())
    }

    /// The coding that the client likes best; `None` sends the answer as it is.
    pub(crate) fn best(&self) -> Option<Coding> {
        if self.0.is_empty() {
            return None;
        }
        let quality = |name: &str| self.quality(name);
        let any = quality("*");
        let of = |coding: Coding| {
            let alias = (coding == Coding::Gzip)
                .then(|| quality("x-gzip"))
                .flatten();
            quality(coding.name()).or(alias).or(any).unwrap_or(0)
        };
        let mut best = None;
        let mut most = quality("identity").unwrap_or(0);
        for coding in Coding::ALL {
            let quality = of(coding);
            if quality > most || (best.is_none() && quality > 0 && quality == most) {
                (best, most) = (Some(coding), quality);
            }
        }
        best
    }

    /// What the header says of a coding, in thousandths.
    fn quality(&self, name: &str) -> Option<u16> {
        let values = self.0.iter().filter_map(|value| value.to_str().ok());
        let mut items = values.flat_map(|value| value.split(','));
        items.find_map(|item| {
            let mut parts = item.split(';').map(str::trim);
            let is_named = parts.next()?.eq_ignore_ascii_case(name);
            is_named.then(|| {
                let weight = parts
                    .find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
                weight.map_or(1_000, thousandths)
            })
        })
    }
}

/// `0.5` is 500; what is no weight counts as a refusal.
fn thousandths(weight: &str) -> u16 {
    let (whole, fraction) = weight.split_once('.').unwrap_or((weight, ""));
    let is_weight = matches!(whole, "0" | "1")
        && fraction.len() <= 3
        && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !is_weight {
        return 0;
    }
    let digits = format!("{whole}{fraction:0<3}");
    digits.parse().map_or(0, |weight: u16| weight.min(1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(values: &[&'static str]) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
        }
        AcceptEncoding::of(&headers).best().map(Coding::name)
    }

    #[test]
    fn the_client_gets_what_it_likes_best() {
        for (values, expected) in [
            (&[][..], None),
            (&[""], None),
            (&["gzip"], Some("gzip")),
            (&["x-gzip"], Some("gzip")),
            (&["GZIP;Q=0.5"], Some("gzip")),
            (&["gzip, deflate, br, zstd"], Some("zstd")),
            (&["gzip, deflate, br"], Some("br")),
            (&["gzip;q=1.0, br;q=0.9, zstd;q=0.8"], Some("gzip")),
            (&["zstd;q=0.1", "br; q=0.2"], Some("br")),
            (&["br;q=0, gzip"], Some("gzip")),
            (&["br;q=0.000"], None),
            (&["*"], Some("zstd")),
            (&["*;q=0"], None),
            (&["zstd;q=0, *;q=0.5"], Some("br")),
            (&["identity"], None),
            (&["identity, gzip;q=0.5"], None),
            (&["identity;q=0.5, gzip"], Some("gzip")),
            (&["identity, gzip"], Some("gzip")),
            (&["identity;q=0"], None),
            (&["gzip;q=2"], None),
            (&["gzip;q=0.0001"], None),
            (&["gzip;q=x"], None),
            (&["deflate, compress"], None),
        ] {
            assert_eq!(best(values), expected, "{values:?}");
        }
    }
}
