use hmac::Mac;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::SeededEntropy;
use crate::keys::mac;

const NOW: Timestamp = Timestamp(1_700_000_000_999_999);
const HOUR: i64 = 3_600;

fn keys() -> Keys {
    Keys::derive(&[3; 32])
}

fn issued() -> Issued {
    issue(42, 7, NOW, HOUR, &keys(), &SeededEntropy::new(1)).unwrap()
}

fn part(json: &Value) -> String {
    URL_SAFE_NO_PAD.encode(json.to_string())
}

/// Signs any header and claims with the genuine key.
fn forge(header: &Value, claims: &Value) -> String {
    let message = format!("{}.{}", part(header), part(claims));
    let tag = mac(&keys().token).chain_update(&message).finalize();
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(tag.into_bytes()))
}

fn good_claims() -> Value {
    json!({"iss": "stockroom", "sub": "42", "iat": 1_700_000_000, "exp": 1_700_003_600, "jti": "x", "gen": 7})
}

fn good_header() -> Value {
    json!({"typ": "JWT", "alg": "HS256"})
}

#[test]
fn says_what_it_was_issued_for() {
    let issued = issued();
    let claims = verify(&issued.token, NOW, &keys()).unwrap();
    assert_eq!(
        claims,
        Claims {
            user_id: 42,
            generation: 7,
            jti: issued.jti,
            issued_at: 1_700_000_000,
            expires_at: 1_700_003_600,
        }
    );
    assert_eq!(
        (issued.issued_at, issued.expires_at),
        (1_700_000_000, 1_700_003_600)
    );
}

#[test]
fn has_the_published_header_and_claims() {
    let issued = issued();
    let decode = |part: &str| String::from_utf8(URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap();
    let parts: Vec<_> = issued.token.split('.').map(str::to_owned).collect();
    assert_eq!(decode(&parts[0]), r#"{"typ":"JWT","alg":"HS256"}"#);
    assert_eq!(
        decode(&parts[1]),
        format!(
            r#"{{"iss":"stockroom","sub":"42","iat":1700000000,"exp":1700003600,"jti":"{}","gen":7}}"#,
            issued.jti
        )
    );
}

#[test]
fn is_signed_as_rfc_7515_says() {
    // Computed with another implementation of HKDF and HMAC from the master key of these tests.
    let known = "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJzdG9ja3Jvb20iLCJzdWIiOiI0MiIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAzNjAwLCJqdGkiOiJ4IiwiZ2VuIjo3fQ.0aWs6wKqM8iyLjtQhNgBgbXJO6CwJsmyZ8dh-T3ISUw";
    assert_eq!(forge(&good_header(), &good_claims()), known);
    assert_eq!(verify(known, NOW, &keys()).unwrap().user_id, 42);
}

#[test]
fn every_token_has_an_id_of_128_bits_of_its_own() {
    let entropy = SeededEntropy::new(1);
    let draw = || issue(42, 7, NOW, HOUR, &keys(), &entropy).unwrap().jti;
    let (one, two) = (draw(), draw());
    assert_ne!(one, two);
    assert_eq!(URL_SAFE_NO_PAD.decode(one).unwrap().len(), 16);
}

#[test]
fn expires_by_the_time_passed_in() {
    let token = issued().token;
    for (seconds, expected) in [
        (1_699_999_000, None),
        (1_700_003_599, None),
        (1_700_003_600, Some(Rejected::Expired)),
        (i64::MAX / 1_000_000, Some(Rejected::Expired)),
    ] {
        let now = Timestamp(seconds * 1_000_000);
        assert_eq!(verify(&token, now, &keys()).err(), expected, "at {seconds}");
    }
}

#[test]
fn only_the_pinned_algorithm_is_accepted() {
    assert!(verify(&forge(&good_header(), &good_claims()), NOW, &keys()).is_ok());
    for header in [
        json!({"typ": "JWT", "alg": "none"}),
        json!({"typ": "JWT", "alg": "HS384"}),
        json!({"typ": "JWT", "alg": "RS256"}),
        json!({"typ": "JWT", "alg": "hs256"}),
        json!({"typ": "JWT"}),
        json!([]),
    ] {
        let forged = forge(&header, &good_claims());
        assert_eq!(
            verify(&forged, NOW, &keys()),
            Err(Rejected::Malformed),
            "{header}"
        );
    }
    let unsigned = format!(
        "{}.{}.",
        part(&json!({"typ": "JWT", "alg": "none"})),
        part(&good_claims())
    );
    assert_eq!(verify(&unsigned, NOW, &keys()), Err(Rejected::Malformed));
}

#[test]
fn every_claim_must_be_there_and_of_its_kind() {
    for (claim, wrong) in [
        ("iss", json!("somebody")),
        ("iss", json!(["stockroom"])),
        ("sub", json!("admin")),
        ("sub", json!("")),
        ("sub", json!(42)),
        ("iat", json!("now")),
        ("exp", json!(null)),
        ("exp", json!("1700003600")),
        ("jti", json!(5)),
        ("gen", json!("7")),
        ("gen", json!(7.5)),
    ] {
        let mut claims = good_claims();
        claims[claim] = wrong;
        let token = forge(&good_header(), &claims);
        assert_eq!(
            verify(&token, NOW, &keys()),
            Err(Rejected::Malformed),
            "{claims}"
        );
        claims.as_object_mut().unwrap().remove(claim);
        let token = forge(&good_header(), &claims);
        assert_eq!(
            verify(&token, NOW, &keys()),
            Err(Rejected::Malformed),
            "without {claim}"
        );
    }
}

#[test]
fn another_server_accepts_nothing() {
    let other = Keys::derive(&[4; 32]);
    assert_eq!(
        verify(&issued().token, NOW, &other),
        Err(Rejected::Malformed)
    );
}

#[test]
fn an_expired_forgery_is_not_told_from_any_other() {
    let late = Timestamp(2_000_000_000_000_000);
    let other = Keys::derive(&[4; 32]);
    assert_eq!(
        verify(&issued().token, late, &other),
        Err(Rejected::Malformed)
    );
}

#[test]
fn debug_output_does_not_show_the_token() {
    let issued = issued();
    assert!(!format!("{issued:?}").contains(&issued.token));
}

#[test]
fn changing_any_byte_ends_a_token() {
    let token = issued().token.into_bytes();
    for place in 0..token.len() {
        for change in [1, 2, 4, 8, 16, 32, 64] {
            let mut changed = token.clone();
            changed[place] ^= change;
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(
                verify(&changed, NOW, &keys()),
                Err(Rejected::Malformed),
                "byte {place}"
            );
        }
    }
}

proptest! {
    #[test]
    fn texts_that_are_no_tokens_are_refused(text in "[A-Za-z0-9_.=-]{0,80}|\\PC{0,40}") {
        prop_assert_eq!(verify(&text, NOW, &keys()), Err(Rejected::Malformed));
    }

    #[test]
    fn any_user_generation_and_lifetime_comes_back(user_id in 1_i64.., generation: i64, lifetime in 1_i64..1 << 40) {
        let issued = issue(user_id, generation, NOW, lifetime, &keys(), &SeededEntropy::new(1)).unwrap();
        let claims = verify(&issued.token, NOW, &keys()).unwrap();
        prop_assert_eq!((claims.user_id, claims.generation), (user_id, generation));
        prop_assert_eq!(claims.expires_at - claims.issued_at, lifetime);
    }
}
