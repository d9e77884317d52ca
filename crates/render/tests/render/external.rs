//! Links: when they are shown, how they are filled, and that they are safe.

use crate::support::{Inventory, field, record};
use proptest::prelude::*;
use serde_json::{Value, json};
use stockroom_model::link::forbidden_scheme;

/// The link of an object whose fields have these values.
fn link(href: &str, listed: &[&str], values: &[(&str, Value)]) -> Option<String> {
    let inventory = Inventory::new(
        &[json!({
            "public_id": 1,
            "fields": [field("text", "a"), field("text", "b"), field("date", "day"), field("password", "key")],
            "render_meta": {"externals": [
                {"name": "x", "href": href, "label": "X", "icon": "", "fields": listed},
            ]},
        })],
        &[record(5, 1, values)],
    );
    let externals = inventory.render_type_information(5)["externals"].take();
    Some(externals.get(0)?["href"].as_str().unwrap().to_owned())
}

#[test]
fn links_are_filled_by_place_and_by_name() {
    let values = [
        ("a", json!("x")),
        ("b", json!(false)),
        ("day", json!("2020-01-02")),
        ("key", json!("secret")),
    ];
    for (href, listed) in [
        ("h/{}", &["key"][..]),
        ("h/{key}", &[]),
        ("h/{}", &["a", "key"]),
        ("h/", &["key"]),
    ] {
        assert_eq!(link(href, listed, &values), None, "{href} {listed:?}");
    }
    for (href, listed, expected) in [
        ("https://h/", &[][..], "https://h/"),
        ("https://h/", &["gone"], "https://h/"),
        ("https://h/{}/{}", &["a", "b"], "https://h/x/false"),
        ("https://h/{1}/{0}", &["a", "b"], "https://h/false/x"),
        ("https://h/{a}", &[], "https://h/x"),
        ("https://h/{}", &["object_id"], "https://h/5"),
        ("https://h/{object_id}", &[], "https://h/5"),
        ("https://h/{}", &["a", "b"], "https://h/x"),
        (
            "https://h/{}",
            &["day"],
            "https://h/2020-01-02%2000%3A00%3A00",
        ),
    ] {
        assert_eq!(
            link(href, listed, &values).as_deref(),
            Some(expected),
            "{href} {listed:?}"
        );
    }
}

#[test]
fn links_that_cannot_be_filled_are_left_out() {
    let values = [("a", json!("x")), ("b", json!("")), ("day", json!(null))];
    for (href, listed) in [
        ("https://h/{}", &[][..]),
        ("https://h/{}/{}", &["a"]),
        ("https://h/{}", &["b"]),
        ("https://h/{}", &["day"]),
        ("https://h/{}", &["a", "b"]),
        ("https://h/{}", &["gone"]),
        ("https://h/{gone}", &[]),
        ("https://h/{b}", &[]),
        ("https://h/{7}", &["a"]),
    ] {
        assert_eq!(link(href, listed, &values), None, "{href} {listed:?}");
    }
}

#[test]
fn values_stay_within_their_part_of_the_address() {
    for (value, expected) in [
        ("a/b?c#d&e=f", "a%2Fb%3Fc%23d%26e%3Df"),
        ("100%", "100%25"),
        ("{}", "%7B%7D"),
        ("ü \"<'", "%C3%BC%20%22%3C%27"),
        ("A-z_0.9~", "A-z_0.9~"),
        ("@evil.example:1", "%40evil.example%3A1"),
    ] {
        let href = link("https://h/{}", &["a"], &[("a", json!(value))]);
        assert_eq!(href, Some(format!("https://h/{expected}")));
    }
}

#[test]
fn a_value_at_the_start_may_be_an_address_but_no_dangerous_one() {
    for (href, value, expected) in [
        ("{}", "https://h/?q=1#top", Some("https://h/?q=1#top")),
        (
            "{}/{a}",
            "https://h/p",
            Some("https://h/p/https%3A%2F%2Fh%2Fp"),
        ),
        ("{a}", "ssh://h", Some("ssh://h")),
        ("{0}", "javascript:alert(1)", None),
        ("{}", "java\tscript:alert(1)", None),
        ("{}", " \u{1}JavaScript:alert(1)", None),
        ("{}", "data:text/html,x", None),
        ("{}script:alert(1)", "java", None),
        ("java{}:alert(1)", "script", None),
        ("{}:alert(1)", "vbscript", None),
        ("j{}script:x", "ava", None),
        (
            "/{}",
            "javascript:alert(1)",
            Some("/javascript%3Aalert%281%29"),
        ),
        (
            "java{}",
            "script:alert(1)",
            Some("javascript%3Aalert%281%29"),
        ),
        ("file:///{}", "etc", None),
        ("{}", "ms-msdt:/id", None),
        ("{}", "host:8080", None),
        ("{}", "./a:b", Some("./a:b")),
    ] {
        let link = link(href, &["a"], &[("a", json!(value))]);
        assert_eq!(link.as_deref(), expected, "{href} {value:?}");
    }
}

/// Parts of dangerous addresses.
fn trick() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ \t\n\r\u{0}\u{1}]",
        proptest::sample::select(vec![
            "java",
            "Script",
            "javascript",
            "data",
            "vbscript",
            "FILE",
            "blob",
            ":",
            "/",
            "{}",
            "{0}",
            "{1}",
            "{a}",
            "{b}",
            "{object_id}",
            "{",
            "}",
            "%3A",
            "x",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,3}",
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_rendered_link_is_dangerous(href in trick(), a in trick(), b in trick()) {
        if let Some(link) = link(&href, &["a", "b"], &[("a", json!(a)), ("b", json!(b))]) {
            prop_assert_eq!(forbidden_scheme(&link), None, "{}", link);
        }
    }

    #[test]
    fn a_value_never_changes_the_shape_of_an_address(value in "\\PC{1,20}") {
        let link = link("https://h/{}?q={}#{}", &["a", "a", "a"], &[("a", json!(value))]).unwrap();
        let template: String = link.chars().filter(|letter| "/?#&=:@".contains(*letter)).collect();
        prop_assert_eq!(template, "://" .to_owned() + "/?=#");
    }
}
