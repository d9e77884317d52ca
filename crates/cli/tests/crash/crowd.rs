//! A job that is several transactions long.

use serde_json::{Value, json};

use crate::client::{Client, Request};
use crate::jobs::JOBS;
use crate::model::Kind;
use crate::verify::Rows;

/// More than a transaction of a job changes.
pub(crate) const CROWD: usize = 700;

/// Objects that a single job changes in several transactions.
pub(crate) struct Crowd {
    r#type: i64,
    value: String,
    revision: i64,
}

impl Crowd {
    pub(crate) fn make(client: &Client) -> Self {
        let field = json!({"type": "text", "name": "value", "label": "value"});
        let body = json!({"name": "crowd", "author_id": 1, "fields": [field]});
        let request = Request::new("crowd-type", "POST", Kind::Type.list(), Some(body));
        let answer = client.send(&request).expect("an answer");
        let r#type = answer.ids()[0];
        let fields = json!([{"name": "value", "value": ""}]);
        let object = json!({"type_id": r#type, "author_id": 1, "fields": fields});
        let insert = json!({"method": "POST", "path": "/objects", "body": object});
        let body = json!({"operations": vec![insert; CROWD]});
        let request = Request::new("crowd-objects", "POST", "/rest/batch", Some(body));
        let answer = client.send(&request).expect("an answer");
        assert_eq!(answer.ids().len(), CROWD, "{answer:?}");
        Self {
            r#type,
            value: String::new(),
            revision: 1,
        }
    }

    /// Starts a job that adds a letter to all values.
    pub(crate) fn change(&mut self, client: &Client, request: &str) {
        let filter = json!({"type_id": self.r#type});
        let body = json!({"filter": filter, "total": CROWD, "append": {"value": "x"}});
        let job = Request::new(request, "POST", JOBS, Some(body));
        let answer = client.send(&job).expect("an answer");
        assert_eq!(answer.status, 202, "{answer:?}");
        self.value += "x";
        self.revision += 1;
    }

    /// Takes the changes of the newest job out of `rows`, and tells what is wrong with them.
    pub(crate) fn check_rows(&self, rows: &mut Rows, request: &str) -> Option<String> {
        let found = rows.take_objects(request, self.revision);
        (found != CROWD).then(|| format!("{request} changed {found} of {CROWD} objects"))
    }

    /// What differs from the changes of all jobs, each exactly once.
    pub(crate) fn check(&self, client: &Client) -> Option<String> {
        let path = format!(
            "{}?limit=0&filter=%7B%22type_id%22:{}%7D",
            Kind::Object.list(),
            self.r#type
        );
        let answer = client.get(&path);
        let objects = answer.body["results"].as_array();
        let objects = objects.unwrap_or_else(|| panic!("{answer:?}"));
        let value = |object: &Value| object["fields"][0]["value"] == self.value.as_str();
        let right = objects.iter().filter(|object| value(object)).count();
        (right != CROWD).then(|| format!("{right} of {CROWD} objects have {:?}", self.value))
    }
}
