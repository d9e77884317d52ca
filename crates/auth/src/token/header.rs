//! The token in the `Authorization` header.

use crate::api_token;

/// The token in `Bearer <token>` (the scheme in any case) or in a bare `<token>`, which is a JWT or
/// an API token; `None` for anything else. Does not verify the token.
#[must_use]
pub fn from_authorization_header(header: &str) -> Option<&str> {
    let header = header.trim_ascii();
    let token = match header.split_once(|next: char| next.is_ascii_whitespace()) {
        None => header,
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("Bearer") => token.trim_ascii_start(),
        Some(_) => return None,
    };
    (is_three_parts(token) || api_token::is_one(token)).then_some(token)
}

/// Prevents a scheme without a token from being taken for a bare token.
fn is_three_parts(token: &str) -> bool {
    let bytes = token.as_bytes();
    let mut dots = memchr::memchr_iter(b'.', bytes);
    let (Some(first), Some(second), None) = (dots.next(), dots.next(), dots.next()) else {
        return false;
    };
    let has_parts = first > 0 && second > first + 1 && bytes.len() > second + 1;
    // Space and tab are the only white space that a header can contain.
    has_parts && memchr::memchr2(b' ', b'\t', bytes).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_token_in_the_forms_of_the_contract() {
        for (header, token) in [
            ("Bearer a.b.c", Some("a.b.c")),
            ("bearer a.b.c", Some("a.b.c")),
            ("BEARER   a.b.c ", Some("a.b.c")),
            ("a.b.c", Some("a.b.c")),
            (" a.b.c ", Some("a.b.c")),
            ("Bearer stk_x", Some("stk_x")),
            ("stk_x", Some("stk_x")),
            ("Basic stk_x", None),
            ("Basic YTpi", None),
            ("Basic a.b.c", None),
            ("Bearer", None),
            ("Bearer a.b.c d", None),
            ("Bearer a.b.c, Bearer d.e.f", None),
            ("Bearera.b.c d", None),
            ("a.b", None),
            ("a.b.c.d", None),
            ("a..c", None),
            ("a.b.", None),
            ("", None),
            (" ", None),
        ] {
            assert_eq!(from_authorization_header(header), token, "{header:?}");
        }
    }
}
