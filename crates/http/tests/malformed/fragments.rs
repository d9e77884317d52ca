//! JSON that must be refused in any place.

/// A random fragment.
pub(crate) fn any(random: &mut fastrand::Rng) -> String {
    let deep = 65 + random.usize(..200);
    match random.usize(..4) {
        0 => format!("{}{}", "[".repeat(deep), "]".repeat(deep)),
        1 => format!("{}0{}", r#"{"a":"#.repeat(deep), "}".repeat(deep)),
        2 => format!("{}e{}", random.i64(1..), 400 + random.u32(..90_000)),
        _ => FIXED[random.usize(..FIXED.len())].to_owned(),
    }
}

const FIXED: [&str; 34] = [
    // Numbers
    "1e999",
    "-1e999",
    "01",
    "-",
    "+1",
    ".5",
    "1.",
    "1e",
    "0x10",
    "NaN",
    "Infinity",
    "-Infinity",
    "1_000",
    // Texts
    r#""\ud800""#,
    r#""\udc00\ud800""#,
    r#""\u0000""#,
    r#""a\u0000b""#,
    r#""\u12""#,
    r#""\x41""#,
    "\"a\nb\"",
    "\"a\u{1}b\"",
    "'a'",
    r#""a"#,
    // Words
    "undefined",
    "True",
    "nul",
    // Lists and objects
    "[1,]",
    "[1 2]",
    r#"{"a":1,}"#,
    r#"{"a":1,"a":1}"#,
    r#"{"a":1,"\u0061":2}"#,
    r#"{"a\u0000":1}"#,
    "{a:1}",
    "/* none */",
];

/// Bytes that are not UTF-8 in any context.
pub(crate) const NO_UTF8: [&[u8]; 6] = [
    b"\xff",
    b"\xc0\xaf",
    b"\xfe\xff",
    b"\xed\xa0\x80",
    b"\xf8\x88\x80\x80\x80",
    b"\xf4\x90\x80\x80",
];

/// Text that must not follow a JSON text.
pub(crate) const TRAILING: [&str; 6] = ["}", ",", " {}", " x", "\0", "]"];
