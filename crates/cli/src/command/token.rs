//! `stockroom token …`

use anyhow::Context as _;
use clap::Args;
use serde_json::{Value, json};
use stockroom_auth::{SystemClock, SystemEntropy};
use stockroom_model::TokenId;
use stockroom_service::bootstrap::offline_token;
use stockroom_service::token::tokens_in;
use stockroom_store::Store;

use crate::config::Config;
use crate::logging::{complain, print, say};

/// The limits of a new token. They are checked as those of the API are.
#[derive(Args)]
pub(crate) struct NewToken {
    /// The name of the token, new for the user
    #[arg(long)]
    name: String,
    /// The token may change nothing
    #[arg(long)]
    read_only: bool,
    /// A right that the token has, such as base.framework.object.view; repeat it for more. All that
    /// the user holds by default
    #[arg(long, value_name = "RIGHT")]
    right: Vec<String>,
    /// The id of a type whose objects the token sees; repeat it for more. All that the user sees by
    /// default
    #[arg(long, value_name = "ID")]
    r#type: Vec<i64>,
    /// A network that the token works from, such as 192.0.2.0/24; repeat it for more. All by default
    #[arg(long, value_name = "NETWORK")]
    network: Vec<String>,
    /// When the token ends, such as 2030-12-31 or 2030-12-31T12:00:00Z. Never by default
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
}

impl NewToken {
    /// The body of the request that makes such a token.
    fn body(self) -> Value {
        let list = |items: Vec<Value>| (!items.is_empty()).then_some(items);
        let texts = |items: Vec<String>| list(items.into_iter().map(Value::from).collect());
        json!({
            "name": self.name,
            "read_only": self.read_only,
            "rights": texts(self.right),
            "types": list(self.r#type.into_iter().map(Value::from).collect()),
            "networks": texts(self.network),
            "expires_at": self.expires,
        })
    }
}

/// Prints a session token.
pub(crate) fn session(user: &str, config: &Config) -> anyhow::Result<()> {
    let location = config.database.location()?;
    let token = offline_token(
        &location,
        user,
        &config.service(),
        config.secrets()?.master_key,
        &SystemClock,
        &SystemEntropy,
    );
    print(&token.with_context(|| format!("no token from {location}"))?)
}

/// Makes an API token and prints its secret.
pub(crate) fn create(user: String, new: NewToken, config: Config) -> anyhow::Result<()> {
    super::block_on(async move {
        let started = super::serve::start(&config, Store::open_existing).await?;
        let made = started.service.make_token(&user, new.body()).await;
        started.service.close().await?;
        let made = made.map_err(all_problems)?;
        for warning in &made.written.warnings {
            complain(&format!("{}: {}", warning.pointer, warning.detail));
        }
        print(&made.token)
    })
}

/// Prints API tokens, one in a line.
pub(crate) fn list(user: Option<&str>, config: &Config) -> anyhow::Result<()> {
    let location = config.database.location()?;
    let tokens = tokens_in(&location, user);
    for token in tokens.with_context(|| format!("no tokens from {location}"))? {
        print(&token.to_string())?;
    }
    Ok(())
}

/// Revokes an API token.
pub(crate) fn revoke(id: TokenId, config: Config) -> anyhow::Result<()> {
    super::block_on(async move {
        let started = super::serve::start(&config, Store::open_existing).await?;
        let revoked = started.service.revoke_token(id).await;
        started.service.close().await?;
        let name = &revoked?["name"];
        say(&format!("The token {id}, {name}, is revoked."));
        Ok(())
    })
}

/// An error with all problems of the flags. Flags are named like members, but in the singular.
fn all_problems(error: stockroom_service::Error) -> anyhow::Error {
    let stockroom_service::Error::Invalid { problems, .. } = &error else {
        return error.into();
    };
    let lines = problems
        .iter()
        .map(|problem| format!("{}: {}", problem.pointer, problem.detail));
    anyhow::anyhow!(lines.collect::<Vec<_>>().join("\n"))
}
