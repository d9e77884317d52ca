//! Reads documents: JSON and NDJSON.

use stockroom_tables::{Format, Limits, Looks, Options};

use crate::common::{text, text_with};

#[test]
fn members_are_columns() {
    for (file, format, names, rows) in [
        ("[]", Format::Json, &[][..], &[][..]),
        (
            r#"[{"a": 1, "b": "x"}, {"b": null, "c": [1, "y"]}, {}]"#,
            Format::Json,
            &["a", "b", "c"],
            &["1: =1 | x", "2: - | =null | =[1,\"y\"]", "3: "],
        ),
        (
            "{\"a\":1}\n\n{\"a\":true}\r\n{\"b\":{\"c\":1.50}}",
            Format::Ndjson,
            &["a", "b"],
            &["1: =1", "3: =true", "4: - | ={\"c\":1.5}"],
        ),
        (
            r#"[{"a": 18446744073709551615, "b": -9223372036854775808, "c": 0.1}]"#,
            Format::Json,
            &["a", "b", "c"],
            &["1: =18446744073709551615 | =-9223372036854775808 | =0.1"],
        ),
        (
            r#"[{"a": 1, "a": 2}, {"b": {"c": 1, "c": 1}}, {"fields": {"d": 1, "d": 2}},
                {"fields": [{"name": "e", "value": 1}, {"name": "f", "value": 2}, {"name": "e", "value": 3}]}]"#,
            Format::Json,
            &[],
            &[
                "1: problem: is not acceptable JSON: the key \"a\" stands twice in one object at line 1 column 12",
                "2: problem: is not acceptable JSON: the key \"c\" stands twice in one object at line 1 column 19",
                "3: problem: is not acceptable JSON: the key \"d\" stands twice in one object at line 1 column 24",
                "4: problem: has the field \"e\" twice",
            ],
        ),
        (
            r#"[{"public_id": 3, "fields": [{"name": "hostname", "value": "web"}, {"name": "x"}]},
                {"fields": {"hostname": "db", "public_id": 4}, "public_id": 9},
                {"fields": "none"}, {"fields": [{"value": 1}]}, {"fields": []}]"#,
            Format::Json,
            &["public_id", "hostname", "fields"],
            &[
                "1: =3 | web",
                "2: =4 | db",
                "3: - | - | none",
                "4: - | - | =[{\"value\":1}]",
                "5: ",
            ],
        ),
        (
            r#"[{"public_id": 3, "type_id": 1, "version": "1.0.0", "active": true, "fields": [{"name": "active", "value": false}, {"name": "version", "value": 7}]},
                {"public_id": 4, "type_id": 1, "version": "1.0.0", "active": true, "fields": []}]"#,
            Format::Json,
            &["public_id", "active", "fields.active", "version"],
            &["1: =3 | =true | =false | =7", "2: =4 | =true"],
        ),
        (
            "{\"a\":1}\n{\"a\":\nnull\n{\"a\":2}",
            Format::Ndjson,
            &["a"],
            &[
                "1: =1",
                "2: problem: is not acceptable JSON: EOF while parsing a value at line 1 column 5",
                "3: problem: is no document (no JSON object)",
                "4: =2",
            ],
        ),
        (
            "[{\"a\":1},{\"a\" 2},{\"a\":\"\\u0000\"},[{}],{\"a\":\"\\ud83d\\ude00\"}]",
            Format::Json,
            &["a"],
            &[
                "1: =1",
                "2: problem: is not acceptable JSON: expected `:` at line 1 column 6",
                "3: problem: is not acceptable JSON: the character NUL is not allowed in a text at line 1 column 13",
                "4: problem: is no document (no JSON object)",
                "5: 😀",
            ],
        ),
    ] {
        let read = text(file);
        assert_eq!((read.names(), read.read().format), (names.to_vec(), format));
        assert_eq!(read.short(), rows);
        assert_eq!(
            (read.read().rows, read.read().header_row),
            (rows.len() as u64, None)
        );
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (file, format, error) in [
        (
            "{\n  \"a\": 1\n}",
            None,
            "line 1 is no whole document: NDJSON has one on each line, JSON is a list of them",
        ),
        (
            "{\"a\": 1}",
            Some(Format::Json),
            "JSON must be a list of documents",
        ),
        ("", Some(Format::Json), "it has no list of documents"),
        ("[{\"a\": 1}", None, "the list of documents is never closed"),
        ("[{}] {}", None, "there is something behind the list"),
        ("a", Some(Format::Xlsx), "it is a workbook, not a text"),
        ("PK\u{3}\u{4}", None, "it is a workbook, not a text"),
    ] {
        let options = Options {
            format,
            ..Options::default()
        };
        let read = text_with(file.as_bytes(), &options, &Limits::default());
        assert_eq!(read.error.as_deref(), Some(error), "{file:?}");
    }
}

#[test]
fn limits_are_kept() {
    let deep = |levels| format!("[{{\"a\":{}{}}}]", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(text(&deep(63)).short().len(), 1);
    assert_eq!(
        text(&deep(65)).short(),
        ["1: problem: is not acceptable JSON: nested deeper than 64 levels at line 1 column 69"]
    );
    for (file, expected) in [
        (
            deep(100_000),
            "1: problem: is not acceptable JSON: nested deeper than 64 levels at line 1 column 69",
        ),
        (
            format!("[{{\"a\":\"{}\"}}]", "x".repeat(5 << 20)),
            "1: problem: is longer than 4194304 bytes",
        ),
        (
            format!("[{{\"a\":[0{}]}}]", ",0".repeat(100_000)),
            "1: problem: is too large: 100003 values are more than the limit of 100000",
        ),
        (
            format!("[{{\"{}\":1}}]", "x".repeat(1_001)),
            "1: problem: has a name of more than 1000 bytes",
        ),
        (
            "[{\"\\u0000\":1}]".to_owned(),
            "1: problem: is not acceptable JSON: the character NUL is not allowed in a text at line 1 column 9",
        ),
    ] {
        let row = &text(&file).short()[0];
        assert!(
            row.starts_with(expected.trim_end_matches(char::is_numeric)),
            "{row}"
        );
    }
    let members: Vec<String> = (0..1_001).map(|n| format!("\"{n}\":1")).collect();
    let error = text(&format!("[{{{}}}]", members.join(","))).error;
    assert_eq!(error.unwrap(), "it has more columns than the limit of 1000");
    let limits = Limits {
        rows: 2,
        ..Limits::default()
    };
    let read = text_with(b"[{},{},{}]", &Options::default(), &limits);
    assert_eq!(read.error.unwrap(), "it has more rows than the limit of 2");
}

#[test]
fn columns_are_profiled() {
    let read = text(
        r#"[{"a": 1, "b": true, "c": {"$date": 7}, "d": null}, {"a": 2.5, "b": "no", "c": "2024-03-01"}]"#,
    );
    let looks: Vec<Looks> = read
        .read()
        .columns
        .iter()
        .map(stockroom_tables::Column::looks)
        .collect();
    assert_eq!(
        looks,
        [Looks::Number, Looks::Boolean, Looks::Date, Looks::Empty]
    );
    assert_eq!(read.read().columns[0].samples, ["1", "2.5"]);
}

#[test]
fn documents_are_read_in_other_encodings() {
    let text = "[{\"a\": \"ü\"}]";
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let read = text_with(&bytes, &Options::default(), &Limits::default());
    assert_eq!(
        (read.short(), read.read().encoding),
        (vec!["1: ü".to_owned()], Some("UTF-16LE"))
    );
}
