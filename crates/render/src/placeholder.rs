//! Templates: texts with placeholders in curly brackets, used by reference lines and links.
//!
//! `{}` is the next value, `{0}` the value at that index, `{name}` the value of that field. A
//! bracket without a partner is plain text.

/// One placeholder of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placeholder<'t> {
    /// The position of its opening bracket, in bytes.
    pub(crate) position: usize,
    /// The value that replaces it.
    pub(crate) key: Key<'t>,
}

/// How a placeholder refers to its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key<'t> {
    /// By index into the listed fields, from 0.
    Index(usize),
    /// By the name of a field.
    Name(&'t str),
}

impl<'t> Key<'t> {
    /// The field that it refers to; `None` if the index is beyond the `listed` fields.
    pub(crate) fn field<'a>(self, listed: &'a [String]) -> Option<&'a str>
    where
        't: 'a,
    {
        match self {
            Key::Index(index) => listed.get(index).map(String::as_str),
            Key::Name(name) => Some(name),
        }
    }
}

/// Replaces every placeholder of the template. `None` if a value is missing, or the text exceeds
/// `most_bytes` before its last piece. Values are never read as templates.
pub(crate) fn fill<'t>(
    template: &'t str,
    most_bytes: usize,
    mut value: impl FnMut(Placeholder<'t>) -> Option<String>,
) -> Option<String> {
    let mut filled = String::with_capacity(template.len());
    for piece in pieces(template) {
        if filled.len() > most_bytes {
            return None;
        }
        match piece {
            Piece::Text(text) => filled.push_str(text),
            Piece::Placeholder(placeholder) => filled.push_str(&value(placeholder)?),
        }
    }
    Some(filled)
}

/// Whether the template has a placeholder.
pub(crate) fn has_placeholders(template: &str) -> bool {
    pieces(template).any(|piece| matches!(piece, Piece::Placeholder(_)))
}

#[derive(Debug, PartialEq, Eq)]
enum Piece<'t> {
    Text(&'t str),
    Placeholder(Placeholder<'t>),
}

fn pieces(template: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = template;
    let mut next_index = 0;
    std::iter::from_fn(move || {
        let position = template.len() - rest.len();
        let piece = if let Some((name, after)) = placeholder(rest) {
            rest = after;
            let key = key(name, &mut next_index);
            Piece::Placeholder(Placeholder { position, key })
        } else {
            let (text, after) = rest.split_at(text_length(rest));
            rest = after;
            Piece::Text(text)
        };
        (piece != Piece::Text("")).then_some(piece)
    })
}

/// The name in the brackets at the start of `rest`, and the text after them. Searches only up to
/// the next bracket, so that a text full of brackets takes linear time.
fn placeholder(rest: &str) -> Option<(&str, &str)> {
    let inside = rest.strip_prefix('{')?;
    let (name, after) = inside.split_at(inside.find(['{', '}'])?);
    Some((name, after.strip_prefix('}')?))
}

/// The length of the text before the next possible placeholder; the first character is always text.
fn text_length(rest: &str) -> usize {
    rest.char_indices()
        .skip(1)
        .find(|(_, letter)| *letter == '{')
        .map_or(rest.len(), |(index, _)| index)
}

fn key<'t>(name: &'t str, next_index: &mut usize) -> Key<'t> {
    if name.is_empty() {
        let index = *next_index;
        *next_index += 1;
        return Key::Index(index);
    }
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        // An index too large for `usize` is beyond the end of every list, as is `usize::MAX`.
        return Key::Index(name.parse().unwrap_or(usize::MAX));
    }
    Key::Name(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn filled(template: &str) -> String {
        fill(template, usize::MAX, |placeholder| {
            Some(match placeholder.key {
                Key::Index(index) => format!("<{index}>"),
                Key::Name(name) => format!("<{name}>"),
            })
        })
        .unwrap()
    }

    #[test]
    fn brackets_stand_for_values_and_anything_else_is_text() {
        for (template, expected) in [
            ("", ""),
            ("plain", "plain"),
            ("{} and {}", "<0> and <1>"),
            ("{1}{0}{}", "<1><0><0>"),
            ("{host-name}:{port}", "<host-name>:<port>"),
            ("{", "{"),
            ("}", "}"),
            ("a}b{c", "a}b{c"),
            ("{{}}", "{<0>}"),
            ("{a{b}", "{a<b>"),
            ("ü{}ü", "ü<0>ü"),
            ("{99999999999999999999999}", "<18446744073709551615>"),
        ] {
            assert_eq!(filled(template), expected, "{template}");
        }
    }

    #[test]
    fn one_missing_value_spoils_the_whole() {
        assert_eq!(
            fill("a{}b{}", usize::MAX, |p| (p.position == 1)
                .then(String::new)),
            None
        );
    }

    #[test]
    fn values_are_not_filled_again() {
        let filled = fill("{}{}", usize::MAX, |_| Some("{}".to_owned()));
        assert_eq!(filled.as_deref(), Some("{}{}"));
    }

    proptest! {
        /// The pieces make up the template: nothing is lost, duplicated or split inside a
        /// character.
        #[test]
        fn any_template_is_its_pieces(template in "([{}0-9aü]|\\PC){0,40}") {
            let again = fill(&template, usize::MAX, |placeholder| {
                let inside = template.get(placeholder.position..)?;
                inside.find('}').and_then(|end| inside.get(..=end)).map(str::to_owned)
            });
            prop_assert_eq!(again, Some(template));
        }
    }
}
