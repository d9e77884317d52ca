//! Secrets come from the environment, from files that it names, or from the TOML file, but not from
//! flags, which process lists show.

use std::path::Path;

use anyhow::Context as _;
use stockroom_service::bootstrap::Secrets;

use super::environment;
use super::file::{File, SECRETS};

/// Reads the secrets; `file` is the TOML file.
pub(super) fn read_secrets(file: Option<&Path>) -> anyhow::Result<Secrets> {
    let file = file.map(File::read).transpose()?;
    let [admin_password, secret_key] = SECRETS.map(|name| {
        let variable = format!("STOCKROOM_{}", name.to_uppercase());
        let of_file = || file.as_ref().and_then(|file| file.text(name));
        environment::secret(&variable).map(|secret| secret.or_else(of_file))
    });
    Ok(Secrets {
        admin_password: admin_password?,
        master_key: secret_key?.map(|text| hexadecimal(&text)).transpose()?,
    })
}

/// The key that a rotation is to begin.
pub(crate) fn new_secret_key() -> anyhow::Result<Option<[u8; 32]>> {
    let text = environment::secret("STOCKROOM_NEW_SECRET_KEY")?;
    text.map(|text| hexadecimal(&text)).transpose()
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
