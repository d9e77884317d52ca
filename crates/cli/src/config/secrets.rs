//! Secrets come from the environment, from a file that the environment names, or from the TOML file: flags show in process lists.

use std::path::Path;

use anyhow::{Context as _, bail};
use stockroom_service::bootstrap::Secrets;

use super::file::File;

/// The secrets that have no flag, as the TOML file names them: the password of the user admin on the first start, and 64
/// hexadecimal digits that all keys derive from, which are kept in the database otherwise.
pub(super) const NAMES: [&str; 2] = ["admin_password", "secret_key"];

/// Reads the secrets; `file` is the TOML file.
pub(super) fn read(file: Option<&Path>) -> anyhow::Result<Secrets> {
    let file = file.map(File::read).transpose()?;
    let [admin_password, secret_key] = NAMES.map(|name| {
        let variable = format!("STOCKROOM_{}", name.to_uppercase());
        let of_file = || file.as_ref().and_then(|file| file.text(name));
        of_environment(&variable).map(|secret| secret.or_else(of_file))
    });
    Ok(Secrets {
        admin_password: admin_password?,
        master_key: secret_key?.map(|text| hexadecimal(&text)).transpose()?,
    })
}

/// The value of a variable, or what the file holds that `…_FILE` names.
pub(super) fn of_environment(name: &str) -> anyhow::Result<Option<String>> {
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
