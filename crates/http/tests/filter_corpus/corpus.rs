//! Files of test cases, and how a case fails.

use std::path::{Path, PathBuf};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::Value;
use stockroom_testkit::{Answer, Client};

/// Documents, filters, and the documents that each filter finds.
#[derive(Deserialize)]
pub(crate) struct Corpus {
    pub(crate) documents: Vec<Value>,
    cases: Vec<Case>,
    #[serde(default)]
    invalid: Vec<Refused>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    filter: Value,
    #[serde(default)]
    sort: Vec<(String, i64)>,
    expected_ids: Vec<i64>,
}

#[derive(Deserialize)]
struct Refused {
    name: String,
    filter: Value,
}

/// The project's own cases, and those of the files that the environment variable names.
pub(crate) fn files() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../filter/tests/data/filter-cases.json");
    let more = std::env::var_os("STOCKROOM_FILTER_CASES").unwrap_or_default();
    let more = std::env::split_paths(&more).filter(|file| !file.as_os_str().is_empty());
    std::iter::once(own).chain(more).collect()
}

impl Corpus {
    pub(crate) fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file)
            .unwrap_or_else(|fault| panic!("{}: {fault}", file.display()));
        serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()))
    }

    /// The names of the cases that the server answers differently.
    pub(crate) async fn failures(&self, client: &Client) -> Vec<String> {
        let mut failures = Vec::new();
        for case in &self.cases {
            if let Err(failure) = case.check(client).await {
                failures.push(format!("{}: {}\n  {failure}", case.name, case.filter));
            }
        }
        for refused in &self.invalid {
            let answer = client.get(&path(&refused.filter, None)).await;
            if answer.status != 400 {
                let status = answer.status;
                failures.push(format!(
                    "{}: {}\n  answered with {status}",
                    refused.name, refused.filter
                ));
            }
        }
        failures
    }
}

impl Case {
    async fn check(&self, client: &Client) -> Result<(), String> {
        let sort = self.sort();
        let answer = client.get(&path(&self.filter, sort.flatten())).await;
        let (mut found, mut expected) = (ids(&answer)?, self.expected_ids.clone());
        if sort.is_none() {
            found.sort_unstable();
            expected.sort_unstable();
        }
        if found != expected {
            return Err(format!("expected {expected:?}\n  found    {found:?}"));
        }
        self.check_total(client, sort.flatten()).await
    }

    /// The sort of the case as a list can take it, `None` if it cannot. A list sorts by one key and
    /// breaks ties by ascending id, so a second key that says so may be dropped. The evaluator's
    /// own tests cover sorts by several keys.
    #[expect(clippy::option_option, reason = "no sort at all is one, too")]
    fn sort(&self) -> Option<Option<&(String, i64)>> {
        match self.sort.as_slice() {
            [] => Some(None),
            [key] => Some(Some(key)),
            [key, (tie, 1)] if tie == "public_id" => Some(Some(key)),
            _ => None,
        }
    }

    async fn check_total(
        &self,
        client: &Client,
        sort: Option<&(String, i64)>,
    ) -> Result<(), String> {
        let head = client.head(&path(&self.filter, sort)).await;
        let total = head.header("x-total-count");
        if head.status == 200 && total == self.expected_ids.len().to_string() {
            return Ok(());
        }
        let (expected, status) = (self.expected_ids.len(), head.status);
        Err(format!(
            "HEAD: expected a total of {expected}, found {total:?} with {status}"
        ))
    }
}

fn path(filter: &Value, sort: Option<&(String, i64)>) -> String {
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let filter = encode(&filter.to_string());
    let sort = sort.map(|(path, order)| format!("&sort={}&order={order}", encode(path)));
    format!(
        "/rest/objects/?limit=0&filter={filter}{}",
        sort.unwrap_or_default()
    )
}

fn ids(answer: &Answer) -> Result<Vec<i64>, String> {
    if answer.status != 200 {
        let said = String::from_utf8_lossy(&answer.body);
        return Err(format!("answered with {}: {said}", answer.status));
    }
    let (ids, total) = (answer.ids(), answer.member("total"));
    if total != ids.len() {
        return Err(format!("the total is {total} of {}", ids.len()));
    }
    Ok(ids)
}
