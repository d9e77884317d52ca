//! `stockroom login`

use std::time::Duration;

use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::connection::{Address, Connection, ConnectionFlags, Request};
use crate::credentials::{Credentials, Login};
use crate::failure::{Exit, Failure};
use crate::output::say;
use crate::prompt;

/// How many names are tried for a token before giving up.
const NAMES: u32 = 20;

/// Who logs in, and for how long.
#[derive(Args)]
pub struct Flags {
    /// The user's name. The password is asked for, or read from standard input; it can be in
    /// `STOCKROOM_PASSWORD`
    #[arg(long, env = "STOCKROOM_USER", value_name = "NAME")]
    user: Option<String>,
    /// Days until the API token ends
    #[arg(long, value_name = "NUMBER", default_value_t = 90, value_parser = clap::value_parser!(u16).range(1..))]
    days: u16,
    /// The token may change nothing
    #[arg(long)]
    read_only: bool,
    #[command(flatten)]
    connection: ConnectionFlags,
}

/// Logs in, makes an API token, and stores it.
pub(crate) fn run_login(flags: &Flags, now: Duration) -> Result<(), Failure> {
    let mut credentials = Credentials::read()?;
    let address = server(flags, &credentials)?;
    let anonymous = flags.connection.open(&address, None)?;
    let user = user_name(flags)?;
    let session = Session::start(&anonymous, &user, &prompt::password(&user)?)?;
    let server = address.into_text();
    if let Some(old) = credentials.find(Some(&server)) {
        session.revoke_quietly(old);
    }
    let made = session.make_token(flags, now)?;
    let text = |pointer| made.pointer(pointer).and_then(Value::as_str);
    let token = text("/token").unwrap_or_default().to_owned();
    let ends = text("/raw/expires_at").and_then(|time| time.split('T').next());
    say(&format!(
        "Logged in to {server} as {user}, until {}.\n",
        ends.unwrap_or("the token is revoked")
    ))?;
    credentials.put(Login {
        server,
        user,
        token,
        token_id: made.get("result_id").and_then(Value::as_i64).unwrap_or(0),
        insecure_http: flags.connection.insecure_http,
        ca_file: absolute(flags.connection.ca_file.as_deref())?,
    });
    let written = credentials.write();
    session.end();
    written
}

fn server(flags: &Flags, credentials: &Credentials) -> Result<Address, Failure> {
    match (flags.connection.address()?, credentials.find(None)) {
        (Some(address), _) => Ok(address),
        (None, Some(login)) => Address::parse(&login.server),
        (None, None) => Err(Failure::usage("name the server with --server URL")),
    }
}

fn user_name(flags: &Flags) -> Result<String, Failure> {
    let user = match &flags.user {
        Some(user) => Some(user.clone()),
        None => prompt::answer("User name: ")?,
    };
    let user = user.filter(|user| !user.is_empty());
    user.ok_or_else(|| Failure::usage("name the user with --user NAME"))
}

/// Later commands may run in another directory.
fn absolute(file: Option<&std::path::Path>) -> Result<Option<std::path::PathBuf>, Failure> {
    let absolute = file.map(std::path::absolute).transpose();
    absolute.map_err(|error| Failure::other(error.to_string()))
}

/// A session of a user. API tokens may not make or revoke tokens, sessions may.
pub(super) struct Session(Connection);

impl Session {
    pub(super) fn start(
        anonymous: &Connection,
        user: &str,
        password: &str,
    ) -> Result<Self, Failure> {
        let body = json!({"user_name": user, "password": password});
        let login = anonymous.send(&Request::post("/auth/login", &body))?;
        let token = login.document.get("token").and_then(Value::as_str);
        let token = token.ok_or_else(|| Failure::other("the server gave no token"))?;
        Ok(Self(anonymous.with_token(token)))
    }

    pub(super) fn revoke(&self, login: &Login) -> Result<(), Failure> {
        let path = format!("/tokens/{}", login.token_id);
        self.0.send(&Request::delete(&path)).map(drop)
    }

    /// Ends the session. It ends by itself if this fails.
    pub(super) fn end(self) {
        let _ = self.0.send(&Request::post("/auth/logout", &json!({})));
    }

    /// A token that the server does not know any more need not be revoked.
    fn revoke_quietly(&self, login: &Login) {
        let _ = self.revoke(login);
    }

    /// Makes a token with a name that no other token of the user has.
    fn make_token(&self, flags: &Flags, now: Duration) -> Result<Value, Failure> {
        let expires = expiry(flags.days, now)?;
        let host = rustix::system::uname();
        let host = host.nodename().to_string_lossy().into_owned();
        let mut number = 1;
        loop {
            let name = match number {
                1 => format!("command line on {host}"),
                _ => format!("command line on {host} ({number})"),
            };
            let body = json!({"name": name, "expires_at": expires, "read_only": flags.read_only});
            match self.0.send(&Request::post("/tokens", &body)) {
                Ok(made) => return Ok(made.document),
                Err(failure) if is_name_taken(&failure) && number < NAMES => number += 1,
                Err(failure) => return Err(failure),
            }
        }
    }
}

fn is_name_taken(failure: &Failure) -> bool {
    matches!(failure.exit, Exit::BadInput | Exit::Conflict) && failure.message.contains("/name")
}

fn expiry(days: u16, now: Duration) -> Result<String, Failure> {
    let seconds = now.as_secs() + u64::from(days) * 24 * 60 * 60;
    let time = Timestamp::from_second(i64::try_from(seconds).unwrap_or(i64::MAX));
    time.map(|time| time.to_string())
        .map_err(|error| Failure::other(format!("the clock is wrong: {error}")))
}
