//! Writes of views.

use serde_json::json;

use crate::model::Kind;
use crate::worker::{Stopped, Worker};

impl Worker {
    pub(crate) fn write_view(&mut self) -> Result<(), Stopped> {
        let known = self.living(Kind::View);
        let name = self.next_value();
        match self.random.choice(known) {
            Some((record, mut after)) if self.random.bool() => {
                after["name"] = name.clone().into();
                let body = json!({"name": name});
                self.write("PATCH", "", record, Some(body), Some(after))
            }
            Some((record, _)) if self.random.bool() => self.write("DELETE", "", record, None, None),
            _ => {
                let visibility = if self.random.bool() { "all" } else { "private" };
                let definition = json!({"columns": [format!("fields.{name}")]});
                let body =
                    json!({"name": name, "visibility": visibility, "definition": definition});
                let after = Kind::View.view(&body);
                self.insert(Kind::View, None, body, after).map(drop)
            }
        }
    }
}
