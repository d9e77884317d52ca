//! Questions on a terminal.

use std::io::{BufRead as _, IsTerminal as _, Write as _, stderr, stdin};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::connection::variable;
use crate::failure::Failure;

/// The password from `STOCKROOM_PASSWORD`, from the terminal without echo, or else from standard
/// input.
pub(crate) fn password(user: &str) -> Result<String, Failure> {
    if let Some(password) = variable("STOCKROOM_PASSWORD") {
        return Ok(password);
    }
    let hidden = stdin().is_terminal().then(HiddenInput::start).flatten();
    if hidden.is_some() {
        ask(&format!("Password of {user}: "));
    }
    let password = line()?;
    if hidden.is_some() {
        ask("\n");
    }
    if password.is_empty() {
        return Err(Failure::usage(
            "the password is empty; it is read from standard input or STOCKROOM_PASSWORD",
        ));
    }
    Ok(password)
}

/// The answer to a question, if somebody is there to answer.
pub(crate) fn answer(question: &str) -> Result<Option<String>, Failure> {
    if !stdin().is_terminal() {
        return Ok(None);
    }
    ask(question);
    line().map(Some)
}

fn ask(text: &str) {
    let mut out = stderr().lock();
    let _ = write!(out, "{text}").and_then(|()| out.flush());
}

fn line() -> Result<String, Failure> {
    let mut line = String::new();
    let read = stdin().lock().read_line(&mut line);
    read.map_err(|error| Failure::other(format!("cannot read standard input: {error}")))?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// A terminal that does not show what is typed, until this is dropped.
struct HiddenInput(Termios);

impl HiddenInput {
    fn start() -> Option<Self> {
        let shown = tcgetattr(stdin()).ok()?;
        let mut hidden = shown.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(stdin(), OptionalActions::Flush, &hidden).ok()?;
        Some(Self(shown))
    }
}

impl Drop for HiddenInput {
    fn drop(&mut self) {
        let _ = tcsetattr(stdin(), OptionalActions::Flush, &self.0);
    }
}
