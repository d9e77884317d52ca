//! An inventory with known ids, and all kinds of callers.

use std::collections::HashMap;
use std::sync::Mutex;

use axum::http::Method;
use serde_json::{Value, json};
use stockroom_access::rights;
use stockroom_testkit::inventory::{insert, small};
use stockroom_testkit::{ADMIN_PASSWORD, Answer, Client, Engine, Setup, TestServer};

use crate::rows::{Row, VIEWS_OBJECTS};

/// A server with the inventory that the rows refer to, and the tokens that were made by their names.
pub(crate) struct World(TestServer, Mutex<HashMap<String, String>>);

/// A client with a token, valid or not.
pub(crate) struct Caller {
    client: Client,
    id: i64,
    group_id: i64,
    password: String,
}

/// What the ACLs of all types grant to the caller's group.
#[derive(Clone, Copy)]
pub(crate) enum Acl {
    Deny,
    ReadOnly,
}

impl World {
    pub(crate) async fn new(engine: Engine) -> Self {
        let server = Setup::default().start(engine).await;
        let admin = server.admin();
        let made = small(&admin).await;
        assert_eq!([made.places, made.site_type, made.server_type], [1, 1, 2]);
        assert_eq!([made.berlin, made.vienna], [1, 2]);
        assert_eq!([made.srv_01, made.srv_02], [3, 4]);
        let spare = json!({"name": "spare", "author_id": 1});
        assert_eq!(insert(&admin, "/rest/types", spare).await, 3);
        let group = json!({"name": "others", "rights": []});
        assert_eq!(insert(&admin, "/rest/groups", group).await, 3);
        let user = json!({"user_name": "other", "password": "a password", "group_id": 3});
        assert_eq!(insert(&admin, "/rest/users", user).await, 2);
        let job = json!({"filter": {"type_id": 3}, "total": 0, "state": true});
        let _ = admin.post("/rest/objects/jobs", job).await.expect(202);
        let file = b"[{\"name\": \"Graz\"}]".to_vec();
        let _ = admin
            .send(Method::POST, "/rest/imports", &[], file)
            .await
            .expect(201);
        let view = json!({"name": "Everything", "visibility": "all"});
        assert_eq!(insert(&admin, "/rest/views", view).await, 1);
        let source = json!({"name": "theirs", "type_id": 1, "columns": {"Name": "name"}});
        assert_eq!(insert(&admin, "/rest/sources", source).await, 1);
        let token = json!({"name": "theirs", "user_id": 2});
        assert_eq!(insert(&admin, "/rest/tokens", token).await, 1);
        let world = Self(server, Mutex::default());
        for user in [1, 2] {
            world.give_setting(user).await;
        }
        world
    }

    async fn give_setting(&self, user: i64) {
        let setting = json!({"identifier": "grid", "setting_type": "APPLICATION"});
        let path = format!("/rest/users/{user}/settings");
        let _ = self.0.admin().post(&path, setting).await.expect(201);
    }

    pub(crate) fn admin(&self) -> Caller {
        Caller {
            client: self.0.admin(),
            id: 1,
            group_id: 1,
            password: ADMIN_PASSWORD.to_owned(),
        }
    }

    /// A caller with the rights of the row, in a group to which all ACLs grant `acl`.
    pub(crate) async fn holder(&self, row: &Row, acl: Acl) -> Caller {
        let caller = self.caller(&held(row)).await;
        let granted = match acl {
            Acl::Deny => json!([]),
            Acl::ReadOnly => json!(["READ"]),
        };
        let group = caller.group_id.to_string();
        let all = json!(["CREATE", "READ", "UPDATE", "DELETE"]);
        let acl = json!({"activated": true, "groups": {"includes": {"1": all, group: granted}}});
        for type_id in 1..=3 {
            let path = format!("/rest/types/{type_id}");
            let change = json!({"acl": acl});
            let _ = self.0.admin().patch(&path, change).await.expect(202);
        }
        caller
    }

    /// Takes the access lists of all types away.
    pub(crate) async fn open_types(&self) {
        for type_id in 1..=3 {
            let path = format!("/rest/types/{type_id}");
            let change = json!({"acl": {"activated": false, "groups": {"includes": {}}}});
            let _ = self.0.admin().patch(&path, change).await.expect(202);
        }
    }

    /// A caller with the rights of the row.
    pub(crate) async fn ordinary(&self, row: &Row) -> Caller {
        self.caller(&held(row)).await
    }

    /// Sets the rights of group 3, which has none at first.
    pub(crate) async fn give_others(&self, rights: &[&str]) {
        let rights = json!({"rights": rights});
        let _ = self
            .0
            .admin()
            .patch("/rest/groups/3", rights)
            .await
            .expect(202);
    }

    /// Sends the request of a caller with the rights of the row, who is deactivated while its body
    /// arrives.
    pub(crate) async fn ask_while_revoked(&self, method: &Method, row: &Row) -> Answer {
        let caller = self.caller(&held(row)).await;
        let upload = caller
            .client
            .begin(method.clone(), &caller.fill(&row.path))
            .await;
        let path = format!("/rest/users/{}", caller.id);
        let inactive = json!({"active": false});
        let _ = self.0.admin().patch(&path, inactive).await.expect(202);
        let before = self.records().await;
        let body = caller.fill(row.body.as_deref().unwrap_or_default());
        let answer = upload
            .finish(&serde_json::from_str(&body).expect("a body of JSON"))
            .await;
        assert_eq!(self.records().await, before, "{answer}");
        answer
    }

    /// Everything that a request may change, as the administrator reads it.
    pub(crate) async fn records(&self) -> Vec<(&'static str, Value)> {
        let mut records = Vec::new();
        for resource in [
            "objects",
            "types",
            "categories",
            "views",
            "sources",
            "users",
            "groups",
            "tokens",
            "users/1/settings",
            "users/2/settings",
            "objects/jobs",
        ] {
            let answer = self
                .0
                .admin()
                .get(&format!("/rest/{resource}?limit=0"))
                .await;
            records.push((resource, answer.expect(200).member("results")));
        }
        records
    }

    /// A caller with every right but the one of the row, so that nothing else can cause a refusal.
    pub(crate) async fn without_right(&self, row: &Row) -> Caller {
        let others = rights::all().iter().filter(|right| !right.is_master);
        let held: Vec<&str> = others
            .map(|right| right.name)
            .filter(|name| *name != row.right)
            .collect();
        let is_any = !row.right.is_empty();
        self.caller(if is_any { &held } else { &[] }).await
    }

    async fn caller(&self, rights: &[&str]) -> Caller {
        let person = self.0.user_with(rights).await;
        self.give_setting(person.id).await;
        Caller {
            client: person.client,
            id: person.id,
            group_id: person.group_id,
            password: person.password,
        }
    }

    /// Callers with an invalid token. Each has, or would have, every right.
    pub(crate) async fn faulty_tokens(&self) -> Vec<(&'static str, Caller)> {
        let clients = [
            ("no token", self.0.anonymous()),
            ("broken", self.0.with_token(&self.forged_token().await)),
            ("expired", self.0.expired()),
            ("logged out", self.0.logged_out().await),
            ("inactive", self.0.inactive().await),
            ("deleted", self.0.deleted().await),
            ("revoked API token", self.revoked_token().await),
            ("API token elsewhere", self.token_elsewhere().await),
        ];
        let caller = |client| Caller {
            client,
            ..self.admin()
        };
        clients
            .into_iter()
            .map(|(name, client)| (name, caller(client)))
            .collect()
    }

    /// An API token of the administrator that may only read.
    pub(crate) async fn read_only_token(&self) -> Caller {
        let limits = json!({"name": "reader", "read_only": true});
        self.by_token(limits).await
    }

    /// An API token of the administrator with all rights, for one type.
    pub(crate) async fn token_for_type(&self, type_id: i64) -> Caller {
        let limits = json!({"name": "for a type", "types": [type_id]});
        self.by_token(limits).await
    }

    /// An API token of the administrator that has only the right to view objects.
    pub(crate) async fn viewing_token(&self) -> Caller {
        let limits = json!({"name": "viewer", "rights": [VIEWS_OBJECTS]});
        self.by_token(limits).await
    }

    /// The token with these limits, which is made once.
    async fn by_token(&self, limits: Value) -> Caller {
        let name = limits["name"].as_str().unwrap().to_owned();
        let known = self.1.lock().unwrap().get(&name).cloned();
        let token = match known {
            Some(token) => token,
            None => self.make_token(limits).await.1,
        };
        let client = self.0.with_token(&token);
        self.1.lock().unwrap().insert(name, token);
        Caller {
            client,
            ..self.admin()
        }
    }

    /// Makes a token of the administrator. Returns its id and its secret.
    async fn make_token(&self, limits: Value) -> (i64, String) {
        let made = self
            .0
            .admin()
            .post("/rest/tokens", limits)
            .await
            .expect(201);
        let id = made.member("result_id").as_i64().unwrap();
        (id, made.member("token").as_str().unwrap().to_owned())
    }

    async fn revoked_token(&self) -> Client {
        let (id, token) = self.make_token(json!({"name": "revoked"})).await;
        let path = format!("/rest/tokens/{id}");
        let _ = self.0.admin().delete(&path).await.expect(202);
        self.0.with_token(&token)
    }

    /// A token that works from another network only.
    async fn token_elsewhere(&self) -> Client {
        let limits = json!({"name": "elsewhere", "networks": ["203.0.113.0/24"]});
        let (_, token) = self.make_token(limits).await;
        self.0.with_token(&token)
    }

    /// The browser of the administrator, on a page of another site.
    pub(crate) async fn other_site(&self) -> Caller {
        let anonymous = self.0.anonymous();
        let own = anonymous
            .clone()
            .with_header("sec-fetch-site", "same-origin");
        let who = json!({"user_name": "admin", "password": ADMIN_PASSWORD, "cookie": true});
        let login = own.post("/rest/auth/login", who).await.expect(200);
        let cookie = login
            .header("set-cookie")
            .split(';')
            .next()
            .unwrap_or_default();
        let other = anonymous.with_header("cookie", cookie);
        Caller {
            client: other.with_header("sec-fetch-site", "cross-site"),
            ..self.admin()
        }
    }

    /// A token of the administrator with one changed letter in its signature.
    async fn forged_token(&self) -> String {
        let who = json!({"user_name": "admin", "password": ADMIN_PASSWORD});
        let login = self.0.anonymous().post("/rest/auth/login", who).await;
        let token = login.expect(200).member("token");
        let (signed, signature) = token.as_str().unwrap().rsplit_once('.').unwrap();
        let other = if signature.starts_with('A') { 'B' } else { 'A' };
        format!("{signed}.{other}{}", &signature[1..])
    }
}

fn held(row: &Row) -> Vec<&str> {
    let asked = (!row.right.is_empty()).then_some(&row.right);
    asked
        .into_iter()
        .chain(&row.also)
        .map(String::as_str)
        .collect()
}

impl Caller {
    /// Sends the request of a row.
    pub(crate) async fn ask(&self, method: &Method, row: &Row) -> Answer {
        self.ask_at(&row.path, method, row).await
    }

    /// Sends the request of a row with an unknown parameter.
    pub(crate) async fn ask_with(&self, parameter: &str, method: &Method, row: &Row) -> Answer {
        let mark = if row.path.contains('?') { '&' } else { '?' };
        let path = format!("{}{mark}{parameter}", row.path);
        self.ask_at(&path, method, row).await
    }

    async fn ask_at(&self, path: &str, method: &Method, row: &Row) -> Answer {
        let path = self.fill(path);
        let body = row.body.as_deref().map(|body| self.fill(body));
        if let Some(body) = &body {
            serde_json::from_str::<Value>(body).expect("a body of JSON");
        }
        let body = body.unwrap_or_default().into_bytes();
        self.client.send(method.clone(), &path, &[], body).await
    }

    /// Sends the request of a row as the only operation of a batch.
    pub(crate) async fn ask_in_batch(&self, method: &Method, row: &Row) -> Answer {
        let path = self.fill(&row.path);
        let body = row.body.as_deref().map(|body| self.fill(body));
        let body = body.map(|body| serde_json::from_str::<Value>(&body).expect("a body of JSON"));
        let path = path.strip_prefix("/rest").unwrap_or(&path);
        let mut operation = json!({"method": method.as_str(), "path": path});
        if let Some(body) = body {
            operation["body"] = body;
        }
        let batch = json!({"operations": [operation]});
        self.client.post("/rest/batch", batch).await
    }

    fn fill(&self, text: &str) -> String {
        text.replace("$me", &self.id.to_string())
            .replace("$group", &self.group_id.to_string())
            .replace("$password", &self.password)
    }
}
