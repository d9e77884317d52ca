//! `Accept-Encoding` (RFC 9110, 12.5.3).

use axum::http::{HeaderMap, HeaderValue, header};

/// The content coding of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Zstd,
    Brotli,
    Gzip,
}

impl Coding {
    /// The best ratio of cost to savings comes first.
    const ALL: [Self; 3] = [Self::Zstd, Self::Brotli, Self::Gzip];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The strong entity tag of an answer in this coding; `None` for a weak one, which stays.
    pub(crate) fn tag(self, tag: &HeaderValue) -> Option<HeaderValue> {
        let opaque = tag.to_str().ok()?.strip_prefix('"')?.strip_suffix('"')?;
        HeaderValue::try_from(format!("\"{opaque}-{}\"", self.name())).ok()
    }
}

/// What an entity tag names, between its quotes, without the coding of the answer.
pub(crate) fn without_coding(opaque: &str) -> &str {
    match opaque.rsplit_once('-') {
        Some((tag, name)) if Coding::ALL.iter().any(|coding| coding.name() == name) => tag,
        _ => opaque,
    }
}

/// The codings that a client accepts, parsed only if the answer is worth compressing.
pub(crate) struct AcceptEncoding(Vec<HeaderValue>);

impl AcceptEncoding {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT_ENCODING).iter();
        Self(values.cloned().collect())
    }

    /// The coding that the client prefers; `None` sends the answer as it is.
    pub(crate) fn best(&self) -> Option<Coding> {
        let weights = self.weights();
        let mut best = None;
        let mut most = weights.identity.unwrap_or(0);
        for (coding, weight) in Coding::ALL.into_iter().zip(weights.codings) {
            let weight = weight.or(weights.any).unwrap_or(0);
            if weight > most || (best.is_none() && weight > 0 && weight == most) {
                (best, most) = (Some(coding), weight);
            }
        }
        best
    }

    /// Whether the client can read this coding.
    pub(crate) fn accepts(&self, coding: Coding) -> bool {
        let weights = self.weights();
        let mut codings = Coding::ALL.into_iter().zip(weights.codings);
        let named = codings.find_map(|(other, weight)| weight.filter(|_| other == coding));
        named.or(weights.any).unwrap_or(0) > 0
    }

    fn weights(&self) -> Weights {
        let mut weights = Weights::default();
        let values = self.0.iter().filter_map(|value| value.to_str().ok());
        for item in values.flat_map(|value| value.split(',')) {
            weights.note(item);
        }
        weights
    }
}

/// The weights in the header, in thousandths. If a coding is named twice, its first weight counts.
#[derive(Default)]
struct Weights {
    identity: Option<u16>,
    /// For codings that are not named.
    any: Option<u16>,
    /// In the order of [`Coding::ALL`].
    codings: [Option<u16>; 3],
}

impl Weights {
    fn note(&mut self, item: &str) {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let [zstd, brotli, gzip] = &mut self.codings;
        let known = [
            ("identity", &mut self.identity),
            ("*", &mut self.any),
            ("zstd", zstd),
            ("br", brotli),
            ("gzip", gzip),
        ];
        // The old name of gzip.
        let name = if name.eq_ignore_ascii_case("x-gzip") {
            "gzip"
        } else {
            name
        };
        let mut known = known.into_iter();
        if let Some((_, weight)) = known.find(|(known, _)| name.eq_ignore_ascii_case(known)) {
            let mut said = parts
                .filter_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
            weight.get_or_insert(said.next().map_or(1_000, thousandths));
        }
    }
}

/// `0.5` is 500; a malformed weight counts as 0, a refusal.
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
