//! Any request is answered as the OpenAPI document says, and changes nothing unless it is done.

#![expect(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a helper of tests fails as a test does"
)]

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, Method, Uri};
use serde_json::{Map, Value, json};
use stockroom_service::background::{Imports, ObjectJobs};
use stockroom_testkit::inventory::{insert, small};
use stockroom_testkit::{Answer, Client, Engine, Setup, TestServer, api_token};
use tokio::runtime::Builder;
use tokio::time::timeout;

use crate::harness::{first_words, fuzz, kind};
use crate::loose;

const WORDS: &[&str] = &[
    "\t",
    "\t\t",
    "GET /rest/",
    "HEAD /rest/",
    "POST /rest/",
    "PUT /rest/",
    "PATCH /rest/",
    "DELETE /rest/",
    "OPTIONS ",
    "/rest/objects/",
    "/rest/objects/1",
    "/rest/objects/3/native",
    "/rest/objects/4/state",
    "/rest/objects/clean/2",
    "/rest/objects/jobs",
    "/rest/objects/aggregate",
    "/rest/types/",
    "/rest/types/2",
    "/rest/categories/1",
    "/rest/views/1",
    "/rest/sources/1",
    "/rest/users/2",
    "/rest/groups/3",
    "/rest/tokens/",
    "/rest/users/1/settings/grid",
    "/rest/rights",
    "/rest/search?q=",
    "/rest/changes?after=",
    "/rest/history",
    "/rest/history/requests/of-the-inventory/revert",
    "/rest/exports/objects?format=csv",
    "/rest/imports/1/run",
    "/rest/imports/1/rows",
    "/rest/batch",
    "/rest/integrations/http_sd?address=hostname",
    "/history",
    "/history/1",
    "/restore",
    "/references",
    "/sources",
    "/objects",
    "/query",
    "/preview",
    "/password",
    "?dry_run=true",
    "&dry_run=true",
    "&filter={\"type_id\":2}",
    "&filter={\"fields.hostname\":{\"$regex\":\"srv\"}}",
    "&sort=fields.hostname",
    "&order=-1",
    "&limit=1",
    "&limit=0",
    "&page=2",
    "&total=true",
    "&view=render",
    "&view=tree",
    "&active=true",
    "&labels=true",
    "&explain=true",
    "&projection=[\"public_id\"]",
    "&as_of=2026-03-04T05:06:07.089012",
    "&after=",
    "&after=now",
    "&wait=1",
    "&images=true",
    "&references=clear",
    "&columns=[\"hostname\"]",
    "&separator=;",
    "&bom=true",
    "&q=srv-01",
    "%00",
    "%FF",
    "%2F",
    "\tIf-Match: 1",
    "\tIf-Match: \"1\"",
    "\tIf-Match: *",
    "\tIf-None-Match: \"1\"",
    "\tIf-None-Match: *",
    "\tIdempotency-Key: a",
    "\tContent-Type: application/json",
    "\tContent-Type: application/merge-patch+json",
    "\tContent-Type: text/csv",
    "\tAccept: text/event-stream",
    "\tAccept-Encoding: zstd, br;q=0.5, *;q=0",
    "\tRange: bytes=0-1",
    "\ttraceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "\tX-Forwarded-For: 192.0.2.1",
    "\tForwarded: for=192.0.2.1;host=a",
    "\tX-Comment: a",
    "\tX-Request-Id: a",
    "\tX-Store-Version: 1",
    "\tPrefer: handling=strict",
    "\tPrefer: wait=1",
    "\tLast-Event-ID: 1",
    "\tAuthorization: Bearer a",
    "\tCookie: stockroom_session=a",
    "\tHost: a",
    "{\"operations\":[",
    "{\"method\":\"POST\",\"path\":\"/categories/\",\"body\":{\"name\":\"a\"}}",
    "{\"method\":\"POST\",\"path\":\"/objects/\",\"body\":{\"type_id\":1,\"author_id\":1,\"fields\":[]}}",
    "{\"method\":\"PATCH\",\"path\":\"/objects/{$result:0}\",\"body\":{}}",
    "{\"method\":\"DELETE\",\"path\":\"/objects/3\",\"if_match\":\"1\"}",
    "{$result:0}",
    "{\"$result\":0}",
    "\"comment\":\"a\"",
    "\"public_id\":1",
    "\"type_id\":1",
    "\"author_id\":1",
    "\"fields\":[",
    "{\"name\":\"hostname\",\"value\":\"srv-01\"}",
    "{\"name\":\"name\",\"value\":\"a\"}",
    "\"type\":\"text\"",
    "\"type\":\"ref\"",
    "\"type\":\"password\"",
    "\"renamed_from\":\"name\"",
    "\"regex\":\"a+\"",
    "\"required\":true",
    "\"default\":",
    "\"options\":[",
    "\"ref_types\":[1]",
    "\"sections\":[",
    "\"acl\":{\"activated\":true,\"groups\":{\"includes\":{\"3\":[\"READ\"]}}}",
    "\"parent\":1",
    "\"types\":[1]",
    "\"rights\":[\"base.*\"]",
    "\"group_id\":3",
    "\"password\":\"a password\"",
    "\"active\":false",
    "\"revision\":1",
    "\"force\":true",
    "\"columns\":{",
    "\"ignore_columns\":false",
    "\"key\":[\"hostname\"]",
    "\"external_key\":[\"site\"]",
    "\"policy\":\"all\"",
    "\"missing\":\"delete\"",
    "\"only\":\"failed\"",
    "\"dry_run\":true",
    "\"filter\":{\"type_id\":2}",
    "\"group_by\":[{\"field\":\"fields.hostname\"}]",
    "\"measures\":[{\"function\":\"max\",\"field\":\"fields.cores\"}]",
    "\"total\":1",
    "\"set\":{\"cores\":1}",
    "\"clear\":[\"cores\"]",
    "\"append\":{\"note\":\"a\"}",
    "\"state\":false",
    "\"delete\":true",
    "{\"$date\":1}",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "\\u0000",
    "\\ud800",
    "1e999",
];

/// The rights of the callers that are no administrators.
const FEW: [&str; 6] = [
    "base.framework.object.view",
    "base.framework.object.edit",
    "base.framework.type.view",
    "base.framework.category.add",
    "base.framework.log.view",
    "base.import.object.*",
];

const METHODS: [Method; 7] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
];

/// The lists of records that have ids and histories.
const LISTS: [&str; 8] = [
    "objects",
    "types",
    "categories",
    "views",
    "sources",
    "users",
    "tokens",
    "groups",
];

/// Parameters and headers that half of all requests have besides, by the lengths of inputs.
const ADDITIONS: [(&str, &str); 4] = [
    ("dry_run=true", ""),
    ("", "Idempotency-Key: a"),
    ("", "If-Match: \"1\""),
    ("", "Prefer: handling=strict"),
];

/// Requests to one server.
const MOST_REQUESTS: u32 = 500;
/// How long to wait for a request that may wait for changes.
const WAITING: Duration = Duration::from_millis(50);
/// Far more than any other request takes on a busy machine.
const MOST_TIME: Duration = Duration::from_secs(120);

#[test]
fn requests_are_answered() {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let world = Cell::new(None);
    fuzz("requests", WORDS, |input| {
        let Some(request) = Request::read(input) else {
            return 0;
        };
        runtime.block_on(async {
            let mut current = match world.take() {
                Some(current) => current,
                None => World::new().await,
            };
            let (outcome, is_spent) = current.handle(&request).await;
            if is_spent {
                current.read_all().await;
            } else {
                world.set(Some(current));
            }
            outcome
        })
    });
}

/// A request as an input describes it: method and path, and headers, between tabs; then two tabs
/// and the body.
struct Request {
    /// Which caller sends it.
    caller: usize,
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    fn read(input: &[u8]) -> Option<Self> {
        let end = input.windows(2).position(|pair| pair == b"\t\t");
        let (head, body) = input.split_at(end.unwrap_or(input.len()));
        let head = String::from_utf8_lossy(head);
        let mut parts = head.split('\t');
        let (method, path) = parts.next()?.split_once(' ')?;
        let method = METHODS.into_iter().find(|known| known == method)?;
        let path: String = path.bytes().map(in_path).collect();
        let addition = ADDITIONS.get(input.len() / 4 % 8);
        let (query, line) = addition.copied().unwrap_or_default();
        let mark = if path.contains('?') { '&' } else { '?' };
        let path = if query.is_empty() {
            path
        } else {
            format!("{path}{mark}{query}")
        };
        let is_path = path.starts_with('/') && path.parse::<Uri>().is_ok();
        is_path.then(|| Self {
            caller: input.len() % 4,
            method,
            path,
            headers: parts.chain([line]).filter_map(header).collect(),
            body: body_of(body.get(2..).unwrap_or_default()),
        })
    }

    /// Path without query.
    fn route(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }

    fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
    }

    /// Whether the answer may wait for changes.
    fn may_wait(&self) -> bool {
        let accept = self.headers.iter().filter(|(name, _)| name == "accept");
        let mut texts = accept.map(|(_, value)| value).chain([&self.path]);
        texts.any(|text| {
            ["wait", "%", "event-stream"]
                .iter()
                .any(|part| text.contains(part))
        })
    }

    /// Whether it must change nothing, whatever the answer is.
    fn is_read(&self) -> bool {
        let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(&self.method);
        let mut parameters = self.path.split(['?', '&']);
        let route = self.route().trim_end_matches('/');
        reads
            || parameters.any(|parameter| parameter == "dry_run=true")
            || ["/query", "/aggregate", "/preview"]
                .iter()
                .any(|end| route.ends_with(end))
    }

    fn shown(&self) -> String {
        let body = String::from_utf8_lossy(&self.body);
        format!(
            "{} {} {} {:?} {body}",
            self.caller, self.method, self.path, self.headers
        )
    }
}

/// The body as it stands, or more often as JSON.
fn body_of(input: &[u8]) -> Vec<u8> {
    if input.len() % 8 < 2 || !input.starts_with(b"{") {
        return input.to_vec();
    }
    let text = String::from_utf8_lossy(input);
    loose::read(&text).to_string().into_bytes()
}

/// A byte of a path, encoded if no path can have it.
fn in_path(byte: u8) -> String {
    match byte {
        b' ' | b'#' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'|' => format!("%{byte:02X}"),
        b'!'..=b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    }
}

/// A header that a request can have.
fn header(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    let name: HeaderName = name.trim().parse().ok()?;
    let value = value.trim();
    HeaderValue::from_str(value).ok()?;
    Some((name.as_str().to_owned(), value.to_owned()))
}

/// A server, and what is known of it.
struct World {
    server: TestServer,
    callers: [Client; 4],
    requests: u32,
    /// The cursor behind the newest change.
    newest: String,
    /// The requests that changed something, to repeat them.
    done: Vec<String>,
}

impl World {
    async fn new() -> Self {
        let server = Setup::default().start(Engine::Sqlite).await;
        let admin = server.admin();
        fill(&admin).await;
        let few = server.user_with(&FEW).await.client;
        let limits = json!({"name": "a", "rights": FEW, "types": [2]});
        let token = server.with_token(&api_token(&admin, limits).await);
        Self {
            newest: newest(&admin).await.expect("the right to follow changes"),
            callers: [admin.clone(), few, admin, token],
            server,
            requests: 0,
            done: Vec::new(),
        }
    }

    /// The kind of the answer to a request, and whether the next one goes to another server.
    async fn handle(&mut self, request: &Request) -> (u64, bool) {
        self.requests += 1;
        self.server.advance(Duration::from_secs(1));
        let answer = self.answer(request).await;
        self.work().await;
        let Some(newest) = newest(&self.server.admin()).await else {
            return (0, true);
        };
        let is_changed = newest != self.newest;
        if is_changed {
            self.newest = newest;
            self.done.push(request.shown());
        }
        let Some(answer) = answer else {
            return (1, false);
        };
        let may_change = answer.status < 300 && !request.is_read();
        assert!(may_change || !is_changed, "it changed something\n{answer}");
        let is_own = !request.has_header("authorization") && !request.has_header("cookie");
        let is_spent = self.requests == MOST_REQUESTS || answer.status == 401 && is_own;
        (outcome(request, &answer), is_spent)
    }

    /// The answer, checked; `None` if the request waits.
    async fn answer(&self, request: &Request) -> Option<Answer> {
        let caller = self.callers[request.caller].clone();
        let is_described = request.path.starts_with("/rest");
        let caller = if is_described {
            caller
        } else {
            caller.unchecked()
        };
        let client = request
            .headers
            .iter()
            .fold(caller, |client, (name, value)| {
                client.with_header(name, value)
            });
        let most = if request.may_wait() {
            WAITING
        } else {
            MOST_TIME
        };
        let (method, body) = (request.method.clone(), request.body.clone());
        let sent = client.send(method, &request.path, &[], body);
        let Ok(answer) = timeout(most, sent).await else {
            assert!(request.may_wait(), "no answer");
            return None;
        };
        assert!(answer.status < 500 || answer.status == 503, "{answer}");
        if is_described && answer.status >= 400 && request.method != Method::HEAD {
            let _ = answer.problem();
        }
        Some(answer)
    }

    /// Does what the server does in the background.
    async fn work(&self) {
        let service = self.server.service();
        service.finish(Imports::default()).await.expect("imports");
        service.finish(ObjectJobs).await.expect("jobs");
    }

    /// Reads all that was stored.
    async fn read_all(&self) {
        let admin = self.server.admin();
        for list in LISTS {
            let listed = admin.get(&format!("/rest/{list}?limit=0")).await;
            // Administrators may have taken their own rights.
            if matches!(listed.status, 401 | 403) {
                return;
            }
            for id in listed.expect(200).ids() {
                let _ = admin.get(&format!("/rest/{list}/{id}")).await.expect(200);
                let _ = admin
                    .get(&format!("/rest/{list}/{id}/history"))
                    .await
                    .expect(200);
            }
        }
        for path in [
            "/rest/objects?view=render&limit=0",
            "/rest/exports/all",
            "/rest/history",
        ] {
            let _ = admin.get(path).await.expect(200);
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("after these requests:\n{}", self.done.join("\n"));
        }
    }
}

/// The inventory of the tests of malformed requests: a record of every kind.
async fn fill(admin: &Client) {
    let _ = small(admin).await;
    let group = json!({"name": "others", "rights": ["base.framework.object.view"]});
    let user = json!({"user_name": "other", "password": "a password", "group_id": 3});
    let view = json!({"name": "grid", "visibility": "group", "group_id": 3});
    let source = json!({"name": "grid", "type_id": 2, "columns": {"hostname": "hostname"}, "external_key": ["hostname"]});
    for (path, body) in [
        ("/rest/types", json!({"name": "spare", "author_id": 1})),
        ("/rest/groups", group),
        ("/rest/users", user),
        ("/rest/views", view),
        ("/rest/sources", source),
    ] {
        insert(admin, path, body).await;
    }
    let file = b"hostname,site\nsrv-09,\nsrv-01,Berlin\n".to_vec();
    let _ = admin
        .send(Method::POST, "/rest/imports", &[], file)
        .await
        .expect(201);
    let setting = json!({"identifier": "grid", "setting_type": "APPLICATION", "payload": {"a": 1}});
    let client = admin
        .clone()
        .with_header("x-request-id", "of-the-inventory");
    let _ = client
        .post("/rest/users/1/settings", setting)
        .await
        .expect(201);
}

/// The cursor behind the newest change; `None` if the administrator may not see it any more.
async fn newest(admin: &Client) -> Option<String> {
    let answer = admin
        .clone()
        .unchecked()
        .get("/rest/changes?after=now")
        .await;
    if matches!(answer.status, 401 | 403) {
        return None;
    }
    let pager = answer.expect(200).member("pager");
    Some(pager["after"].to_string())
}

/// What is alike in answers of one kind. Those with many faults are alike, so that requests with few
/// are kept.
fn outcome(request: &Request, answer: &Answer) -> u64 {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let faults = body["errors"].as_array().map_or(0, Vec::len);
    // Nothing is known of paths that lead nowhere, or that were not looked at.
    if matches!(answer.status, 401 | 403..=405) || faults > 2 {
        return kind(&(&body["title"], &request.method));
    }
    let details = ["errors", "warnings"].map(|list| texts(&body[list]));
    let members: Vec<&String> = body.as_object().into_iter().flat_map(Map::keys).collect();
    let results = body["results"]
        .as_array()
        .map(|results| !results.is_empty());
    let headers: BTreeSet<&str> = answer.headers.keys().map(HeaderName::as_str).collect();
    let route = template(request.route());
    let reason = if faults == 0 {
        first_words(&body["detail"])
    } else {
        String::new()
    };
    let about = (&request.method, route, reason, &body["title"]);
    kind(&(about, details, members, results, headers))
}

/// What is alike in the details of faults.
fn texts(faults: &Value) -> BTreeSet<String> {
    let faults = faults.as_array().map(Vec::as_slice).unwrap_or_default();
    faults
        .iter()
        .map(|fault| first_words(&fault["detail"]))
        .collect()
}

/// A path with only the words that paths of the API have.
fn template(route: &str) -> String {
    static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let document = stockroom_http::document();
        let paths = document["paths"].as_object().into_iter().flatten();
        paths
            .flat_map(|(path, _)| path.split('/').map(str::to_owned))
            .collect()
    });
    let parts = route
        .split('/')
        .map(|part| if WORDS.contains(part) { part } else { "*" });
    parts.collect::<Vec<_>>().join("/")
}
