//! Regular expressions mean the same as in PCRE, with ASCII classes. The answers were checked
//! against Perl, which PCRE follows in all of these cases.

use serde_json::{Value, json};
use stockroom_filter::{TooExpensive, Unanswered};

use crate::{filter, matches};

/// Expression, options, text, whether it matches.
const MATCHES: &[(&str, &str, &str, bool)] = &[
    // The end of the text, and of lines.
    ("^a$", "", "a\n", true),
    ("^a$", "", "a\n\n", false),
    ("^a$", "", "b\na", false),
    ("(a$|b)c", "", "ac", false),
    ("(a$|b)c", "", "bc", true),
    ("a$\\n", "", "a\n", true),
    ("(a$)+", "", "a\n", true),
    ("((a$))|x", "", "a\n", true),
    ("(?<=a$)\\n", "", "a\n", true),
    ("(?!a$).", "", "a\n", false),
    ("a\\Z", "", "a\n", true),
    ("a\\z", "", "a\n", false),
    ("^$", "m", "a\n", false),
    ("^$", "m", "a\n\nb", true),
    ("^\\s*$", "m", "a\n", false),
    ("^", "m", "\n", true),
    ("^b$", "m", "a\nb\nc", true),
    ("^(b)", "m", "a\nb", true),
    ("a$", "m", "a\r\n", false),
    (".", "", "\n", false),
    (".", "s", "\n", true),
    ("(?-s).", "s", "\n", false),
    ("\\N", "s", "\n", false),
    // Classes are ASCII, letter case is Unicode.
    ("\\d", "", "٣", false),
    ("\\w", "", "é", false),
    ("\\w", "i", "ſ", false),
    ("\\bt", "", "été", true),
    ("\\be", "", "été", false),
    ("\\Bt", "", "été", false),
    ("\\bé", "", "é", false),
    ("(?=\\bt)t\\b", "", "été", true),
    ("(?=.)\\Bb\\B", "", "abc", true),
    ("(?=.)\\bb", "", "abc", false),
    ("\\s", "", "\u{a0}", false),
    ("\\s", "", "\u{b}", true),
    ("\\h", "", "\u{a0}", true),
    ("\\h", "", "a", false),
    ("\\v", "", "\u{2028}", true),
    ("\\R", "", "\r\n", true),
    ("\\R\\n", "", "\r\n", false),
    ("é", "i", "É", true),
    ("[à-ý]", "i", "É", true),
    ("\\p{Lu}", "", "É", true),
    ("\\p{^Lu}", "", "É", false),
    ("\\P{Lu}", "", "É", false),
    ("\\pL", "", "é", true),
    ("\\p{Greek}", "", "α", true),
    // Options within the expression.
    ("(?i:a)b", "", "AB", false),
    ("(a(?i)b)c", "", "aBC", false),
    ("(a(?i)b)c", "", "aBc", true),
    ("a(?i)b|c", "", "C", true),
    ("(?-i)a", "i", "A", false),
    ("(?m-s:^b)", "", "a\nb", true),
    (" a  b # c\n d", "x", "abd", true),
    ("a\\ b", "x", "a b", true),
    ("[a b]", "x", " ", true),
    ("a +", "x", "aa", true),
    ("A #", "xi", "a", true),
    ("(?x) a (?-x) b", "", "a b", true),
    // Classes contain characters, neither nested classes nor set operations.
    ("[]a]", "", "]", true),
    ("[^]a]", "", "]", false),
    ("[a[b]", "", "[", true),
    ("[a&&b]", "", "&", true),
    ("[~~]", "", "~", true),
    ("[a-\\d]", "", "-", true),
    ("[\\d-z]", "", "-", true),
    ("[\\d-z]", "", "m", false),
    ("[a\\-z]", "", "m", false),
    ("[[:alpha:]-z]", "", "-", true),
    ("[[:alpha:]]", "", "é", false),
    ("[[:^digit:]]", "", "5", false),
    ("[^\\D5]", "", "4", true),
    ("[^\\D5]", "", "5", false),
    ("[\\b]", "", "\u{8}", true),
    ("[\\101\\x42-\\x{43}]", "", "C", true),
    ("[\\Qa-c\\E]", "", "b", false),
    ("[\\p{Lu}x]", "", "É", true),
    // Escapes.
    ("\\101\\x41\\x{e9}\\o{101}", "", "AAéA", true),
    ("\\cA\\e\\t", "", "\u{1}\u{1b}\t", true),
    ("\\Qa.b\\E.", "", "a.bc", true),
    ("\\Qa.b", "", "axb", false),
    ("a\\Kb", "", "ab", true),
    ("\\Ga", "", "ba", false),
    ("\\_\\é\\-", "", "_é-", true),
    ("a(?#b)c", "", "ac", true),
    // Repetition.
    ("a{,3}", "", "a{,3}", true),
    ("a{2", "", "a{2", true),
    ("{", "", "{", true),
    ("^a{2,}$", "", "aaa", true),
    ("x*+x", "", "xxx", false),
    ("(?>a+)ab", "", "aaab", false),
    ("a+?b", "", "aab", true),
    ("a(?=b)*(?!c)?(?:)+(?:(?:))*b", "", "ab", true),
    ("(?=a)(?:(?!b))+(?:ab)+$", "", "abab", true),
    ("(?!b)a$*b", "", "ab", true),
    ("(?=a)\\Qab\\E+$", "", "abb", true),
    // Groups, look-around, backreferences.
    ("(a|b)\\1", "", "ab", false),
    ("(a|b)\\1", "", "bb", true),
    ("(a)\\1", "i", "aA", true),
    ("(a)\\11", "", "a\t", true),
    (
        "(a)(a)(a)(a)(a)(a)(a)(a)(a)(b)\\10",
        "",
        "aaaaaaaaabb",
        true,
    ),
    ("(a) # [ (\n(b)\\2", "x", "abb", true),
    ("(a)\\g1b", "", "aab", true),
    ("(a)(b)\\g{-1}", "", "abb", true),
    ("(?<n>a)\\k<n>\\k{n}\\k'n'", "", "aaaa", true),
    ("(?'n'a)(?P=n)", "", "aa", true),
    ("(?P<n>a)\\g{n}", "", "aa", true),
    ("^(?!srv).*5$", "", "srv-5", false),
    ("^(?=srv).*5$", "", "srv-5", true),
    ("(?<=a|bb)c", "", "bbc", true),
    ("(?<!a)b", "", "ab", false),
    ("(|a)b||()", "", "x", true),
];

#[test]
fn expressions_match_as_in_pcre() {
    let mut failures = Vec::new();
    for (pattern, options, text, expected) in MATCHES {
        let asked = json!({"a": {"$options": options, "$regex": pattern}});
        if matches(&asked, &json!({ "a": text })) != *expected {
            failures.push(format!("{asked} on {text:?} should be {expected}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_pcre_refuses_or_we_lack_is_refused() {
    for pattern in [
        "(",
        ")",
        "[",
        "[a",
        "[]",
        "a\\",
        "*",
        "+a",
        "(*UTF)a",
        "a|*",
        "(?:+)",
        "a**",
        "a(?i)*",
        "[z-a]",
        "[a--b]",
        "a{2,1}",
        "\\1",
        "\\8",
        "\\y",
        "\\X",
        "\\k<n>",
        "(?<1a>x)",
        "(?<n>a)(?<n>b)",
        "[[:foo:]]",
        "[\\B]",
        "\\x{110000}",
        "\\p{Foo}",
        "\\p",
        "(?R)",
        "(?1)",
        "(?(1)a|b)",
        "(?|a)",
        "(?z)",
        "(?#",
        "(?i",
        "\\g{0}",
        "(a{1000}){1000}{1000}",
        "((((a{100}){100}){100}){100})",
    ] {
        let asked = json!({"a": {"$regex": pattern}});
        let fault = filter(&asked).expect_err(&format!("accepted {pattern}"));
        assert_eq!(fault.pointer, "/a/$regex");
    }
}

#[test]
fn only_texts_match() {
    let asked = json!({"a": {"$regex": ""}});
    for (value, expected) in [
        (json!("x"), true),
        (json!(["x"]), true),
        (json!(1), false),
        (json!(null), false),
        (json!([1]), false),
        (json!({"$date": 0}), false),
    ] {
        assert_eq!(matches(&asked, &json!({ "a": value })), expected, "{value}");
    }
}

fn is_light(pattern: &str) -> bool {
    let checked = filter(&json!({"a": {"$regex": pattern}})).unwrap();
    !checked.may_take_long()
}

#[test]
fn only_what_backtracks_or_is_large_may_take_long() {
    for pattern in [
        "^a+$",
        "\\bline\\b",
        "a$|b$",
        "((?i)a|b$)",
        "(?m)^a$",
        "[^a-z]\\d",
        "(a|b|ab)*bc",
        "(?<n>x)",
    ] {
        assert!(is_light(pattern), "{pattern}");
    }
    for pattern in [
        "(?=a)",
        "(a)\\1",
        "(?>a)",
        "a++",
        "a$b",
        "\\R",
        "a[ab]{500}",
    ] {
        assert!(!is_light(pattern), "{pattern}");
    }
}

#[test]
fn endless_backtracking_is_too_expensive() {
    let evil = "^(?:a|b|ab)*(?!x)bc$";
    let text = "ab".repeat(40);
    let asked = filter(&json!({"a": {"$regex": evil}})).unwrap();
    assert_eq!(asked.matches(&json!({ "a": text })), Err(TooExpensive));
    assert_eq!(asked.matches(&json!({"a": "aabbc"})), Ok(true));
    let negated = filter(&json!({"$nor": [{"a": {"$not": {"$regex": evil}}}]})).unwrap();
    assert_eq!(negated.matches(&json!({ "a": text })), Err(TooExpensive));
}

/// Letters in an order that no automaton can forget.
fn letters(length: u32) -> String {
    (0..length)
        .map(|index| {
            if (index.wrapping_mul(index) / 7).is_multiple_of(3) {
                'a'
            } else {
                'b'
            }
        })
        .collect()
}

#[test]
fn a_large_expression_on_a_long_text_is_too_expensive() {
    let text = json!({"a": letters(1_000_000)});
    let large = filter(&json!({"a": {"$regex": "[ab]*a[ab]{2000}x"}})).unwrap();
    assert_eq!(large.matches(&text), Err(TooExpensive));
    assert_eq!(large.matches(&json!({"a": letters(1_000)})), Ok(false));
    for (pattern, found) in [("bbab*x", false), ("(?i)A.*b$", true), ("\\bx", false)] {
        let usual = filter(&json!({"a": {"$regex": pattern}})).unwrap();
        assert_eq!(usual.matches(&text), Ok(found), "{pattern}");
    }
}

#[test]
fn all_tests_of_a_large_document_together_are_too_expensive() {
    let texts: Vec<String> = (0..20_000)
        .map(|index| format!("{}{index}", "a".repeat(40)))
        .collect();
    let document = json!({"fields": [{"name": "x", "value": texts}]});
    let backtracks =
        |index: usize| json!({"fields.value": {"$regex": format!("(a*)a*\\1b{index}")}});
    let equals = |index: usize| json!({"fields.value": format!("b{index}")});
    for conditions in [
        (0..16).map(backtracks).collect::<Vec<Value>>(),
        (0..4_000).map(equals).collect(),
    ] {
        let asked = filter(&json!({ "$nor": conditions })).unwrap();
        assert!(asked.may_take_long());
        assert_eq!(asked.matches(&document), Err(TooExpensive));
        let text = document.to_string();
        let refused = asked.matches_text(&text, &[]);
        assert_eq!(refused, Err(Unanswered::TooExpensive(TooExpensive)));
    }
}
