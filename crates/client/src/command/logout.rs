//! `stockroom logout`

use clap::Args;

use crate::command::login::Session;
use crate::connection::{Address, ConnectionFlags};
use crate::credentials::Credentials;
use crate::failure::Failure;
use crate::output::say;
use crate::prompt;

/// Which login to end.
#[derive(Args)]
pub struct Flags {
    /// Forget the token without revoking it, which needs no password
    #[arg(long)]
    forget: bool,
    #[command(flatten)]
    connection: ConnectionFlags,
}

/// Revokes the token and forgets it. The password is needed, as no API token may revoke tokens.
pub(crate) fn run_logout(flags: &Flags) -> Result<(), Failure> {
    let login = flags.connection.login()?;
    if !flags.forget {
        let connection = ConnectionFlags {
            server: None,
            ca_file: login.ca_file.clone(),
            insecure_http: login.insecure_http,
        };
        let anonymous = connection.open(&Address::parse(&login.server)?, None)?;
        let password = prompt::password(&login.user)?;
        let session = Session::start(&anonymous, &login.user, &password)?;
        let revoked = session.revoke(&login);
        session.end();
        match revoked {
            Err(failure) if failure.exit != crate::failure::Exit::NotFound => return Err(failure),
            _ => {}
        }
    }
    let mut credentials = Credentials::read()?;
    credentials.remove(&login.server);
    credentials.write()?;
    say(&format!("Logged out of {}.\n", login.server))
}
