//! Configuration: flags, then the environment, then a TOML file, then defaults. Every setting has the same name in all three:
//! `--token-lifetime`, `STOCKROOM_TOKEN_LIFETIME`, `token_lifetime`.

mod database;

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use stockroom_service::FilterLimits;
use stockroom_store::Place;

/// What can be set by flag, environment or file; absent here, it takes the default.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Flags {
    /// A TOML file with any of these settings
    #[arg(long, env = "STOCKROOM_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    config: Option<PathBuf>,
    /// Address to listen on; port 0 picks one [default: 127.0.0.1:4000]
    #[arg(long, env = "STOCKROOM_LISTEN", value_name = "ADDR:PORT")]
    listen: Option<SocketAddr>,
    /// Directory of the embedded database [default: ./data]
    #[arg(long, env = "STOCKROOM_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// A PostgreSQL server instead of the directory, as in `postgres://stockroom@db1,db2/inventory`; a password in it is better given by the
    /// environment, or by the file that `STOCKROOM_DATABASE_FILE` names
    #[arg(
        long,
        env = "STOCKROOM_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    #[serde(deserialize_with = "secret_text")]
    database: Option<String>,
    /// Replicas of that server for reads that need not show the newest commit; see X-Store-Version in the API
    #[arg(
        long,
        env = "STOCKROOM_READ_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    #[serde(deserialize_with = "secret_text")]
    read_database: Option<String>,
    /// Schema of the tables on that server; made if need be [default: the first of its search path]
    #[arg(long, env = "STOCKROOM_DATABASE_SCHEMA", value_name = "NAME")]
    database_schema: Option<String>,
    /// Certificates in PEM form, one of which signed that of the server [default: those of the system]
    #[arg(long, env = "STOCKROOM_DATABASE_CA", value_name = "FILE")]
    database_ca: Option<PathBuf>,
    /// Connections for reads, and half as many for writes [default: 8]
    #[arg(long, env = "STOCKROOM_DATABASE_CONNECTIONS", value_name = "NUMBER")]
    database_connections: Option<usize>,
    /// Seconds that a connection may take to be made [default: 2]
    #[arg(
        long,
        env = "STOCKROOM_DATABASE_CONNECT_TIMEOUT",
        value_name = "SECONDS"
    )]
    database_connect_timeout: Option<u64>,
    /// Seconds that a statement may take [default: 60]
    #[arg(
        long,
        env = "STOCKROOM_DATABASE_STATEMENT_TIMEOUT",
        value_name = "SECONDS"
    )]
    database_statement_timeout: Option<u64>,
    /// Seconds that requests wait for a server that is not there, and the start as well [default: 5]
    #[arg(long, env = "STOCKROOM_DATABASE_PATIENCE", value_name = "SECONDS")]
    database_patience: Option<u64>,
    /// Fill an empty database with a demo inventory
    #[arg(
        long,
        env = "STOCKROOM_DEMO",
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    demo: Option<bool>,
    /// Where clients reach the service, base path included [default: from each request]
    #[arg(long, env = "STOCKROOM_PUBLIC_URL", value_name = "URL")]
    public_url: Option<String>,
    /// Path under which everything stands, such as /inventory [default: none]
    #[arg(long, env = "STOCKROOM_BASE_PATH", value_name = "PATH")]
    base_path: Option<String>,
    /// Addresses of proxies whose X-Forwarded-* headers are believed
    #[arg(
        long,
        env = "STOCKROOM_TRUSTED_PROXY",
        value_name = "ADDR",
        value_delimiter = ','
    )]
    trusted_proxy: Vec<IpAddr>,
    /// How long a token is valid, in seconds [default: 43200]
    #[arg(long, env = "STOCKROOM_TOKEN_LIFETIME", value_name = "SECONDS")]
    token_lifetime: Option<i64>,
    /// The shortest password that is accepted, in bytes [default: 1]
    #[arg(long, env = "STOCKROOM_MINIMUM_PASSWORD", value_name = "BYTES")]
    minimum_password: Option<usize>,
    /// Conditions and operators in one filter [default: 10000]
    #[arg(long, env = "STOCKROOM_FILTER_NODES", value_name = "NUMBER")]
    filter_nodes: Option<usize>,
    /// Values in one list of a filter [default: 10000]
    #[arg(long, env = "STOCKROOM_FILTER_VALUES", value_name = "NUMBER")]
    filter_values: Option<usize>,
    /// Bytes of one regular expression of a filter [default: 16384]
    #[arg(long, env = "STOCKROOM_FILTER_PATTERN", value_name = "BYTES")]
    filter_pattern: Option<usize>,
    /// Steps back that a regular expression may take over one text [default: 100000]
    #[arg(long, env = "STOCKROOM_FILTER_BACKTRACKS", value_name = "NUMBER")]
    filter_backtracks: Option<usize>,
    /// Log filter, such as info, debug or warn [default: info]
    #[arg(long, env = "STOCKROOM_LOG", value_name = "FILTER")]
    log: Option<String>,
    /// Password of the user admin on the first start; secrets have no flag, other users could see it
    #[arg(skip)]
    #[serde(deserialize_with = "secret_text")]
    admin_password: Option<String>,
    /// 64 hexadecimal digits that all keys derive from; kept in the database otherwise
    #[arg(skip)]
    #[serde(deserialize_with = "secret_text")]
    secret_key: Option<String>,
}

/// The configuration in force.
#[derive(Clone)]
pub(crate) struct Config {
    pub(crate) listen: SocketAddr,
    pub(crate) place: Place,
    pub(crate) demo: bool,
    pub(crate) public_url: Option<String>,
    pub(crate) base_path: String,
    pub(crate) trusted_proxies: Vec<IpAddr>,
    pub(crate) token_lifetime: i64,
    pub(crate) minimum_password: usize,
    pub(crate) filter_limits: FilterLimits,
    pub(crate) log: String,
    pub(crate) admin_password: Option<String>,
    pub(crate) secret_key: Option<[u8; 32]>,
}

impl Flags {
    /// Merges flags and environment, which clap has read, with the file.
    pub(crate) fn resolve(self) -> anyhow::Result<Config> {
        let file = match &self.config {
            Some(path) => read_file(path)?,
            None => Self::default(),
        };
        let place = database::place(&self, &file)?;
        let trusted_proxies = if self.trusted_proxy.is_empty() {
            file.trusted_proxy
        } else {
            self.trusted_proxy
        };
        let limits = FilterLimits::default();
        let filter_limits = FilterLimits {
            max_nodes: self
                .filter_nodes
                .or(file.filter_nodes)
                .unwrap_or(limits.max_nodes),
            max_in: self
                .filter_values
                .or(file.filter_values)
                .unwrap_or(limits.max_in),
            max_pattern: self
                .filter_pattern
                .or(file.filter_pattern)
                .unwrap_or(limits.max_pattern),
            backtrack_limit: self
                .filter_backtracks
                .or(file.filter_backtracks)
                .unwrap_or(limits.backtrack_limit),
            ..limits
        };
        let config = Config {
            listen: self
                .listen
                .or(file.listen)
                .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 4000))),
            place,
            demo: self.demo.or(file.demo).unwrap_or(false),
            public_url: self.public_url.or(file.public_url),
            base_path: self
                .base_path
                .or(file.base_path)
                .unwrap_or_default()
                .trim_end_matches('/')
                .to_owned(),
            trusted_proxies,
            token_lifetime: self
                .token_lifetime
                .or(file.token_lifetime)
                .unwrap_or(12 * 3_600),
            minimum_password: self.minimum_password.or(file.minimum_password).unwrap_or(1),
            filter_limits,
            log: self.log.or(file.log).unwrap_or_else(|| "info".to_owned()),
            admin_password: secret("STOCKROOM_ADMIN_PASSWORD")?.or(file.admin_password),
            secret_key: secret("STOCKROOM_SECRET_KEY")?
                .or(file.secret_key)
                .map(|text| hexadecimal(&text))
                .transpose()?,
        };
        config.check()?;
        Ok(config)
    }
}

impl Config {
    fn check(&self) -> anyhow::Result<()> {
        if !self.base_path.is_empty() && !self.base_path.starts_with('/') {
            bail!("base path {:?} must start with a slash", self.base_path);
        }
        if let Some(url) = &self.public_url
            && !(url.starts_with("http://") || url.starts_with("https://"))
        {
            bail!("public URL {url:?} must start with http:// or https://");
        }
        if self.token_lifetime < 1 {
            bail!("token lifetime must be 1 second or more");
        }
        if self
            .admin_password
            .as_ref()
            .is_some_and(|password| password.len() < self.minimum_password.max(1))
        {
            bail!(
                "the admin password is shorter than {} bytes",
                self.minimum_password.max(1)
            );
        }
        Ok(())
    }
}

/// As TOML, so that it can be pasted into a file; secrets are masked.
impl fmt::Display for Config {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = |given: bool| if given { "\"***\"" } else { "unset" };
        writeln!(formatter, "listen = {:?}", self.listen.to_string())?;
        database::write(formatter, &self.place)?;
        writeln!(formatter, "demo = {}", self.demo)?;
        match &self.public_url {
            Some(url) => writeln!(formatter, "public_url = {url:?}")?,
            None => writeln!(formatter, "# public_url: from each request")?,
        }
        writeln!(formatter, "base_path = {:?}", self.base_path)?;
        let proxies: Vec<String> = self
            .trusted_proxies
            .iter()
            .map(ToString::to_string)
            .collect();
        writeln!(formatter, "trusted_proxy = {proxies:?}")?;
        writeln!(formatter, "token_lifetime = {}", self.token_lifetime)?;
        writeln!(formatter, "minimum_password = {}", self.minimum_password)?;
        let limits = &self.filter_limits;
        writeln!(formatter, "filter_nodes = {}", limits.max_nodes)?;
        writeln!(formatter, "filter_values = {}", limits.max_in)?;
        writeln!(formatter, "filter_pattern = {}", limits.max_pattern)?;
        writeln!(formatter, "filter_backtracks = {}", limits.backtrack_limit)?;
        writeln!(formatter, "log = {:?}", self.log)?;
        writeln!(
            formatter,
            "# admin_password: {}",
            masked(self.admin_password.is_some())
        )?;
        writeln!(
            formatter,
            "# secret_key: {}",
            masked(self.secret_key.is_some())
        )
    }
}

fn read_file(path: &Path) -> anyhow::Result<Flags> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text).map_err(|error| {
        // Written as a whole, the error would show the line, which may hold a secret.
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        anyhow!("{}, line {line}: {}", path.display(), error.message())
    })
}

/// As any text, but what stands there instead is never shown.
fn secret_text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(value)
        .map_err(|_| D::Error::custom("expected a secret as a text in quotes"))
}

/// A secret from the environment, or from the file that `…_FILE` names.
fn secret(name: &str) -> anyhow::Result<Option<String>> {
    if let Some(value) = variable(name)? {
        return Ok(Some(value));
    }
    let Some(path) = variable(&format!("{name}_FILE"))? else {
        return Ok(None);
    };
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {path}, named by {name}_FILE"))?;
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}

fn variable(name: &str) -> anyhow::Result<Option<String>> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => bail!("{name} is not valid UTF-8"),
    }
}

fn hexadecimal(text: &str) -> anyhow::Result<[u8; 32]> {
    let mut key = [0; 32];
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|digit| u8::try_from(digit.to_digit(16)?).ok())
        .collect();
    let digits = digits
        .filter(|digits| digits.len() == 64)
        .context("the secret key must be 64 hexadecimal digits")?;
    for (byte, pair) in key.iter_mut().zip(digits.chunks(2)) {
        *byte = pair.iter().fold(0, |byte, digit| byte << 4 | digit);
    }
    Ok(key)
}
