//! Secrets in the environment.

use anyhow::{Context as _, bail};

/// The value of a variable, or the content of the file named by `…_FILE`.
pub(super) fn secret(name: &str) -> anyhow::Result<Option<String>> {
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
