//! The records of the inventory and the rules they obey. Pure: no IO, no clock, no randomness.

pub mod body;
pub mod category;
pub mod difference;
pub mod group;
pub mod id;
pub mod json;
pub mod kind;
pub mod limits;
pub mod link;
pub mod name;
pub mod object;
pub mod pattern;
pub mod problem;
pub mod setting;
pub mod source;
pub mod time;
pub mod token;
pub mod r#type;
pub mod user;
pub mod view;

pub use category::Category;
pub use group::Group;
pub use id::{
    CategoryId, GroupId, ImportId, ObjectId, ObjectJobId, Revision, SourceId, TokenId, TypeId,
    UserId, ViewId,
};
pub use kind::FieldKind;
pub use limits::RecordLimits;
pub use object::Object;
pub use problem::{Problem, Problems};
pub use setting::Setting;
pub use source::Source;
pub use time::{Period, Timestamp};
pub use token::ApiToken;
pub use r#type::Type;
pub use user::User;
pub use view::View;

/// The version of objects and types whose body has none (`docs/guide/src/http.md`).
pub const DEFAULT_VERSION: &str = "1.0.0";

/// A label made of a name: every run of letters starts with a capital.
#[must_use]
pub fn title_case(name: &str) -> String {
    let mut label = String::with_capacity(name.len());
    let mut inside = false;
    for letter in name.chars() {
        match (letter.is_alphabetic(), inside) {
            (true, false) => label.extend(letter.to_uppercase()),
            _ => label.push(letter),
        }
        inside = letter.is_alphabetic();
    }
    label
}
