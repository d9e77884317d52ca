//! The users of the demo.

use serde_json::{Value, json};

use crate::groups::{AUDITORS, LICENSING, OPERATIONS, SERVICE_DESK};

/// The password of every demo user who can log in.
pub const PASSWORD: &str = "stockroom-demo";

/// The administrator of the first start, who imported the oldest records.
pub(crate) const ADMINISTRATOR: i64 = 1;
/// Birgit Schäfer, who maintains the inventory.
pub(crate) const BIRGIT: i64 = 2;
/// Małgorzata Kowalczyk, who maintains the inventory.
pub(crate) const MALGORZATA: i64 = 3;
/// João Conceição of the service desk.
pub(crate) const JOAO: i64 = 4;
/// Olena Shevchenko of the service desk.
pub(crate) const OLENA: i64 = 5;
/// Yōko Tanaka, who administers licences.
pub(crate) const YOKO: i64 = 6;
const LAYLA: i64 = 7;
const NIAMH: i64 = 8;
const RENE: i64 = 9;
/// Şule Özdemir, who has left; her records remain.
pub(crate) const SULE: i64 = 10;
/// The program that imports what a scan of the network finds.
pub(crate) const SCANNER: i64 = 11;

/// The default group, which exists from the first start.
const USERS: i64 = stockroom_model::Group::USERS;

pub(crate) fn all() -> Vec<Value> {
    vec![
        user(BIRGIT, "birgit.schaefer", ["Birgit", "Schäfer"], OPERATIONS),
        user(
            MALGORZATA,
            "malgorzata.kowalczyk",
            ["Małgorzata", "Kowalczyk"],
            OPERATIONS,
        ),
        user(JOAO, "joao.conceicao", ["João", "Conceição"], SERVICE_DESK),
        user(
            OLENA,
            "olena.shevchenko",
            ["Олена", "Шевченко"],
            SERVICE_DESK,
        ),
        user(YOKO, "yoko.tanaka", ["陽子", "田中"], LICENSING),
        user(LAYLA, "layla.haddad", ["ليلى", "حداد"], AUDITORS),
        user(NIAMH, "niamh.obrien", ["Niamh", "O’Brien"], AUDITORS),
        user(RENE, "rene.mueller", ["René", "Müller"], USERS),
        former(user(SULE, "sule.oezdemir", ["Şule", "Özdemir"], OPERATIONS)),
        json!({"public_id": SCANNER, "user_name": "network.scanner", "group_id": OPERATIONS, "is_service": true}),
    ]
}

fn user(id: i64, name: &str, [first, last]: [&str; 2], group: i64) -> Value {
    json!({
        "public_id": id,
        "user_name": name,
        "active": true,
        "group_id": group,
        "email": format!("{name}@example.org"),
        "password": PASSWORD,
        "first_name": first,
        "last_name": last,
    })
}

fn former(mut user: Value) -> Value {
    if let Some(members) = user.as_object_mut() {
        members.insert("active".to_owned(), Value::Bool(false));
    }
    user
}
