//! Requests to a server, and its answers.

mod address;
mod answer;
mod cursors;
mod tls;

use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use ureq::http::{Response, request::Builder};
use ureq::{Agent, Body, SendBody};

use crate::credentials::{Credentials, Login};
use crate::failure::{Exit, Failure};

pub(crate) use self::address::Address;
pub(crate) use self::answer::Answer;
pub(crate) use self::cursors::Cursors;

/// A server that does not accept a connection by then is unreachable.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// No request takes longer to begin its answer, or to go on with it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);
const HEADING: &str = "Connection";

/// Which server, and how to reach it.
#[derive(Args, Clone)]
pub(crate) struct ConnectionFlags {
    /// URL of the server [default: that of the last login]
    #[arg(long, env = "STOCKROOM_SERVER", value_name = "URL", help_heading = HEADING)]
    pub(crate) server: Option<String>,
    /// PEM file with the certificate authorities of the server [default: those of the system]
    #[arg(long, env = "STOCKROOM_CA_FILE", value_name = "FILE", help_heading = HEADING)]
    pub(crate) ca_file: Option<PathBuf>,
    /// Send password and token without encryption, over `http://`
    #[arg(long, help_heading = HEADING)]
    pub(crate) insecure_http: bool,
}

impl ConnectionFlags {
    /// A connection with the token of the environment, or of the login to that server. A token is
    /// never sent to another server than the one that made it.
    pub(crate) fn connect(&self) -> Result<Connection, Failure> {
        let given = self.address()?;
        if let Some(token) = variable("STOCKROOM_TOKEN") {
            let login = match &given {
                Some(_) => None,
                None => Credentials::read()?.find(None).cloned(),
            };
            let address = given.or_else(|| Address::parse(&login?.server).ok());
            let address = address.ok_or_else(no_server)?;
            return self.open(&address, Some(token));
        }
        let login = self.login()?;
        let flags = Self {
            server: None,
            ca_file: self.ca_file.clone().or(login.ca_file),
            insecure_http: self.insecure_http || login.insecure_http,
        };
        flags.open(&Address::parse(&login.server)?, Some(login.token))
    }

    /// The stored login to the server.
    pub(crate) fn login(&self) -> Result<Login, Failure> {
        let server = self.address()?.map(Address::into_text);
        let credentials = Credentials::read()?;
        let login = credentials.find(server.as_deref()).cloned();
        login.ok_or_else(|| match server {
            Some(server) => Failure::new(
                Exit::Refused,
                format!("not logged in to {server}; use `stockroom login --server {server}`"),
            ),
            None => no_server(),
        })
    }

    /// The server that flag or environment name.
    pub(crate) fn address(&self) -> Result<Option<Address>, Failure> {
        let server = self.server.as_deref().filter(|server| !server.is_empty());
        server.map(Address::parse).transpose()
    }

    /// A connection to this server.
    pub(crate) fn open(
        &self,
        address: &Address,
        token: Option<String>,
    ) -> Result<Connection, Failure> {
        if !address.is_private() && !self.insecure_http {
            return Err(Failure::usage(format!(
                "{address} is not encrypted, so others could read password and token; use https://, or accept that with --insecure-http"
            )));
        }
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            // Another server must not get the token.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_recv_response(Some(ANSWER_TIMEOUT))
            .timeout_per_read(Some(ANSWER_TIMEOUT))
            .user_agent(concat!("stockroom/", env!("CARGO_PKG_VERSION")));
        if address.is_encrypted() {
            config = config.tls_config(tls::config(self.ca_file.as_deref())?);
        }
        Ok(Connection {
            agent: config.build().into(),
            base: format!("{address}/rest"),
            token,
        })
    }
}

fn cannot_be_made(error: &ureq::http::Error) -> Failure {
    Failure::usage(format!("no request can be made: {error}"))
}

fn no_server() -> Failure {
    Failure::new(
        Exit::Refused,
        "not logged in; use `stockroom login --server URL`",
    )
}

/// A variable of the environment that is not empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// A server and the token for it.
pub(crate) struct Connection {
    agent: Agent,
    base: String,
    token: Option<String>,
}

/// A request; its path is below `/rest`.
#[derive(Default)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) parameters: Vec<(&'a str, String)>,
    pub(crate) body: Option<&'a Value>,
    pub(crate) headers: Vec<(&'a str, String)>,
}

impl<'a> Request<'a> {
    pub(crate) fn get(path: &'a str) -> Self {
        Self {
            method: "GET",
            path,
            ..Self::default()
        }
    }

    pub(crate) fn post(path: &'a str, body: &'a Value) -> Self {
        Self {
            method: "POST",
            path,
            body: Some(body),
            ..Self::default()
        }
    }

    pub(crate) fn delete(path: &'a str) -> Self {
        Self {
            method: "DELETE",
            path,
            ..Self::default()
        }
    }
}

impl Connection {
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self {
            agent: self.agent.clone(),
            base: self.base.clone(),
            token: Some(token.to_owned()),
        }
    }

    /// Sends a request and reads its answer. Prints warnings; a refusal is a failure.
    pub(crate) fn send(&self, request: &Request<'_>) -> Result<Answer, Failure> {
        let answer = Answer::read(self.ask(request)?)?;
        answer.print_warnings();
        Ok(answer)
    }

    /// Sends a request whose body is read while it is sent.
    pub(crate) fn upload(
        &self,
        request: &Request<'_>,
        length: Option<u64>,
        body: &mut dyn Read,
    ) -> Result<Answer, Failure> {
        let mut builder = self.head(request);
        builder = builder.header("content-type", "application/octet-stream");
        if let Some(length) = length {
            builder = builder.header("content-length", length);
        }
        // A file that is too long is refused before it is sent.
        let builder = builder.header("expect", "100-continue");
        let sent = builder.body(SendBody::from_reader(body));
        let sent = sent.map_err(|error| cannot_be_made(&error))?;
        let response = self
            .agent
            .run(sent)
            .map_err(|error| self.unreachable(&error))?;
        let answer = Answer::read(response)?;
        answer.print_warnings();
        Ok(answer)
    }

    /// Sends a request whose answer is a file.
    pub(crate) fn download(&self, request: &Request<'_>) -> Result<impl Read + use<>, Failure> {
        let response = self.ask(request)?;
        if !response.status().is_success() {
            return Err(answer::refusal(response));
        }
        let body = response.into_body().into_with_config();
        Ok(body.limit(u64::MAX).reader())
    }

    fn ask(&self, request: &Request<'_>) -> Result<Response<Body>, Failure> {
        let builder = self.head(request);
        let sent = match request.body {
            Some(body) => {
                let builder = builder.header("content-type", "application/json");
                let body = builder.body(body.to_string());
                body.map(|request| self.agent.run(request))
            }
            None => builder.body(()).map(|request| self.agent.run(request)),
        };
        let sent = sent.map_err(|error| cannot_be_made(&error))?;
        sent.map_err(|error| self.unreachable(&error))
    }

    fn head(&self, request: &Request<'_>) -> Builder {
        let mut url = format!("{}{}", self.base, request.path);
        for (index, (name, value)) in request.parameters.iter().enumerate() {
            url.push(if index == 0 { '?' } else { '&' });
            url.extend([*name, "="]);
            url.extend(utf8_percent_encode(value, NON_ALPHANUMERIC));
        }
        let mut builder = Builder::new().method(request.method).uri(url);
        if let Some(token) = &self.token {
            builder = builder.header("authorization", format!("Bearer {token}"));
        }
        let headers = request.headers.iter();
        headers.fold(builder, |builder, (name, value)| {
            builder.header(*name, value)
        })
    }

    fn unreachable(&self, error: &ureq::Error) -> Failure {
        let server = self.base.trim_end_matches("/rest");
        Failure::new(
            Exit::Unreachable,
            format!("no answer from {server}: {error}"),
        )
    }
}
