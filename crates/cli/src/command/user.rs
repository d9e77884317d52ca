//! `stockroom user …`

use std::io::BufRead as _;

use anyhow::{Context as _, bail};
use stockroom_store::Store;

use crate::config::Config;
use crate::logging::{complain, say};

pub(crate) fn set_password(name: &str, config: Config) -> anyhow::Result<()> {
    complain(&format!("New password of {name}:"));
    let mut password = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut password)
        .context("the password could not be read from standard input")?;
    let password = password.trim_end_matches(['\r', '\n']).to_owned();
    let shortest = config.accounts.minimum_password.max(1);
    if !(shortest..=stockroom_model::user::MAX_PASSWORD_BYTES).contains(&password.len()) {
        bail!(
            "a password is {shortest} to {} bytes long",
            stockroom_model::user::MAX_PASSWORD_BYTES
        );
    }
    super::block_on(async move {
        let started = super::serve::start(&config, Store::open_existing).await?;
        started.service.set_password(name, password).await?;
        started.service.close().await?;
        say(&format!(
            "The password of {name} is set; all its sessions have ended."
        ));
        Ok(())
    })
}
