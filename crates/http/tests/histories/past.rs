//! Objects as of a time, one by one and in lists.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stockroom_model::Timestamp;

use crate::filter::{Filter, any_sort, sort};
use crate::model::{Records, id_of};
use crate::side::without_extras;
use crate::world::{TIME, World};

/// Objects that are read alone.
const READS: usize = 60;

impl World {
    /// Lists and reads show each moment as it was.
    pub(crate) async fn check_past(&mut self) {
        // So that no time lies in the future.
        self.main.server.advance(TIME);
        for place in 0..self.model.moments.len() {
            let (at, moment) = self.model.moments[place].clone();
            let at = self.later(at);
            self.check_list(at, &moment).await;
        }
        for _ in 0..READS {
            let (at, moment) = self.random.choice(&self.model.moments).unwrap().clone();
            let path = self.any_ever("objects").unwrap();
            let at = self.later(at);
            self.check_read(&path, at, moment.get(&path)).await;
        }
    }

    async fn check_list(&mut self, at: Timestamp, moment: &Records) {
        let all: Vec<&Value> = objects(moment).into_values().collect();
        assert_eq!(self.list(at, &[]).await["results"], json!(all), "{at:?}");

        let filter = Filter::any(&mut self.random, moment);
        let by = any_sort(&mut self.random, moment);
        let is_ascending = self.random.bool();
        let mut found: Vec<&Value> = all
            .into_iter()
            .filter(|each| filter.matches(each))
            .collect();
        sort(&mut found, by, is_ascending);
        let total = found.len();
        let text = filter.to_json().to_string();
        let order = if is_ascending { "1" } else { "-1" };
        let mut parameters = vec![("filter", text.as_str()), ("sort", by), ("order", order)];
        let list = self.list(at, &parameters).await;
        assert_eq!(list["results"], json!(found), "{parameters:?} at {at:?}");
        assert_eq!(list["total"], total, "{parameters:?} at {at:?}");
        parameters.extend([("limit", "3"), ("page", "2")]);
        let page: Vec<&Value> = found.into_iter().skip(3).take(3).collect();
        let list = self.list(at, &parameters).await;
        assert_eq!(list["results"], json!(page), "{parameters:?} at {at:?}");
    }

    async fn list(&self, at: Timestamp, more: &[(&str, &str)]) -> Value {
        let at = at.to_iso();
        let mut parameters = vec![("as_of", at.as_str())];
        if !more.iter().any(|(name, _)| *name == "limit") {
            parameters.push(("limit", "0"));
        }
        parameters.extend(more);
        let answer = self.main.admin().query("/rest/objects", &parameters).await;
        without_extras(answer.expect(200).json())
    }

    async fn check_read(&self, path: &str, at: Timestamp, expected: Option<&Value>) {
        let path = format!("{path}/native?as_of={}", at.to_iso());
        let answer = self.main.admin().get(&path).await;
        match expected {
            Some(document) => {
                assert_eq!(
                    &without_extras(answer.expect(200).json()),
                    document,
                    "{path}"
                );
            }
            None => assert_eq!(answer.status, 404, "{answer}"),
        }
    }
}

/// The objects of a moment, by id.
fn objects(moment: &Records) -> BTreeMap<i64, &Value> {
    let objects = moment
        .iter()
        .filter(|(path, _)| path.starts_with("/rest/objects/"));
    objects
        .map(|(path, document)| (id_of(path), document))
        .collect()
}
