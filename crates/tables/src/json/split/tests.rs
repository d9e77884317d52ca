use proptest::prelude::*;

use super::*;

/// The documents, `!` for one with a problem, and `error` at the end if the text is unreadable.
fn split<'p>(is_by_line: bool, pieces: impl IntoIterator<Item = &'p str>) -> Vec<String> {
    let mut documents = Vec::new();
    let mut each = |(number, document): Document<'_>| {
        let text = document.map_or("!".to_owned(), |text| text.trim().to_owned());
        documents.push(format!("{number}:{text}"));
        Ok(())
    };
    let mut splitter = Splitter::new(is_by_line, 20);
    let mut pieces = pieces.into_iter();
    let fed = pieces.try_for_each(|piece| splitter.feed(piece, &mut each));
    let result = fed.and_then(|()| splitter.finish(&mut each));
    if result.is_err() {
        documents.push("error".to_owned());
    }
    documents
}

fn characters(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.char_indices();
    ends.map(|(at, character)| &text[at..at + character.len_utf8()])
}

#[test]
fn documents_are_split_at_any_piece() {
    for (is_by_line, text, expected) in [
        (false, "[]", &[][..]),
        (false, " [ ] \n", &[]),
        (false, "[{},{}]", &["1:{}", "2:{}"]),
        (false, "[{\"a\":[1,{}]}\n, 2]", &["1:{\"a\":[1,{}]}", "2:2"]),
        (
            false,
            r#"["],[\"{","\\",3]"#,
            &[r#"1:"],[\"{""#, r#"2:"\\""#, "3:3"],
        ),
        (false, "[{} {},]", &["1:{} {}", "2:!"]),
        (false, "[,]", &["1:!", "2:!"]),
        (false, "[{}}},1]", &["1:{}}}", "2:1"]),
        (false, "[\"123456789012345678901\",1]", &["1:!", "2:1"]),
        (false, "", &["error"]),
        (false, "{}", &["error"]),
        (false, "[{}", &["error"]),
        (false, "[{}] x", &["1:{}", "error"]),
        (false, "[{}][]", &["1:{}", "error"]),
        (true, "", &[]),
        (true, "{}\n\n {\"ü\":1}\r\n", &["1:{}", "3:{\"ü\":1}"]),
        (true, "[\n\"\n\"a\nb\"", &["1:[", "2:\"", "3:\"a", "4:b\""]),
        (true, "1234567890123456789012345\n1", &["1:!", "2:1"]),
    ] {
        assert_eq!(split(is_by_line, [text]), expected, "{text:?}");
        assert_eq!(split(is_by_line, characters(text)), expected, "{text:?}");
    }
}

proptest! {
    #[test]
    fn pieces_do_not_matter(
        text in r#"\[?[a{}\[\]",\\ \nü]{0,40}\]?"#,
        at in 0..40_usize,
        is_by_line: bool,
    ) {
        let at = if text.is_char_boundary(at) { at } else { 0 };
        let whole = split(is_by_line, [&*text]);
        prop_assert_eq!(&split(is_by_line, [&text[..at], &text[at..]]), &whole);
        prop_assert_eq!(split(is_by_line, characters(&text)), whole);
    }
}
