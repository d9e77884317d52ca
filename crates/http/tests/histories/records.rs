//! Random writes of categories, views, users, groups and settings.

use serde_json::{Value, json};

use crate::change::Write;
use crate::side::setting_path;
use crate::world::World;

const RIGHTS: [&str; 3] = [
    "base.framework.object.view",
    "base.framework.type.view",
    "base.framework.log.view",
];
const IDENTIFIERS: [&str; 3] = ["grid", "a b", "menu"];

impl World {
    pub(crate) fn record_write(&mut self) -> Write {
        match self.random.u8(0..5) {
            0 => self.category_write(),
            4 => self.view_write(),
            1 => self.user_write(),
            2 => self.group_write(),
            _ => self.setting_write(),
        }
    }

    /// An insert, or another write of a record of a kind.
    fn of(
        &mut self,
        folder: &str,
        insert: fn(&mut Self) -> Value,
        change: fn(&mut Self) -> Value,
    ) -> Write {
        let list = format!("/rest/{folder}");
        let Some(path) = self.any(folder) else {
            return Write::insert(&list, insert(self));
        };
        match self.random.u8(0..10) {
            0..3 => Write::insert(&list, insert(self)),
            3..6 => Write::patch(path, change(self)),
            6 | 7 => Write::delete(path),
            _ => self.restore_of(folder),
        }
    }

    fn category_write(&mut self) -> Write {
        self.of("categories", Self::category, |world| {
            let mut patch = world.category();
            patch.as_object_mut().unwrap().shift_remove("name");
            patch
        })
    }

    pub(crate) fn category(&mut self) -> Value {
        let parent = self.any_id("categories").filter(|_| self.random.bool());
        let types: Vec<i64> = self.any_id("types").into_iter().collect();
        json!({
            "name": self.new_name("category"), "label": self.text("category"), "parent": parent,
            "types": types, "meta": {"icon": null, "order": self.random.u8(0..3)},
        })
    }

    fn view_write(&mut self) -> Write {
        self.of("views", Self::saved_view, |world| {
            let mut patch = world.saved_view();
            patch.as_object_mut().unwrap().shift_remove("name");
            patch
        })
    }

    /// A view that both writers see.
    fn saved_view(&mut self) -> Value {
        let type_id = self.any_id("types").filter(|_| self.random.bool());
        json!({
            "name": self.new_name("view"), "description": self.text("view"), "type_id": type_id,
            "visibility": "all", "is_default": self.random.u8(0..4) == 0,
            "definition": {"rows": self.random.u8(0..3)},
        })
    }

    fn user_write(&mut self) -> Write {
        let insert = |world: &mut Self| {
            let group = world.any_id("groups").unwrap_or(2);
            json!({"user_name": world.new_name("user"), "password": "long enough", "group_id": group})
        };
        if self.random.u8(0..8) == 0
            && let Some(path) = self.any("users")
        {
            return Write::password(&path, &self.new_name("password"));
        }
        self.of("users", insert, |world| match world.random.u8(0..3) {
            0 => json!({"active": world.random.bool()}),
            1 => json!({"group_id": world.any_id("groups").unwrap_or(2)}),
            _ => json!({"email": world.text("mail"), "first_name": world.text("name")}),
        })
    }

    fn group_write(&mut self) -> Write {
        let insert =
            |world: &mut Self| json!({"name": world.new_name("group"), "rights": world.rights()});
        let write = self.of("groups", insert, |world| {
            if world.random.bool() {
                json!({"rights": world.rights()})
            } else {
                json!({"label": world.text("group")})
            }
        });
        if write.kind != crate::change::Kind::Delete {
            return write;
        }
        let action = match self.random.u8(0..3) {
            0 => "",
            1 => "?action=MOVE&group_id=2",
            _ => "?action=DELETE",
        };
        Write::delete(format!("{}{action}", write.path))
    }

    fn rights(&mut self) -> Vec<&'static str> {
        RIGHTS.into_iter().filter(|_| self.random.bool()).collect()
    }

    fn setting_write(&mut self) -> Write {
        let user = self.any("users").filter(|_| self.random.bool());
        let user = user.unwrap_or_else(|| "/rest/users/1".to_owned());
        let identifier = self.random.choice(IDENTIFIERS).unwrap();
        let path = setting_path(&user, identifier);
        let payload = json!({"a": self.text("payload"), "b": [self.random.u8(0..3)]});
        match self.random.u8(0..10) {
            0..4 => {
                let body =
                    json!({"identifier": identifier, "setting_type": "GLOBAL", "payload": payload});
                Write::insert(&format!("{user}/settings"), body)
            }
            4..6 => Write::patch(path, json!({"payload": payload})),
            6 | 7 => Write::delete(path),
            _ => self.restore_of("settings"),
        }
    }
}
